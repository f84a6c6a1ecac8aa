"""torch.distributed.elastic.multiprocessing.errors: `record`, with which programs mark their main function."""

from __future__ import annotations

import functools
import json
import os
import time
import traceback
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ...._missing import lookup

__all__ = ["ErrorHandler", "get_error_handler", "record"]

P = ParamSpec("P")
R = TypeVar("R")


class ErrorHandler:
    """Writes down why a rank failed where its launcher asks for it (torchrun does, in TORCHELASTIC_ERROR_FILE)."""

    def initialize(self) -> None:
        """Nothing needs to be prepared: `lamella run` prints the traceback of the rank that failed."""

    def record_exception(self, e: BaseException) -> None:
        """Write an exception into the launcher's file.

        Args:
            e: the exception.
        """
        path = os.environ.get("TORCHELASTIC_ERROR_FILE")
        if not path:
            return
        text = "".join(traceback.format_exception(e))
        extra = {"py_callstack": text, "timestamp": str(int(time.time()))}
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"message": {"message": f"{type(e).__name__}: {e}", "extraInfo": extra}}, f)


def get_error_handler() -> ErrorHandler:
    """What writes down failures."""
    return ErrorHandler()


def record(fn: Callable[P, R], error_handler: ErrorHandler | None = None) -> Callable[P, R]:
    """Write down the exception with which a rank's main function fails, for the launcher that asks for it.

    Args:
        fn: the main function.
        error_handler: what writes it down.

    Returns:
        The function, which raises what it raised before.

    Example:
        >>> @record
        ... def main():
        ...     return "trained"
        >>> main()
        'trained'
    """
    handler = get_error_handler() if error_handler is None else error_handler

    @functools.wraps(fn)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Any:
        handler.initialize()
        try:
            return fn(*args, **kwargs)
        except SystemExit as e:
            if e.code not in (None, 0):
                handler.record_exception(e)
            raise
        except Exception as e:
            handler.record_exception(e)
            raise

    return wrapper


__getattr__, __dir__ = lookup(__name__)
