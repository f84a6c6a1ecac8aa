"""`Module`: the base class of every layer and every model."""

from __future__ import annotations

import itertools
import warnings
from collections import OrderedDict
from typing import Any

from lamella.core import Tensor
from lamella.dispatch.config import settings
from lamella.nn._names import typename
from lamella.nn.module_convert import ConvertMixin
from lamella.nn.module_hooks import HooksMixin, run_registration_hooks
from lamella.nn.module_state import StateMixin
from lamella.nn.module_tree import TreeMixin
from lamella.nn.parameter import Buffer, Parameter, is_lazy

__all__ = ["Module"]

_FIELDS = ("_parameters", "_buffers", "_modules")

settings.declare(
    "module_lint", bool, False, "warn where a list or dict of modules is assigned to a module: it is not registered"
)


def _check_name(op: str, kind: str, module: Module, table: dict, name: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{op}: the {kind} name must be a string (got {typename(name)})")
    if "." in name:
        raise KeyError(f'{op}: the {kind} name must not contain "." (got {name!r})')
    if name == "":
        raise KeyError(f"{op}: the {kind} name must not be empty")
    if name not in table and hasattr(module, name):
        raise KeyError(f"{op}: attribute {name!r} already exists on {type(module).__name__}")


class Module(HooksMixin, StateMixin, ConvertMixin, TreeMixin):
    """The base class of every layer and every model.

    A module owns parameters, buffers and other modules. Assigning one of these to an attribute registers it, so that
    `parameters()`, `state_dict()`, `to()` and the others find it. A subclass calls `super().__init__()` first and
    defines `forward`; calling the module runs `forward` between its hooks.

    Example:
        >>> from lamella import nn
        >>> class Net(nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = nn.Linear(4, 2)
        ...     def forward(self, x):
        ...         return self.fc(x).relu()
        >>> [name for name, _ in Net().named_parameters()]
        ['fc.weight', 'fc.bias']
    """

    dump_patches: bool = False
    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]

    # Layers that changed the meaning of their state raise it; it travels in the `_metadata` of a state_dict.
    _version: int = 1
    call_super_init: bool = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            got = next(iter(kwargs), None)
            what = f"unexpected keyword argument {got!r}" if got else f"{len(args)} positional arguments"
            raise TypeError(f"{type(self).__name__}.__init__: Module takes no arguments ({what})")
        d = self.__dict__
        d["training"] = True
        d["_parameters"] = {}
        d["_buffers"] = {}
        d["_non_persistent_buffers_set"] = set()
        d["_backward_pre_hooks"] = OrderedDict()
        d["_backward_hooks"] = OrderedDict()
        d["_is_full_backward_hook"] = None
        d["_forward_hooks"] = OrderedDict()
        d["_forward_hooks_with_kwargs"] = OrderedDict()
        d["_forward_hooks_always_called"] = OrderedDict()
        d["_forward_pre_hooks"] = OrderedDict()
        d["_forward_pre_hooks_with_kwargs"] = OrderedDict()
        d["_state_dict_hooks"] = OrderedDict()
        d["_state_dict_pre_hooks"] = OrderedDict()
        d["_load_state_dict_pre_hooks"] = OrderedDict()
        d["_load_state_dict_post_hooks"] = OrderedDict()
        d["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input: Any) -> Any:
        """Computes the output of the module; every subclass defines it.

        Raises:
            NotImplementedError: if the subclass has no `forward`.
        """
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # ------------------------------------------------------------------ registration

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a parameter, reachable as the attribute `name`.

        Args:
            name: a non-empty string without dots that no other attribute has.
            param: the parameter, or None for one that is absent (it stays out of `state_dict`).

        Raises:
            TypeError: `param` is neither a Parameter nor None.
            ValueError: `param` is the result of a computation.
            KeyError: the name is not usable.
        """
        table = self.__dict__.get("_parameters")
        if table is None:
            raise AttributeError("cannot assign parameters before Module.__init__() call")
        _check_name("register_parameter", "parameter", self, table, name)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"register_parameter: {name!r} must be a torch.nn.Parameter or None (got {typename(param)})"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"register_parameter: {name!r} is the result of a computation, a parameter must be a leaf\n"
                    "hint: compute such a value in forward()"
                )
            param = run_registration_hooks("parameter", self, name, param)
        table[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a tensor that is state but not a parameter, for example a running mean.

        Args:
            name: a non-empty string without dots that no other attribute has.
            tensor: the buffer, or None for one that is absent.
            persistent: whether `state_dict` contains it.

        Raises:
            TypeError: `tensor` is neither a Tensor nor None.
            KeyError: the name is not usable.
        """
        table = self.__dict__.get("_buffers")
        if table is None:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name("register_buffer", "buffer", self, table, name)
        if tensor is not None:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"register_buffer: {name!r} must be a torch.Tensor or None (got {typename(tensor)})")
            tensor = run_registration_hooks("buffer", self, name, tensor)
        table[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a child module, reachable as the attribute `name`.

        Raises:
            TypeError: `module` is neither a Module nor None.
            KeyError: the name is not usable.
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"add_module: {name!r} must be a Module or None (got {typename(module)})")
        table = self.__dict__.get("_modules")
        if table is None:
            raise AttributeError("cannot assign module before Module.__init__() call")
        _check_name("add_module", "module", self, table, name)
        table[name] = run_registration_hooks("module", self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """Another name of `add_module`."""
        self.add_module(name, module)

    # ------------------------------------------------------------------ attributes

    def __getattr__(self, name: str) -> Any:
        d = self.__dict__
        try:
            if name in (table := d["_parameters"]):
                return table[name]
            if name in (table := d["_modules"]):
                return table[name]
            if name in (table := d["_buffers"]):
                return table[name]
        except KeyError:
            pass
        return self._missing_attribute(name)

    def _missing_attribute(self, name: str) -> Any:
        cls = type(self)
        if any(name in c.__dict__ for c in cls.__mro__):
            # A property raised AttributeError on the way here: ask again, so that its own message comes out.
            return object.__getattribute__(self, name)
        hint = "" if "_parameters" in self.__dict__ else "\nhint: call super().__init__() first in its __init__"
        raise AttributeError(f"'{cls.__name__}' object has no attribute '{name}'{hint}", name=name, obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        d = self.__dict__
        if isinstance(value, (Tensor, Module)):
            self._set_registered(name, value)
            return
        if value.__class__ in (list, tuple, dict) and settings.module_lint:
            self._lint(name, value)
        try:
            if name not in d["_parameters"] and name not in d["_modules"] and name not in d["_buffers"]:
                object.__setattr__(self, name, value)
                return
        except KeyError:
            object.__setattr__(self, name, value)
            return
        for field, kind in zip(_FIELDS, ("parameter", "buffer", "child module"), strict=True):
            if name in d[field]:
                if value is not None:
                    self._refuse(name, value, kind)
                d[field][name] = None
                return

    def _lint(self, name: str, value: Any) -> None:
        if any(isinstance(v, Module) for v in (value.values() if isinstance(value, dict) else value)):
            holder = "ModuleDict" if isinstance(value, dict) else "ModuleList"
            warnings.warn(
                f"{type(self).__name__}.{name}: a {type(value).__name__} of modules is not registered, so parameters() "
                f"and state_dict() do not see them; nn.{holder}(...) is",
                stacklevel=3,
            )

    def _refuse(self, name: str, value: Any, kind: str) -> None:
        wanted = {
            "parameter": "torch.nn.Parameter or None",
            "buffer": "torch.nn.Buffer, torch.Tensor or None",
            "child module": "torch.nn.Module or None",
        }[kind]
        raise TypeError(f"cannot assign '{typename(value)}' as {kind} '{name}' ({wanted} expected)")

    def _forget(self, name: str, *but: str) -> None:
        d = self.__dict__
        d.pop(name, None)
        for field in _FIELDS:
            if field not in but:
                d[field].pop(name, None)
        if "_buffers" not in but:
            d["_non_persistent_buffers_set"].discard(name)

    def _set_registered(self, name: str, value: Tensor | Module) -> None:
        d = self.__dict__
        params = d.get("_parameters")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
            return
        if params is not None and name in params:
            self._refuse(name, value, "parameter")
        if isinstance(value, Module):
            if params is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_modules")
            d["_modules"][name] = run_registration_hooks("module", self, name, value)
            return
        if params is not None and name in d["_modules"]:
            self._refuse(name, value, "child module")
        if params is not None and name in d["_buffers"]:
            keep = name not in d["_non_persistent_buffers_set"]
            if isinstance(value, Buffer):
                keep = value.persistent
            self.register_buffer(name, value, keep)
        elif isinstance(value, Buffer):
            if params is None:
                raise AttributeError("cannot assign buffer before Module.__init__() call")
            self._forget(name, "_buffers")
            self.register_buffer(name, value, value.persistent)
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        d = self.__dict__
        for field in _FIELDS:
            if name in d[field]:
                del d[field][name]
                d["_non_persistent_buffers_set"].discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        d = self.__dict__
        names = itertools.chain(dir(type(self)), d, *(d.get(field, ()) for field in _FIELDS))
        return sorted({name for name in names if not name[:1].isdigit()})

    # ------------------------------------------------------------------ mode and gradients

    def train(self, mode: bool = True) -> Module:
        """Switches this module and those below it to training (`mode=True`) or evaluation; returns itself.

        Raises:
            ValueError: `mode` is not a bool.
        """
        if not isinstance(mode, bool):
            raise ValueError(f"train: the mode must be a bool (got {typename(mode)})")
        self.training = mode
        for module in self._modules.values():
            if module is not None:
                module.train(mode)
        return self

    def eval(self) -> Module:
        """Switches to evaluation: the same as `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Sets `requires_grad` of every parameter; returns the module itself."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Removes the gradients of all parameters, or fills them with zeros where `set_to_none` is false."""
        for param in self.parameters():
            if param.grad is None:
                continue
            if set_to_none:
                param.grad = None
            else:
                if param.grad.grad_fn is not None:
                    param.grad.detach_()
                else:
                    param.grad.requires_grad_(False)
                param.grad.zero_()

    # ------------------------------------------------------------------ printing and copying

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What is printed between the brackets of the module's own line; layers override it."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr()
        lines = own.split("\n") if own else []
        children = [f"({name}): {_indent(repr(module))}" for name, module in self._modules.items()]
        if not children and len(lines) <= 1:
            return f"{self._get_name()}({own})"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"

    def __getstate__(self) -> dict:
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state: dict) -> None:
        d = self.__dict__
        d.update(state)
        # Objects pickled by an older version lack tables that came later.
        for field in HOOK_TABLES:
            d.setdefault(field, OrderedDict())
        d.setdefault("_is_full_backward_hook", None)
        d.setdefault("_non_persistent_buffers_set", set())
        if any(d[field] for field in HOOK_TABLES[:4]):
            d["_slow_call"] = True

    def _replicate_for_data_parallel(self) -> Module:
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica

    def _has_lazy_state(self) -> bool:
        return any(is_lazy(t) for t in itertools.chain(self._parameters.values(), self._buffers.values()))


HOOK_TABLES = (
    "_forward_hooks",
    "_forward_pre_hooks",
    "_backward_hooks",
    "_backward_pre_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")
