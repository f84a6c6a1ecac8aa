"""Conversions as users call them: `to` in all its forms, types by name, Python numbers, NumPy and DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from .. import dtypes as dt
from .._gen import conversion as _gen
from ..devices import backend_bit, device as device_class
from ..layouts import contiguous_format, is_contiguous as _is_contiguous, preserve_format
from ..runtime import write_out
from ..tensor import Tensor, wrap

# ---------------------------------------------------------------- to


def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """This tensor with another dtype or on another device; itself where nothing changes.

    Args:
        *args: a dtype, a device, a device and a dtype, or a tensor to take both from; then ``non_blocking``, ``copy``.
        dtype, device, other: the same by name.
        non_blocking: allow an asynchronous copy where the device can.
        copy: make a new tensor in any case.
        memory_format: the order of dimensions in memory of a new tensor.

    Returns:
        A tensor; gradients flow through it.

    Example:
        >>> x = ones(2)
        >>> x.to(x.dtype) is x, x.to(dt.int64).tolist()
        (True, [1, 1])
    """
    if len(args) == 1 and not kwargs and args[0].__class__ is dt.dtype:
        return convert(self, args[0], None)
    d, device, non_blocking, copy, memory_format = _to_args(args, kwargs)
    return convert(self, d, device, non_blocking, copy, memory_format)


_POSITIONS = {
    "dtype": ("dtype", "non_blocking", "copy"),
    "device": ("device", "dtype", "non_blocking", "copy"),
    "other": ("other", "non_blocking", "copy"),
}


def _to_args(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool, bool, Any]:
    if args:
        first = args[0]
        form = "other" if isinstance(first, Tensor) else "dtype" if isinstance(first, dt.dtype) else "device"
        names = _POSITIONS[form]
        if len(args) > len(names):
            raise TypeError(message("to", f"takes at most {len(names)} positional arguments here ({len(args)} given)"))
        given = dict(zip(names, args, strict=False))
        if form == "device" and isinstance(given.get("dtype"), bool):
            raise TypeError(message("to", "argument 'dtype' must be torch.dtype, not bool"))
        for name in kwargs:
            if name in given:
                raise TypeError(message("to", f"argument '{name}' is given twice"))
        given.update(kwargs)
    else:
        given = kwargs
    unknown = set(given) - {"dtype", "device", "other", "non_blocking", "copy", "memory_format"}
    if unknown:
        raise TypeError(message("to", f"got an unexpected keyword argument '{min(unknown)}'"))
    other = given.get("other")
    if other is not None:
        d, device = other.dtype, other.device
    else:
        d, device = given.get("dtype"), given.get("device")
    if d is not None and not isinstance(d, dt.dtype):
        d = dt.as_dtype("to", d)
    if device is not None and not isinstance(device, (str, int, device_class)):
        raise TypeError(
            message(
                "to",
                "received an invalid combination of arguments: a dtype, a device or a tensor is "
                f"expected, not {type(device).__name__}",
            )
        )
    return d, device, bool(given.get("non_blocking")), bool(given.get("copy")), given.get("memory_format")


def convert(
    self: Tensor, d: Any, device: Any = None, non_blocking: bool = False, copy: bool = False, memory_format: Any = None
) -> Tensor:
    """`to` after its arguments were sorted out."""
    if not copy:
        same = d is None or self._a.dtype is d.np or self.dtype is d
        if (
            same
            and (device is None or _is_on(self, device))
            and (
                memory_format is None
                or memory_format is preserve_format
                or _is_contiguous("to", self._a, memory_format)
            )
        ):
            return self
    if device is None and memory_format is None and not non_blocking:
        return _gen.op__to_copy(self, dtype=d)
    options: dict[str, Any] = {}
    if d is not None:
        options["dtype"] = d
    if device is not None:
        options["device"] = device_class(device)
    if memory_format is not None:
        options["memory_format"] = memory_format
    if non_blocking:
        options["non_blocking"] = True
    return _gen.op__to_copy(self, **options)


def _is_on(self: Tensor, device: Any) -> bool:
    where = device_class(device)
    if self._ks & BACKEND_MASK != backend_bit(where):
        return False
    return where.index is None or self.device.index is None or where.index == self.device.index


def _as(name: str, d: dt.dtype) -> Any:
    def method(self: Tensor, memory_format: Any = None) -> Tensor:
        return convert(self, d, memory_format=memory_format)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"This tensor as {d.name}; itself if it is that already."
    return method


def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    """This tensor in CPU memory; itself if it is there already."""
    return convert(self, None, "cpu", memory_format=memory_format)


def cuda(self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    """This tensor on an NVIDIA GPU (the current one by default)."""
    return convert(self, None, "cuda" if device is None else device, non_blocking, memory_format=memory_format)


def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    """The name of the tensor's type, or the tensor converted to a type.

    Args:
        dtype: a dtype, or one of torch's old type names such as ``"torch.FloatTensor"`` or ``torch.FloatTensor``.

    Example:
        >>> ones(1).type()
        'torch.FloatTensor'
    """
    if dtype is None:
        where = self.device.type
        return f"torch.{'' if where == 'cpu' else where + '.'}{_CONSTRUCTORS[self.dtype]}"
    device = None
    if isinstance(dtype, str):
        *head, last = dtype.split(".")
        device = head[1] if len(head) == 2 else "cpu"
        found = next((d for d, name in _CONSTRUCTORS.items() if name == last), None)
        if found is None or head[:1] != ["torch"]:
            raise ValueError(message("type", f"invalid type: '{dtype}'"))
        dtype = found
    elif not isinstance(dtype, dt.dtype):
        dtype = getattr(dtype, "dtype", None) or dt.as_dtype("type", dtype)
    return convert(self, dtype, device, non_blocking)


_CONSTRUCTORS = {
    dt.float32: "FloatTensor",
    dt.float64: "DoubleTensor",
    dt.float16: "HalfTensor",
    dt.bfloat16: "BFloat16Tensor",
    dt.int64: "LongTensor",
    dt.int32: "IntTensor",
    dt.int16: "ShortTensor",
    dt.int8: "CharTensor",
    dt.uint8: "ByteTensor",
    dt.bool_: "BoolTensor",
    dt.complex64: "ComplexFloatTensor",
    dt.complex128: "ComplexDoubleTensor",
    dt.uint16: "UInt16Tensor",
    dt.uint32: "UInt32Tensor",
    dt.uint64: "UInt64Tensor",
    **{d: f"{d.name.capitalize()}Tensor" for d in dt.FLOAT8},
}


def type_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor with the dtype and on the device of ``other``."""
    return convert(self, other.dtype, other.device)


