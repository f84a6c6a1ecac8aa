"""Rank threads: a function that runs once per rank, in threads of this process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..group import World, here, is_initialized
from ..init import destroy_process_group, init_process_group
from .board import Board


def spawn(fn: Callable[..., Any], size: int, *args: Any, init: bool = True) -> list[Any]:
    """Run a function on `size` ranks, each a thread of this process.

    Inside, `lamella.distributed` speaks for the thread's rank; scripts written for processes run unchanged, except that
    module globals and the global random number generators are shared.

    Args:
        fn: called with `args` on every rank.
        size: how many ranks.
        args: its arguments.
        init: make the default process group before, and end it afterwards.

    Returns:
        What the ranks returned, in order.

    Raises:
        Exception: the first error of a rank; the other ranks' collectives raise, too.

    Example:
        >>> from lamella.core import ones
        >>> from lamella import distributed as dist
        >>> def total():
        ...     t = ones(2) * dist.get_rank()
        ...     dist.all_reduce(t)
        ...     return t.tolist()
        >>> spawn(total, 3)
        [[3.0, 3.0], [3.0, 3.0], [3.0, 3.0]]
    """
    board = Board(size)
    results: list[Any] = [None] * size
    errors: list[tuple[int, BaseException]] = []

    def run(rank: int) -> None:
        here.world = World(rank, size, board)
        try:
            if init:
                init_process_group("threads")
            results[rank] = fn(*args)
            if init and is_initialized():
                destroy_process_group()
            board.leave(rank)
        except BaseException as e:
            errors.append((rank, e))
            board.fail(rank, e)

    threads = [threading.Thread(target=run, args=(r,), name=f"rank {r}", daemon=True) for r in range(size)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if errors:
        rank, first = errors[0]
        first.add_note(f"(on rank {rank} of {size})")
        raise first
    return results
