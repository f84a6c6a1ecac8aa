"""What plans are made of: items for each tensor, who writes what several ranks have, and whether it all fits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

from lamella.core import Size
from lamella.dispatch.errors import message

from .boxes import inside, overlap, volume
from .chunks import chunks_of, is_sharded, is_tensor, shape_of
from .metadata import ChunkStorageMetadata, MetadataIndex, TensorProperties, TensorStorageMetadata
from .planner import LoadItemType, ReadItem, SavePlan, TensorWriteData, WriteItem, WriteItemType


def write_items(name: str, value: Any) -> list[WriteItem]:
    """What there is to write of a value on this rank."""
    if hasattr(type(value), "__create_write_items__"):
        return list(value.__create_write_items__(name, value))
    if not is_tensor(value):
        return [WriteItem(MetadataIndex(name), WriteItemType.BYTE_IO)]
    kind = WriteItemType.SHARD if is_sharded(value) else WriteItemType.TENSOR
    properties = TensorProperties(dtype=value.dtype, requires_grad=bool(getattr(value, "requires_grad", False)))
    size = shape_of(value)
    return [WriteItem(MetadataIndex(name, chunk.offsets, i), kind, tensor_data=TensorWriteData(chunk, properties, size))
            for i, chunk in enumerate(chunks_of(value)) if volume(chunk) or not prod(size)]


def read_items(name: str, saved: TensorStorageMetadata, wanted: list[ChunkStorageMetadata]) -> list[ReadItem]:
    """What to read of a tensor to fill boxes of it."""
    found = []
    for i, box in enumerate(wanted):
        for j, chunk in enumerate(saved.chunks):
            common = overlap(chunk, box)
            if common is not None:
                in_chunk, in_box, lengths = map(Size, common)
                found.append(ReadItem(LoadItemType.TENSOR, MetadataIndex(name, box.offsets, i), in_box,
                                      MetadataIndex(name, chunk.offsets, j), in_chunk, lengths))
    return found


def missing_part(items: Iterable[ReadItem], wanted: Iterable[ChunkStorageMetadata]) -> int:
    """How many elements of the boxes no item fills."""
    return sum(map(volume, wanted)) - sum(prod(item.lengths) for item in items)


def read_item_of_value(name: str) -> ReadItem:
    """What to read of a value that is no tensor."""
    nothing = Size(())
    at = MetadataIndex(name)
    return ReadItem(LoadItemType.BYTE_IO, at, nothing, at, nothing, nothing)


# -- several ranks ---------------------------------------------------------------------------------------------------


def spread(plans: list[SavePlan], to_lowest_rank: bool = False) -> list[SavePlan]:
    """Plans in which each item stands once.

    A chunk that several ranks have goes to the one that has the least to write so far, the largest chunks first; values
    go to the lowest rank.
    """
    owners: dict[MetadataIndex, list[int]] = {}
    items: dict[MetadataIndex, WriteItem] = {}
    for rank, plan in enumerate(plans):
        for item in plan.items:
            owners.setdefault(item.index, []).append(rank)
            items.setdefault(item.index, item)
    load = [0] * len(plans)
    writer: dict[MetadataIndex, int] = {}
    shared = []
    for index, ranks in owners.items():
        nbytes = items[index].tensor_storage_size()
        if len(ranks) == 1 or nbytes is None or to_lowest_rank:
            writer[index] = ranks[0]
            load[ranks[0]] += nbytes or 0
        else:
            shared.append((nbytes, index))
    for nbytes, index in sorted(shared, key=lambda pair: -pair[0]):
        rank = min(owners[index], key=lambda r: load[r])
        writer[index] = rank
        load[rank] += nbytes
    return [dataclasses.replace(plan, items=[item for item in plan.items if writer[item.index] == rank])
            for rank, plan in enumerate(plans)]


def disagreements(plans: list[SavePlan]) -> Iterator[str]:
    """Names that mean different things on different ranks, one line each."""
    seen: dict[str, tuple[str, int]] = {}
    told = set()
    for rank, plan in enumerate(plans):
        for item in plan.items:
            name, data = item.index.fqn, item.tensor_data
            what = "a value" if data is None else f"{data.properties.dtype.short}{list(data.size)}"
            before, first = seen.setdefault(name, (what, rank))
            if before != what and name not in told:
                told.add(name)
                yield f"{name} is {before} on rank {first} and {what} on rank {rank}"


def misfits(name: str, tensor: TensorStorageMetadata) -> Iterator[str]:
    """What is wrong with the chunks of a tensor, one line each."""
    chunks = [c for c in tensor.chunks if volume(c)]
    outside = [c for c in tensor.chunks if not inside(c, tensor.size)]
    for c in outside:
        yield f"{name}: {list(tensor.size)} has no chunk at {list(c.offsets)} of {list(c.sizes)}"
    if outside:
        return
    chunks.sort(key=lambda c: tuple(c.offsets))
    for i, a in enumerate(chunks):
        for b in chunks[i + 1 :]:
            if len(a.offsets) and b.offsets[0] >= a.offsets[0] + a.sizes[0]:
                break
            if overlap(a, b) is not None:
                yield (f"{name}: chunks overlap: {list(a.offsets)} of {list(a.sizes)}, "
                       f"{list(b.offsets)} of {list(b.sizes)}")
                return
    there = sum(map(volume, chunks))
    if there != prod(tensor.size):
        yield f"{name}: no rank has {prod(tensor.size) - there} of {prod(tensor.size)} elements"


def refuse(op: str, rule: str, problems: list[str], hint: str | None = None) -> ValueError:
    """An error that lists everything that is wrong."""
    return ValueError(message(op, rule + "\n  " + "\n  ".join(problems), hint=hint))
