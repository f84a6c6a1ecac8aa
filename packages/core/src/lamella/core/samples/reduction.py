"""Samples of reductions."""

from __future__ import annotations

from typing import Any

from . import S


def _dims(name: str, **more: Any) -> S:
    return S(
        name,
        lambda mk: [
            ((mk(2, 3, 2),), {}),
            ((mk(2, 3, 2), 1), {}),
            ((mk(2, 3, 2), (0, 2)), {"keepdim": True}),
            ((mk(),), {}),
            ((mk(2, 3), -1, True), {}),
        ],
        **more,
    )


def _indexed(name: str, **more: Any) -> S:
    return S(
        name,
        lambda mk: [((mk.distinct(2, 5),), {}), ((mk.distinct(2, 5), 1), {}), ((mk.distinct(2, 5), 0, True), {})],
        **more,
    )


SAMPLES = [
    _dims("sum"),
    _dims("mean"),
    _dims("nansum"),
    _dims("var"),
    _dims("std"),
    S("sum", lambda mk: [((mk.int(2, 3),), {}), ((mk.bool(4),), {}), ((mk(3),), {"dtype": None})], grad=False),
    S(
        "var",
        lambda mk: [((mk(4), 0), {"correction": 0}), ((mk(3, 4), [0, 1]), {"unbiased": False}), ((mk(4), False), {})],
    ),
    S("prod", lambda mk: [((mk(2, 3, lo=0.3),), {}), ((mk(2, 3, lo=0.3), 1), {}), ((mk(2, 3, lo=0.3), 0, True), {})]),
    _indexed("max"),
    _indexed("min"),
    _indexed("median"),
    _indexed("nanmedian"),
    S("max", lambda mk: [((mk(3), mk(3)), {})]),
    S("mode", lambda mk: [((mk.distinct(2, 5), 1), {})]),
    S(
        "amax",
        lambda mk: [((mk.distinct(2, 4),), {}), ((mk.distinct(2, 4), 1, True), {}), ((mk.distinct(2, 4), (0, 1)), {})],
    ),
    S("amin", lambda mk: [((mk.distinct(2, 4),), {}), ((mk.distinct(2, 4), 1, True), {})]),
    S("aminmax", lambda mk: [((mk.distinct(2, 4),), {}), ((mk.distinct(2, 4),), {"dim": 1})]),
    S("argmax", lambda mk: [((mk.distinct(2, 4),), {}), ((mk.distinct(2, 4), 1, True), {})], grad=False),
    S("argmin", lambda mk: [((mk.distinct(2, 4),), {}), ((mk.distinct(2, 4), 0), {})], grad=False),
    S(
        "any",
        lambda mk: [((mk.bool(2, 3),), {}), ((mk.bool(2, 3), 1), {}), ((mk.bool(2, 3), (0, 1), True), {})],
        grad=False,
    ),
    S("all", lambda mk: [((mk.bool(2, 3),), {}), ((mk.bool(2, 3), 1), {})], grad=False),
    S(
        "norm",
        lambda mk: [
            ((mk(2, 3),), {}),
            ((mk(2, 3), 1, 1), {}),
            ((mk(2, 3), 3, 0, True), {}),
            ((mk(4), float("inf")), {}),
        ],
    ),
    S("logsumexp", lambda mk: [((mk(2, 3), 1), {}), ((mk(2, 3), (0, 1), True), {})]),
    S("softmax", lambda mk: [((mk(2, 3), 1), {}), ((mk(2, 3, 2), 0), {}), ((mk(), 0), {})]),
    S("log_softmax", lambda mk: [((mk(2, 3), 1), {}), ((mk(2, 3, 2), 0), {})]),
    S("cumsum", lambda mk: [((mk(2, 3), 1), {}), ((mk(), 0), {})]),
    S("cumprod", lambda mk: [((mk(2, 3, lo=0.4), 1), {})]),
    S("logcumsumexp", lambda mk: [((mk(2, 3), 1), {}), ((mk(3, 2), 0), {})]),
    S("cummax", lambda mk: [((mk.distinct(2, 4), 1), {})]),
    S("cummin", lambda mk: [((mk.distinct(2, 4), 0), {})]),
    S("count_nonzero", lambda mk: [((mk.int(2, 3, hi=2),), {}), ((mk.int(2, 3, hi=2), 1), {})], grad=False),
    S("quantile", lambda mk: [((mk.distinct(2, 5), 0.3), {}), ((mk.distinct(2, 5), 0.3, 1, True), {})]),
    S("dist", lambda mk: [((mk(3), mk(3)), {})]),
    S("trace", lambda mk: [((mk(3, 3),), {})]),
    S("renorm", lambda mk: [((mk(3, 4), 2, 0, 0.5), {})]),
    S("cov", lambda mk: [((mk(3, 5),), {})]),
    S("std_mean", lambda mk: [((mk(2, 4), 1), {})]),
    S("var_mean", lambda mk: [((mk(2, 4), 1), {})]),
    S("nanmean", lambda mk: [((mk(2, 4), 1), {})]),
]
