"""Errors of GPUs; nothing here needs CuPy."""

from __future__ import annotations


class OutOfMemoryError(RuntimeError):
    """A GPU has not the memory that was asked for, also after unused memory was given back."""


OutOfMemoryError.__module__ = "torch"
