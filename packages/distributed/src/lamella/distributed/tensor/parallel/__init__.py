"""Tensor parallelism: modules whose parameters lie on several ranks, by a plan.

    parallelize_module(block, mesh["tp"], {"w1": ColwiseParallel(), "w2": RowwiseParallel()})
"""

from __future__ import annotations

from .api import parallelize_module
from .loss import loss_parallel
from .prepare import PrepareModuleInput, PrepareModuleInputOutput, PrepareModuleOutput
from .style import ColwiseParallel, ParallelStyle, RowwiseParallel, SequenceParallel

__all__ = ["ColwiseParallel", "ParallelStyle", "PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput",
           "RowwiseParallel", "SequenceParallel", "loss_parallel", "parallelize_module"]
