# Generated from packages/core/src/lamella/core/ops/special.yaml (sha256 918fa0d3d48262c6). Do not edit:
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
    _T_special_i0e,
    _T_special_i1,
    _T_special_i1e,
    _T_special_ndtr,
    _T_special_ndtri,
    _T_special_log_ndtr,
    _T_special_entr,
    _T_special_erfcx,
    _T_special_airy_ai,
    _T_special_bessel_j0,
    _T_special_bessel_j1,
    _T_special_bessel_y0,
    _T_special_bessel_y1,
    _T_special_modified_bessel_i0,
    _T_special_modified_bessel_i1,
    _T_special_modified_bessel_k0,
    _T_special_modified_bessel_k1,
    _T_special_scaled_modified_bessel_k0,
    _T_special_scaled_modified_bessel_k1,
    _T_special_spherical_bessel_j0,
    _T_special_xlog1py,
    _T_special_zeta,
    _T_igamma,
    _T_igamma_,
    _T_igammac,
    _T_igammac_,
    _T_special_chebyshev_polynomial_t,
    _T_special_chebyshev_polynomial_u,
    _T_special_chebyshev_polynomial_v,
    _T_special_chebyshev_polynomial_w,
    _T_special_shifted_chebyshev_polynomial_t,
    _T_special_shifted_chebyshev_polynomial_u,
    _T_special_shifted_chebyshev_polynomial_v,
    _T_special_shifted_chebyshev_polynomial_w,
    _T_special_hermite_polynomial_h,
    _T_special_hermite_polynomial_he,
    _T_special_laguerre_polynomial_l,
    _T_special_legendre_polynomial_p,
) = _define(
    "aten",
    "special",
    (
        ('special_i0e(Tensor self) -> Tensor', True),
        ('special_i1(Tensor self) -> Tensor', True),
        ('special_i1e(Tensor self) -> Tensor', True),
        ('special_ndtr(Tensor self) -> Tensor', True),
        ('special_ndtri(Tensor self) -> Tensor', True),
        ('special_log_ndtr(Tensor self) -> Tensor', True),
        ('special_entr(Tensor self) -> Tensor', True),
        ('special_erfcx(Tensor self) -> Tensor', True),
        ('special_airy_ai(Tensor self) -> Tensor', False),
        ('special_bessel_j0(Tensor self) -> Tensor', False),
        ('special_bessel_j1(Tensor self) -> Tensor', False),
        ('special_bessel_y0(Tensor self) -> Tensor', False),
        ('special_bessel_y1(Tensor self) -> Tensor', False),
        ('special_modified_bessel_i0(Tensor self) -> Tensor', False),
        ('special_modified_bessel_i1(Tensor self) -> Tensor', False),
        ('special_modified_bessel_k0(Tensor self) -> Tensor', False),
        ('special_modified_bessel_k1(Tensor self) -> Tensor', False),
        ('special_scaled_modified_bessel_k0(Tensor self) -> Tensor', False),
        ('special_scaled_modified_bessel_k1(Tensor self) -> Tensor', False),
        ('special_spherical_bessel_j0(Tensor self) -> Tensor', False),
        ('special_xlog1py(Tensor self, Tensor other) -> Tensor', True),
        ('special_zeta(Tensor self, Tensor other) -> Tensor', True),
        ('igamma(Tensor self, Tensor other) -> Tensor', True),
        ('igamma_(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('igammac(Tensor self, Tensor other) -> Tensor', True),
        ('igammac_(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor', False),
        ('special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor', False),
        ('special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor', False),
        ('special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor', False),
        ('special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor', False),
        ('special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor', False),
        ('special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor', False),
        ('special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor', False),
        ('special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor', False),
        ('special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor', False),
        ('special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor', False),
        ('special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor', False),
    ),
    {1: "lamella.core._gen.special_cpu", 2: "lamella.core._gen.special_cuda", 3: "lamella.core._gen.special_meta", 65: "lamella.core.composite.special", },
    "lamella.core/ops/special.yaml",
)


def op_special_i0e(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_i0e", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_i0e[ks](self)
    except Exception:
        _explain(_T_special_i0e, (self, ))
        raise


def special_i0e(input, *, out=None):
    """exp(-|x|) I0(x), the scaled modified Bessel function of order 0."""
    if out is not None:
        return _out("special_i0e", out, op_special_i0e(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_i0e", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_i0e[ks](input)
    except Exception:
        _explain(_T_special_i0e, (input, ))
        raise


def op_special_i1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_i1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_i1[ks](self)
    except Exception:
        _explain(_T_special_i1, (self, ))
        raise


def special_i1(input, *, out=None):
    """The modified Bessel function of order 1."""
    if out is not None:
        return _out("special_i1", out, op_special_i1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_i1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_i1[ks](input)
    except Exception:
        _explain(_T_special_i1, (input, ))
        raise


def op_special_i1e(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_i1e", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_i1e[ks](self)
    except Exception:
        _explain(_T_special_i1e, (self, ))
        raise


def special_i1e(input, *, out=None):
    """exp(-|x|) I1(x), the scaled modified Bessel function of order 1."""
    if out is not None:
        return _out("special_i1e", out, op_special_i1e(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_i1e", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_i1e[ks](input)
    except Exception:
        _explain(_T_special_i1e, (input, ))
        raise


def op_special_ndtr(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_ndtr", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_ndtr[ks](self)
    except Exception:
        _explain(_T_special_ndtr, (self, ))
        raise


def special_ndtr(input, *, out=None):
    """The standard normal distribution's cumulative probability."""
    if out is not None:
        return _out("special_ndtr", out, op_special_ndtr(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_ndtr", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_ndtr[ks](input)
    except Exception:
        _explain(_T_special_ndtr, (input, ))
        raise


def op_special_ndtri(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_ndtri", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_ndtri[ks](self)
    except Exception:
        _explain(_T_special_ndtri, (self, ))
        raise


def special_ndtri(input, *, out=None):
    """The standard normal quantile: the inverse of ndtr."""
    if out is not None:
        return _out("special_ndtri", out, op_special_ndtri(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_ndtri", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_ndtri[ks](input)
    except Exception:
        _explain(_T_special_ndtri, (input, ))
        raise


def op_special_log_ndtr(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_log_ndtr", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_log_ndtr[ks](self)
    except Exception:
        _explain(_T_special_log_ndtr, (self, ))
        raise


def special_log_ndtr(input, *, out=None):
    """The logarithm of ndtr, also far in the left tail."""
    if out is not None:
        return _out("special_log_ndtr", out, op_special_log_ndtr(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_log_ndtr", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_log_ndtr[ks](input)
    except Exception:
        _explain(_T_special_log_ndtr, (input, ))
        raise


def op_special_entr(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_entr", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_entr[ks](self)
    except Exception:
        _explain(_T_special_entr, (self, ))
        raise


def special_entr(input, *, out=None):
    """-x log x; 0 at 0 and -inf below."""
    if out is not None:
        return _out("special_entr", out, op_special_entr(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_entr", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_entr[ks](input)
    except Exception:
        _explain(_T_special_entr, (input, ))
        raise


def op_special_erfcx(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_erfcx", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_erfcx[ks](self)
    except Exception:
        _explain(_T_special_erfcx, (self, ))
        raise


def special_erfcx(input, *, out=None):
    """exp(x**2) erfc(x), also for large x."""
    if out is not None:
        return _out("special_erfcx", out, op_special_erfcx(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_erfcx", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_erfcx[ks](input)
    except Exception:
        _explain(_T_special_erfcx, (input, ))
        raise


def op_special_airy_ai(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_airy_ai", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_airy_ai[ks](self)
    except Exception:
        _explain(_T_special_airy_ai, (self, ))
        raise


def special_airy_ai(input, *, out=None):
    """The Airy function Ai."""
    if out is not None:
        return _out("special_airy_ai", out, op_special_airy_ai(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_airy_ai", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_airy_ai[ks](input)
    except Exception:
        _explain(_T_special_airy_ai, (input, ))
        raise


def op_special_bessel_j0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_bessel_j0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_j0[ks](self)
    except Exception:
        _explain(_T_special_bessel_j0, (self, ))
        raise


def special_bessel_j0(input, *, out=None):
    """The Bessel function of the first kind, order 0."""
    if out is not None:
        return _out("special_bessel_j0", out, op_special_bessel_j0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_bessel_j0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_j0[ks](input)
    except Exception:
        _explain(_T_special_bessel_j0, (input, ))
        raise


def op_special_bessel_j1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_bessel_j1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_j1[ks](self)
    except Exception:
        _explain(_T_special_bessel_j1, (self, ))
        raise


def special_bessel_j1(input, *, out=None):
    """The Bessel function of the first kind, order 1."""
    if out is not None:
        return _out("special_bessel_j1", out, op_special_bessel_j1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_bessel_j1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_j1[ks](input)
    except Exception:
        _explain(_T_special_bessel_j1, (input, ))
        raise


def op_special_bessel_y0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_bessel_y0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_y0[ks](self)
    except Exception:
        _explain(_T_special_bessel_y0, (self, ))
        raise


def special_bessel_y0(input, *, out=None):
    """The Bessel function of the second kind, order 0."""
    if out is not None:
        return _out("special_bessel_y0", out, op_special_bessel_y0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_bessel_y0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_y0[ks](input)
    except Exception:
        _explain(_T_special_bessel_y0, (input, ))
        raise


def op_special_bessel_y1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_bessel_y1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_y1[ks](self)
    except Exception:
        _explain(_T_special_bessel_y1, (self, ))
        raise


def special_bessel_y1(input, *, out=None):
    """The Bessel function of the second kind, order 1."""
    if out is not None:
        return _out("special_bessel_y1", out, op_special_bessel_y1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_bessel_y1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_bessel_y1[ks](input)
    except Exception:
        _explain(_T_special_bessel_y1, (input, ))
        raise


def op_special_modified_bessel_i0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_i0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_i0[ks](self)
    except Exception:
        _explain(_T_special_modified_bessel_i0, (self, ))
        raise


def special_modified_bessel_i0(input, *, out=None):
    """The modified Bessel function of the first kind, order 0."""
    if out is not None:
        return _out("special_modified_bessel_i0", out, op_special_modified_bessel_i0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_i0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_i0[ks](input)
    except Exception:
        _explain(_T_special_modified_bessel_i0, (input, ))
        raise


def op_special_modified_bessel_i1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_i1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_i1[ks](self)
    except Exception:
        _explain(_T_special_modified_bessel_i1, (self, ))
        raise


def special_modified_bessel_i1(input, *, out=None):
    """The modified Bessel function of the first kind, order 1."""
    if out is not None:
        return _out("special_modified_bessel_i1", out, op_special_modified_bessel_i1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_i1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_i1[ks](input)
    except Exception:
        _explain(_T_special_modified_bessel_i1, (input, ))
        raise


def op_special_modified_bessel_k0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_k0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_k0[ks](self)
    except Exception:
        _explain(_T_special_modified_bessel_k0, (self, ))
        raise


def special_modified_bessel_k0(input, *, out=None):
    """The modified Bessel function of the second kind, order 0."""
    if out is not None:
        return _out("special_modified_bessel_k0", out, op_special_modified_bessel_k0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_k0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_k0[ks](input)
    except Exception:
        _explain(_T_special_modified_bessel_k0, (input, ))
        raise


def op_special_modified_bessel_k1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_k1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_k1[ks](self)
    except Exception:
        _explain(_T_special_modified_bessel_k1, (self, ))
        raise


def special_modified_bessel_k1(input, *, out=None):
    """The modified Bessel function of the second kind, order 1."""
    if out is not None:
        return _out("special_modified_bessel_k1", out, op_special_modified_bessel_k1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_modified_bessel_k1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_modified_bessel_k1[ks](input)
    except Exception:
        _explain(_T_special_modified_bessel_k1, (input, ))
        raise


def op_special_scaled_modified_bessel_k0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_scaled_modified_bessel_k0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_scaled_modified_bessel_k0[ks](self)
    except Exception:
        _explain(_T_special_scaled_modified_bessel_k0, (self, ))
        raise


def special_scaled_modified_bessel_k0(input, *, out=None):
    """exp(x) K0(x)."""
    if out is not None:
        return _out("special_scaled_modified_bessel_k0", out, op_special_scaled_modified_bessel_k0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_scaled_modified_bessel_k0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_scaled_modified_bessel_k0[ks](input)
    except Exception:
        _explain(_T_special_scaled_modified_bessel_k0, (input, ))
        raise


def op_special_scaled_modified_bessel_k1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_scaled_modified_bessel_k1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_scaled_modified_bessel_k1[ks](self)
    except Exception:
        _explain(_T_special_scaled_modified_bessel_k1, (self, ))
        raise


def special_scaled_modified_bessel_k1(input, *, out=None):
    """exp(x) K1(x)."""
    if out is not None:
        return _out("special_scaled_modified_bessel_k1", out, op_special_scaled_modified_bessel_k1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_scaled_modified_bessel_k1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_scaled_modified_bessel_k1[ks](input)
    except Exception:
        _explain(_T_special_scaled_modified_bessel_k1, (input, ))
        raise


def op_special_spherical_bessel_j0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("special_spherical_bessel_j0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_spherical_bessel_j0[ks](self)
    except Exception:
        _explain(_T_special_spherical_bessel_j0, (self, ))
        raise


def special_spherical_bessel_j0(input, *, out=None):
    """The spherical Bessel function sin(x) / x."""
    if out is not None:
        return _out("special_spherical_bessel_j0", out, op_special_spherical_bessel_j0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("special_spherical_bessel_j0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_spherical_bessel_j0[ks](input)
    except Exception:
        _explain(_T_special_spherical_bessel_j0, (input, ))
        raise


def op_special_xlog1py(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("special_xlog1py", "other", other))
    except AttributeError:
        raise _not_tensor("special_xlog1py", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_xlog1py[ks](self, other)
    except Exception:
        _explain(_T_special_xlog1py, (self, other, ))
        raise


def special_xlog1py(input, other, *, out=None):
    """self * log1p(other), which is 0 where self is 0."""
    if out is not None:
        return _out("special_xlog1py", out, special_xlog1py(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("special_xlog1py", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("special_xlog1py", "other", other)) or _no_tensor("special_xlog1py")
    except AttributeError:
        raise _not_tensor("special_xlog1py", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_xlog1py[ks](input, other)
    except Exception:
        _explain(_T_special_xlog1py, (input, other, ))
        raise


def op_special_zeta(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("special_zeta", "other", other))
    except AttributeError:
        raise _not_tensor("special_zeta", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_zeta[ks](self, other)
    except Exception:
        _explain(_T_special_zeta, (self, other, ))
        raise


def special_zeta(input, other, *, out=None):
    """Hurwitz's zeta function: the sum over k of 1 / (k + other)**self."""
    if out is not None:
        return _out("special_zeta", out, special_zeta(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("special_zeta", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("special_zeta", "other", other)) or _no_tensor("special_zeta")
    except AttributeError:
        raise _not_tensor("special_zeta", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_zeta[ks](input, other)
    except Exception:
        _explain(_T_special_zeta, (input, other, ))
        raise


def op_igamma(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("igamma", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_igamma[ks](self, other)
    except Exception:
        _explain(_T_igamma, (self, other, ))
        raise


def igamma(input, other, *, out=None):
    """The regularized lower incomplete gamma function P(self, other)."""
    if out is not None:
        return _out("igamma", out, op_igamma(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("igamma", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_igamma[ks](input, other)
    except Exception:
        _explain(_T_igamma, (input, other, ))
        raise


def op_igamma_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("igamma_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_igamma_[ks](self, other)
    except Exception:
        _explain(_T_igamma_, (self, other, ))
        raise


def op_igammac(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("igammac", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_igammac[ks](self, other)
    except Exception:
        _explain(_T_igammac, (self, other, ))
        raise


def igammac(input, other, *, out=None):
    """The regularized upper incomplete gamma function Q(self, other)."""
    if out is not None:
        return _out("igammac", out, op_igammac(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("igammac", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_igammac[ks](input, other)
    except Exception:
        _explain(_T_igammac, (input, other, ))
        raise


def op_igammac_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("igammac_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_igammac_[ks](self, other)
    except Exception:
        _explain(_T_igammac_, (self, other, ))
        raise


def op_special_chebyshev_polynomial_t(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_t", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_t", "n", n))
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_t", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_t[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_t, (x, n, ))
        raise


def special_chebyshev_polynomial_t(x, n, *, out=None):
    """The Chebyshev polynomial of the first kind of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_chebyshev_polynomial_t", out, special_chebyshev_polynomial_t(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_t", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_t", "n", n)) or _no_tensor("special_chebyshev_polynomial_t")
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_t", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_t[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_t, (x, n, ))
        raise


def op_special_chebyshev_polynomial_u(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_u", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_u", "n", n))
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_u", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_u[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_u, (x, n, ))
        raise


def special_chebyshev_polynomial_u(x, n, *, out=None):
    """The Chebyshev polynomial of the second kind of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_chebyshev_polynomial_u", out, special_chebyshev_polynomial_u(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_u", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_u", "n", n)) or _no_tensor("special_chebyshev_polynomial_u")
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_u", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_u[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_u, (x, n, ))
        raise


def op_special_chebyshev_polynomial_v(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_v", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_v", "n", n))
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_v", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_v[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_v, (x, n, ))
        raise


def special_chebyshev_polynomial_v(x, n, *, out=None):
    """The Chebyshev polynomial of the third kind of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_chebyshev_polynomial_v", out, special_chebyshev_polynomial_v(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_v", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_v", "n", n)) or _no_tensor("special_chebyshev_polynomial_v")
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_v", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_v[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_v, (x, n, ))
        raise


def op_special_chebyshev_polynomial_w(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_w", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_w", "n", n))
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_w", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_w[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_w, (x, n, ))
        raise


def special_chebyshev_polynomial_w(x, n, *, out=None):
    """The Chebyshev polynomial of the fourth kind of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_chebyshev_polynomial_w", out, special_chebyshev_polynomial_w(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_chebyshev_polynomial_w", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_chebyshev_polynomial_w", "n", n)) or _no_tensor("special_chebyshev_polynomial_w")
    except AttributeError:
        raise _not_tensor("special_chebyshev_polynomial_w", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_chebyshev_polynomial_w[ks](x, n)
    except Exception:
        _explain(_T_special_chebyshev_polynomial_w, (x, n, ))
        raise


def op_special_shifted_chebyshev_polynomial_t(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_t", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_t", "n", n))
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_t", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_t[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_t, (x, n, ))
        raise


def special_shifted_chebyshev_polynomial_t(x, n, *, out=None):
    """The Chebyshev polynomial of the first kind at 2x - 1 of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_shifted_chebyshev_polynomial_t", out, special_shifted_chebyshev_polynomial_t(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_t", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_t", "n", n)) or _no_tensor("special_shifted_chebyshev_polynomial_t")
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_t", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_t[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_t, (x, n, ))
        raise


def op_special_shifted_chebyshev_polynomial_u(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_u", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_u", "n", n))
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_u", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_u[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_u, (x, n, ))
        raise


def special_shifted_chebyshev_polynomial_u(x, n, *, out=None):
    """The Chebyshev polynomial of the second kind at 2x - 1 of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_shifted_chebyshev_polynomial_u", out, special_shifted_chebyshev_polynomial_u(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_u", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_u", "n", n)) or _no_tensor("special_shifted_chebyshev_polynomial_u")
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_u", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_u[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_u, (x, n, ))
        raise


def op_special_shifted_chebyshev_polynomial_v(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_v", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_v", "n", n))
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_v", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_v[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_v, (x, n, ))
        raise


def special_shifted_chebyshev_polynomial_v(x, n, *, out=None):
    """The Chebyshev polynomial of the third kind at 2x - 1 of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_shifted_chebyshev_polynomial_v", out, special_shifted_chebyshev_polynomial_v(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_v", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_v", "n", n)) or _no_tensor("special_shifted_chebyshev_polynomial_v")
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_v", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_v[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_v, (x, n, ))
        raise


def op_special_shifted_chebyshev_polynomial_w(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_w", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_w", "n", n))
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_w", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_w[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_w, (x, n, ))
        raise


def special_shifted_chebyshev_polynomial_w(x, n, *, out=None):
    """The Chebyshev polynomial of the fourth kind at 2x - 1 of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_shifted_chebyshev_polynomial_w", out, special_shifted_chebyshev_polynomial_w(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_shifted_chebyshev_polynomial_w", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_shifted_chebyshev_polynomial_w", "n", n)) or _no_tensor("special_shifted_chebyshev_polynomial_w")
    except AttributeError:
        raise _not_tensor("special_shifted_chebyshev_polynomial_w", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_shifted_chebyshev_polynomial_w[ks](x, n)
    except Exception:
        _explain(_T_special_shifted_chebyshev_polynomial_w, (x, n, ))
        raise


def op_special_hermite_polynomial_h(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_hermite_polynomial_h", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_hermite_polynomial_h", "n", n))
    except AttributeError:
        raise _not_tensor("special_hermite_polynomial_h", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_hermite_polynomial_h[ks](x, n)
    except Exception:
        _explain(_T_special_hermite_polynomial_h, (x, n, ))
        raise


def special_hermite_polynomial_h(x, n, *, out=None):
    """The physicist's Hermite polynomial of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_hermite_polynomial_h", out, special_hermite_polynomial_h(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_hermite_polynomial_h", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_hermite_polynomial_h", "n", n)) or _no_tensor("special_hermite_polynomial_h")
    except AttributeError:
        raise _not_tensor("special_hermite_polynomial_h", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_hermite_polynomial_h[ks](x, n)
    except Exception:
        _explain(_T_special_hermite_polynomial_h, (x, n, ))
        raise


def op_special_hermite_polynomial_he(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_hermite_polynomial_he", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_hermite_polynomial_he", "n", n))
    except AttributeError:
        raise _not_tensor("special_hermite_polynomial_he", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_hermite_polynomial_he[ks](x, n)
    except Exception:
        _explain(_T_special_hermite_polynomial_he, (x, n, ))
        raise


def special_hermite_polynomial_he(x, n, *, out=None):
    """The probabilist's Hermite polynomial of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_hermite_polynomial_he", out, special_hermite_polynomial_he(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_hermite_polynomial_he", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_hermite_polynomial_he", "n", n)) or _no_tensor("special_hermite_polynomial_he")
    except AttributeError:
        raise _not_tensor("special_hermite_polynomial_he", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_hermite_polynomial_he[ks](x, n)
    except Exception:
        _explain(_T_special_hermite_polynomial_he, (x, n, ))
        raise


def op_special_laguerre_polynomial_l(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_laguerre_polynomial_l", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_laguerre_polynomial_l", "n", n))
    except AttributeError:
        raise _not_tensor("special_laguerre_polynomial_l", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_laguerre_polynomial_l[ks](x, n)
    except Exception:
        _explain(_T_special_laguerre_polynomial_l, (x, n, ))
        raise


def special_laguerre_polynomial_l(x, n, *, out=None):
    """The Laguerre polynomial of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_laguerre_polynomial_l", out, special_laguerre_polynomial_l(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_laguerre_polynomial_l", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_laguerre_polynomial_l", "n", n)) or _no_tensor("special_laguerre_polynomial_l")
    except AttributeError:
        raise _not_tensor("special_laguerre_polynomial_l", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_laguerre_polynomial_l[ks](x, n)
    except Exception:
        _explain(_T_special_laguerre_polynomial_l, (x, n, ))
        raise


def op_special_legendre_polynomial_p(x, n):
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_legendre_polynomial_p", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_legendre_polynomial_p", "n", n))
    except AttributeError:
        raise _not_tensor("special_legendre_polynomial_p", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_legendre_polynomial_p[ks](x, n)
    except Exception:
        _explain(_T_special_legendre_polynomial_p, (x, n, ))
        raise


def special_legendre_polynomial_p(x, n, *, out=None):
    """The Legendre polynomial of degree n; 0 for a negative degree."""
    if out is not None:
        return _out("special_legendre_polynomial_p", out, special_legendre_polynomial_p(x, n), inputs=(x, n, ))
    try:
        ks = (x._ks if isinstance(x, _Tensor) else _number("special_legendre_polynomial_p", "x", x)) | (n._ks if isinstance(n, _Tensor) else _number("special_legendre_polynomial_p", "n", n)) or _no_tensor("special_legendre_polynomial_p")
    except AttributeError:
        raise _not_tensor("special_legendre_polynomial_p", {"x": x, "n": n, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_special_legendre_polynomial_p[ks](x, n)
    except Exception:
        _explain(_T_special_legendre_polynomial_p, (x, n, ))
        raise


METHODS = {
    "igamma": op_igamma,
    "igamma_": op_igamma_,
    "igammac": op_igammac,
    "igammac_": op_igammac_,
}


FUNCTIONS = {
    "special_i0e": special_i0e,
    "special_i1": special_i1,
    "special_i1e": special_i1e,
    "special_ndtr": special_ndtr,
    "special_ndtri": special_ndtri,
    "special_log_ndtr": special_log_ndtr,
    "special_entr": special_entr,
    "special_erfcx": special_erfcx,
    "special_airy_ai": special_airy_ai,
    "special_bessel_j0": special_bessel_j0,
    "special_bessel_j1": special_bessel_j1,
    "special_bessel_y0": special_bessel_y0,
    "special_bessel_y1": special_bessel_y1,
    "special_modified_bessel_i0": special_modified_bessel_i0,
    "special_modified_bessel_i1": special_modified_bessel_i1,
    "special_modified_bessel_k0": special_modified_bessel_k0,
    "special_modified_bessel_k1": special_modified_bessel_k1,
    "special_scaled_modified_bessel_k0": special_scaled_modified_bessel_k0,
    "special_scaled_modified_bessel_k1": special_scaled_modified_bessel_k1,
    "special_spherical_bessel_j0": special_spherical_bessel_j0,
    "special_xlog1py": special_xlog1py,
    "special_zeta": special_zeta,
    "igamma": igamma,
    "igammac": igammac,
    "special_chebyshev_polynomial_t": special_chebyshev_polynomial_t,
    "special_chebyshev_polynomial_u": special_chebyshev_polynomial_u,
    "special_chebyshev_polynomial_v": special_chebyshev_polynomial_v,
    "special_chebyshev_polynomial_w": special_chebyshev_polynomial_w,
    "special_shifted_chebyshev_polynomial_t": special_shifted_chebyshev_polynomial_t,
    "special_shifted_chebyshev_polynomial_u": special_shifted_chebyshev_polynomial_u,
    "special_shifted_chebyshev_polynomial_v": special_shifted_chebyshev_polynomial_v,
    "special_shifted_chebyshev_polynomial_w": special_shifted_chebyshev_polynomial_w,
    "special_hermite_polynomial_h": special_hermite_polynomial_h,
    "special_hermite_polynomial_he": special_hermite_polynomial_he,
    "special_laguerre_polynomial_l": special_laguerre_polynomial_l,
    "special_legendre_polynomial_p": special_legendre_polynomial_p,
}
