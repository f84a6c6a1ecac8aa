"""Tensors as Python numbers, lists, NumPy arrays and DLPack capsules, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state as _S

from .. import dtypes as dt
from .._gen import conversion as _conversion, slicing as _slicing
from ..devices import device as make_device
from ..runtime import is_number
from ..storage import UntypedStorage
from ..tensor import CPU, CUDA, META, Tensor, describe, wrap

_T_item = _conversion._T__local_scalar_dense


def item(self: Tensor) -> Any:
    """The one element of a tensor as a Python number.

    Raises:
        RuntimeError: if there is not exactly one element.

    Example:
        >>> tensor([2.5]).item()
        2.5
    """
    ks = self._ks
    if ks & META:
        raise RuntimeError(message("item", "Tensor.item() cannot be called on meta tensors"))
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_item[ks](self)


def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers (a number for a tensor without dimensions).

    Example:
        >>> tensor([[1, 2]]).tolist()
        [[1, 2]]
    """
    a = _host(self, "tolist")
    if a.dtype.kind == "V":
        a = a.astype(np.float32)
    return a.tolist()


def _host(self: Tensor, op: str) -> Any:
    """The tensor's elements as a NumPy array."""
    if self._ks & CPU:
        return self._a
    if self._ks & META:
        raise NotImplementedError(message(op, "Cannot copy out of meta tensor; no data!"))
    return self.cpu()._a  # type: ignore[attr-defined]


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """The tensor's memory as a NumPy array.

    Args:
        force: detach and copy to the CPU first where that is needed.

    Returns:
        An array that shares memory with a CPU tensor: writes show on both sides.

    Raises:
        RuntimeError: if the tensor requires grad (but not under no_grad). TypeError: for tensors outside the CPU, and
            for bfloat16, which NumPy lacks.

    Example:
        >>> x = zeros(2)
        >>> x.numpy()[0] = 1
        >>> x.tolist()
        [1.0, 0.0]
    """
    if self._ag is not None and not force and not (_S.affected and _S.thread.exclude & AUTOGRAD_MASK):
        raise RuntimeError(
            message(
                "numpy", "Can't call numpy() on Tensor that requires grad.", hint="Use tensor.detach().numpy() instead."
            )
        )
    if not self._ks & CPU:
        if not force or self._ks & META:
            raise TypeError(
                message(
                    "numpy",
                    f"can't convert {self.device} device type tensor to numpy.",
                    hint="Use Tensor.cpu() to copy the tensor to host memory first.",
                )
            )
        return self.detach().cpu()._a  # type: ignore[attr-defined]
    if self.dtype is dt.bfloat16 or self.dtype in dt.FLOAT8:
        name = "BFloat16" if self.dtype is dt.bfloat16 else self.dtype.name.capitalize()
        raise TypeError(message("numpy", f"Got unsupported ScalarType {name}", hint="use .float() first"))
    return self._a


def array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    """NumPy's protocol: the tensor's memory, or a copy in another type."""
    a = self.numpy()  # type: ignore[attr-defined]
    if dtype is not None and a.dtype != dtype:
        if copy is False:
            raise ValueError(message("__array__", "a copy is needed for this dtype, but copy=False"))
        return a.astype(dtype)
    return a.copy() if copy else a


def array_wrap(self: Tensor, a: Any, context: Any = None, return_scalar: bool = False) -> Tensor:
    """NumPy functions called on tensors give tensors."""
    a = np.asarray(a)
    return wrap(a)


