"""Samples of elementwise operators."""

from __future__ import annotations

from typing import Any

from . import S


def _pair(name: str, **more: Any) -> S:
    return S(name, lambda mk: [((mk(2, 3, lo=0.3), mk(2, 3, lo=0.2)), {}), ((mk(2, 3, lo=0.3), mk(3, lo=0.2)), {}),
                               ((mk(lo=0.3), mk(2, lo=0.2)), {})], **more)


def _one(name: str, lo: float = -1.0, hi: float = 1.0, **more: Any) -> S:
    return S(name, lambda mk: [((mk(2, 3, lo=lo, hi=hi),), {}), ((mk(lo=lo, hi=hi),), {})], **more)


def _numbers(name: str) -> S:
    return S(name, lambda mk: [((mk(2, 3), mk(2, 3, lo=0.5, hi=2)), {}), ((mk(2, 3), mk(3, lo=0.5, hi=2)), {}),
                               ((mk(2, 3), 1.5), {}), ((mk(2, 3), mk(lo=1, hi=2)), {})])


SAMPLES = [
    _numbers("add"), _numbers("sub"), _numbers("mul"), _numbers("div"),
    S("add", lambda mk: [((mk(2), mk(2)), {"alpha": 2}), ((mk.complex(2), mk(2)), {})]),
    S("mul", lambda mk: [((mk.complex(2, 3), mk.complex(3)), {}), ((mk(2), mk.complex(2)), {})]),
    S("div", lambda mk: [((mk(4), mk(4, lo=0.5)), {"rounding_mode": "floor"}), ((mk.complex(3), mk.complex(3)), {})]),
    S("rsub", lambda mk: [((mk(2, 3), mk(3)), {}), ((mk(2), 2.0), {"alpha": 3})]),
    S("remainder", lambda mk: [((mk(5, lo=-5, hi=5), mk(5, lo=1, hi=2)), {}), ((mk(5, lo=-5, hi=5), 1.7), {})]),
    S("fmod", lambda mk: [((mk(5, lo=-5, hi=5), mk(5, lo=1, hi=2)), {}), ((mk(5, lo=-5, hi=5), 1.7), {})]),
    S("pow", lambda mk: [((mk(2, 3), 2), {}), ((mk(4, lo=0.2, hi=2), 0.5), {}), ((mk(4, lo=0.5, hi=2), mk(4)), {}),
                         ((2.0, mk(3)), {}), ((mk(3, lo=0.5), -1.5), {}), ((mk.complex(3), 3), {})]),
    S("maximum", lambda mk: [((mk(2, 3), mk(2, 3)), {}), ((mk(2, 3), mk(3)), {})]),
    S("minimum", lambda mk: [((mk(2, 3), mk(2, 3)), {}), ((mk(2, 3), mk(3)), {})]),
    S("fmax", lambda mk: [((mk(4), mk(4)), {})]), S("fmin", lambda mk: [((mk(4), mk(4)), {})]),
    _pair("atan2"), _pair("hypot"), _pair("logaddexp"), _pair("logaddexp2"), _pair("xlogy"), _pair("ldexp"),
    S("copysign", lambda mk: [((mk(4, lo=0.5), mk(4)), {})]),
    S("heaviside", lambda mk: [((mk(4), mk(4)), {})], grad=False),
    S("gcd", lambda mk: [((mk.int(6, lo=1, hi=40), mk.int(6, lo=1, hi=40)), {})], grad=False),
    S("lcm", lambda mk: [((mk.int(6, lo=1, hi=40), mk.int(6, lo=1, hi=40)), {})], grad=False),
    *[_one(n) for n in ("neg", "square", "exp", "exp2", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan",
                        "asinh", "erf", "erfc", "sigmoid", "sinc", "deg2rad", "rad2deg", "i0", "positive")],
    *[_one(n, 0.2, 2.0) for n in ("sqrt", "rsqrt", "reciprocal", "log", "log2", "log10", "log1p", "abs", "lgamma",
                                  "digamma")],
    *[_one(n, -0.9, 0.9) for n in ("asin", "acos", "atanh", "erfinv")],
    *[_one(n, 0.1, 0.9) for n in ("relu", "sign", "floor", "ceil", "trunc", "frac", "round")],
    _one("acosh", 1.5, 3.0), _one("logit", 0.2, 0.8), _one("nan_to_num"), _one("angle"),
    S("sgn", lambda mk: [((mk(3, lo=0.2),), {}), ((mk.complex(3),), {})]),
    S("exp", lambda mk: [((mk.complex(3),), {})]), S("log", lambda mk: [((mk.complex(3),), {})]),
    S("tanh", lambda mk: [((mk.complex(3),), {})]), S("abs", lambda mk: [((mk.complex(3),), {})], inplace=False),
    S("mvlgamma", lambda mk: [((mk(3, lo=3, hi=5),), {"p": 3})]),
    S("polygamma", lambda mk: [((1, mk(3, lo=0.5, hi=2)), {})]),
    S("clamp", lambda mk: [((mk(6), -0.5, 0.5), {}), ((mk(6),), {"min": 0.0}), ((mk(6),), {"max": 0.1}),
                           ((mk(6), mk(6, lo=-1, hi=-0.4), mk(6, lo=0.4)), {})]),
    S("lerp", lambda mk: [((mk(2, 3), mk(2, 3), 0.25), {}), ((mk(2, 3), mk(2, 3), mk(2, 3, lo=0.6)), {})]),
    S("addcmul", lambda mk: [((mk(2, 3), mk(2, 3), mk(3)), {"value": 0.5})]),
    S("addcdiv", lambda mk: [((mk(2, 3), mk(2, 3), mk(3, lo=0.5)), {"value": 0.5})]),
    S("nextafter", lambda mk: [((mk(3), mk(3)), {})], grad=False),
    S("float_power", lambda mk: [((mk(3, lo=0.5), 2), {})]),
    S("conj", lambda mk: [((mk.complex(3),), {})]), S("conj_physical", lambda mk: [((mk.complex(3),), {})]),
]
