"""Checkpoints as single files that `save` (torch.save) writes, and the reverse."""

from __future__ import annotations

import os
from typing import Any

from lamella.core import Size, empty
from lamella.core.serialization import load, save
from lamella.dispatch.errors import message

from ..collectives import broadcast
from ..group import is_initialized
from ..objects import broadcast_object_list
from ..work import Future
from .api import wrap
from .chunks import chunks_of, is_tensor, shape_of
from .default_planner import DefaultLoadPlanner, narrowed
from .filesystem import FileSystemWriter
from .metadata import Metadata, TensorProperties, TensorStorageMetadata
from .nested import flatten_state_dict
from .planner import LoadPlan, LoadPlanner, ReadItem
from .state_dict_loader import _load_state_dict_from_keys
from .state_dict_saver import _save
from .storage import StorageReader, done

__all__ = ["BroadcastingTorchSaveReader", "DynamicMetaLoadPlanner", "dcp_to_torch_save", "torch_save_to_dcp"]


def dcp_to_torch_save(dcp_checkpoint_dir: str | os.PathLike[str], torch_save_path: str | os.PathLike[str]) -> None:
    """Write a checkpoint, with whole tensors, into a file that `load` (torch.load) reads; one process does it.

    Args:
        dcp_checkpoint_dir: the checkpoint's folder, of lamella or of torch.
        torch_save_path: the file.

    Example:
        >>> import tempfile
        >>> from lamella.core import ones
        >>> from lamella.distributed import checkpoint
        >>> folder = tempfile.mkdtemp()
        >>> _ = checkpoint.save({"w": ones(2), "step": 3}, checkpoint_id=folder, no_dist=True)
        >>> dcp_to_torch_save(folder, folder + "/all.pt")
        >>> load(folder + "/all.pt")
        {'w': tensor([1., 1.]), 'step': 3}
    """
    save(_load_state_dict_from_keys(checkpoint_id=dcp_checkpoint_dir, no_dist=True), torch_save_path)


def torch_save_to_dcp(torch_save_path: str | os.PathLike[str], dcp_checkpoint_dir: str | os.PathLike[str]) -> None:
    """Write a file of `save` (torch.save) as a checkpoint, which ranks load in parts; one process does it.

    Args:
        torch_save_path: the file; what it may name besides tensors must be allowed by `add_safe_globals`.
        dcp_checkpoint_dir: the checkpoint's folder.
    """
    state = load(torch_save_path, weights_only=True, map_location="cpu")
    _save(lambda: state, FileSystemWriter(dcp_checkpoint_dir), None, None, True)


class BroadcastingTorchSaveReader(StorageReader):
    """Reads a file of `save` (torch.save) on one rank, and gives the others their parts of its tensors.

    To be used with `DynamicMetaLoadPlanner`.

    Args:
        checkpoint_id: the file.
        coordinator_rank: the rank that reads.
    """

    def __init__(self, checkpoint_id: str | os.PathLike[str] | None = None, coordinator_rank: int = 0) -> None:
        self.checkpoint_id = checkpoint_id
        self.coordinator_rank = coordinator_rank
        self.is_coordinator = False

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether it is a file."""
        return os.path.isfile(checkpoint_id)

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """A new load begins, from this file."""
        if checkpoint_id is not None:
            self.checkpoint_id = checkpoint_id

    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """Nothing: the planner goes by the state dict."""
        return Metadata({})

    def set_up_storage_reader(self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Hear whether this is the rank that reads."""
        self.is_coordinator = is_coordinator
        if self.checkpoint_id is None:
            raise AssertionError(message("load", "checkpoint_id must be set before setting up storage reader"))

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """The plan as it is."""
        return plan

    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """The plans as they are."""
        return plans

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future:
        """Read the file, and send each tensor."""
        assert isinstance(planner, DefaultLoadPlanner)
        mine, told = self._read()
        by_name: dict[str, list[ReadItem]] = {}
        for item in plan.items:
            by_name.setdefault(item.dest_index.fqn, []).append(item)
        for name in sorted(planner.state_dict):
            if name not in told:
                raise RuntimeError(message("load", f"{self.checkpoint_id} has no tensor {name}",
                                           hint="it has " + ", ".join(list(told)[:6])))
            shape, kind = told[name]
            value = planner.state_dict[name]
            if shape != tuple(shape_of(value)):
                raise ValueError(message("load", f"{name}: size mismatch between saved {list(shape)} and current: "
                                         f"{list(shape_of(value))}"))
            whole = mine[name].contiguous() if self.is_coordinator else empty(shape, dtype=kind)
            if is_initialized():
                broadcast(whole, src=self.coordinator_rank)
            for item in by_name.get(name, ()):
                begin = item.storage_index.offset or Size(())
                target = planner.resolve_tensor(item).detach()
                target.copy_(narrowed(whole, Size(map(sum, zip(begin, item.storage_offsets))), item.lengths))
                planner.commit_tensor(item, target)
        return done(None)

    def _read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The file's tensors on the rank that reads, and their shapes and types on all."""
        mine: dict[str, Any] = {}
        told: list[Any] = [None]
        if self.is_coordinator:
            try:
                assert self.checkpoint_id is not None
                flat, _ = flatten_state_dict(load(self.checkpoint_id, map_location="cpu", weights_only=True))
                mine = {n: v for n, v in flat.items() if is_tensor(v)}
                told = [{n: (tuple(v.shape), v.dtype) for n, v in mine.items()}]
            except Exception as e:
                told = [wrap(e)]
        if is_initialized():
            broadcast_object_list(told, self.coordinator_rank)
        if isinstance(told[0], tuple):
            raise told[0][0]
        return mine, told[0]


class DynamicMetaLoadPlanner(DefaultLoadPlanner):
    """Goes by what the state dict has, for files without a table of contents; tensors only.

    Raises:
        RuntimeError: values that are no tensors; all are listed.
    """

    def set_up_planner(self, state_dict: dict[str, Any], metadata: Metadata | None = None,
                       is_coordinator: bool = False) -> None:
        """Take the state dict that is to be filled."""
        super().set_up_planner(state_dict, metadata, is_coordinator)
        strange = [name for name, value in self.state_dict.items() if not is_tensor(value)]
        if strange:
            raise RuntimeError(message("load", "Non-tensor value identified at " + ", ".join(strange),
                                       hint=f"{type(self).__name__} only supports loading Tensors"))
        self.metadata = Metadata({
            name: TensorStorageMetadata(TensorProperties(dtype=t.dtype), shape_of(t), chunks_of(t))
            for name, t in self.state_dict.items()
        })
