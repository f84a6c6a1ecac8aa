"""The planners that `save` and `load` use: nested dicts are flattened, shared chunks written once, boxes resharded."""

from __future__ import annotations

import dataclasses
import io
from typing import Any

from lamella.core import Size, Tensor, empty
from lamella.dispatch.errors import message

from . import values
from .chunks import chunks_of, is_tensor, local_part, shape_of
from .metadata import BytesStorageMetadata, Metadata, MetadataIndex, StorageMeta, TensorStorageMetadata
from .nested import Path, flatten_state_dict, set_element
from .planner import LoadPlan, LoadPlanner, ReadItem, SavePlan, SavePlanner, WriteItem, WriteItemType
from .planner_helpers import (
    disagreements,
    misfits,
    missing_part,
    read_item_of_value,
    read_items,
    refuse,
    spread,
    write_items,
)

__all__ = ["DefaultLoadPlanner", "DefaultSavePlanner"]


class DefaultSavePlanner(SavePlanner):
    """Plans saves.

    Args:
        flatten_state_dict: save the tensors in nested dicts and lists each under its own name. Without it, what is no
            tensor is saved whole.
        flatten_sharded_tensors: ignored; tensors do not nest here.
        dedup_replicated_tensors: ignored, as in torch: what several ranks have is written once.
        dedup_save_to_lowest_rank: by the lowest rank that has it; else it is spread over them.
        enable_plan_caching: ignored; plans are made anew for each save.
    """

    mappings: dict[str, Path]

    def __init__(self, flatten_state_dict: bool = True, flatten_sharded_tensors: bool = True,
                 dedup_replicated_tensors: bool | None = None, dedup_save_to_lowest_rank: bool = False,
                 enable_plan_caching: bool = False) -> None:
        del dedup_replicated_tensors, enable_plan_caching
        self.flatten_state_dict = flatten_state_dict
        self.flatten_sharded_tensors = flatten_sharded_tensors
        self.dedup_save_to_lowest_rank = dedup_save_to_lowest_rank
        self.mappings = {}

    def set_up_planner(self, state_dict: dict[str, Any], storage_meta: StorageMeta | None = None,
                       is_coordinator: bool = False) -> None:
        """Take the state dict that is to be saved."""
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten_state_dict(state_dict)
        self.state_dict = state_dict
        self.is_coordinator = is_coordinator

    def create_local_plan(self) -> SavePlan:
        """All that this rank has."""
        nowhere = [n for n, v in self.state_dict.items() if isinstance(v, Tensor) and v.is_meta]
        if nowhere:
            raise ValueError(message("save", "tensors on the meta device have no elements to save",
                                     ", ".join(nowhere)))
        items = [item for name, value in self.state_dict.items() for item in write_items(name, value)]
        self.plan = SavePlan(items, planner_data=self.mappings if self.flatten_state_dict else None)
        return self.plan

    def create_global_plan(self, all_plans: list[SavePlan]) -> tuple[list[SavePlan], Metadata]:
        """Each item once, and the table of contents.

        Raises:
            ValueError: a name means different things on different ranks, or chunks do not make up their tensor; all
                such names are listed.
        """
        problems = list(disagreements(all_plans))
        plans, contents = _contents(spread(all_plans, self.dedup_save_to_lowest_rank))
        if not problems:
            problems = [line for name, entry in contents.items() if isinstance(entry, TensorStorageMetadata)
                        for line in misfits(name, entry)]
        if problems:
            raise refuse("save", "the ranks' state dicts do not fit together", problems)
        metadata = Metadata({n: contents[n] for plan in all_plans for n in (item.index.fqn for item in plan.items)})
        if self.flatten_state_dict:
            metadata.planner_data = {n: p for plan in reversed(plans) for n, p in plan.planner_data.items()}
        self.global_plan, self.metadata = plans, metadata
        return plans, metadata

    def finish_plan(self, new_plan: SavePlan) -> SavePlan:
        """Take what became of this rank's plan."""
        self.plan = new_plan
        return new_plan

    def resolve_data(self, write_item: WriteItem) -> Tensor | io.BytesIO:
        """The tensor, or the value as bytes, of an item."""
        return self.transform_object(write_item, self.lookup_object(write_item.index))

    def lookup_object(self, index: MetadataIndex) -> Any:
        """What the state dict has under an index; for derived classes to change."""
        value = self.state_dict[index.fqn]
        return local_part(value, index) if is_tensor(value) else value

    def transform_object(self, write_item: WriteItem, object: Any) -> Any:
        """The form in which an object is written; for derived classes to change."""
        return io.BytesIO(values.dumps(object)) if write_item.type is WriteItemType.BYTE_IO else object


