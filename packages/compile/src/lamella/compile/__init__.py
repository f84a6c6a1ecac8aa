"""The compiler of lamella: a whole training step becomes one fused program."""

from __future__ import annotations

from typing import Any

_API = ("allow_in_graph", "assume_constant_result", "compile", "disable", "explain", "is_compiling", "list_backends",
        "register_backend", "reset", "set_stance")
__all__ = [*_API, "counters"]


def __getattr__(name: str) -> Any:
    if name in _API:
        from . import api

        return getattr(api, name)
    if name == "counters":
        from .status import counters

        return counters
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
