"""save and async_save."""

from __future__ import annotations

import functools
import os
import threading
import warnings
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lamella.dispatch.errors import message

from ..group import here, is_initialized, resolve, world
from ..init import new_group
from .api import CheckpointException
from .coordination import Coordinator
from .default_planner import DefaultSavePlanner
from .filesystem import FileSystemWriter
from .metadata import Metadata
from .planner import SavePlan, SavePlanner
from .staging import AsyncStager, BlockingAsyncStager
from .stateful import states_of
from .storage import StorageWriter, chosen

__all__ = ["AsyncCheckpointerType", "AsyncSaveResponse", "async_save", "save", "save_state_dict"]


class AsyncCheckpointerType(Enum):
    """Where `async_save` writes: in a thread; other processes cannot take part in a rank's groups."""

    THREAD = "thread"
    PROCESS = "process"


@dataclass
class AsyncSaveResponse:
    """What `async_save` returns where the copying, too, goes on in the background: when that is done, and all of it."""

    staging_completion: Future
    upload_completion: Future


def save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: StorageWriter | None = None,
    planner: SavePlanner | None = None,
    process_group: Any = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Metadata:
    """Save a state dict; all ranks call it together.

    Each rank writes the parts of tensors that it has. What all ranks have (plain tensors, other values) is written
    once, spread over the ranks. A checkpoint that was in the folder before counts until the new one is complete, and
    whatever happens on the way leaves it whole.

    Args:
        state_dict: nested dicts and lists of tensors and other values; objects with ``state_dict()`` may stand at the
            top. Ranks may have different keys.
        checkpoint_id: the folder.
        storage_writer: what writes; a `FileSystemWriter` by default.
        planner: who writes what; a `DefaultSavePlanner` by default.
        process_group: the ranks that save; all where None.
        no_dist: this process saves alone.
        use_collectives: with False the ranks do not talk to each other, and each writes a manifest of its own, which
            the same rank of as many can load.

    Returns:
        The checkpoint's table of contents (on the rank that wrote it, elsewhere the same).

    Raises:
        CheckpointException: something failed on a rank; all ranks raise it, and ``failures`` says what and where.

    Example:
        >>> import tempfile, warnings
        >>> from lamella.core import arange, zeros
        >>> from lamella.distributed.checkpoint import load
        >>> folder, loaded = tempfile.mkdtemp(), {"w": zeros(3), "step": 0}
        >>> _ = save({"w": arange(3.0), "step": 7}, checkpoint_id=folder, no_dist=True)
        >>> load(loaded, checkpoint_id=folder, no_dist=True)
        >>> loaded
        {'w': tensor([0., 1., 2.]), 'step': 7}
    """
    warn_if_alone("save", no_dist)
    writer = _writer(storage_writer, checkpoint_id)
    return _save(lambda: states_of(state_dict), writer, planner, process_group, no_dist, use_collectives)


def warn_if_alone(op: str, no_dist: bool) -> None:
    """Say that only this process takes part, where nobody asked for that."""
    if not no_dist and not is_initialized():
        warnings.warn(f"torch.distributed is disabled, unavailable or uninitialized, assuming the intent is to {op} in "
                      "a single process.", stacklevel=3)


def _writer(writer: StorageWriter | None, checkpoint_id: Any) -> StorageWriter:
    return chosen("save", "writer", writer, checkpoint_id, FileSystemWriter)


def _save(state: Callable[[], dict[str, Any]], writer: StorageWriter, planner: SavePlanner | None, group: Any,
          no_dist: bool, use_collectives: bool = True) -> Metadata:
    ranks = Coordinator("save", group, no_dist)
    alone = Coordinator("save", alone=True)
    plans = planner or DefaultSavePlanner()
    contents: list[Metadata] = []

    def plan_here() -> SavePlan:
        plans.set_up_planner(state(), storage_meta=writer.storage_meta(), is_coordinator=ranks.is_coordinator)
        writer.set_up_storage_writer(ranks.is_coordinator, rank=ranks.rank, use_collectives=use_collectives)
        return writer.prepare_local_plan(plans.create_local_plan())

    def plan_all(local: list[SavePlan]) -> list[SavePlan]:
        every, metadata = plans.create_global_plan(local)
        contents.append(metadata)
        return writer.prepare_global_plan(every)

    mine = (ranks if use_collectives else alone).divide(plan_here, plan_all)

    def write() -> list[Any]:
        return writer.write_data(plans.finish_plan(mine), plans).wait()

    def finish(results: list[list[Any]]) -> Metadata:
        writer.finish(contents[0], results)
        return contents[0]

    if not use_collectives:
        return alone.collect(write, finish)
    try:
        results = ranks.together(write)
    except CheckpointException:
        # Nobody has begun to finish: what was written belongs to no checkpoint.
        getattr(writer, "discard", lambda: None)()
        raise
    return ranks.collect(lambda: None, lambda _: finish(results))


