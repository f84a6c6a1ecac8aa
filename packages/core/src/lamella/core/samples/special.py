"""Samples of special functions."""

from __future__ import annotations

from typing import Any

from . import S


def _one(name: str, lo: float = -2.0, hi: float = 2.0, **more: Any) -> S:
    return S(
        name,
        lambda mk: [((mk(2, 3, lo=lo, hi=hi),), {}), ((mk(lo=lo, hi=hi),), {}), ((mk.int(3, lo=1, hi=4),), {})],
        **more,
    )


def _poly(name: str) -> S:
    return S(
        f"special_{name}",
        lambda mk: [((mk(2, 3, grad=False), mk.int(3, lo=0, hi=5)), {}), ((mk(3, grad=False), 4), {})],
        grad=False,
    )


_SMOOTH = "airy_ai bessel_j0 bessel_j1 modified_bessel_i0 modified_bessel_i1 spherical_bessel_j0".split()
_POSITIVE = (
    "bessel_y0 bessel_y1 modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1"
).split()

SAMPLES = [
    *(_one(f"special_{n}") for n in ("i0e", "i1", "i1e", "ndtr", "log_ndtr", "erfcx")),
    S("special_entr", lambda mk: [((mk(2, 3, lo=0.1, hi=2),), {})]),
    S("special_ndtri", lambda mk: [((mk(2, 3, lo=0.1, hi=0.9),), {})]),
    *(_one(f"special_{n}", grad=False) for n in _SMOOTH),
    *(_one(f"special_{n}", 0.2, 3.0, grad=False) for n in _POSITIVE),
    S("special_xlog1py", lambda mk: [((mk(2, 3), mk(3)), {}), ((2.0, mk(3)), {}), ((mk(3), 0.5), {})]),
    S("special_zeta", lambda mk: [((mk(3, lo=2, hi=4, grad=False), mk(2, 3, lo=1, hi=3)), {})]),
    S("igamma", lambda mk: [((mk(3, lo=1, hi=3, grad=False), mk(2, 3, lo=0.5, hi=3)), {})], inplace=False),
    S("igammac", lambda mk: [((mk(2, 3, lo=1, hi=3, grad=False), mk(2, 3, lo=0.5, hi=3)), {})]),
    *(_poly(f"{s}chebyshev_polynomial_{k}") for s in ("", "shifted_") for k in "tuvw"),
    *map(_poly, ("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p")),
]
