"""Data-parallel training."""

from .buckets import BuiltinCommHookType, GradBucket
from .mixed import _MixedPrecision
from .module import DistributedDataParallel

__all__ = ["BuiltinCommHookType", "DistributedDataParallel", "GradBucket", "_MixedPrecision"]
