"""Pipelines: a model's layers on several ranks, through which microbatches flow.

    stage = PipelineStage(my_layers, rank, world_size, device)
    schedule = Schedule1F1B(stage, n_microbatches=8, loss_fn=loss_fn)
    schedule.step(x) if rank == 0 else schedule.step(target=y, losses=losses)
"""

from __future__ import annotations

from .microbatch import TensorChunkSpec, merge_chunks, split_args_kwargs_into_chunks
from .pipe import Pipe, SplitPoint, pipeline
from .schedules import (
    PipelineScheduleMulti,
    PipelineScheduleSingle,
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleLoopedBFS,
    get_schedule_class,
)
from .stage import PipelineStage

__all__ = ["Pipe", "PipelineScheduleMulti", "PipelineScheduleSingle", "PipelineStage", "Schedule1F1B", "ScheduleGPipe",
           "ScheduleInterleaved1F1B", "ScheduleLoopedBFS", "SplitPoint", "TensorChunkSpec", "get_schedule_class",
           "merge_chunks", "pipeline", "split_args_kwargs_into_chunks"]
