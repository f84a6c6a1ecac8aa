"""Samples of masked reductions."""

from __future__ import annotations

from typing import Any

from . import S


def _masked(name: str, *args: Any, **more: Any) -> S:
    return S(
        f"masked_{name}",
        lambda mk: [
            ((mk(2, 4), *args), {}),
            ((mk(2, 4), *args), {"mask": mk.bool(2, 1)}),
            ((mk(3, 4), *(args or (1,))), {"mask": mk.bool(3, 4)}),
        ],
        **more,
    )


SAMPLES = [
    *(_masked(n) for n in ("sum", "prod", "mean", "amax", "amin")),
    _masked("var", grad=False),
    _masked("std", grad=False),
    *(_masked(n, 1) for n in ("softmax", "softmin", "cumsum", "cumprod")),
    _masked("log_softmax", 1, grad=False),
    *(_masked(n, grad=False) for n in ("argmax", "argmin")),
    *(_masked(n) for n in ("norm", "logsumexp")),
    S("masked_normalize", lambda mk: [((mk(2, 4), 2.0, 1), {}), ((mk(2, 4), 2.0, 1), {"mask": mk.bool(2, 4)})]),
    S(
        "masked_median",
        lambda mk: [((mk.distinct(2, 5), 1), {}), ((mk.distinct(2, 5), 1), {"mask": mk.bool(2, 5)})],
    ),
    S("masked_logaddexp", lambda mk: [((mk(3), mk(3)), {})]),
]
