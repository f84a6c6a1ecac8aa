"""torch.version: what this torch is and what it was built with."""

from __future__ import annotations

from ._missing import VERSION as lamella
from .torch_version import TorchVersion

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "lamella", "xpu"]  # noqa: F822 - `__getattr__` has cuda

__version__ = TorchVersion("2.13.0+lamella")
hip: str | None = None
xpu: str | None = None
debug = False
git_version = "lamella-" + lamella


def __getattr__(name: str) -> str | None:
    if name != "cuda":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lamella.core.cuda import available

    if not available():
        return None
    import cupy

    number = cupy.cuda.runtime.runtimeGetVersion()
    return f"{number // 1000}.{number % 1000 // 10}"


def __dir__() -> list[str]:
    return sorted({*globals(), "cuda"})
