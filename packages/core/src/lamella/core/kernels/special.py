"""Special functions of arrays, by SciPy."""

from __future__ import annotations

from typing import Any

from .pointwise import _scipy, _zero_times, in_type_of, special

_NAMES = {
    "special_i0e": "i0e",
    "special_i1": "i1",
    "special_i1e": "i1e",
    "special_ndtr": "ndtr",
    "special_ndtri": "ndtri",
    "special_log_ndtr": "log_ndtr",
    "special_entr": "entr",
    "special_erfcx": "erfcx",
    "special_bessel_j0": "j0",
    "special_bessel_j1": "j1",
    "special_bessel_y0": "y0",
    "special_bessel_y1": "y1",
    "special_modified_bessel_i0": "i0",
    "special_modified_bessel_i1": "i1",
    "special_modified_bessel_k0": "k0",
    "special_modified_bessel_k1": "k1",
    "special_scaled_modified_bessel_k0": "k0e",
    "special_scaled_modified_bessel_k1": "k1e",
}
globals().update({ours: _scipy(theirs) for ours, theirs in _NAMES.items()})


def _as(xp: Any, r: Any, like: Any) -> Any:
    return xp.asarray(r).astype(like.dtype, copy=False)


def special_airy_ai(xp: Any, self: Any) -> Any:
    return _as(xp, special().airy(self)[0], self)


def special_spherical_bessel_j0(xp: Any, self: Any) -> Any:
    return _as(xp, special().spherical_jn(0, self), self)


def special_xlog1py(xp: Any, self: Any, other: Any) -> Any:
    other = in_type_of(xp, self, other)
    return _zero_times(xp, self, other, xp.log1p(other))


def special_zeta(xp: Any, self: Any, other: Any) -> Any:
    return _as(xp, special().zeta(self, other), self)


def igamma(xp: Any, self: Any, other: Any) -> Any:
    return _as(xp, special().gammainc(self, other), self)


def igammac(xp: Any, self: Any, other: Any) -> Any:
    return _as(xp, special().gammaincc(self, other), self)


def _polynomial(value: Any, shift: bool = False) -> Any:
    """A family of polynomials from ``value(scipy.special, degree, x)``; torch has 0 for negative degrees."""

    def polynomial(xp: Any, x: Any, n: Any) -> Any:
        degree = xp.trunc(n).astype(xp.int64)
        at = 2 * x.astype(xp.float64) - 1 if shift else x.astype(xp.float64)
        r = value(special(), xp.maximum(degree, 0), at)
        return _as(xp, xp.where(degree < 0, 0.0, r), x)

    return polynomial


def _third(sp: Any, n: Any, x: Any) -> Any:
    return sp.eval_chebyu(n, x) - sp.eval_chebyu(n - 1, x)


def _fourth(sp: Any, n: Any, x: Any) -> Any:
    return sp.eval_chebyu(n, x) + sp.eval_chebyu(n - 1, x)


special_chebyshev_polynomial_t = _polynomial(lambda sp, n, x: sp.eval_chebyt(n, x))
special_chebyshev_polynomial_u = _polynomial(lambda sp, n, x: sp.eval_chebyu(n, x))
special_chebyshev_polynomial_v = _polynomial(_third)
special_chebyshev_polynomial_w = _polynomial(_fourth)
special_shifted_chebyshev_polynomial_t = _polynomial(lambda sp, n, x: sp.eval_chebyt(n, x), shift=True)
special_shifted_chebyshev_polynomial_u = _polynomial(lambda sp, n, x: sp.eval_chebyu(n, x), shift=True)
special_shifted_chebyshev_polynomial_v = _polynomial(_third, shift=True)
special_shifted_chebyshev_polynomial_w = _polynomial(_fourth, shift=True)
special_hermite_polynomial_h = _polynomial(lambda sp, n, x: sp.eval_hermite(n, x))
special_hermite_polynomial_he = _polynomial(lambda sp, n, x: sp.eval_hermitenorm(n, x))
special_laguerre_polynomial_l = _polynomial(lambda sp, n, x: sp.eval_laguerre(n, x))
special_legendre_polynomial_p = _polynomial(lambda sp, n, x: sp.eval_legendre(n, x))
