"""CheckpointException: what went wrong on which rank."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

__all__ = ["CheckpointException"]

Failure = tuple[BaseException, traceback.StackSummary]


def wrap(error: BaseException) -> Failure:
    """An error and where it came from, in a form that other ranks can be sent."""
    where = traceback.extract_tb(error.__traceback__)
    for frame in where:
        if hasattr(frame, "_code"):
            object.__setattr__(frame, "_code", None)  # Python 3.13 keeps code objects, which cannot be sent
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    return error, where


class CheckpointException(BaseException):
    """Saving or loading failed on some ranks; every rank raises it.

    As in torch it does not derive from Exception.

    Args:
        msg: what was being done.
        failures: rank -> (error, where it came from).
    """

    def __init__(self, msg: str, failures: dict[int, Failure]) -> None:
        super().__init__(msg, failures)
        self._failures = failures

    @property
    def failures(self) -> dict[int, Failure]:
        """Rank -> (error, where it came from)."""
        return self._failures

    def __str__(self) -> str:
        same: dict[str, list[int]] = {}
        for rank, (error, _) in sorted(self._failures.items()):
            same.setdefault(f"{type(error).__name__}: {error}", []).append(rank)
        lines = [f"{self.args[0]}: failed on {_ranks(list(self._failures))}"]
        lines += [f"{_ranks(ranks)}: {text}" for text, ranks in same.items()]
        return "\n".join(lines)


def _ranks(ranks: list[int]) -> str:
    ranks = sorted(ranks)
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    if len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] + 1)):
        return f"ranks {ranks[0]} to {ranks[-1]}"
    return "ranks " + ", ".join(map(str, ranks))


def failures_in(results: list[Any]) -> dict[int, Failure]:
    """Rank -> failure, of what the ranks sent."""
    return {rank: r for rank, r in enumerate(results) if _is_failure(r)}


def _is_failure(x: Any) -> bool:
    return (isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], BaseException)
            and isinstance(x[1], traceback.StackSummary))
