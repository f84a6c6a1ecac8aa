"""StorageWriter and StorageReader: the interfaces of where checkpoints lie."""

from __future__ import annotations

import abc
import os
from dataclasses import dataclass
from typing import Any

from lamella.dispatch.errors import message

from ..work import Future
from .metadata import Metadata, MetadataIndex, StorageMeta
from .planner import LoadPlan, LoadPlanner, SavePlan, SavePlanner

__all__ = ["StorageReader", "StorageWriter", "WriteResult"]


@dataclass(frozen=True)
class WriteResult:
    """Where an item was written."""

    index: MetadataIndex
    size_in_bytes: int
    storage_data: Any


def chosen(op: str, role: str, given: Any, checkpoint_id: Any, default: Any) -> Any:
    """The reader or writer of a load or save: what was given, made ready for the place, or the default one there.

    Args:
        op: "load" or "save", for errors.
        role: "reader" or "writer".
        given: what was given; None for nothing.
        checkpoint_id: the place.
        default: the class of the default one.
    """
    if given is not None:
        given.reset(checkpoint_id)
        return given
    if checkpoint_id is None:
        raise RuntimeError(message(op, f"`checkpoint_id` must be specified if storage_{role} is None"))
    if not default.validate_checkpoint_id(checkpoint_id):
        raise RuntimeError(message(op, f"no {role} knows such a place", repr(checkpoint_id),
                                   hint=f"give a folder, or a storage_{role}"))
    return default(checkpoint_id)


def done(result: Any) -> Future:
    """A future of what is there already."""
    made = Future()
    made.set_result(result)
    return made


class StorageWriter(abc.ABC):
    """Writes checkpoints.

    `save` calls, in this order: `reset`, `set_up_storage_writer` and `prepare_local_plan` on all ranks,
    `prepare_global_plan` on one, `write_data` on all, and `finish` on one when all have written. Nothing that was
    written may count as a checkpoint before `finish` is through.
    """

    @abc.abstractmethod
    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """A new save begins, to this place."""

    @abc.abstractmethod
    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Hear whether this is the rank that finishes the save."""

    @abc.abstractmethod
    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """Look at this rank's plan."""

    @abc.abstractmethod
    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """Look at all plans."""

    @abc.abstractmethod
    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future:
        """Write what a plan says; the future gives the list of `WriteResult`."""

    @abc.abstractmethod
    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        """Write the table of contents; with it the checkpoint is there."""

    @classmethod
    @abc.abstractmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether this writer knows such places."""

    def storage_meta(self) -> StorageMeta | None:
        """Which checkpoint is written."""
        return None


class StorageReader(abc.ABC):
    """Reads checkpoints.

    `load` calls, in this order: `reset`, `read_metadata`, `set_up_storage_reader` and `prepare_local_plan` on all
    ranks, `prepare_global_plan` on one, and `read_data` on all.
    """

    @abc.abstractmethod
    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """A new load begins, from this place."""

    @abc.abstractmethod
    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """The table of contents."""

    @abc.abstractmethod
    def set_up_storage_reader(self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Hear what the checkpoint holds."""

    @abc.abstractmethod
    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """Look at this rank's plan."""

    @abc.abstractmethod
    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """Look at all plans."""

    @abc.abstractmethod
    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future:
        """Read what a plan says, into what the planner gives."""

    @classmethod
    @abc.abstractmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether this reader knows such places."""
