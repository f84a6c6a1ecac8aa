"""Small questions about tensors, and old names that programs still call."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .._gen import conversion as _conversion, shape as _shape
from ..faults import as_bool, as_number
from ..layouts import dense_order, layout, strided
from ..storage import UntypedStorage
from ..tensor import CPU, META, Tensor, describe, wrap


def get_device(self: Tensor) -> int:
    """The index of the tensor's device; -1 for the CPU."""
    return -1 if self._ks & (CPU | META) else self.device.index or 0


def ndimension(self: Tensor) -> int:
    """The number of dimensions."""
    return self._a.ndim


def is_same_size(self: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape."""
    return self._a.shape == other._a.shape


def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether two tensors look at the same memory in the same way."""
    a, b = self._a, tensor._a
    return a.shape == b.shape and a.strides == b.strides and a.dtype == b.dtype and self.data_ptr() == tensor.data_ptr()


def dim_order(self: Tensor) -> tuple[int, ...]:
    """The dimensions in the order in which they lie in memory, slowest first."""
    found = dense_order(self._a)
    return tuple(sorted(range(self._a.ndim), key=lambda i: -self._a.strides[i])) if found is None else tuple(found)


def const_data_ptr(self: Tensor) -> int:
    """The address of the first element."""
    return self.data_ptr()


def pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """A copy in page-locked memory, which a GPU reads and writes by itself; this tensor where there is no GPU.

    Args:
        device: accepted; memory is locked for all GPUs.

    Raises:
        RuntimeError: if the tensor is not on the CPU.
    """
    from ..cuda import available

    if not self.is_cpu:
        raise RuntimeError(message("pin_memory", "only dense CPU tensors can be pinned", [describe(self)]))
    if not available() or is_pinned(self):
        return self
    from ..cuda.memory import pinned

    return wrap(pinned(self._a))


def is_pinned(self: Tensor, device: Any = None) -> bool:
    """Whether the memory is page-locked, as `pin_memory` makes it."""
    import sys

    if "cupy" not in sys.modules or not self.is_cpu or not self._a.size:
        return False
    from ..cuda.memory import is_pinned as asked

    return asked(self._a)


def record_stream(self: Tensor, stream: Any) -> None:
    """Say that a stream works with the memory, so that it is not handed out again before that work is done.

    Args:
        stream: a stream beside the one on which the tensor was made.

    Raises:
        RuntimeError: if the tensor is not on a GPU.
    """
    if not self.is_cuda:
        raise RuntimeError(message("record_stream", "only the memory of GPUs is used by streams", [describe(self)]))
    from ..cuda.allocator import used_on

    used_on(self._a, getattr(stream, "_made", stream))


def share_memory_(self: Tensor) -> Tensor:
    """This tensor; threads share memory as it is, processes get copies."""
    return self


def is_shared(self: Tensor) -> bool:
    """Whether other processes can see the memory: never, here."""
    return False


def to_dense(self: Tensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    """This tensor (it is dense already), converted if a dtype is given."""
    return self if dtype is None else self.to(dtype)  # type: ignore[attr-defined]


def new(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """A tensor of the same type: ``x.new(2, 3)`` (elements not set) or ``x.new([1, 2])``.

    Args:
        *args: sizes, or data.
    """
    from ..constructors import legacy_constructor

    device = kwargs.pop("device", None)
    t = legacy_constructor(Tensor, *args, dtype=self.dtype, **kwargs)
    where = self.device if device is None else device
    return t.to(where)  # type: ignore[no-any-return]


def as_subclass(self: Tensor, cls: Any) -> Any:
    """The same memory and history as an instance of a subclass of Tensor."""
    from ..creation import as_subclass as convert

    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise TypeError(message("as_subclass", "cls must be a type that inherits from Tensor", [cls]))
    return convert(self, cls)


def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Sum over the dimensions in which this tensor is larger than ``size``: the reverse of `expand`.

    Raises:
        RuntimeError: if ``size`` cannot be expanded to this tensor's shape.

    Example:
        >>> ones(2, 3).sum_to_size(1, 3).tolist()
        [[2.0, 2.0, 2.0]]
    """
    shape = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)
    have = self._a.shape
    lead = len(have) - len(shape)
    if lead < 0 or any(n not in (1, m) for n, m in zip(shape, have[lead:], strict=True)):
        raise RuntimeError(message("sum_to_size", f"size {list(shape)} is not expandable to size {list(have)}."))
    if not shape:
        return self.sum()  # type: ignore[attr-defined]
    dims = [i for i in range(len(have)) if i < lead or shape[i - lead] != have[i]]
    if not dims:
        return self
    r = self.sum(dims, keepdim=True)  # type: ignore[attr-defined]
    return r.reshape(shape)


def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Write one value into the main diagonal, in place; returns the tensor.

    Args:
        fill_value: a number.
        wrap: go on from the top of tall matrices after their diagonal has ended.

    Example:
        >>> zeros(2, 2).fill_diagonal_(1).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    fill_value, wrap = as_number("fill_diagonal_", "fill_value", fill_value), as_bool("fill_diagonal_", "wrap", wrap)
    shape = self._a.shape
    if len(shape) < 2:
        raise RuntimeError(message("fill_diagonal_", "dimensions must larger than 1"))
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError(message("fill_diagonal_", "all dimensions of input must be of equal length"))
    step = self.stride()
    n = min(shape)
    _shape.op_as_strided(self, (n,), (sum(step),), self.storage_offset()).fill_(fill_value)  # type: ignore[attr-defined]
    if wrap and len(shape) == 2 and shape[0] > shape[1] + 1:
        rows, cols = shape
        at = cols + 1
        while at < rows:
            n = min(cols, rows - at)
            offset = self.storage_offset() + at * step[0]
            _shape.op_as_strided(self, (n,), (sum(step),), offset).fill_(fill_value)  # type: ignore[attr-defined]
            at += cols + 1
    return self


def apply_(self: Tensor, callable: Any) -> Tensor:
    """Replace each element by ``callable(element)``, in place: slow, for trying things out.

    Raises:
        TypeError: for tensors outside the CPU.
    """
    if not self._ks & CPU:
        raise TypeError(message("apply_", f"apply_ is only implemented on CPU tensors (this one is on {self.device})"))
    if self._ag is not None:
        raise TypeError(
            message("apply_", "Can't call apply_() on Variable that requires grad", hint="use var.detach().apply_()")
        )
    new = np.array([callable(v) for v in self._a.reshape(-1).tolist()], self._a.dtype).reshape(self._a.shape)
    return _conversion.op_copy_(self, wrap(new))


def map_(self: Tensor, tensor: Tensor, callable: Any) -> Tensor:
    """Replace each element by ``callable(element, other)``, in place: slow, for trying things out."""
    if self._ag is not None or tensor._ag is not None:
        raise TypeError(
            message("map_", "Can't call map_() on Variable that requires grad", hint="use var.detach().map_()")
        )
    other = np.broadcast_to(tensor._a, self._a.shape)
    pairs = zip(self._a.reshape(-1).tolist(), other.reshape(-1).tolist(), strict=True)
    new = np.array([callable(u, v) for u, v in pairs], self._a.dtype).reshape(self._a.shape)
    return _conversion.op_copy_(self, wrap(new))


def _never(what: str) -> Any:
    return property(lambda self: False, doc=f"Whether the tensor is {what}: never, here.")


def _layout(self: Tensor) -> layout:
    """How the elements are stored: always ``torch.strided``."""
    return strided


METHODS: dict[str, Any] = {
    f.__name__: f
    for f in (
        get_device,
        ndimension,
        is_same_size,
        is_set_to,
        dim_order,
        const_data_ptr,
        pin_memory,
        is_pinned,
        record_stream,
        share_memory_,
        is_shared,
        to_dense,
        new,
        as_subclass,
        sum_to_size,
        fill_diagonal_,
        apply_,
        map_,
    )
}
METHODS |= {
    f"is_{k}": _never(k)
    for k in (
        "sparse",
        "sparse_csr",
        "quantized",
        "nested",
        "mkldnn",
        "mps",
        "xla",
        "xpu",
        "ipu",
        "vulkan",
        "maia",
        "mtia",
    )
}
METHODS |= {
    "layout": property(_layout),
    "name": property(lambda self: None, doc="The tensor's name: torch keeps none either."),
    "volatile": property(lambda self: False, doc="A former attribute; always False."),
    "resize": lambda self, *sizes: self.resize_(*sizes),
    "resize_as": lambda self, other: self.resize_as_(other),
    "storage": lambda self: UntypedStorage(self),
    "is_distributed": lambda self: False,
}
FUNCTIONS: dict[str, Any] = {"get_device": get_device, "is_same_size": is_same_size}
