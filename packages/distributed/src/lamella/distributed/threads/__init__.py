"""Ranks that are threads of one process, for tests and notebooks."""

from __future__ import annotations

from .spawn import spawn

__all__ = ["spawn"]
