# Generated from packages/core/src/lamella/core/ops/fft.yaml (sha256 e2e88840a9c6f566). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T__fft_c2c,
    _T__fft_r2c,
    _T__fft_c2r,
) = _define(
    "aten",
    "fft",
    (
        ('_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor', True),
        ('_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor', True),
        ('_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor', True),
    ),
    {1: "lamella.core._gen.fft_cpu", 2: "lamella.core._gen.fft_cuda", 3: "lamella.core._gen.fft_meta", 65: "lamella.core.composite.fft", },
    "lamella.core/ops/fft.yaml",
)


def op__fft_c2c(self, dim, normalization, forward):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_fft_c2c", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ not in _SEQUENCES:
        dim = _as_ints("_fft_c2c", "dim", dim, False)
    if normalization.__class__ is not int:
        normalization = _as_int("_fft_c2c", "normalization", normalization)
    if forward is not False and forward is not True:
        forward = _as_bool("_fft_c2c", "forward", forward)
    try:
        return _T__fft_c2c[ks](self, dim, normalization, forward)
    except Exception:
        _explain(_T__fft_c2c, (self, dim, normalization, forward, ))
        raise


def op__fft_r2c(self, dim, normalization, onesided):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_fft_r2c", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ not in _SEQUENCES:
        dim = _as_ints("_fft_r2c", "dim", dim, False)
    if normalization.__class__ is not int:
        normalization = _as_int("_fft_r2c", "normalization", normalization)
    if onesided is not False and onesided is not True:
        onesided = _as_bool("_fft_r2c", "onesided", onesided)
    try:
        return _T__fft_r2c[ks](self, dim, normalization, onesided)
    except Exception:
        _explain(_T__fft_r2c, (self, dim, normalization, onesided, ))
        raise


def op__fft_c2r(self, dim, normalization, last_dim_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_fft_c2r", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ not in _SEQUENCES:
        dim = _as_ints("_fft_c2r", "dim", dim, False)
    if normalization.__class__ is not int:
        normalization = _as_int("_fft_c2r", "normalization", normalization)
    if last_dim_size.__class__ is not int:
        last_dim_size = _as_int("_fft_c2r", "last_dim_size", last_dim_size)
    try:
        return _T__fft_c2r[ks](self, dim, normalization, last_dim_size)
    except Exception:
        _explain(_T__fft_c2r, (self, dim, normalization, last_dim_size, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
