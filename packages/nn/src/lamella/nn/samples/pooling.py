"""Samples of pooling over windows. Elements that compete for a maximum differ by more than finite differences do."""

from typing import Any

from lamella.core.samples import S

_SPACE = (7, 5, 4)


def _max(n: int) -> S:
    def make(mk: Any) -> Any:
        def x(*lead: int) -> Any:
            return mk.distinct(*lead, *_SPACE[:n])

        return [
            ((x(2, 2), 2), {}),
            ((x(2), 3), {"stride": 2, "padding": 1, "ceil_mode": True}),
            ((x(1, 2), (2, 1, 2)[:n]), {"stride": 1, "dilation": 2}),
            ((x(1, 2), 2), {"return_indices": True}),
        ]

    return S(f"nn.functional.max_pool{n}d", make)


def _avg(n: int) -> S:
    def make(mk: Any) -> Any:
        def x(*lead: int) -> Any:
            return mk(*lead, *_SPACE[:n])

        rows = [
            ((x(2, 2), 2), {}),
            ((x(2), 3), {"stride": 2, "padding": 1, "ceil_mode": True}),
            ((x(1, 2), 3), {"stride": 1, "padding": 1, "count_include_pad": False}),
        ]
        return rows if n == 1 else [*rows, ((x(1, 2), 2), {"divisor_override": 3})]

    return S(f"nn.functional.avg_pool{n}d", make)


def _lp(n: int) -> S:
    return S(
        f"nn.functional.lp_pool{n}d",
        lambda mk: [
            ((mk(2, 2, *_SPACE[:n], lo=0.2, hi=2), 2, 2), {}),
            ((mk(1, 2, *_SPACE[:n], lo=0.2, hi=2), 3.0, 3), {"stride": 2, "ceil_mode": True}),
        ],
    )


def _unpool(n: int) -> S:
    """Indices that are all different, as those of pooling without overlap are."""

    def make(mk: Any) -> Any:
        from lamella.core import arange

        def places(count: int, size: int) -> Any:
            return arange(0, count * 2, 2).reshape(1, 1, *[size] * n)

        small = mk(1, 1, *[2] * n)
        return [((small, places(2**n, 2), 2), {}), ((small, places(2**n, 2), 2), {"output_size": (5,) * n})]

    return S(f"nn.functional.max_unpool{n}d", make)


SAMPLES = [f(n) for f in (_max, _avg, _lp, _unpool) for n in (1, 2, 3)]
