"""Large arrays in pieces, on as many threads as `torch.set_num_threads` allows.

NumPy's loops let go of the interpreter, so that two pieces of one array can be computed at once. Pieces are cut by the
size of the work alone, never by the number of threads, and each writes to a place of its own: results are the same on
any number of threads. Work below `MANY` elements stays on the caller's thread, where it is over before another wakes.
"""

from __future__ import annotations

import contextvars
import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

#: Fewer elements than this are not worth a second thread.
MANY = 1 << 19
#: Elements of a piece: a few arrays of float32 of this length stay in the second-level cache.
PIECE = 1 << 16

_lock = threading.Lock()
_pool: Any = None


def _available() -> int:
    """How many threads to use where nothing was said: the cores of this process, or what OMP_NUM_THREADS asks for."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked):
        return int(asked)
    cores = getattr(os, "sched_getaffinity", None)
    return len(cores(0)) if cores else os.cpu_count() or 1


_threads = _available()


def threads() -> int:
    """How many threads large work is spread over."""
    return _threads


def set_threads(n: int) -> None:
    """Spread large work over ``n`` threads, the caller's included."""
    global _threads
    _threads = n
    _forget()


def _forget() -> None:
    """Let the pool go: the next large work makes a new one (also in a forked child, which has none of its threads)."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _workers() -> Any:
    global _pool
    with _lock:
        if _pool is None:
            from concurrent.futures import ThreadPoolExecutor

            _pool = ThreadPoolExecutor(max(_threads - 1, 1), "lamella")
        return _pool


def spread(work: Callable[[int, int], Any], n: int, step: int = PIECE, many: int = MANY) -> None:
    """Call ``work(start, stop)`` for every piece of ``range(n)``, on several threads if ``n`` is at least ``many``.

    Args:
        work: computes one piece; pieces run in any order and must not write to the same place.
        n: how many elements there are.
        step: how many a piece has.
        many: from how many on another thread helps.

    Raises:
        Exception: what ``work`` raises.

    Example:
        >>> done = []
        >>> spread(lambda start, stop: done.append((start, stop)), 10, 4)
        >>> done
        [(0, 4), (4, 8), (8, 10)]
    """
    starts = iter(range(0, n, step))

    def drain() -> None:
        for start in starts:
            work(start, min(start + step, n))

    if n < many or _threads < 2:
        drain()
        return
    pool = _workers()
    # NumPy keeps how it treats overflow and the like in the context.
    helpers = [pool.submit(contextvars.copy_context().run, drain) for _ in range(_threads - 1)]
    try:
        drain()
    finally:
        for _ in starts:  # after an error nothing more is begun
            pass
        started = [h for h in helpers if not h.cancel()]
        errors = [h.exception() for h in started]
    for error in errors:
        if error is not None:
            raise error


def in_pieces(fn: Callable[..., Any], *operands: Any) -> Any:
    """An elementwise function of large arrays, computed piece by piece: what it makes on the way stays in the cache.

    Args:
        fn: takes pieces of the operands (flat, of one length) and returns an array of that length.
        *operands: contiguous arrays of one shape; numbers and 0-d arrays are passed on as they are.

    Returns:
        The result; None where the operands are small or lie in memory in different ways.

    Example:
        >>> in_pieces(np.sqrt, np.ones(3)) is None
        True
    """
    first = operands[0]
    shape = getattr(first, "shape", ())
    if first.__class__ is not np.ndarray or first.size <= 2 * PIECE:
        return None
    flat = []
    for x in operands:
        if x.__class__ is np.ndarray and x.ndim:
            if x.shape != shape or not x.flags.c_contiguous:
                return None
            x = x.reshape(-1)
        flat.append(x)

    def compute(start: int, stop: int) -> Any:
        return fn(*[x[start:stop] if x.__class__ is np.ndarray and x.ndim else x for x in flat])

    begin = compute(0, PIECE)
    out = np.empty(shape, begin.dtype)
    target = out.reshape(-1)
    target[:PIECE] = begin

    def piece(start: int, stop: int) -> None:
        target[start + PIECE : stop + PIECE] = compute(start + PIECE, stop + PIECE)

    spread(piece, first.size - PIECE)
    return out
