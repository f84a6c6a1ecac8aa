"""Optimizer: parameter groups, their options, and the state kept for each parameter."""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from lamella.autograd.hooks import RemovableHandle
from lamella.core.tensor import Tensor

from . import state as _state
from .helpers import (  # noqa: F401
    _capturable_doc,
    _default_to_fused_or_foreach,
    _device_dtype_check_for_fused,
    _differentiable_doc,
    _disable_dynamo_if_unsupported,
    _dispatch_sqrt,
    _foreach_doc,
    _fused_doc,
    _get_capturable_supported_devices,
    _get_scalar_dtype,
    _get_value,
    _maximize_doc,
    _params_doc,
    _stack_if_compiling,
    _to_scalar,
    _use_grad_for_differentiable,
    _view_as_real,
)
from .hooks import add, counted, register_optimizer_step_post_hook, register_optimizer_step_pre_hook

__all__ = ["Optimizer", "ParamsT", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook", "required"]

ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
StateDict: TypeAlias = dict[str, Any]
_params_t = ParamsT


class _Required:
    """Marks an option without a default value."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


class Optimizer:
    """Base class of the optimizers.

    A subclass hands its options to ``__init__`` as ``defaults`` and defines ``step(closure=None)``, which changes
    every ``p`` in ``group["params"]`` of ``self.param_groups`` that has a gradient; what it needs to remember of ``p``
    goes into ``self.state[p]``.

    Args:
        params: tensors, or dicts with ``"params"`` and options of their own, or pairs of name and tensor, as
            ``model.named_parameters()`` gives them.
        defaults: the options of groups that do not set them.

    Raises:
        TypeError: ``params`` is one tensor, or holds something that is no tensor.
        ValueError: no parameters, a parameter twice, or one that is not a leaf.

    Example:
        >>> from lamella.core import ones
        >>> class Halve(Optimizer):
        ...     def __init__(self, params):
        ...         super().__init__(params, {"by": 0.5})
        ...     def step(self, closure=None):
        ...         for group in self.param_groups:
        ...             for p in group["params"]:
        ...                 p.mul_(group["by"])
        >>> p = ones(2)
        >>> Halve([p]).step()
        >>> p
        tensor([0.5000, 0.5000])
    """

    # Steps that were made. The schedulers look at it; `_opt_called` may be set by programs that step in other ways.
    _step_calls = 0
    _opt_called = False
    _stepping = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        step = cls.__dict__.get("step")
        if callable(step) and not getattr(step, "hooked", False):
            cls.step = counted(step)  # type: ignore[method-assign]

    def __init__(self, params: ParamsT, defaults: dict[str, Any]):
        self.defaults = defaults
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                f"{type(self).__name__}: params argument given to the optimizer should be an iterable of Tensors or "
                f"dicts (got a {type(params).__name__})\nhint: put it into a list: [parameter]"
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups: list[Any] = [params] if isinstance(params, dict) else list(params)
        if not groups:
            raise ValueError(f"{type(self).__name__}: optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group) if isinstance(group, dict) else group)

    def _make_hooks(self) -> None:
        self._optimizer_step_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._optimizer_step_post_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._optimizer_state_dict_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._optimizer_state_dict_post_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._optimizer_load_state_dict_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._optimizer_load_state_dict_post_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_optimizer_step_pre_hooks" not in self.__dict__:
            self._make_hooks()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        groups = []
        for i, group in enumerate(self.param_groups):
            options = [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
            groups.append("\n".join([f"Parameter Group {i}", *options]))
        return f"{type(self).__name__} (\n" + "\n\n".join(groups) + "\n)"

    # ------------------------------------------------------------------ groups

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters, for example a layer that is to be trained from now on.

        Args:
            param_group: a dict with ``"params"`` (a tensor, an iterable of tensors, or of pairs of name and tensor) and
                any options that differ from the defaults.

        Raises:
            TypeError: no dict, a set (it has no order), or something that is no tensor.
            ValueError: a tensor that is not a leaf, a parameter that is in another group already, names for some
                parameters only, or a required option that is missing.
        """
        op = type(self).__name__
        if not isinstance(param_group, dict):
            raise TypeError(f"{op}: param_group must be a dict, but got {type(param_group)}")
        if "params" not in param_group:
            raise ValueError(f"{op}: a param_group needs a key 'params' (got {', '.join(map(repr, param_group))})")
        _read_params(op, param_group)
        for i, p in enumerate(param_group["params"]):
            if not isinstance(p, Tensor):
                kind = type(p).__name__
                raise TypeError(f"{op}: optimizer can only optimize Tensors, but one of the params is {kind} (at {i})")
            if not self.defaults.get("differentiable") and not (p.is_leaf or p.retains_grad):
                raise ValueError(
                    f"{op}: can't optimize a non-leaf Tensor (number {i}, made by {p.grad_fn.name()})\n"
                    "hint: pass the tensor that requires_grad_() was called on, or t.detach().requires_grad_()"
                )
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    f"{op}: parameter group didn't specify a value of required optimization parameter {name}"
                )
            param_group.setdefault(name, default)
        self._check_unique(op, param_group)
        self.param_groups.append(param_group)

    def _check_unique(self, op: str, new: dict[str, Any]) -> None:
        ids = {id(p) for p in new["params"]}
        if len(ids) != len(new["params"]):
            warnings.warn(
                f"{op}: optimizer contains a parameter group with duplicate parameters; it moves them more than once",
                UserWarning,
                stacklevel=4,
            )
        for i, group in enumerate(self.param_groups):
            if ("param_names" in new) != ("param_names" in group):
                kind = "with names" if "param_names" in new else "without names"
                raise ValueError(
                    f"{op}: all optimizer param groups should be with/without names. cannot add param group {kind} "
                    "to the optimizer"
                )
            shared = sum(id(p) in ids for p in group["params"])
            if shared:
                raise ValueError(
                    f"{op}: some parameters appear in more than one parameter group "
                    f"({shared} of the new group's are in group {i})"
                )

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters.

        Args:
            set_to_none: drop them, so that their memory is free and ``step`` leaves parameters without a new gradient
                alone; with False they are filled with zeros.
        """
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad
                if grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                else:
                    if grad.grad_fn is not None:
                        grad.detach_()
                    else:
                        grad.requires_grad_(False)
                    grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters once; a subclass defines it.

        Args:
            closure: computes the loss again and returns it.
        """
        raise NotImplementedError(f"{type(self).__name__}: an optimizer must define step(closure=None)")

    # ------------------------------------------------------------------ state

    def state_dict(self) -> StateDict:
        """Return the state as a dict that can be saved: ``{"state": ..., "param_groups": ...}``.

        Parameters are numbered in the order of the groups; ``"state"`` maps their numbers to what is kept for them.
        The tensors are the optimizer's own, not copies.
        """
        for pre_hook in list(self._optimizer_state_dict_pre_hooks.values()):
            pre_hook(self)
        result = _state.pack(self)
        for post_hook in list(self._optimizer_state_dict_post_hooks.values()):
            changed = post_hook(self, result)
            if changed is not None:
                result = changed
        return result

    def load_state_dict(self, state_dict: StateDict) -> None:
        """Take over what :meth:`state_dict` returned, for parameters in the same order.

        State tensors move to the device and element type of their parameter; step counts keep their own.

        Args:
            state_dict: the state. It is not changed, and the optimizer keeps copies of its tensors.

        Raises:
            ValueError: the groups differ in number or size; each one that differs is named.
        """
        state_dict = dict(state_dict)
        for pre_hook in list(self._optimizer_load_state_dict_pre_hooks.values()):
            changed = pre_hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        self.__setstate__(_state.unpack(self, state_dict))
        for post_hook in list(self._optimizer_load_state_dict_post_hooks.values()):
            post_hook(self)

    # ------------------------------------------------------------------ hooks

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before each step; it returns None or new ``(args, kwargs)``."""
        return add(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return add(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer)`` before ``state_dict`` is made."""
        return add(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` on what ``state_dict`` returns; it may return another one."""
        return add(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` before a state is loaded; it may return another one."""
        return add(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer)`` after a state was loaded."""
        return add(self._optimizer_load_state_dict_post_hooks, hook, prepend)


def _read_params(op: str, group: dict[str, Any]) -> None:
    """Make ``group["params"]`` a list of what was given, and take names apart."""
    params = group["params"]
    if isinstance(params, Tensor):
        params = [params]
    elif isinstance(params, (set, frozenset)):
        raise TypeError(
            f"{op}: optimizer parameters need to be organized in ordered collections, but the ordering of tensors in "
            "sets will change between runs\nhint: use a list instead"
        )
    given = list(params)
    names = [p[0] for p in given if isinstance(p, tuple)]
    if names and len(names) != len(given):
        raise ValueError(
            f"{op}: all optimizer params should be with/without names. Some param names are missing "
            f"({len(names)} of {len(given)} have one)"
        )
    group["params"] = [p[1] for p in given] if names else given
    if names:
        group["param_names"] = names
