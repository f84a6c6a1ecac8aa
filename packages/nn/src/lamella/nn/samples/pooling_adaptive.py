"""Samples of pooling to a given size."""

from typing import Any

from lamella.core.samples import S

_SPACE = (6, 5, 4)


def _avg(n: int) -> S:
    return S(
        f"nn.functional.adaptive_avg_pool{n}d",
        lambda mk: [
            ((mk(2, 2, *_SPACE[:n]), 3), {}),
            ((mk(2, *_SPACE[:n]), (4, 2, 5)[:n]), {}),
            ((mk(1, 2, *_SPACE[:n]), 1), {}),
        ],
    )


def _max(n: int) -> S:
    return S(
        f"nn.functional.adaptive_max_pool{n}d",
        lambda mk: [
            ((mk.distinct(2, 2, *_SPACE[:n]), 3), {}),
            ((mk.distinct(2, *_SPACE[:n]), (4, 2, 5)[:n]), {"return_indices": True}),
        ],
    )


def _fractional(n: int) -> S:
    def make(mk: Any) -> Any:
        return [
            (
                (mk.distinct(2, 2, *_SPACE[:n]), 2),
                {"output_size": 2, "return_indices": True, "_random_samples": mk(2, 2, n, lo=0, hi=1, grad=False)},
            )
        ]

    return S(f"nn.functional.fractional_max_pool{n}d", make)


SAMPLES = [*[f(n) for f in (_avg, _max) for n in (1, 2, 3)], *[_fractional(n) for n in (2, 3)]]