# -- in the background -----------------------------------------------------------------------------------------------

_backgrounds: weakref.WeakKeyDictionary[Any, _Background] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


class _Background:
    """A rank's thread for saves, which are made one after the other, in groups of their own."""

    def __init__(self) -> None:
        self.executor = ThreadPoolExecutor(1, "checkpoint")
        self.twins: dict[str, Any] = {}

    def twin(self, group: Any) -> Any:
        """A group of the same ranks, so that the thread's collectives do not mix with the program's."""
        found = self.twins.get(group.name)
        if found is None or group.world.groups.get(found.name) is not found:
            found = self.twins[group.name] = new_group(
                group.ranks, group_desc="checkpoint", use_local_synchronization=True, sort_ranks=False)
        return found


def _background() -> _Background:
    me = world()
    with _lock:
        return _backgrounds.setdefault(me, _Background())


def async_save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: StorageWriter | None = None,
    planner: SavePlanner | None = None,
    process_group: Any = None,
    async_checkpointer_type: AsyncCheckpointerType = AsyncCheckpointerType.THREAD,
    async_stager: AsyncStager | None = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Future | AsyncSaveResponse:
    """Copy a state dict, and save the copy in a thread while the program goes on; all ranks call it together.

    Saves that are started before the one before is done wait for it.

    Args:
        state_dict, checkpoint_id, storage_writer, planner, process_group, no_dist, use_collectives: as for `save`.
        async_checkpointer_type: THREAD.
        async_stager: what makes the copy; by default the storage writer if it can, else a `BlockingAsyncStager`.

    Returns:
        A future whose ``result()`` is what `save` returns or raises; with a stager that copies in the background, an
        `AsyncSaveResponse`.

    Example:
        >>> import tempfile
        >>> from lamella.core import zeros
        >>> future = async_save({"w": zeros(3)}, checkpoint_id=tempfile.mkdtemp(), no_dist=True)
        >>> list(future.result().state_dict_metadata)
        ['w']
    """
    if async_checkpointer_type is not AsyncCheckpointerType.THREAD:
        raise ValueError(message("async_save", "another process cannot take part in this rank's groups",
                                 str(async_checkpointer_type), hint="AsyncCheckpointerType.THREAD"))
    warn_if_alone("save", no_dist)
    stager = async_stager or (storage_writer if isinstance(storage_writer, AsyncStager) else BlockingAsyncStager())
    fresh = _writer(None, checkpoint_id) if storage_writer is None else None
    ready, staging = _staged(stager, state_dict)
    back, me = _background(), world()
    alone = no_dist or not is_initialized()
    group = None if alone else back.twin(resolve(process_group, "async_save"))

    def run() -> Metadata:
        here.world = me
        # A writer that is used again may be busy with the save before until now.
        writer = fresh or _writer(storage_writer, checkpoint_id)
        return _save(ready, writer, planner, group, alone, use_collectives)

    future = back.executor.submit(run)
    if staging is not None:
        return AsyncSaveResponse(staging, future)
    if stager.should_synchronize_after_execute:
        stager.synchronize_staging()
    return future


def _staged(stager: AsyncStager, state_dict: dict[str, Any]) -> tuple[Callable[[], dict[str, Any]], Future | None]:
    """What gives the copy, and when it is made, where that goes on in the background."""
    try:
        staged = stager.stage(states_of(state_dict))
    except Exception as e:
        return functools.partial(_raise, e), None  # the other ranks learn of it from the save
    if not isinstance(staged, Future):
        return lambda: staged, None
    copied: Future = Future()
    staged.add_done_callback(lambda f: _pass_on(f, copied))
    return staged.result, copied


def _raise(error: Exception) -> Any:
    raise error


def _pass_on(done: Future, to: Future) -> None:
    error = done.exception()
    if error is None:
        to.set_result(None)
    else:
        to.set_exception(error)


def save_state_dict(state_dict: dict[str, Any], storage_writer: StorageWriter, process_group: Any = None,
                    coordinator_rank: int = 0, no_dist: bool = False, planner: SavePlanner | None = None) -> Metadata:
    """Deprecated: use `save`."""
    warnings.warn("`save_state_dict` is deprecated and will be removed in future versions. Please use `save` instead.",
                  FutureWarning, stacklevel=2)
    storage_writer.reset()
    return _save(lambda: state_dict, storage_writer, planner, process_group, no_dist)
