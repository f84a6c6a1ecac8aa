"""Errors of distributed work, by torch's names; all are RuntimeErrors."""

from __future__ import annotations

__all__ = ["DistBackendError", "DistError", "DistNetworkError", "DistStoreError", "QueueEmptyError"]


class DistError(RuntimeError):
    """Base of the errors of distributed work."""


class DistBackendError(DistError):
    """A collective that could not be carried out: a rank died, disagrees, or did not answer in time.

    Example:
        >>> issubclass(DistBackendError, RuntimeError)
        True
    """


class DistNetworkError(DistError):
    """A rank that could not be reached, or that did not join in time."""


class DistStoreError(DistError):
    """A key-value store that gave no answer in time."""


class QueueEmptyError(DistStoreError):
    """A queue of a store that holds nothing."""


