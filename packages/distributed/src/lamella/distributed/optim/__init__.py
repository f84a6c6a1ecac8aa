"""Optimizers of several ranks, by the names of torch.distributed.optim."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "DistributedOptimizer": "remote",
    "PostLocalSGDOptimizer": "post_local_sgd",
    "ZeroRedundancyOptimizer": "zero",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