def dlpack(
    self: Tensor, *, stream: Any = -1, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
) -> Any:
    """DLPack's protocol: a capsule over the tensor's memory.

    Args:
        stream: for CPU tensors None or -1: there is nothing to wait for.
        max_version: the newest version of the protocol that the reader knows, as ``(1, 0)``; None is the one before
            versions.
        dl_device: the device wanted, as ``(type, index)``.
        copy: True copies, False never does.

    Raises:
        BufferError: if the tensor requires grad, has no memory, or cannot be had on the device.
    """
    if self._ag is not None:
        raise BufferError(message("__dlpack__", "Can't export tensors that require gradient, use tensor.detach()"))
    if stream is not None and not isinstance(stream, int):
        raise TypeError(message("__dlpack__", "stream must be an int or None", {"stream": stream}))
    if self._ks & META:
        raise BufferError(message("__dlpack__", "meta tensors have no memory to export", [describe(self)]))
    if self.is_cuda:
        given = (("max_version", max_version), ("dl_device", dl_device), ("copy", copy))
        options: dict[str, Any] = {k: v for k, v in given if v is not None}
        return self._a.__dlpack__(stream=None if stream == -1 else stream, **options)
    if not self._ks & CPU:
        return _host(self, "__dlpack__").__dlpack__(stream=None if stream == -1 else stream)
    if stream is not None and stream != -1:
        raise ValueError(message("__dlpack__", "stream must be None or -1 on the CPU", {"stream": stream}))
    from ..dlpack import export

    given = (("max_version", max_version), ("dl_device", dl_device), ("copy", copy))
    return export(self._a, **{k: v for k, v in given if v is not None})


def dlpack_device(self: Tensor) -> tuple[int, int]:
    """DLPack's device: (1, 0) for the CPU, (2, index) for CUDA."""
    if self._ks & CPU:
        return 1, 0
    if self.is_cuda:
        return 2, self.device.index or 0
    raise ValueError(message("__dlpack_device__", f"there is no DLPack device for {self.device}"))


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of an object with the DLPack interface.

    Args:
        ext_tensor: an object with ``__dlpack__``, or a capsule made by one.
        device: the device wanted; the object's own by default.
        copy: True always copies, False never does.

    Returns:
        A tensor that shares memory unless it was copied. It can be written, also where the object says that its
        memory is read-only: tensors have no such mark.

    Raises:
        BufferError: if the object refuses, as a tensor that requires grad does. RuntimeError: for something else than
            such an object, and for a capsule that was read before. ValueError: for negative strides without a copy.

    Example:
        >>> a = np.zeros(2)
        >>> t = from_dlpack(a)
        >>> a[0] = 1
        >>> t.tolist()
        [1.0, 0.0]
    """
    from ..dlpack import read

    if isinstance(ext_tensor, Tensor) and ext_tensor._ag is None and not ext_tensor._ks & META:
        t = ext_tensor.detach()  # type: ignore[attr-defined]
        if copy:
            t = t.clone()
    else:
        on_gpu = getattr(ext_tensor, "__dlpack_device__", tuple)()[:1] == (2,)
        if on_gpu:
            from ..cuda import available

            on_gpu = available()
        if on_gpu:
            from ..cuda.interop import read
        a = read(ext_tensor, copy)
        dt.from_numpy_dtype(a.dtype)
        t = wrap(a, CUDA if on_gpu else CPU)
    if device is None or (wanted := make_device(device)) == t.device:
        return t
    if copy is False:
        raise ValueError(message("from_dlpack", f"cannot move to {wanted} without copying, but copy=False"))
    return t.to(wanted)  # type: ignore[attr-defined]


def to_dlpack(tensor: Tensor) -> Any:
    """A DLPack capsule over the tensor's memory."""
    return tensor.__dlpack__()  # type: ignore[attr-defined]


def array_namespace(self: Tensor, /, *, api_version: str | None = None) -> Any:
    """The module of the array API standard's functions for this tensor (see lamella.core.array_api).

    Args:
        api_version: the revision wanted, such as ``"2024.12"``; None is the newest there is.

    Raises:
        ValueError: for a revision that is not supported.

    Example:
        >>> tensor([1.0]).__array_namespace__().__name__
        'lamella.core.array_api'
    """
    from .. import array_api

    if api_version is not None and api_version not in array_api.VERSIONS:
        raise ValueError(
            message(
                "__array_namespace__",
                f"revision {api_version!r} of the array API standard is not supported",
                hint="supported: " + ", ".join(array_api.VERSIONS),
            )
        )
    return array_api


