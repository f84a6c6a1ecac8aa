"""Styles of modules whose parameters are spread over ranks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ...device_mesh import DeviceMesh
from .._api import distribute_module, lay
from .._dtensor import DTensor
from .._dtensor_spec import normalized
from ..placement_types import Placement, Replicate, Shard

__all__ = ["ColwiseParallel", "ParallelStyle", "RowwiseParallel", "SequenceParallel"]


class ParallelStyle(ABC):
    """How a module runs on several ranks; the base of the styles that `parallelize_module` takes.

    Attributes:
        src_data_rank: whose values parameters get; None: every rank cuts its own.
    """

    src_data_rank: int | None = 0

    @abstractmethod
    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        """Change a module, and return it."""


def same(x: DTensor, where: Sequence[Placement]) -> DTensor:
    """A DTensor under these placements, moved if it must be."""
    to = normalized("parallelize_module", x.device_mesh, where, x.ndim)
    return x if x.placements == to else x.redistribute(placements=to)


class _Features(ParallelStyle):
    """What the column and row styles have in common: layers of features, cut along one side."""

    _default_in: Placement
    _default_out: Placement

    def __init__(self, *, input_layouts: Placement | None = None, output_layouts: Placement | None = None,
                 use_local_output: bool = True) -> None:
        self.input_layouts = (input_layouts or self._default_in,)
        self.output_layouts = (output_layouts or self._default_out,)
        self.use_local_output = use_local_output

    def _kind(self, module: Any) -> str:
        from ...layers import nn

        if isinstance(module, nn.Linear):
            return "linear"
        if isinstance(module, nn.Embedding):
            return "embedding"
        raise NotImplementedError(message(type(self).__name__, "only Linear and Embedding can be spread in this style",
                                          type(module).__name__))

    def _spread(self, module: Any, wanted: Placement, layouts: dict[str, Placement], mesh: DeviceMesh) -> Any:
        def cut(name: str, part: Any, mesh: DeviceMesh) -> None:
            for key, where in layouts.items():
                lay(part, key, mesh, [where], self.src_data_rank)

        def before(module: Any, inputs: Any, mesh: DeviceMesh) -> Any:
            x = inputs[0]
            if not isinstance(x, DTensor):
                x = DTensor.from_local(x, mesh, self.input_layouts)
            return (same(x, (wanted,)), *inputs[1:])

        def after(module: Any, output: Any, mesh: DeviceMesh) -> Any:
            output = same(output, self.output_layouts)
            return output.to_local() if self.use_local_output else output

        return distribute_module(module, mesh, cut, before, after)

    def __repr__(self) -> str:
        return (f"{type(self).__name__}(input_layouts={self.input_layouts}, output_layouts={self.output_layouts}, "
                f"use_local_output={self.use_local_output})")


class ColwiseParallel(_Features):
    """Each rank computes some of the output features of a Linear or Embedding.

    Args:
        input_layouts: how the input lies where it is no DTensor; copies where None.
        output_layouts: how the output shall lie; cut along the last dimension where None.
        use_local_output: give this rank's part instead of a DTensor.
    """

    _default_in, _default_out = Replicate(), Shard(-1)

    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        at = Shard(0) if self._kind(module) == "linear" else Shard(1)
        return self._spread(module, Replicate(), {name: at for name, _ in module.named_parameters()}, device_mesh)


class RowwiseParallel(_Features):
    """Each rank computes with some of the input features of a Linear, or some rows of an Embedding's table; what they
    compute is added.

    Args:
        input_layouts: how the input lies where it is no DTensor; cut along the last dimension where None. Of an
            Embedding the indices, for which it must be given: `Replicate()`.
        output_layouts: how the output shall lie; copies where None.
        use_local_output: give this rank's part instead of a DTensor.
    """

    _default_in, _default_out = Shard(-1), Replicate()

    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        if self._kind(module) == "linear":
            return self._spread(module, Shard(-1), {"weight": Shard(1), "bias": Replicate()}, device_mesh)
        return self._spread(module, Replicate(), {"weight": Shard(0)}, device_mesh)


class SequenceParallel(ParallelStyle):
    """A module without products of features (LayerNorm, RMSNorm, Dropout) runs on parts of the sequence.

    Args:
        sequence_dim: which dimension of the input is the sequence.
        use_local_output: give this rank's part instead of a DTensor.
    """

    def __init__(self, *, sequence_dim: int = 1, use_local_output: bool = False) -> None:
        self.sequence_sharding = (Shard(sequence_dim),)
        self.use_local_output = use_local_output

    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        def copies(name: str, part: Any, mesh: DeviceMesh) -> None:
            for key in list(part._parameters):
                lay(part, key, mesh, [Replicate()], self.src_data_rank)

        def before(module: Any, inputs: Any, mesh: DeviceMesh) -> Any:
            x = inputs[0]
            if not isinstance(x, Tensor):
                raise ValueError(message("SequenceParallel", "the module's input must be a tensor", type(x).__name__))
            if not isinstance(x, DTensor):
                x = DTensor.from_local(x, mesh, self.sequence_sharding)
            return (same(x, self.sequence_sharding), *inputs[1:])

        def after(module: Any, output: Any, mesh: DeviceMesh) -> Any:
            return output.to_local() if self.use_local_output else output

        return distribute_module(module, device_mesh, copies, before, after)

    def __repr__(self) -> str:
        return (f"SequenceParallel(sequence_dim={self.sequence_sharding[0].dim}, "
                f"use_local_output={self.use_local_output})")