def contiguous(self: Tensor, memory_format: Any = contiguous_format) -> Tensor:
    """This tensor with its elements in order in memory: itself if they are, else a copy.

    Example:
        >>> zeros(2, 3).t().contiguous().stride()
        (2, 1)
    """
    if memory_format is contiguous_format and self._a.flags.c_contiguous:
        return self
    return _gen.op_contiguous(self, memory_format=memory_format)


def is_contiguous(self: Tensor, memory_format: Any = contiguous_format) -> bool:
    """Whether the elements lie in memory in order and without gaps."""
    return _is_contiguous("is_contiguous", self._a, memory_format)


def clone(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy with memory of its own; see `clone`."""
    if memory_format is None:
        return _gen.op_clone(self)
    return _gen.op_clone(self, memory_format=memory_format)


# ---------------------------------------------------------------- writing


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Write ``src`` (broadcast, converted) into this tensor; returns it.

    Raises:
        RuntimeError: if ``src`` cannot be broadcast to this tensor's shape.

    Example:
        >>> zeros(2).copy_(tensor([1, 2])).tolist()
        [1.0, 2.0]
    """
    if not isinstance(src, Tensor):
        if isinstance(src, (int, float, complex)):
            return _gen.op_fill__Scalar(self, src)
        raise TypeError(message("copy_", f"argument 'other' must be Tensor, not {type(src).__name__}"))
    return _gen.op_copy_(self, without_history(self, src), non_blocking)


def without_history(self: Tensor, value: Tensor) -> Tensor:
    """``value``, detached where it is written into a tensor of a type that has no gradient."""
    if value._ag is not None and self._a.dtype.kind in "biu":
        return value.detach()  # type: ignore[attr-defined, no-any-return]
    return value


def fill_(self: Tensor, value: Any) -> Tensor:
    """Write one value into every element; returns the tensor.

    Example:
        >>> zeros(2).fill_(3).tolist()
        [3.0, 3.0]
    """
    if isinstance(value, Tensor):
        return _gen.op_fill__Tensor(self, without_history(self, value))
    return _gen.op_fill__Scalar(self, _number("fill_", value))


def _number(op: str, value: Any) -> Any:
    if value.__class__ in (int, float, bool, complex):
        return value
    if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0:
        return value.item()
    if isinstance(value, (int, float, complex)):
        return value
    raise TypeError(message(op, f"argument 'value' must be Number, not {type(value).__name__}"))


def fill(input: Tensor, value: Any) -> Tensor:
    """A tensor like ``input`` filled with one value."""
    r = _gen.op_clone(input)
    if isinstance(value, Tensor):
        from .creation import alike

        r = alike(r, value)
    return fill_(r, value)


def resize_(self: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Change this tensor's shape in place, with more memory where needed (new elements are not set); returns it.

    Args:
        *sizes: the new shape, as numbers or one sequence.

    Raises:
        RuntimeError: if the tensor requires grad.

    Example:
        >>> arange(3).resize_(2).tolist()
        [0, 1]
    """
    size = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    return _gen.op_resize_(self, tuple(size))


def resize_as_(self: Tensor, the_template: Tensor, memory_format: Any = None) -> Tensor:
    """Change this tensor's shape in place to that of another one; returns it."""
    return _gen.op_resize_(self, tuple(the_template._a.shape))


def set_(self: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None) -> Tensor:
    """Make this tensor look at ``source``'s memory (a tensor or a storage); returns it.

    Args:
        source: a tensor of the same dtype, or a storage.
        storage_offset, size, stride: for a storage, the part of it to look at, in elements.
    """
    if source is None:
        if self.is_cuda:
            return _gen.op_set__source_Tensor(self, self.new_empty(0))  # type: ignore[attr-defined]
        return _gen.op_set__source_Tensor(self, wrap(np.empty(0, self._a.dtype), self._ks & BACKEND_MASK))
    if not isinstance(source, Tensor):
        flat = _over_storage(self, source)
        if size is None:
            size = (flat._a.size,)
        if stride is None:
            from ..tensor import contiguous_strides

            stride = contiguous_strides(tuple(size))
        source = flat.as_strided(tuple(size), tuple(stride), storage_offset)  # type: ignore[attr-defined]
    elif size is not None:
        from ..tensor import contiguous_strides

        source = source.as_strided(
            tuple(size),
            tuple(stride or contiguous_strides(tuple(size))),  # type: ignore[attr-defined]
            storage_offset,
        )
    return _gen.op_set__source_Tensor(self, source)


def _over_storage(self: Tensor, storage: Any) -> Tensor:
    root = getattr(storage, "_root", None)
    if root is None:
        raise TypeError(message("set_", f"argument 'source' must be Tensor or Storage, not {type(storage).__name__}"))
    flat = root.reshape(-1) if root.flags.c_contiguous else root.T.reshape(-1)
    return wrap(flat.view(self._a.dtype), self._ks & BACKEND_MASK)


def complex_(real: Tensor, imag: Tensor, *, out: Any = None) -> Tensor:
    """Complex numbers from real and imaginary parts.

    Args:
        real, imag: tensors of one floating type; their shapes are broadcast.
        out: a tensor of the result's type to write the result into.

    Raises:
        RuntimeError: for other types, or types that differ.

    Example:
        >>> complex(tensor([1.0]), tensor([2.0])).tolist()
        [(1+2j)]
    """
    r = _gen.op_complex(real, imag)
    if out is None:
        return r
    if isinstance(out, Tensor) and out._a.dtype != r._a.dtype:
        rule = f"Expected object of scalar type {r.dtype.name} but got scalar type {out.dtype.name} for argument 'out'"
        raise RuntimeError(message("complex", rule))
    return write_out("complex", out, r)


complex_.__name__ = complex_.__qualname__ = "complex"


METHODS: dict[str, Any] = {
    "to": to,
    "cpu": cpu,
    "cuda": cuda,
    "type": type_,
    "type_as": type_as,
    "contiguous": contiguous,
    "is_contiguous": is_contiguous,
    "clone": clone,
    "copy_": copy_,
    "fill_": fill_,
    "resize_": resize_,
    "resize_as_": resize_as_,
    "set_": set_,
}
for _name, _d in {
    "float": dt.float32,
    "double": dt.float64,
    "half": dt.float16,
    "bfloat16": dt.bfloat16,
    "long": dt.int64,
    "int": dt.int32,
    "short": dt.int16,
    "char": dt.int8,
    "byte": dt.uint8,
    "bool": dt.bool_,
    "cfloat": dt.complex64,
    "cdouble": dt.complex128,
}.items():
    METHODS[_name] = _as(_name, _d)
FUNCTIONS: dict[str, Any] = {"fill": fill, "fill_": fill_, "resize_as_": resize_as_, "complex": complex_}
