"""Samples of comparison, logical and bitwise operators; none has a gradient."""

from __future__ import annotations

from . import S


def _rows(names: str, make: object) -> list[S]:
    return [S(n, make, grad=False) for n in names.split()]  # type: ignore[arg-type]


SAMPLES = [
    *_rows("eq ne lt le gt ge", lambda mk: [((mk.int(2, 3), mk.int(3)), {}), ((mk(4), 0.25), {})]),
    *_rows("isnan isinf isfinite isposinf isneginf signbit isreal", lambda mk: [((mk(2, 3),), {})]),
    *_rows(
        "logical_and logical_or logical_xor", lambda mk: [((mk.bool(2, 3), mk.bool(3)), {}), ((mk(3), mk.bool(3)), {})]
    ),
    *_rows("logical_not", lambda mk: [((mk.bool(4),), {}), ((mk.int(4, hi=2),), {})]),
    *_rows(
        "bitwise_and bitwise_or bitwise_xor",
        lambda mk: [((mk.int(2, 3), mk.int(3)), {}), ((mk.bool(3), mk.bool(3)), {}), ((mk.int(3), 5), {})],
    ),
    *_rows("bitwise_not", lambda mk: [((mk.int(4),), {}), ((mk.bool(4),), {})]),
    *_rows("bitwise_left_shift bitwise_right_shift", lambda mk: [((mk.int(4), mk.int(4, hi=3)), {})]),
    *_rows("isclose", lambda mk: [((mk(4), mk(4)), {})]),
]
