"""DTensorSpec: mesh, placements and global shape; all that a rank knows about a distributed tensor but its part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lamella.core.tensor import Size, contiguous_strides
from lamella.dispatch.errors import message

from ..device_mesh import DeviceMesh
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["DTensorSpec", "TensorMeta"]


class TensorMeta(NamedTuple):
    """Shape, strides and element type of the whole tensor."""

    shape: Any
    stride: tuple[int, ...]
    dtype: Any


class DTensorSpec:
    """How a tensor lies on a mesh.

    Attributes:
        mesh: the ranks.
        placements: one for each dimension of the mesh.
        tensor_meta: shape, strides and element type of the whole tensor.
    """

    __slots__ = ("mesh", "placements", "tensor_meta")

    def __init__(self, mesh: DeviceMesh, placements: Sequence[Placement], tensor_meta: Any = None) -> None:
        self.mesh = mesh
        self.placements = tuple(placements)
        self.tensor_meta = tensor_meta

    @property
    def device_mesh(self) -> DeviceMesh:
        """The mesh."""
        return self.mesh

    @property
    def shape(self) -> Any:
        """The shape of the whole tensor."""
        return self.tensor_meta.shape

    @property
    def ndim(self) -> int:
        """The number of the tensor's dimensions."""
        return len(self.tensor_meta.shape)

    @property
    def stride(self) -> tuple[int, ...]:
        """The strides of the whole tensor."""
        return self.tensor_meta.stride

    @property
    def dim_map(self) -> list[int]:
        """For each dimension of the tensor the dimension of the mesh that shards it, else -1."""
        found = [-1] * self.ndim
        for i, p in enumerate(self.placements):
            if isinstance(p, Shard):
                found[p.dim] = i
        return found

    @property
    def num_shards(self) -> int:
        """How many parts the tensor is in."""
        n = 1
        for i, p in enumerate(self.placements):
            n *= self.mesh.size(i) if isinstance(p, Shard) else 1
        return n

    def is_replicated(self) -> bool:
        """Whether every rank has all of it."""
        return all(isinstance(p, Replicate) for p in self.placements)

    def is_sharded(self) -> bool:
        """Whether the ranks have parts of it."""
        return any(isinstance(p, Shard) for p in self.placements)

    def is_partial(self) -> bool:
        """Whether it is not reduced yet."""
        return any(isinstance(p, Partial) for p in self.placements)

    def replicated(self) -> DTensorSpec:
        """The same tensor, all of it on every rank."""
        return self.with_placements((Replicate(),) * self.mesh.ndim)

    def with_placements(self, placements: Sequence[Placement]) -> DTensorSpec:
        """The same tensor, placed otherwise."""
        return DTensorSpec(self.mesh, placements, self.tensor_meta)

    def local_shape_and_offset(self, coordinate: Sequence[int] | None = None) -> tuple[list[int], list[int]]:
        """The shape of a rank's part and where it begins.

        Args:
            coordinate: the rank's place in the mesh; this rank's where None.
        """
        shape = list(self.tensor_meta.shape)
        offset = [0] * len(shape)
        at = self.mesh.get_coordinate() if coordinate is None else coordinate
        if at is None:
            return [0] * max(len(shape), 1), offset  # a rank outside of the mesh has nothing
        for i, p in enumerate(self.placements):
            if isinstance(p, Shard):
                size, start = Shard.local_shard_size_and_offset(shape[p.dim], self.mesh.size(i), at[i])
                shape[p.dim] = size
                offset[p.dim] += start
        return shape, offset

    def local_shape(self) -> tuple[int, ...]:
        """The shape of this rank's part."""
        return tuple(self.local_shape_and_offset()[0])

    def evenly(self, dim: int) -> bool:
        """Whether the parts of a dimension are all of one size."""
        n = 1
        for i, p in enumerate(self.placements):
            n *= self.mesh.size(i) if p.is_shard(dim) else 1
        return self.tensor_meta.shape[dim] % n == 0

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, DTensorSpec) and self.placements == other.placements and self.mesh == other.mesh
                and self.tensor_meta == other.tensor_meta)

    def __hash__(self) -> int:
        return hash((self.mesh, self.placements, self.tensor_meta and tuple(self.tensor_meta.shape)))

    def __repr__(self) -> str:
        return f"DTensorSpec({self.mesh}, {self.placements}, {self.tensor_meta})"

    def __str__(self) -> str:
        meta = self.tensor_meta
        shown = "unknown" if meta is None else f"{meta.dtype.short}{list(meta.shape)}"
        return f"Spec({shown}({', '.join(map(str, self.placements))}))"


def meta_of(shape: Sequence[int], dtype: Any, stride: Sequence[int] | None = None) -> TensorMeta:
    """A `TensorMeta`; row-major where no strides are given."""
    return TensorMeta(Size(shape), tuple(contiguous_strides(tuple(shape)) if stride is None else stride), dtype)


def normalized(op: str, mesh: DeviceMesh, placements: Sequence[Placement] | None, ndim: int,
               default: Placement | None = None) -> tuple[Placement, ...]:
    """Placements with non-negative dimensions, one for each dimension of the mesh.

    Args:
        op: whose argument it is, for messages.
        mesh: the mesh.
        placements: what was asked for; ``default`` everywhere where None.
        ndim: the number of the tensor's dimensions.
        default: what None means.
    """
    if placements is None:
        return tuple((default or Replicate()) for _ in range(mesh.ndim))
    if isinstance(placements, Placement):
        placements = (placements,)
    if len(placements) != mesh.ndim:
        raise ValueError(message(op, "`placements` must have the same length as `device_mesh.ndim`!",
                                 f"placements {list(placements)}, mesh of {mesh.ndim} dimensions"))
    found: list[Placement] = []
    for p in placements:
        if isinstance(p, Shard):
            dim = p.dim + ndim if p.dim < 0 else p.dim
            if not 0 <= dim < ndim:
                raise ValueError(message(op, f"{p!r} names a dimension that the tensor does not have",
                                         f"it has {ndim}"))
            p = Shard(dim)
        elif not isinstance(p, (Replicate, Partial)):
            raise TypeError(message(op, "placements are Shard, Replicate or Partial", type(p).__name__))
        found.append(p)
    return tuple(found)
