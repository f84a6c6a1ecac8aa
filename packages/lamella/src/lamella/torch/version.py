"""torch.version: what this torch is and what it was built with."""

from __future__ import annotations

from ._missing import VERSION as lamella
from .torch_version import TorchVersion

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "lamella", "xpu"]

__version__ = TorchVersion("2.13.0+lamella")
cuda: str | None = None
hip: str | None = None
xpu: str | None = None
debug = False
git_version = "lamella-" + lamella
