"""load."""

from __future__ import annotations

import os
import warnings
from typing import Any

from .coordination import Coordinator
from .default_planner import DefaultLoadPlanner, _EmptyStateDictLoadPlanner
from .filesystem import FileSystemReader
from .planner import LoadPlan, LoadPlanner
from .state_dict_saver import warn_if_alone
from .stateful import Stateful, states_of
from .storage import StorageReader, chosen

__all__ = ["load", "load_state_dict"]


def load(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_reader: StorageReader | None = None,
    planner: LoadPlanner | None = None,
    process_group: Any = None,
    no_dist: bool = False,
) -> None:
    """Load a checkpoint into a state dict; all ranks call it together.

    Tensors are filled in place, converted to their own type and device. A tensor that is spread over ranks may be
    spread otherwise than when it was saved: each rank reads only what it needs. Other values take the places of those
    that were there. Objects with ``state_dict()`` and ``load_state_dict()`` get their state back at the end.

    Args:
        state_dict: says what is loaded; the checkpoint may have more.
        checkpoint_id: the folder.
        storage_reader: what reads; a `FileSystemReader` by default.
        planner: what is read; a `DefaultLoadPlanner` by default.
        process_group: the ranks that load; all where None.
        no_dist: this process loads alone.

    Raises:
        CheckpointException: something failed on a rank; all ranks raise it. ``failures`` says what and where: names
            that the checkpoint does not have and tensors of other shapes (all are listed), damaged files.

    Example:
        >>> import tempfile
        >>> from lamella.core import ones, zeros
        >>> from lamella.distributed.checkpoint import save
        >>> folder, into = tempfile.mkdtemp(), {"w": zeros(2)}
        >>> _ = save({"w": ones(2), "more": 1}, checkpoint_id=folder, no_dist=True)
        >>> load(into, checkpoint_id=folder, no_dist=True)
        >>> into["w"]
        tensor([1., 1.])
    """
    warn_if_alone("load", no_dist)
    reader = _reader(storage_reader, checkpoint_id)
    states = states_of(state_dict)
    _load(states, reader, planner, process_group, no_dist)
    for key, state in states.items():
        if isinstance(state_dict[key], Stateful):
            state_dict[key].load_state_dict(state)
        else:
            state_dict[key] = state


def _reader(reader: StorageReader | None, checkpoint_id: Any) -> StorageReader:
    return chosen("load", "reader", reader, checkpoint_id, FileSystemReader)


def _load(state_dict: dict[str, Any], reader: StorageReader, planner: LoadPlanner | None, group: Any, no_dist: bool,
          ) -> None:
    ranks = Coordinator("load", group, no_dist)
    plans = planner or DefaultLoadPlanner()

    def plan_here() -> LoadPlan:
        metadata, together = _metadata(reader, ranks.rank)
        plans.set_up_planner(state_dict, metadata, ranks.is_coordinator)
        reader.set_up_storage_reader(metadata, ranks.is_coordinator, rank=ranks.rank, use_collectives=together)
        return reader.prepare_local_plan(plans.create_local_plan())

    def plan_all(local: list[LoadPlan]) -> list[LoadPlan]:
        return reader.prepare_global_plan(plans.create_global_plan(local))

    mine = ranks.divide(plan_here, plan_all)

    def read() -> None:
        reader.read_data(plans.finish_plan(mine), plans).wait()

    ranks.together(read)


def _metadata(reader: StorageReader, rank: int) -> tuple[Any, bool]:
    """The table of contents, and whether it is one for all ranks."""
    try:
        return reader.read_metadata(), True
    except FileNotFoundError:
        try:
            return reader.read_metadata(rank=rank), False
        except (FileNotFoundError, TypeError):
            pass
        raise


def _load_state_dict_from_keys(keys: Any = None, *, checkpoint_id: str | os.PathLike[str] | None = None,
                               storage_reader: StorageReader | None = None, process_group: Any = None,
                               no_dist: bool = False) -> dict[str, Any]:
    """What a checkpoint has, or what lies under some of its keys, in a new dict with whole tensors.

    Args:
        keys: names, or beginnings of paths ("model"); everything where None.
        checkpoint_id, storage_reader, process_group, no_dist: as for `load`.
    """
    loaded: dict[str, Any] = {}
    _load(loaded, _reader(storage_reader, checkpoint_id), _EmptyStateDictLoadPlanner(keys), process_group, no_dist)
    return loaded


def load_state_dict(state_dict: dict[str, Any], storage_reader: StorageReader, process_group: Any = None,
                    coordinator_rank: int = 0, no_dist: bool = False, planner: LoadPlanner | None = None) -> None:
    """Deprecated: use `load`."""
    warnings.warn("`load_state_dict` is deprecated and will be removed in future versions. Please use `load` instead.",
                  FutureWarning, stacklevel=2)
    storage_reader.reset()
    _load(state_dict, storage_reader, planner, process_group, no_dist)
