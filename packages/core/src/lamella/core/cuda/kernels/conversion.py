"""Copies between devices, and fills of arrays that know no marks against writing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.conversion import fit
from ..xp import CUPY, ndarray
from .strides import writable


def copy_(xp: Any, self: Any, src: Any, non_blocking: bool) -> None:
    """Write ``src`` into ``self``; either may be on the host, or on another GPU."""
    if src.shape != self.shape:
        src = fit("copy_", self, src)
    if src.dtype.kind == "c" and self.dtype.kind != "c":
        src = src.real
    if not isinstance(src, ndarray):
        _from_host(self, src)
    elif not isinstance(self, ndarray):
        _to_host(self, src, non_blocking)
    else:
        if src.device.id != self.device.id:
            src = moved(src, self.device.id)
        CUPY.copyto(writable("copy_", self), src, casting="unsafe")


def _from_host(target: Any, src: Any) -> None:
    target = writable("copy_", target)
    if target.dtype == src.dtype and target.shape == src.shape and target.flags.c_contiguous:
        target.set(np.array(src, order="C", copy=None))
    else:
        CUPY.copyto(target, CUPY.asarray(src), casting="unsafe")


def _to_host(target: Any, src: Any, non_blocking: bool) -> None:
    whole = target.flags.c_contiguous and target.dtype == src.dtype and target.shape == src.shape
    if whole and non_blocking:
        src.get(out=target, blocking=False)
    else:
        np.copyto(target, src.get(), casting="unsafe")


def moved(a: Any, index: int) -> Any:
    """A copy of an array on another GPU."""
    with CUPY.cuda.Device(a.device.id):
        a = CUPY.ascontiguousarray(a)
        CUPY.cuda.get_current_stream().synchronize()  # the other GPU's stream knows nothing of this one's
    with CUPY.cuda.Device(index):
        r = CUPY.empty(a.shape, a.dtype)
        r.data.copy_from_device_async(a.data, a.nbytes)
    return r


def _fillable(op: str, a: Any) -> Any:
    if 0 in a.strides:
        a = a[tuple(slice(None, 1) if s == 0 else slice(None) for s in a.strides)]
    return writable(op, a)
