# Generated from packages/core/src/lamella/core/ops/creation.yaml (sha256 a77ee4e662d0b0c2). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.creation as _k

_KS = 1  # of new tensors


def empty_memory_format(size, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.empty_memory_format(_xp, size, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def empty_strided(size, stride, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.empty_strided(_xp, size, stride, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def full(size, fill_value, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.full(_xp, size, fill_value, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def arange_start_step(start, end, step=1, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.arange_start_step(_xp, start, end, step, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def linspace(start, end, steps, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.linspace(_xp, start, end, steps, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logspace(start, end, steps, base=10.0, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.logspace(_xp, start, end, steps, base, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def eye_m(n, m, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.eye_m(_xp, n, m, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def rand(size, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.rand(_xp, size, generator, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def randn(size, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.randn(_xp, size, generator, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def randint_low(low, high, size, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.randint_low(_xp, low, high, size, generator, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def randperm(n, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.randperm(_xp, n, generator, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
