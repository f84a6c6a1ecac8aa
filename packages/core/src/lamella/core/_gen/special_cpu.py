# Generated from packages/core/src/lamella/core/ops/special.yaml (sha256 918fa0d3d48262c6). Do not edit:
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
import lamella.core.kernels.special as _k

_KS = 1  # of new tensors


def special_i0e(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_i0e(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_i0e", _k.special_i0e, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_i0e", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_i1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_i1(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_i1", _k.special_i1, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_i1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_i1e(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_i1e(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_i1e", _k.special_i1e, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_i1e", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_ndtr(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_ndtr(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_ndtr", _k.special_ndtr, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_ndtr", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_ndtri(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_ndtri(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_ndtri", _k.special_ndtri, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_ndtri", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_log_ndtr(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_log_ndtr(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_log_ndtr", _k.special_log_ndtr, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_log_ndtr", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_entr(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_entr(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_entr", _k.special_entr, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_entr", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_erfcx(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_erfcx(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_erfcx", _k.special_erfcx, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_erfcx", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_airy_ai(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_airy_ai(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_airy_ai", _k.special_airy_ai, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_airy_ai", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_bessel_j0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_bessel_j0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_bessel_j0", _k.special_bessel_j0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_bessel_j0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_bessel_j1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_bessel_j1(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_bessel_j1", _k.special_bessel_j1, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_bessel_j1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_bessel_y0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_bessel_y0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_bessel_y0", _k.special_bessel_y0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_bessel_y0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_bessel_y1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_bessel_y1(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_bessel_y1", _k.special_bessel_y1, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_bessel_y1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_modified_bessel_i0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_modified_bessel_i0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_modified_bessel_i0", _k.special_modified_bessel_i0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_modified_bessel_i0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_modified_bessel_i1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_modified_bessel_i1(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_modified_bessel_i1", _k.special_modified_bessel_i1, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_modified_bessel_i1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_modified_bessel_k0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_modified_bessel_k0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_modified_bessel_k0", _k.special_modified_bessel_k0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_modified_bessel_k0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_modified_bessel_k1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_modified_bessel_k1(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_modified_bessel_k1", _k.special_modified_bessel_k1, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_modified_bessel_k1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_scaled_modified_bessel_k0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_scaled_modified_bessel_k0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_scaled_modified_bessel_k0", _k.special_scaled_modified_bessel_k0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_scaled_modified_bessel_k0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_scaled_modified_bessel_k1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_scaled_modified_bessel_k1(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_scaled_modified_bessel_k1", _k.special_scaled_modified_bessel_k1, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_scaled_modified_bessel_k1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_spherical_bessel_j0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.special_spherical_bessel_j0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("special_spherical_bessel_j0", _k.special_spherical_bessel_j0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("special_spherical_bessel_j0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_xlog1py(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_xlog1py(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_xlog1py", _k.special_xlog1py, _xp, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.special_xlog1py(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_xlog1py", _k.special_xlog1py, _xp, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_xlog1py", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_zeta(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_zeta(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_zeta", _k.special_zeta, _xp, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.special_zeta(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_zeta", _k.special_zeta, _xp, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_zeta", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def igamma(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.igamma(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("igamma", _k.igamma, _xp, "float", (self, other, ), (), "biuc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.igamma(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("igamma", _k.igamma, _xp, "float", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("igamma", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def igamma_(self, other):
    a = self._a
    try:
        _elementwise_into("igamma_", _k.igamma, _xp, "float", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("igamma_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "igamma_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

igamma_.moves_versions = True


def igammac(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.igammac(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("igammac", _k.igammac, _xp, "float", (self, other, ), (), "biuc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.igammac(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("igammac", _k.igammac, _xp, "float", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("igammac", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def igammac_(self, other):
    a = self._a
    try:
        _elementwise_into("igammac_", _k.igammac, _xp, "float", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("igammac_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "igammac_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

igammac_.moves_versions = True


def special_chebyshev_polynomial_t(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_chebyshev_polynomial_t(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_chebyshev_polynomial_t", _k.special_chebyshev_polynomial_t, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_chebyshev_polynomial_t(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_chebyshev_polynomial_t", _k.special_chebyshev_polynomial_t, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_chebyshev_polynomial_t", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_chebyshev_polynomial_u(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_chebyshev_polynomial_u(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_chebyshev_polynomial_u", _k.special_chebyshev_polynomial_u, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_chebyshev_polynomial_u(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_chebyshev_polynomial_u", _k.special_chebyshev_polynomial_u, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_chebyshev_polynomial_u", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_chebyshev_polynomial_v(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_chebyshev_polynomial_v(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_chebyshev_polynomial_v", _k.special_chebyshev_polynomial_v, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_chebyshev_polynomial_v(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_chebyshev_polynomial_v", _k.special_chebyshev_polynomial_v, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_chebyshev_polynomial_v", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_chebyshev_polynomial_w(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_chebyshev_polynomial_w(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_chebyshev_polynomial_w", _k.special_chebyshev_polynomial_w, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_chebyshev_polynomial_w(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_chebyshev_polynomial_w", _k.special_chebyshev_polynomial_w, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_chebyshev_polynomial_w", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_shifted_chebyshev_polynomial_t(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_shifted_chebyshev_polynomial_t(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_shifted_chebyshev_polynomial_t", _k.special_shifted_chebyshev_polynomial_t, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_shifted_chebyshev_polynomial_t(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_shifted_chebyshev_polynomial_t", _k.special_shifted_chebyshev_polynomial_t, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_shifted_chebyshev_polynomial_t", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_shifted_chebyshev_polynomial_u(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_shifted_chebyshev_polynomial_u(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_shifted_chebyshev_polynomial_u", _k.special_shifted_chebyshev_polynomial_u, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_shifted_chebyshev_polynomial_u(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_shifted_chebyshev_polynomial_u", _k.special_shifted_chebyshev_polynomial_u, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_shifted_chebyshev_polynomial_u", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_shifted_chebyshev_polynomial_v(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_shifted_chebyshev_polynomial_v(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_shifted_chebyshev_polynomial_v", _k.special_shifted_chebyshev_polynomial_v, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_shifted_chebyshev_polynomial_v(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_shifted_chebyshev_polynomial_v", _k.special_shifted_chebyshev_polynomial_v, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_shifted_chebyshev_polynomial_v", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_shifted_chebyshev_polynomial_w(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_shifted_chebyshev_polynomial_w(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_shifted_chebyshev_polynomial_w", _k.special_shifted_chebyshev_polynomial_w, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_shifted_chebyshev_polynomial_w(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_shifted_chebyshev_polynomial_w", _k.special_shifted_chebyshev_polynomial_w, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_shifted_chebyshev_polynomial_w", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_hermite_polynomial_h(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_hermite_polynomial_h(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_hermite_polynomial_h", _k.special_hermite_polynomial_h, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_hermite_polynomial_h(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_hermite_polynomial_h", _k.special_hermite_polynomial_h, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_hermite_polynomial_h", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_hermite_polynomial_he(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_hermite_polynomial_he(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_hermite_polynomial_he", _k.special_hermite_polynomial_he, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_hermite_polynomial_he(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_hermite_polynomial_he", _k.special_hermite_polynomial_he, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_hermite_polynomial_he", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_laguerre_polynomial_l(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_laguerre_polynomial_l(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_laguerre_polynomial_l", _k.special_laguerre_polynomial_l, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_laguerre_polynomial_l(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_laguerre_polynomial_l", _k.special_laguerre_polynomial_l, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_laguerre_polynomial_l", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def special_legendre_polynomial_p(x, n):
    try:
        a = x._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if n.__class__ is _Tensor or isinstance(n, _Tensor):
            if d is n._a.dtype and (d is _F32 or d is _F64):
                r = _k.special_legendre_polynomial_p(_xp, a, n._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("special_legendre_polynomial_p", _k.special_legendre_polynomial_p, _xp, "float", (x, n, ), (), "c")
        elif (d is _F32 or d is _F64) and (n.__class__ is float or n.__class__ is int):
            r = _k.special_legendre_polynomial_p(_xp, a, n)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("special_legendre_polynomial_p", _k.special_legendre_polynomial_p, _xp, "float", (x, n, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("special_legendre_polynomial_p", e, x, n) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
