"""Parameters computed from others: a module's tensor becomes a property with its own parameters behind it."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from typing import Any

from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.nn.containers import ModuleDict, ModuleList
from lamella.nn.module import Module
from lamella.nn.parameter import Parameter

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "transfer_parametrizations_and_params", "type_before_parametrizations",
]  # fmt: skip

_cache_enabled = 0
_cache: dict[tuple[int, str], Any] = {}


@contextlib.contextmanager
def cached() -> Iterator[None]:
    """Within this block every parametrised tensor is computed once and then reused.

    Example:
        >>> with cached():
        ...     pass
    """
    global _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _register(module: Module, name: str, value: Tensor) -> None:
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


def _write(dest: Tensor, value: Tensor) -> None:
    """Gives `dest` new data, which may have another shape; it keeps its identity."""
    if dest is not value:
        dest.data = value.detach()


class ParametrizationList(ModuleList):
    """The parametrisations of one tensor, applied one after another to `original` (or `original0`, `original1`, ...).

    Args:
        modules: the parametrisations.
        original: the tensor that is parametrised.
        unsafe: do not check that shape and dtype stay.

    Raises:
        ValueError: no parametrisations; ValueError or TypeError: results that do not fit the tensor.
    """

    original: Tensor
    unsafe: bool

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList: one or more modules are needed")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new: Any
        with no_grad():
            new = original
            for module in reversed(self):  # type: ignore[call-overload]
                if hasattr(module, "right_inverse"):
                    with contextlib.suppress(NotImplementedError):
                        new = module.right_inverse(new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                f"ParametrizationList: right_inverse must return a Tensor or a sequence (got {type(new).__name__})"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if isinstance(new, Tensor) else len(new)
        if isinstance(new, Tensor):
            if original.dtype != new.dtype:
                raise ValueError(
                    f"ParametrizationList: right_inverse must keep the dtype ({original.dtype}, got {new.dtype})"
                )
            with no_grad():
                _write(original, new)
            _register(self, "original", original)
        else:
            self._register_parts(new, original)
        if not unsafe:
            self._check(self(), shape, dtype)

    def _register_parts(self, parts: Sequence, original: Tensor) -> None:
        for i, part in enumerate(parts):
            if not isinstance(part, Tensor):
                raise ValueError(
                    f"ParametrizationList: right_inverse must return tensors (element {i} is {type(part).__name__})"
                )
            if isinstance(original, Parameter):
                part = Parameter(part, original.requires_grad)
            _register(self, f"original{i}", part)

    def _check(self, value: Any, shape: Any, dtype: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"a parametrization must return a tensor (got {type(value).__name__})")
        if value.dtype != dtype:
            raise ValueError(
                f"a parametrization may not change the dtype ({dtype}, got {value.dtype})\nhint: unsafe=True"
            )
        if value.shape != shape:
            told = f"({tuple(shape)}, got {tuple(value.shape)})"
            raise ValueError(f"a parametrization may not change the shape {told}\nhint: unsafe=True")

    def __iter__(self) -> Iterator[Module]:
        return iter(list(self._modules.values()))

    def __reversed__(self) -> Iterator[Module]:
        return reversed(list(self._modules.values()))

    def right_inverse(self, value: Tensor) -> None:
        """Sets the originals so that the tensor becomes `value`.

        Raises:
            RuntimeError: a parametrisation has no `right_inverse`.
        """
        with no_grad():
            new: Any = value
            for module in reversed(self):  # type: ignore[call-overload]
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrize: {type(module).__name__} has no right_inverse, so the tensor cannot be assigned"
                    )
                new = module.right_inverse(new)
            if self.is_tensor:
                if not isinstance(new, Tensor):
                    raise ValueError(f"right_inverse must return a tensor (got {type(new).__name__})")
                if new.dtype != value.dtype:
                    raise ValueError(f"right_inverse must keep the dtype ({value.dtype}, got {new.dtype})")
                _write(self.original, new)
                return
            if len(new) != self.ntensors:
                raise ValueError(f"right_inverse must return {self.ntensors} tensors (got {len(new)})")
            for i, part in enumerate(new):
                _write(getattr(self, f"original{i}"), part)

    def forward(self) -> Tensor:  # type: ignore[override]
        """Computes the tensor."""
        first, *rest = self
        if self.is_tensor:
            value = first(self.original)
        else:
            value = first(*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for module in rest:
            value = module(value)
        return value


def _parametrized_deepcopy(self: Any, memo: dict) -> Any:
    if id(self) in memo:
        return memo[id(self)]
    base = type(self).__bases__[0]
    replica: Any = object.__new__(base)
    memo[id(self)] = replica
    replica.__dict__ = copy.deepcopy(self.__dict__, memo)
    _inject_class(replica)  # a class of its own, or removing a parametrization would take it from both
    for name in replica.parametrizations:
        _inject_property(replica, name)
    return replica


def _no_pickle(self: Any) -> Any:
    raise RuntimeError(
        "pickle: a parametrized module has a class of its own and cannot be pickled\nhint: save its state_dict()"
    )


def _inject_class(module: Any) -> None:
    cls = type(module)
    body: dict[str, Any] = {"__getstate__": _no_pickle, "__module__": cls.__module__}
    if not hasattr(cls, "__deepcopy__"):
        body["__deepcopy__"] = _parametrized_deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _inject_property(module: Any, name: str) -> None:
    def get(self: Any) -> Tensor:
        if not _cache_enabled:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def set_(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, set_))


def register_parametrization(module: Any, tensor_name: str, parametrization: Module, *, unsafe: bool = False) -> Module:
    """Makes `module.tensor_name` the result of `parametrization(original)`.

    Args:
        module: the module.
        tensor_name: a parameter or buffer of it.
        parametrization: a module from the original to the tensor; with `right_inverse(tensor)` the tensor can be
            assigned, and the original starts from the tensor's value.
        unsafe: do not check that shape and dtype stay.

    Returns:
        The module.

    Raises:
        ValueError: there is no such tensor, or the result does not fit it.

    Example:
        >>> from lamella import nn
        >>> class Double(nn.Module):
        ...     def forward(self, x):
        ...         return 2 * x
        >>> m = nn.Linear(2, 2)
        >>> m = nn.utils.parametrize.register_parametrization(m, "weight", Double())
        >>> list(m.state_dict())
        ['bias', 'parametrizations.weight.original']
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        chain = module.parametrizations[tensor_name]
        if not unsafe:
            value = getattr(module, tensor_name)
            chain._check(parametrization(value), value.shape, value.dtype)
        with no_grad():
            if hasattr(parametrization, "right_inverse"):
                with contextlib.suppress(NotImplementedError):
                    chain.right_inverse(parametrization.right_inverse(getattr(module, tensor_name)))
        chain.append(parametrization)
        chain.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        chain = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = chain
    else:
        raise ValueError(
            f"register_parametrization: {type(module).__name__} does not have a parameter, a buffer, or a "
            f"parametrized element with name '{tensor_name}'"
        )
    return module


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Whether a module (or one tensor of it) is parametrised."""
    chains = getattr(module, "parametrizations", None)
    if not isinstance(chains, ModuleDict):
        return False
    return len(chains) > 0 if tensor_name is None else tensor_name in chains


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Makes a parametrised tensor an ordinary one again.

    Args:
        module: the module.
        tensor_name: the tensor.
        leave_parametrized: keep the tensor's value, not that of the original.

    Returns:
        The module.

    Raises:
        ValueError: the tensor is not parametrised, or it has several originals and `leave_parametrized` is false.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"remove_parametrizations: {type(module).__name__} has no parametrization on {tensor_name}")
    chain = module.parametrizations[tensor_name]
    if chain.is_tensor:
        original = chain.original
        if leave_parametrized:
            with no_grad():
                _write(original, getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError("remove_parametrizations: leave_parametrized=False needs a single original")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Any) -> type:
    """The class that a module had before it was parametrised."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module: Any, to_module: Any, tensor_name: str | None = None) -> Module:
    """Gives `to_module` the parametrisations of `from_module` (of one tensor, or of all) with their originals.

    Args:
        from_module: where they come from.
        to_module: where they go.
        tensor_name: which tensor; default: all.

    Returns:
        `to_module`.
    """
    if not is_parametrized(from_module):
        return to_module
    for name in [tensor_name] if tensor_name else list(from_module.parametrizations):
        source = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for parametrization in source:
            register_parametrization(to_module, name, parametrization, unsafe=True)
        target = to_module.parametrizations[name]
        for part in ["original"] if source.is_tensor else [f"original{i}" for i in range(source.ntensors)]:
            setattr(target, part, getattr(source, part))
    return to_module