def _contents(plans: list[SavePlan]) -> tuple[list[SavePlan], dict[str, Any]]:
    """The table of contents of plans, and the plans with each chunk's place in it."""
    contents: dict[str, Any] = {}
    numbered = []
    for plan in plans:
        items = []
        for item in plan.items:
            name, data = item.index.fqn, item.tensor_data
            if data is None:
                contents[name] = BytesStorageMetadata()
            else:
                entry = contents.setdefault(name, TensorStorageMetadata(data.properties, data.size, []))
                if isinstance(entry, TensorStorageMetadata):
                    item = dataclasses.replace(item, index=MetadataIndex(name, item.index.offset, len(entry.chunks)))
                    entry.chunks.append(data.chunk)
            items.append(item)
        numbered.append(dataclasses.replace(plan, items=items))
    return numbered, contents


class DefaultLoadPlanner(LoadPlanner):
    """Plans loads.

    Tensors are filled in place; other values take the places of those that were there. A dict that is empty gets what
    the checkpoint has below its name, as an optimizer's state does that has not made a step yet.

    Args:
        flatten_state_dict: as it was when the checkpoint was saved.
        flatten_sharded_tensors: ignored; tensors do not nest here.
        allow_partial_load: leave alone what the checkpoint does not have; else it is an error that lists all of it.
    """

    original_state_dict: dict[str, Any]
    mappings: dict[str, Path]

    def __init__(self, flatten_state_dict: bool = True, flatten_sharded_tensors: bool = True,
                 allow_partial_load: bool = False) -> None:
        self.flatten_state_dict = flatten_state_dict
        self.flatten_sharded_tensors = flatten_sharded_tensors
        self.allow_partial_load = allow_partial_load
        self.original_state_dict = {}
        self.mappings = {}

    def set_up_planner(self, state_dict: dict[str, Any], metadata: Metadata | None = None,
                       is_coordinator: bool = False) -> None:
        """Take the state dict that is to be filled, and what the checkpoint holds."""
        self.original_state_dict = state_dict
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten_state_dict(state_dict)
        self.state_dict = state_dict
        self.metadata = metadata
        self.is_coordinator = is_coordinator
        if metadata is not None and self.flatten_state_dict and metadata.planner_data:
            self._fill_empty(metadata)

    def _fill_empty(self, metadata: Metadata) -> None:
        saved = metadata.state_dict_metadata
        for name in [n for n, v in self.state_dict.items() if type(v) is dict and not v and n not in saved]:
            path = self.mappings[name]
            below = [n for n, p in metadata.planner_data.items() if n in saved and p[: len(path)] == path]
            del self.state_dict[name]
            for n in below:
                self._add(n, metadata.planner_data[n], saved[n])

    def _add(self, name: str, path: Path, entry: Any) -> None:
        """Make room in the state dict for something of the checkpoint."""
        is_value = isinstance(entry, BytesStorageMetadata)
        value = None if is_value else empty(tuple(entry.size), dtype=entry.properties.dtype)
        set_element(self.original_state_dict, path, value)
        self.state_dict[name], self.mappings[name] = value, path

    def create_local_plan(self) -> LoadPlan:
        """What this rank reads.

        Raises:
            RuntimeError: names that the checkpoint does not have. ValueError: tensors of other shapes, or values where
                tensors should be. All are listed.
        """
        assert self.metadata is not None
        saved = self.metadata.state_dict_metadata
        missing, wrong, items = [], [], []
        for name, value in self.state_dict.items():
            entry = saved.get(name)
            if entry is None:
                missing.append(name)
            elif isinstance(entry, BytesStorageMetadata):
                items.append(read_item_of_value(name))
            elif not is_tensor(value):
                wrong.append(f"{name} is a tensor of {list(entry.size)} in the checkpoint, here "
                             f"{type(value).__name__}")
            elif shape_of(value) != entry.size:
                wrong.append(f"{name}: size mismatch between saved {list(entry.size)} and current: "
                             f"{list(shape_of(value))}")
            else:
                wanted = chunks_of(value)
                found = read_items(name, entry, wanted)
                lacking = missing_part(found, wanted)
                if lacking:
                    wrong.append(f"{name}: the checkpoint lacks {lacking} elements of it")
                items += found
        if self.allow_partial_load:
            missing = []
        if missing or wrong:
            raise self._misfit(missing, wrong)
        return LoadPlan(items)

    def _misfit(self, missing: list[str], wrong: list[str]) -> Exception:
        assert self.metadata is not None
        lines = ["  " + line for line in wrong]
        hint = None
        if missing:
            lines.insert(0, "  Missing key in checkpoint state_dict: " + ", ".join(missing) + ".")
            known = list(self.metadata.state_dict_metadata)
            shown = ", ".join(known[:6]) + (f" and {len(known) - 6} more" if len(known) > 6 else "")
            hint = f"the checkpoint has {shown}; DefaultLoadPlanner(allow_partial_load=True) leaves out what is missing"
        text = message("load", "the checkpoint does not fit the state dict\n" + "\n".join(lines), hint=hint)
        return RuntimeError(text) if missing else ValueError(text)

    def create_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        """The plans as they are: ranks read without regard to each other."""
        return global_plan

    def finish_plan(self, new_plan: LoadPlan) -> LoadPlan:
        """Take what became of this rank's plan."""
        return new_plan

    def load_bytes(self, read_item: ReadItem, value: io.BytesIO) -> None:
        """Put a value into the state dict."""
        name = read_item.dest_index.fqn
        loaded = values.loads(value.getvalue(), name)
        if self.flatten_state_dict:
            set_element(self.original_state_dict, self.mappings[name], loaded)
        else:
            self.state_dict[name] = loaded

    def resolve_tensor(self, read_item: ReadItem) -> Tensor:
        """The memory that a box is read into."""
        return self.transform_tensor(read_item, self.lookup_tensor(read_item.dest_index))

    def lookup_tensor(self, index: MetadataIndex) -> Tensor:
        """The memory of one box of a tensor; for derived classes to change."""
        return local_part(self.state_dict[index.fqn], index)

    def transform_tensor(self, read_item: ReadItem, tensor: Tensor) -> Tensor:
        """The part of a tensor that an item fills; for derived classes to change."""
        return narrowed(tensor.detach(), read_item.dest_offsets, read_item.lengths)

    def commit_tensor(self, read_item: ReadItem, tensor: Tensor) -> None:
        """Nothing: the memory is the state dict's own."""


