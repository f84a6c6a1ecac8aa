"""Tensors from data: lists, numbers, arrays; and torch's old constructors."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.state import state

from . import dtypes as dt, parallel
from .devices import CPU as CPU_DEVICE, backend_bit, default_device, device as device_type
from .faults import as_bool, refuse
from .promotion import promote_types, scalar_dtype
from .runtime import is_number
from .storage import is_cupy
from .tensor import CPU, CUDA, Tensor, wrap

__all__ = [
    "as_tensor",
    "asarray",
    "from_numpy",
    "frombuffer",
    "get_num_threads",
    "is_floating_point",
    "is_complex",
    "is_storage",
    "is_tensor",
    "numel",
    "scalar_tensor",
    "set_num_threads",
    "tensor",
]


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    names: Any = None,
) -> Tensor:
    """A new tensor with a copy of ``data``.

    Args:
        data: a number, nested lists or tuples, an array, or a tensor.
        dtype: element type; by default that of the data (Python floats: the default dtype; ints: int64).
        device: where it goes; by default the default device.
        requires_grad: whether operations on it are recorded.
        pin_memory: accepted; CPU memory here is not page-locked.

    Returns:
        A tensor of the data's shape.

    Raises:
        ValueError: for lists of uneven lengths. TypeError: for data that is not numeric.

    Example:
        >>> tensor([[1, 2], [3, 4]]).shape
        torch.Size([2, 2])
    """
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(message("tensor", "to copy a tensor use x.detach().clone()"), UserWarning, stacklevel=2)
        if data._ks & CUDA:
            copied = data.detach().clone() if device is None else data.detach().to(device, copy=True)  # type: ignore[attr-defined]
            r = copied if dtype is None else copied.to(dt.as_dtype("tensor", dtype))
            return r.requires_grad_(True) if requires_grad else r
        a = data.detach().clone()._a if state.affected & CPU else data._a.copy()  # type: ignore[attr-defined]
    else:
        a = as_array("tensor", data, dtype)
        if a is data or is_cupy(a) or (isinstance(data, np.ndarray) and np.may_share_memory(a, data)):
            a = a.copy()
    return _finish("tensor", a, dtype, device, requires_grad)


def _finish(op: str, a: np.ndarray, dtype: Any, device: Any, requires_grad: bool) -> Tensor:
    if dtype is not None:
        d = dt.as_dtype(op, dtype)
        if a.dtype is not d.np:
            if a.dtype.kind == "c" and not d.is_complex:
                a = a.real
            a = a.astype(d.np)
    else:
        dt.from_numpy_dtype(a.dtype)
    if is_cupy(a):
        t = wrap(a, CUDA)
        if device is not None:
            t = t.to(device_type(device))  # type: ignore[attr-defined]
        return t.requires_grad_(True) if requires_grad else t  # type: ignore[attr-defined]
    t = wrap(a)
    where = default_device() if device is None else device
    if where is not CPU_DEVICE and backend_bit(where) != CPU:
        t = t.to(device_type(where))  # type: ignore[attr-defined]
    if requires_grad is not False and as_bool(op, "requires_grad", requires_grad):
        t.requires_grad_(True)  # type: ignore[attr-defined]
    return t


def as_array(op: str, data: Any, dtype: Any = None) -> np.ndarray:
    """Numbers, nested sequences (which may hold tensors) or array-likes as an array with torch's inferred type."""
    if isinstance(data, np.ndarray):
        if data.dtype.kind in "OUSmM":
            raise TypeError(
                message(
                    op,
                    f"can't convert np.ndarray of type {data.dtype}",
                    hint="the supported types are " + ", ".join(d.name for d in dt.ALL),
                )
            )
        return _with_tensor_layout(data)
    if isinstance(data, np.generic):
        return np.asarray(data)
    if is_number(data):
        return _from_number(data, dtype)
    if isinstance(data, (list, tuple)):
        return _from_sequence(op, data, dtype)
    if hasattr(data, "__cuda_array_interface__"):
        from .cuda.interop import array_of

        return array_of(data)
    if hasattr(data, "__dlpack__") or hasattr(data, "__array__") or hasattr(data, "__array_interface__"):
        return _with_tensor_layout(np.asarray(data))
    if isinstance(data, (bytes, bytearray)):
        return np.frombuffer(data, np.uint8).copy()
    if hasattr(data, "__len__") and hasattr(data, "__getitem__") and not isinstance(data, (str, dict)):
        return _from_sequence(op, list(data), dtype)
    raise (TypeError if isinstance(data, str) else RuntimeError)(
        message(
            op,
            f"could not infer dtype of {type(data).__name__}"
            if not isinstance(data, str)
            else f"new(): invalid data type '{type(data).__name__}'",
        )
    )


