"""Samples of padding."""

from typing import Any

from lamella.core.samples import S


def _rows(mk: Any) -> Any:
    rows: Any = [((mk(2, 3, 4), (1, 2)), {}), ((mk(2, 3), (1, -1, 0, 2)), {"value": 1.5}), ((mk(3, 4), ()), {})]
    for mode in ("reflect", "replicate", "circular"):
        rows += [
            ((mk(2, 3, 4), (1, 2)), {"mode": mode}),
            ((mk(2, 4, 3), (2, 0, -1, 3)), {"mode": mode}),
            ((mk(1, 1, 3, 2, 4), (1, 2, 1, 0, 0, 2)), {"mode": mode}),
        ]
    return rows


SAMPLES = [S("nn.functional.pad", _rows)]
