"""Data-parallel training."""

from .buckets import GradBucket
from .mixed import _MixedPrecision
from .module import DistributedDataParallel

__all__ = ["DistributedDataParallel", "GradBucket", "_MixedPrecision"]