def _with_tensor_layout(a: np.ndarray) -> np.ndarray:
    """The array, or a copy where tensors have no such byte order or strides."""
    if not a.dtype.isnative:
        return a.astype(a.dtype.newbyteorder("="))
    step = a.itemsize
    return a.copy() if any(s < 0 or s % step for s in a.strides) else a


def _shared(op: str, a: np.ndarray) -> np.ndarray:
    """An array whose memory a tensor takes over: one that may be written, with a warning where it should not be."""
    if a.flags.writeable and (a.flags.forc or 0 not in a.strides):
        return a
    from .dlpack import writable

    if not a.flags.writeable:
        warnings.warn(
            message(op, "the array is not writable, but tensors are", hint="pass a copy if it must stay as it is"),
            UserWarning,
            stacklevel=3,
        )
    return writable(a)


def _from_number(x: Any, dtype: Any) -> np.ndarray:
    d = scalar_dtype(x) if dtype is None else dt.as_dtype("tensor", dtype)
    if d.category == 1 and isinstance(x, (int, float)):
        from .kernels.conversion import scalar_for

        x = scalar_for("tensor", d.np, x)
    return np.asarray(x, d.np) if d not in dt.FLOAT8 else _within(np.asarray(x, np.float64), d)


def _within(a: np.ndarray, d: dt.dtype) -> np.ndarray:
    from .kernels.conversion import within

    return np.asarray(within(a, d)).astype(d.np)


def _from_sequence(op: str, data: Any, dtype: Any) -> np.ndarray:
    kinds: set[Any] = set()
    if not _scan(op, data, kinds, ()):
        return np.asarray([], (dt._default if dtype is None else dt.as_dtype(op, dtype)).np).reshape(_shape_of(data))
    found: dt.dtype | None = None
    for kind in kinds:
        d = kind if isinstance(kind, dt.dtype) else scalar_dtype(kind())
        found = d if found is None else promote_types(found, d)
    assert found is not None
    try:
        a = np.array(_plain(data) if any(isinstance(k, dt.dtype) for k in kinds) else data)
    except (ValueError, OverflowError) as e:
        raise (RuntimeError if isinstance(e, OverflowError) else ValueError)(message(op, str(e))) from None
    if a.dtype == object:
        raise RuntimeError(message(op, "value cannot be converted without overflow"))
    target = (
        found if dtype is None else dt.as_dtype(op, dtype)
    )  # from Python's floats at once: float32 would round them
    if a.dtype.kind == "c" and not target.is_complex:
        a = a.real
    return a.astype(target.np, copy=False) if target not in dt.FLOAT8 else _within(a, target)


def _scan(op: str, data: Any, kinds: set[Any], shape: tuple[int, ...]) -> bool:
    """Collect the element types of nested sequences and check that they are even; False when there are none."""
    if not len(data):
        return False
    first = data[0]
    if isinstance(first, (list, tuple)):
        size = len(first)
        any_ = False
        for i, x in enumerate(data):
            if not isinstance(x, (list, tuple)):
                raise TypeError(
                    message(op, f"not a sequence where the others are: {type(x).__name__} at dim {len(shape) + 1}")
                )
            if len(x) != size:
                raise ValueError(
                    message(
                        op, f"expected sequence of length {size} at dim {len(shape) + 1} (got {len(x)}, element {i})"
                    )
                )
            any_ = _scan(op, x, kinds, (*shape, size)) or any_
        return any_
    types = set(map(type, data))
    for t in types:
        if t in (int, float, bool, complex):
            kinds.add(t)
            continue
        for x in data:
            if type(x) is not t:
                continue
            if isinstance(x, Tensor):
                kinds.add(x.dtype)
            elif isinstance(x, (np.ndarray, np.generic)):
                kinds.add(dt.from_numpy_dtype(x.dtype))
            elif is_number(x):
                kinds.add(bool if isinstance(x, bool) else int if isinstance(x, int) else float)
            elif isinstance(x, (list, tuple)):
                raise ValueError(message(op, f"expected a number but found a sequence at dim {len(shape) + 1}"))
            elif isinstance(x, str):
                if x is data[0]:
                    raise ValueError(message(op, "too many dimensions 'str'"))
                raise TypeError(message(op, "new(): invalid data type 'str'"))
            else:
                raise RuntimeError(message(op, f"could not infer dtype of {type(x).__name__}"))
    return True