def narrowed(tensor: Tensor, offsets: Size, lengths: Size) -> Tensor:
    """The box of a tensor that begins at `offsets` and has sizes `lengths`."""
    for dim, (offset, length) in enumerate(zip(offsets, lengths, strict=True)):
        if length != tensor.shape[dim]:
            tensor = tensor.narrow(dim, offset, length)
    return tensor


class _EmptyStateDictLoadPlanner(DefaultLoadPlanner):
    """Loads into an empty dict all that a checkpoint has, or what lies under some of its keys."""

    def __init__(self, keys: Any = None, *args: Any, **kwargs: Any) -> None:
        self.keys = {keys} if isinstance(keys, str) else keys
        super().__init__(*args, **kwargs)

    def set_up_planner(self, state_dict: dict[str, Any], metadata: Metadata | None = None,
                       is_coordinator: bool = False) -> None:
        """Take the dict that is to be filled, and what the checkpoint holds."""
        assert metadata is not None and not state_dict
        paths = metadata.planner_data or {}
        chosen = {n: e for n, e in metadata.state_dict_metadata.items() if self._is_wanted(n, paths.get(n, (n,)))}
        super().set_up_planner(state_dict, metadata, is_coordinator)
        for name, entry in chosen.items():
            self._add(name, paths.get(name, (name,)), entry)

    def _is_wanted(self, name: str, path: Path) -> bool:
        if self.keys is None or name in self.keys:
            return True
        return any(".".join(map(str, path[:i])) in self.keys for i in range(1, len(path)))
