"""The options of sharded training: strategies, precisions, kinds of state dicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from ..layers import _BatchNorm

__all__ = [
    "BackwardPrefetch",
    "CPUOffload",
    "CPUOffloadPolicy",
    "DataParallelMeshDims",
    "FullOptimStateDictConfig",
    "FullStateDictConfig",
    "LocalOptimStateDictConfig",
    "LocalStateDictConfig",
    "MixedPrecision",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "OptimStateDictConfig",
    "OptimStateKeyType",
    "ShardedOptimStateDictConfig",
    "ShardedStateDictConfig",
    "ShardingStrategy",
    "StateDictConfig",
    "StateDictSettings",
    "StateDictType",
]


class ShardingStrategy(Enum):
    """What is divided among the ranks, and when.

    - ``FULL_SHARD``: parameters, gradients and optimizer state; whole parameters exist only while their unit runs.
    - ``SHARD_GRAD_OP``: the same, but parameters stay whole from forward to the end of backward.
    - ``NO_SHARD``: nothing; gradients are averaged.
    - ``HYBRID_SHARD``: ``FULL_SHARD`` among the ranks of a node, copies on the nodes.
    - ``_HYBRID_SHARD_ZERO2``: ``SHARD_GRAD_OP`` among the ranks of a node, copies on the nodes.

    Example:
        >>> ShardingStrategy.FULL_SHARD.name
        'FULL_SHARD'
    """

    FULL_SHARD = auto()
    SHARD_GRAD_OP = auto()
    NO_SHARD = auto()
    HYBRID_SHARD = auto()
    _HYBRID_SHARD_ZERO2 = auto()


class BackwardPrefetch(Enum):
    """When backward fetches the parameters that it needs next: before or after the gradients of the present unit."""

    BACKWARD_PRE = auto()
    BACKWARD_POST = auto()


@dataclass
class MixedPrecision:
    """The element types of `FullyShardedDataParallel`.

    Attributes:
        param_dtype: parameters are computed with in this type; the sharded ones keep theirs.
        reduce_dtype: gradients are reduced in this type (by default ``param_dtype``).
        buffer_dtype: buffers are cast to it before the first forward.
        keep_low_precision_grads: leave gradients in the type they were reduced in.
        cast_forward_inputs: cast the inputs of each unit to ``param_dtype``.
        cast_root_forward_inputs: cast those of the outermost unit.
        _module_classes_to_ignore: modules that are wrapped on their own in full precision by ``auto_wrap_policy``.

    Example:
        >>> MixedPrecision().cast_root_forward_inputs
        True
    """

    param_dtype: Any = None
    reduce_dtype: Any = None
    buffer_dtype: Any = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: Sequence[type] = (_BatchNorm,)


@dataclass
class CPUOffload:
    """Whether parameters and gradients rest in CPU memory, where tensors of the CPU are anyway.

    Attributes:
        offload_params: keep the shards on the CPU; the optimizer then steps there.
    """

    offload_params: bool = False


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """The element types of `fully_shard`.

    Attributes:
        param_dtype: parameters are computed with in this type.
        reduce_dtype: gradients are reduced in this type (by default that of the computation).
        output_dtype: outputs of the module's forward are cast to it.
        cast_forward_inputs: cast the module's inputs to ``param_dtype``.
    """

    param_dtype: Any = None
    reduce_dtype: Any = None
    output_dtype: Any = None
    cast_forward_inputs: bool = True


@dataclass
class OffloadPolicy:
    """No offloading; the base of policies that do."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Shards, gradients and optimizer state rest in CPU memory.

    Attributes:
        pin_memory: use page-locked memory where the device has it.
    """

    pin_memory: bool = True


@dataclass(frozen=True)
class DataParallelMeshDims:
    """The names of a mesh's dimensions that `fully_shard` shards and replicates over."""

    shard: str | tuple[str, ...] | None = None
    replicate: str | tuple[str, ...] | None = None


class StateDictType(Enum):
    """Which state dict a sharded model gives: of whole parameters, of this rank's flat shards, of divided tensors."""

    FULL_STATE_DICT = auto()
    LOCAL_STATE_DICT = auto()
    SHARDED_STATE_DICT = auto()


@dataclass
class StateDictConfig:
    """Options of a state dict. ``offload_to_cpu``: its tensors are in CPU memory."""

    offload_to_cpu: bool = False


@dataclass
class FullStateDictConfig(StateDictConfig):
    """Options of a full state dict. ``rank0_only``: it is empty on all ranks but the first."""

    rank0_only: bool = False


@dataclass
class LocalStateDictConfig(StateDictConfig):
    """Options of a state dict of flat shards."""


@dataclass
class ShardedStateDictConfig(StateDictConfig):
    """Options of a state dict of divided tensors."""

    _use_dtensor: bool = False


@dataclass
class OptimStateDictConfig:
    """Options of an optimizer's state dict. ``offload_to_cpu``: its tensors are in CPU memory."""

    offload_to_cpu: bool = True


@dataclass
class FullOptimStateDictConfig(OptimStateDictConfig):
    """Options of a full state dict. ``rank0_only``: it is empty on all ranks but the first."""

    rank0_only: bool = False


@dataclass
class LocalOptimStateDictConfig(OptimStateDictConfig):
    """Options of an optimizer's state dict of flat shards."""

    offload_to_cpu: bool = False


@dataclass
class ShardedOptimStateDictConfig(OptimStateDictConfig):
    """Options of an optimizer's state dict of divided tensors."""

    _use_dtensor: bool = False


@dataclass
class StateDictSettings:
    """What `FullyShardedDataParallel.set_state_dict_type` sets."""

    state_dict_type: StateDictType
    state_dict_config: StateDictConfig
    optim_state_dict_config: OptimStateDictConfig


class OptimStateKeyType(Enum):
    """What an optimizer's state dict calls parameters: by name or by number."""

    PARAM_NAME = auto()
    PARAM_ID = auto()


#: strategy -> (keeps whole parameters from forward to backward, is divided at all, copies on nodes)
KEEPS = (ShardingStrategy.SHARD_GRAD_OP, ShardingStrategy._HYBRID_SHARD_ZERO2)
HYBRID = (ShardingStrategy.HYBRID_SHARD, ShardingStrategy._HYBRID_SHARD_ZERO2)

STATE_CONFIGS = {
    StateDictType.FULL_STATE_DICT: (FullStateDictConfig, FullOptimStateDictConfig),
    StateDictType.LOCAL_STATE_DICT: (LocalStateDictConfig, LocalOptimStateDictConfig),
    StateDictType.SHARDED_STATE_DICT: (ShardedStateDictConfig, ShardedOptimStateDictConfig),
}
