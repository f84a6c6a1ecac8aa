"""DLPack over NumPy's own reader and writer, with what they lack: bfloat16, and writing through old capsules.

A capsule is a `DLTensor` struct behind a small header. NumPy makes and reads all of it; for bfloat16 it is told uint16,
and the type's field in the struct says what the elements are.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from . import dtypes as dt
from .storage import is_overlapping

_PLAIN, _VERSIONED = b"dltensor", b"dltensor_versioned"
#: where `DLTensor.dtype` (code, bits: a byte each) lies in the struct that a capsule of this name points to
_DTYPE_AT = {_PLAIN: 20, _VERSIONED: 52}
_UINT, _BFLOAT = 1, 4
_HOST = (1, 3, 11, 13)  # the CPU's memory, and what CUDA and ROCm map into it

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_get_name = ctypes.pythonapi.PyCapsule_GetName
_get_name.restype = ctypes.c_char_p
_get_name.argtypes = [ctypes.py_object]


def export(a: np.ndarray, **options: Any) -> Any:
    """A capsule over an array's memory; ``options`` are those of ``__dlpack__``."""
    if a.dtype.kind != "V":
        return a.__dlpack__(**options)
    capsule = a.view(np.uint16).__dlpack__(**options)
    _type_field(capsule)[0] = _BFLOAT
    return capsule


def read(owner: Any, copy: bool | None) -> np.ndarray:
    """An array over the memory of an object with ``__dlpack__``, or of a capsule.

    Raises:
        RuntimeError: if ``owner`` is neither, or a capsule that was read before. BufferError: for memory that is not
            the CPU's or a type that NumPy lacks. ValueError: for negative strides without a copy.
    """
    capsule, device = _capsule_of(owner, copy)
    name = _get_name(capsule) if type(capsule).__name__ == "PyCapsule" else None
    if name not in _DTYPE_AT:
        raise RuntimeError(
            message("from_dlpack", "this capsule holds no tensor" + (" any more" if name else ""),
                    [name.decode() if name else type(capsule).__name__],
                    hint="a capsule can be read only once; pass the object itself instead of its capsule")
        )
    field = _type_field(capsule)
    narrow = field[0] == _BFLOAT and field[1] == 16
    if narrow:
        field[0] = _UINT
    a = np.from_dlpack(_Capsule(capsule, device))
    if narrow:
        a = a.view(dt.bfloat16.np)
    if copy:
        return a.copy()
    if any(s < 0 for s in a.strides):
        raise ValueError(message("from_dlpack", "at least one stride is negative, which tensors do not support",
                                 {"strides": a.strides}, hint="pass copy=True"))
    return writable(a)  # also memory that is said to be read-only: tensors have no such mark


def _capsule_of(owner: Any, copy: bool | None) -> tuple[Any, tuple[int, int]]:
    if type(owner).__name__ == "PyCapsule":
        return owner, (1, 0)
    if not hasattr(owner, "__dlpack__") or not hasattr(owner, "__dlpack_device__"):
        raise RuntimeError(
            message("from_dlpack", f"an object with __dlpack__ and __dlpack_device__, or a capsule, is needed, "
                    f"not {type(owner).__name__}")
        )
    device = owner.__dlpack_device__()
    if device[0] not in _HOST:
        raise BufferError(message("from_dlpack", "only memory of the CPU can be read", {"device": tuple(device)},
                                  hint="move it to the CPU first"))
    options = {"copy": False} if copy is False else {}
    try:
        return owner.__dlpack__(max_version=(1, 0), **options), device
    except TypeError:  # an object of the protocol before versions
        return owner.__dlpack__(), device


def _type_field(capsule: Any) -> Any:
    """The capsule's type code and bits, as two bytes to read or write."""
    name = _get_name(capsule)
    return (ctypes.c_uint8 * 2).from_address(_get_pointer(capsule, name) + _DTYPE_AT[name])


class _Capsule:
    """A capsule as an object that NumPy reads."""

    def __init__(self, capsule: Any, device: tuple[int, int]) -> None:
        self.capsule = capsule
        self.device = device

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def writable(a: np.ndarray) -> np.ndarray:
    """An array over the same memory that may be written, except where elements lie on each other.

    Among tensors' arrays NumPy's mark means that: operators ask it whether they may write in place.
    """
    if is_overlapping(a):
        a = a.view()
        a.setflags(write=False)
        return a
    if a.flags.writeable:
        return a
    if a.dtype.kind == "V":
        return np.asarray(_Writable(a.view(np.uint16))).view(a.dtype)
    return np.asarray(_Writable(a))


class _Writable:
    def __init__(self, a: np.ndarray) -> None:
        self.base = a  # keeps the memory; storages look here for its owner
        self.__array_interface__ = {**a.__array_interface__, "data": (a.__array_interface__["data"][0], False)}
