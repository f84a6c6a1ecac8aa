"""Copies, fills and conversions of arrays."""

from __future__ import annotations

import builtins
from contextlib import suppress
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..layouts import arrange
from .strides import writable


def within(a: Any, d: dt.dtype) -> Any:
    """Numbers that a type of 8 bits can hold: torch's largest takes the place of larger ones, where there is no inf."""
    if d is dt.float8_e4m3fn and a.dtype is not d.np:
        return np.asarray(np.clip(a.astype(np.float32, copy=False), -448.0, 448.0))
    if d is dt.float8_e8m0fnu and a.dtype is not d.np:
        return np.asarray(np.maximum(np.abs(a.astype(np.float32, copy=False)), np.float32(2.0**-127)))
    return a


def clone(xp: Any, self: Any, memory_format: Any) -> Any:
    if memory_format is None and self.flags.c_contiguous:
        return self.copy()
    return arrange("clone", xp, self, self.dtype, memory_format)


def copy_(xp: Any, self: Any, src: Any, non_blocking: bool) -> None:
    if src.shape != self.shape:
        src = fit("copy_", self, src)
    if src.dtype.kind == "c" and self.dtype.kind != "c":
        src = src.real
    if 0 in self.strides:
        self = writable("copy_", self)
    if self.itemsize == 1 and self.dtype is not src.dtype and self.dtype.num > 255:
        src = within(src, dt.from_numpy_dtype(self.dtype))
    try:
        xp.copyto(self, src, casting="unsafe")
    except ValueError:
        xp.copyto(writable("copy_", self), src, casting="unsafe")


def fit(op: str, target: Any, src: Any) -> Any:
    """``src`` if it broadcasts to ``target``, else torch's error."""
    have, want = src.shape, target.shape
    lead = len(want) - len(have)
    if lead < 0:
        raise RuntimeError(
            message(
                op,
                f"The number of sizes provided ({len(want)}) must be greater or equal to the number of "
                f"dimensions in the tensor ({len(have)})",
                {"target": list(want), "source": list(have)},
            )
        )
    for i, n in enumerate(have):
        if n != 1 and n != want[i + lead]:
            raise RuntimeError(
                message(
                    op,
                    f"The expanded size of the tensor ({want[i + lead]}) must match the existing size "
                    f"({n}) at non-singleton dimension {i + lead}. Target sizes: {list(want)}. "
                    f"Tensor sizes: {list(have)}",
                )
            )
    return src


def fill__Scalar(xp: Any, self: Any, value: Any) -> None:
    _fillable("fill_", self).fill(scalar_for("fill_", self.dtype, value))


def _fillable(op: str, a: Any) -> Any:
    """``a``, or the part of an expanded array that has memory: one value may go to elements that share memory."""
    if 0 in a.strides:
        a = a[tuple(slice(None, 1) if s == 0 else slice(None) for s in a.strides)]
    elif a.flags.writeable:
        return a
    return writable(op, a)


def fill__Tensor(xp: Any, self: Any, value: Any) -> None:
    if value.ndim:
        rule = f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
        raise RuntimeError(message("fill_", rule))
    xp.copyto(writable("fill_", self), value, casting="unsafe")


def zero_(xp: Any, self: Any) -> None:
    _fillable("zero_", self).fill(0)


def scalar_for(op: str, d: Any, value: Any) -> Any:
    """A Python number as a value of an array's type; what does not fit is a RuntimeError."""
    kind = d.kind
    if kind == "f" or kind == "c" or value.__class__ is bool:
        if kind == "f" and isinstance(value, builtins.complex):
            raise RuntimeError(message(op, f"value cannot be converted to type {d.name} without overflow", [value]))
        return value
    if isinstance(value, builtins.complex):
        raise RuntimeError(message(op, f"value cannot be converted to type {d.name} without overflow", [value]))
    if kind == "b":
        return bool(value)
    if kind in "iu":
        info, whole = np.iinfo(d), None
        with suppress(ValueError, OverflowError):
            whole = int(value)
        if kind == "u" and isinstance(value, builtins.float) and value < 0:
            whole = None
        elif whole is not None and kind == "u" and info.min > whole >= -info.max:
            whole += info.max + 1
        if whole is None or not info.min <= whole <= info.max:
            raise RuntimeError(message(op, f"value cannot be converted to type {d.name} without overflow", [value]))
        return whole
    return value


def _local_scalar_dense(xp: Any, self: Any) -> Any:
    if self.size != 1:
        raise RuntimeError(message("item", f"a Tensor with {self.size} elements cannot be converted to Scalar"))
    x = self.item()
    return x if x.__class__ in (float, int, bool, builtins.complex) else float(x)


def complex_type(op: str, real: Any, imag: Any) -> Any:
    """The NumPy type of complex numbers with parts of a type; the errors of parts that do not fit."""
    if real.dtype != imag.dtype:
        raise RuntimeError(
            message(
                op,
                "Expected object of one scalar type for both arguments",
                {"real": real.dtype.name, "imag": imag.dtype.name},
            )
        )
    if real.dtype.kind != "f" or real.itemsize < 4:
        raise RuntimeError(message(op, f"Expected both inputs to be Float or Double tensors but got {real.dtype.name}"))
    return np.dtype(np.complex64 if real.itemsize == 4 else np.complex128)


def complex(xp: Any, real: Any, imag: Any) -> Any:
    d = complex_type("complex", real, imag)
    r = xp.empty(_broadcast("complex", real, imag), d)
    r.real = real
    r.imag = imag
    return r


def _broadcast(op: str, a: Any, b: Any) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise RuntimeError(
            message(op, "the shapes cannot be broadcast together", [list(a.shape), list(b.shape)])
        ) from None