def _plain(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return [_plain(x) for x in data]
    if isinstance(data, Tensor):
        return data._a if data._ks & CPU else data.detach().cpu()._a  # type: ignore[attr-defined]
    return data


def _shape_of(data: Any) -> tuple[int, ...]:
    shape = []
    while isinstance(data, (list, tuple)):
        shape.append(len(data))
        if not data:
            break
        data = data[0]
    return tuple(shape)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor over ``data``, without a copy where type and device allow it.

    Example:
        >>> a = np.zeros(2)
        >>> as_tensor(a).data_ptr() == a.ctypes.data
        True
    """
    if isinstance(data, Tensor):
        if dtype is None and device is None:
            return data
        return data.to(device=device or data.device, dtype=dtype or data.dtype)  # type: ignore[attr-defined]
    a = as_array("as_tensor", data, dtype)
    if not is_cupy(a) and (dtype is None or dt.as_dtype("as_tensor", dtype).np is a.dtype):
        a = _shared("as_tensor", a)
    return _finish("as_tensor", a, dtype, device, False)


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """As `as_tensor`; ``copy=True`` always copies, ``copy=False`` refuses where a copy is needed."""
    t = as_tensor(obj, dtype, device)
    shares = isinstance(obj, Tensor) and t is obj or (
        isinstance(obj, np.ndarray) and not is_cupy(t._a) and np.may_share_memory(t._a, obj)
    )
    if copy is False and not shares:
        raise ValueError(message("asarray", "a copy is needed, but copy=False"))
    if copy and shares:
        t = wrap(t._a.copy(), t._ks)
    if requires_grad:
        t.requires_grad_(True)  # type: ignore[attr-defined]
    return t


def from_numpy(ndarray: np.ndarray) -> Tensor:
    """A tensor over an array's memory.

    Args:
        ndarray: a NumPy array of a supported type; writes show on both sides.

    Raises:
        TypeError: if it is not an array or of an unsupported type. ValueError: for negative strides, and for a byte
            order or strides that tensors do not have.

    Warns:
        UserWarning: for a read-only array. The tensor can be written all the same.

    Example:
        >>> a = np.zeros(2)
        >>> t = from_numpy(a)
        >>> a[0] = 5
        >>> t.tolist()
        [5.0, 0.0]
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(message("from_numpy", f"expected np.ndarray (got {type(ndarray).__name__})"))
    a = np.asarray(ndarray)
    if as_array("from_numpy", a) is not a:
        what = "at least one stride is negative" if min(a.strides, default=0) < 0 else (
            "strides are not multiples of the element's size" if a.dtype.isnative else "the byte order is not native")
        raise ValueError(
            message(
                "from_numpy",
                f"{what}, which tensors do not support",
                {"dtype": a.dtype, "strides": a.strides},
                hint="pass a copy: array.copy()" if a.dtype.isnative else 'pass array.astype(dtype.newbyteorder("="))',
            )
        )
    dt.from_numpy_dtype(a.dtype)
    return wrap(_shared("from_numpy", a))


def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A one-dimensional tensor over the memory of an object with the buffer interface."""
    if len(memoryview(buffer).cast("B")) == 0:
        raise ValueError(message("frombuffer", "the buffer is empty"))
    a = np.frombuffer(buffer, dt.as_dtype("frombuffer", dtype).np, count, offset)
    t = wrap(_shared("frombuffer", a))
    if requires_grad:
        t.requires_grad_(True)  # type: ignore[attr-defined]
    return t


def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    """A tensor without dimensions; floating by default."""
    return tensor(s, dtype=dtype or dt._default, device=device)


def is_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a Tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any) -> bool:
    """Whether ``obj`` is a storage."""
    from .storage import UntypedStorage

    return isinstance(obj, UntypedStorage)


def is_floating_point(input: Tensor) -> bool:  # noqa: A002 - torch's name
    """Whether the elements are real floating-point numbers."""
    return _need_tensor("is_floating_point", input).is_floating_point()


def is_complex(input: Tensor) -> bool:  # noqa: A002 - torch's name
    """Whether the elements are complex."""
    return _need_tensor("is_complex", input).is_complex()


def numel(input: Tensor) -> int:  # noqa: A002 - torch's name
    """The number of elements."""
    return _need_tensor("numel", input).numel()


def _need_tensor(op: str, x: Any) -> Tensor:
    if isinstance(x, Tensor):
        return x
    raise refuse(op, "input", "Tensor", x)


def get_num_threads() -> int:
    """How many threads large work may use."""
    return parallel.threads()


def set_num_threads(n: int) -> None:
    """Limit the threads of large work (of matrix products where threadpoolctl is installed)."""
    if n < 1:
        raise RuntimeError(message("set_num_threads", f"expected a positive number of threads (got {n})"))
    parallel.set_threads(n)
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return
    threadpool_limits(n, "blas")


def as_subclass(t: Tensor, cls: Any) -> Any:
    """The same memory and gradient edge as an instance of a subclass of Tensor."""
    r = object.__new__(cls)
    r._a, r._ks, r._ag, r._vc, r._base = t._a, t._ks | cls._class_keys, t._ag, t._vc, t._base
    return r