def to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Any:
    """The tensor on a device: the array API standard's name for ``to(device)``.

    Args:
        device: where to; the tensor itself is returned if it is there.
        stream: must be None: there are no streams to wait for.

    Raises:
        ValueError: for a stream.

    Example:
        >>> x = tensor([1.0])
        >>> x.to_device("cpu") is x
        True
    """
    if stream is not None:
        raise ValueError(message("to_device", "streams are not supported", {"stream": stream}))
    return self.to(device)  # type: ignore[attr-defined]


# ---------------------------------------------------------------- Python's protocols


def bool_(self: Tensor) -> bool:
    if self._a.size != 1:
        what = "more than one value" if self._a.size else "no values"
        raise RuntimeError(message("__bool__", f"Boolean value of Tensor with {what} is ambiguous"))
    return bool(item(self))


def int_(self: Tensor) -> int:
    return int(_scalar(self))


def float_(self: Tensor) -> float:
    return float(_scalar(self))


def complex_(self: Tensor) -> complex:
    return complex(_scalar(self, real=False))


def _scalar(self: Tensor, real: bool = True) -> Any:
    if self._a.size != 1:
        raise ValueError(
            message("__float__", "only one element tensors can be converted to Python scalars", [describe(self)])
        )
    x = item(self)
    if real and x.__class__ is complex:
        if x.imag:
            raise RuntimeError(message("__float__", "value cannot be converted to type double without overflow", [x]))
        return x.real
    return x


def index_(self: Tensor) -> int:
    if self._a.size != 1 or self._a.dtype.kind not in "iub":
        raise TypeError(
            message(
                "__index__", "only integer tensors of a single element can be converted to an index", [describe(self)]
            )
        )
    return int(item(self))


def contains(self: Tensor, element: Any) -> bool:
    if not isinstance(element, Tensor) and not is_number(element):
        raise RuntimeError(
            message(
                "__contains__",
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.",
            )
        )
    return bool((self == element).any().item())  # type: ignore[union-attr]


def iterate(self: Tensor) -> Iterator[Tensor]:
    if self._a.ndim == 0:
        raise TypeError(message("__iter__", "iteration over a 0-d tensor"))
    return iter(_slicing.op_unbind_int(self, 0))


def reversed_(self: Tensor) -> Tensor:
    return self if self._a.ndim == 0 else self.flip(0)  # type: ignore[attr-defined]


def untyped_storage(self: Tensor) -> UntypedStorage:
    """The bytes that this tensor and its views share."""
    return UntypedStorage(self)


def cuda_array_interface(self: Tensor) -> dict[str, Any]:
    """CUDA's protocol: where a tensor's memory on a GPU is, and how its elements lie in it.

    Raises:
        AttributeError: for tensors elsewhere. RuntimeError: if the tensor requires grad.
    """
    if not self.is_cuda:
        raise AttributeError(
            message(
                "__cuda_array_interface__",
                f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()}",  # type: ignore[attr-defined]
                hint="If CUDA data is required use tensor.cuda() to copy tensor to device memory.",
            )
        )
    from ..cuda.interop import interface

    return interface(self._a, self._ag is not None)


METHODS: dict[str, Any] = {
    "__cuda_array_interface__": property(cuda_array_interface),
    "__array_namespace__": array_namespace,
    "to_device": to_device,
    "untyped_storage": untyped_storage,
    "item": item,
    "tolist": tolist,
    "numpy": numpy,
    "__array__": array,
    "__array_wrap__": array_wrap,
    "__dlpack__": dlpack,
    "__dlpack_device__": dlpack_device,
    "__bool__": bool_,
    "__int__": int_,
    "__float__": float_,
    "__complex__": complex_,
    "__index__": index_,
    "__contains__": contains,
    "__iter__": iterate,
    "__reversed__": reversed_,
}
FUNCTIONS: dict[str, Any] = {"from_dlpack": from_dlpack, "to_dlpack": to_dlpack}
