"""`Parameter` and `Buffer`: the tensors that modules register, and their uninitialised forms for lazy layers."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.core.serialization.names import register_namespace, register_parameter
from lamella.core.tensor import TensorMeta, alias

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]


class _ParameterMeta(TensorMeta):
    """A tensor subclass that became a parameter keeps its own type; a mark tells it apart."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        return cls is Parameter and isinstance(instance, Tensor) and "_is_param" in instance.__dict__


class _BufferMeta(TensorMeta):
    def __instancecheck__(cls, instance: Any) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        return cls is Buffer and isinstance(instance, Tensor) and "_is_buffer" in instance.__dict__


def _become(data: Tensor, cls: type) -> Any:
    """A tensor of type `cls` over the memory and the version counter of `data`, without history."""
    t = alias(data)
    t.__class__ = cls
    t._ks |= cls._class_keys  # type: ignore[attr-defined]
    return t


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a module registers as its parameter when it is assigned to an attribute.

    Args:
        data: the values; the parameter shares their memory. Default: an empty tensor.
        requires_grad: whether gradients are collected, also under `no_grad`.

    Raises:
        RuntimeError: gradients are wanted for elements that are neither floating-point nor complex.

    Example:
        >>> from lamella import core, nn
        >>> nn.Parameter(core.zeros(2))
        Parameter containing:
        tensor([0., 0.], requires_grad=True)
    """

    _plain = True

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        if data is None:
            data = core.empty(0)
        if not isinstance(data, Tensor):
            raise TypeError(f"Parameter: data must be a Tensor (got {type(data).__name__})")
        kind = type(data)
        if kind is Tensor or issubclass(kind, Parameter) or kind is Buffer:
            return _become(data, cls).requires_grad_(requires_grad)
        t = data.detach().requires_grad_(requires_grad)
        if type(t) is not kind:
            raise RuntimeError(
                f"Parameter: detach() of a {kind.__name__} must return a {kind.__name__} (got {type(t).__name__})"
            )
        t._is_param = True  # type: ignore[attr-defined]
        return t

    def __deepcopy__(self, memo: dict) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        copy = type(self)(self.data.clone(), self.requires_grad)
        memo[id(self)] = copy
        return copy

    def __repr__(self, **kwargs: Any) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__(**kwargs)

    __str__ = __repr__  # type: ignore[assignment]


register_parameter(Parameter)  # pickling, files and printing of parameters are core's
register_namespace("torch.nn", "lamella.nn")


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that a module registers as a buffer when it is assigned to an attribute.

    Args:
        data: the values; the buffer shares their memory. Default: an empty tensor.
        persistent: whether `state_dict` contains it.

    Example:
        >>> from lamella import core, nn
        >>> m = nn.Module()
        >>> m.mean = nn.Buffer(core.zeros(2))
        >>> list(m.state_dict())
        ['mean']
    """

    _plain = True

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        data = core.empty(0) if data is None else data
        t: Any = data.detach()
        if data.requires_grad:
            t.requires_grad_()
        t.persistent = persistent
        t._is_buffer = True
        return t


class UninitializedTensorMixin:
    """A tensor whose shape the first input of its module decides."""

    __slots__ = ()
    cls_to_become: type

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Turns this object, in place, into a tensor of the given shape with undefined values.

        Args:
            shape: the shape.
            device: where; default: where it was to be.
            dtype: the element type; default: the one it was to have.
        """
        here: Any = self
        here.data = core.empty(shape, device=device or here.device, dtype=dtype or here.dtype)
        here.__class__ = self.cls_to_become

    @property
    def shape(self) -> Any:
        """Not known yet."""
        raise RuntimeError(
            "an uninitialized parameter or buffer has no shape yet\n"
            "hint: run a dummy forward pass (or materialize it) first"
        )

    def share_memory_(self) -> Any:
        """Not possible yet."""
        raise RuntimeError("an uninitialized parameter or buffer cannot be shared yet; run a dummy forward pass first")

    def __repr__(self, **kwargs: Any) -> str:
        return f"<{type(self).__name__}>"

    __str__ = __repr__


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]
    """A parameter of a lazy layer, before the layer has seen an input.

    Args:
        requires_grad: whether gradients will be collected.
        device: where it will be.
        dtype: its element type.
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return _become(core.empty(0, device=device, dtype=dtype), cls).requires_grad_(requires_grad)

    def __deepcopy__(self, memo: dict) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.device, self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return UninitializedParameter, (self.requires_grad, self.device, self.dtype)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):  # type: ignore[misc]
    """A buffer of a lazy layer, before the layer has seen an input.

    Args:
        requires_grad: kept for symmetry.
        device: where it will be.
        dtype: its element type.
        persistent: whether `state_dict` will contain it.
    """

    _plain = True
    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        t = _become(core.empty(0, device=device, dtype=dtype), cls)
        t.persistent = persistent
        t._is_buffer = True
        return t

    def __deepcopy__(self, memo: dict) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(False, self.device, self.dtype, self.persistent)  # type: ignore[attr-defined]
        return memo[id(self)]


def is_lazy(t: Any) -> bool:
    """Whether `t` is a parameter or buffer that has no shape yet."""
    return isinstance(t, UninitializedTensorMixin)
