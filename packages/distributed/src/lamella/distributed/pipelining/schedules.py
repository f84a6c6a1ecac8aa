"""Schedules: in which order a rank runs its stages' microbatches forward and backward.

A schedule is an order of computations; `plan` puts messages between them, and one executor runs any of them. It sends
without waiting and begins to receive as soon as something was sent, so that messages travel while it computes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from lamella.autograd import is_grad_enabled
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import did_you_mean, message

from .microbatch import merge_chunks, split_args_kwargs_into_chunks, split_tensor
from .plan import Action as _Action, with_messages
from .stage import PipelineStage

__all__ = ["PipelineScheduleMulti", "PipelineScheduleSingle", "Schedule1F1B", "ScheduleGPipe",
           "ScheduleInterleaved1F1B", "ScheduleLoopedBFS", "get_schedule_class"]


class _PipelineSchedule(ABC):
    """What schedules have in common.

    Args:
        stages: this rank's.
        n_microbatches: into how many a batch is cut.
        loss_fn: called as ``loss_fn(output, target)`` for each microbatch; without one nothing is learnt.
        args_chunk_spec, kwargs_chunk_spec: how arguments are cut, where not along dimension 0.
        output_merge_spec: how outputs are put together, where not along dimension 0.
        scale_grads: divide gradients by the number of microbatches, as is right for losses that are means.
    """

    def __init__(self, stages: Sequence[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Tensor] | None,
                 args_chunk_spec: Any, kwargs_chunk_spec: Any, output_merge_spec: Any, scale_grads: bool) -> None:
        if n_microbatches < 1:
            raise ValueError(message(type(self).__name__, "n_microbatches must be positive", str(n_microbatches)))
        self._stages = {s.stage_index: s for s in stages}
        self._n_microbatches = n_microbatches
        self._loss_fn = loss_fn
        self._args_chunk_spec, self._kwargs_chunk_spec = args_chunk_spec, kwargs_chunk_spec
        self._output_merge_spec = output_merge_spec
        self.scale_grads = scale_grads
        self._has_backward = loss_fn is not None
        self._internal_losses: dict[int, Any] = {}
        first = stages[0]
        self._plans: dict[bool, list[_Action]] = {}
        self._num_stages, self.rank, self.pp_group_size = first.num_stages, first.group_rank, first.group_size

    @abstractmethod
    def _order(self, rank: int) -> list[_Action]:
        """What a rank does in a step."""

    # ------------------------------------------------------------------ steps

    def step(self, *args: Any, target: Any = None, losses: list[Any] | None = None, return_outputs: bool = True,
             loss_kwargs: dict[str, Any] | None = None, **kwargs: Any) -> Any:
        """Run one batch forward and, with a loss function, back. All ranks call it.

        Args:
            args: the batch, on the rank of the first stage.
            target: what the loss is taken against, on the rank of the last stage.
            losses: gets the microbatches' losses, on the rank of the last stage.
            return_outputs: whether to keep outputs and return them.
            loss_kwargs: further arguments of the loss function.
            kwargs: keyword arguments of the stages' forward.

        Returns:
            The output of the batch on the rank of the last stage, else None.

        Raises:
            RuntimeError: gradients are switched off.
        """
        if self._has_backward and not is_grad_enabled():
            raise RuntimeError(message("step", "gradients must be enabled for backward; it cannot be used under "
                                               "no_grad()", hint="call eval() instead"))
        for s in self._stages.values():
            s.has_backward = self._has_backward
            s.clear_runtime_states()
        n = self._n_microbatches
        arg_mbs, kwarg_mbs = self._split_inputs(args, kwargs)
        target_mbs = None if target is None else split_tensor(target, 0, n)
        self._step_microbatches(arg_mbs, kwarg_mbs, target_mbs, losses, return_outputs, loss_kwargs)
        last = self._stages.get(self._num_stages - 1)
        if last is None or not return_outputs:
            return None
        return merge_chunks(last.output_chunks, self._output_merge_spec)

    def eval(self, *args: Any, target: Any = None, losses: list[Any] | None = None, **kwargs: Any) -> Any:
        """Run one batch forward only. Arguments as of `step`."""
        before, self._has_backward = self._has_backward, False
        try:
            return self.step(*args, target=target, losses=losses, **kwargs)
        finally:
            self._has_backward = before

    def _split_inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        n = self._n_microbatches
        if not args and not kwargs:
            return [()] * n, [{}] * n
        return split_args_kwargs_into_chunks(args, kwargs, n, self._args_chunk_spec, self._kwargs_chunk_spec)

    def _step_microbatches(self, arg_mbs: list[Any] | None = None, kwarg_mbs: list[Any] | None = None,
                           target_mbs: list[Any] | None = None, losses: list[Any] | None = None,
                           return_outputs: bool = True, loss_kwargs: dict[str, Any] | None = None) -> None:
        n = self._n_microbatches
        arg_mbs, kwarg_mbs = arg_mbs or [()] * n, kwarg_mbs or [{}] * n
        self._check(arg_mbs, kwarg_mbs, target_mbs, losses)
        self._internal_losses.clear()
        outputs: dict[tuple[int, int], Any] = {}
        sent: list[Any] = []
        for action in self._plan():
            stage, kind, mb = self._stages[action.stage_index], action.computation_type, action.microbatch_index
            if kind == "F":
                output = stage.forward_one_chunk(mb, arg_mbs[mb], kwarg_mbs[mb], return_outputs)
                if stage.is_last:
                    self._loss(mb, output, target_mbs, loss_kwargs)
                elif not stage.hand_on("F", mb, output, self._stages):
                    outputs[stage.stage_index, mb] = output
            elif kind == "B":
                loss = self._internal_losses.get(mb) if stage.is_last else None
                stage.backward_one_chunk(mb, loss, mb == n - 1)
                if stage.is_last:
                    self._internal_losses[mb] = loss.detach()  # type: ignore[union-attr]
                stage.hand_on("B", mb, None, self._stages)
            elif kind.startswith("RECV"):
                stage.expect(kind[-1], mb)
            else:
                sent += stage.send(kind[-1], mb, outputs.pop((stage.stage_index, mb), None))
                sent = [s for s in sent if not s[0].is_completed()]
        for work, _ in sent:
            work.wait()
        if losses is not None and self._num_stages - 1 in self._stages:
            losses[:] = [self._internal_losses[mb] for mb in sorted(self._internal_losses)]
        if self._has_backward:
            for stage in self._stages.values():
                stage.scale_grads(n if self.scale_grads else 1)

    def _plan(self) -> list[_Action]:
        """This rank's computations and messages."""
        found = self._plans.get(self._has_backward)
        if found is None:
            kinds = ("F", "B") if self._has_backward else ("F",)
            orders = {rank: [a for a in order if a.computation_type in kinds]
                      for rank, order in self.pipeline_order.items()}
            stage = next(iter(self._stages.values()))
            found = self._plans[self._has_backward] = with_messages(
                orders, stage.stage_index_to_group_rank)[self.rank]
        return found

    def _loss(self, mb: int, output: Any, targets: Any, options: dict[str, Any] | None) -> None:
        if self._loss_fn is None or (targets is None and not self._has_backward):
            return
        if targets is None:
            raise RuntimeError(message("step", "the last stage needs target= for the loss"))
        self._internal_losses[mb] = self._loss_fn(output, targets[mb], **(options or {}))

    def _check(self, arg_mbs: Any, kwarg_mbs: Any, target_mbs: Any, losses: Any) -> None:
        for name, mbs in (("arg_mbs", arg_mbs), ("kwarg_mbs", kwarg_mbs), ("target_mbs", target_mbs)):
            if mbs is None and name == "target_mbs":
                continue
            if not isinstance(mbs, list):
                raise TypeError(message("step", f"{name} must be a list", type(mbs).__name__))
            if len(mbs) != self._n_microbatches:
                raise ValueError(message("step", f"Expecting {self._n_microbatches} {name}", f"got {len(mbs)}"))
        if losses is not None and not isinstance(losses, list):
            raise TypeError(message("step", "losses must be a list", type(losses).__name__))

    @property
    def pipeline_order(self) -> dict[int, list[_Action]]:
        """What each rank does in a step."""
        return {rank: self._order(rank) for rank in range(self.pp_group_size)}


class PipelineScheduleSingle(_PipelineSchedule):
    """The base of schedules with one stage on each rank.

    Args:
        stage: this rank's.
        n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads: see the schedules.

    Raises:
        ValueError: there are more stages than ranks.
    """

    def __init__(self, stage: PipelineStage, n_microbatches: int, loss_fn: Callable[..., Tensor] | None = None,
                 args_chunk_spec: Any = None, kwargs_chunk_spec: Any = None, output_merge_spec: Any = None,
                 scale_grads: bool = True) -> None:
        super().__init__([stage], n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec,
                         scale_grads)
        if self._num_stages != self.pp_group_size:
            raise ValueError(message(type(self).__name__, "each rank runs one stage",
                                     f"{self._num_stages} stages, {self.pp_group_size} ranks",
                                     hint="ScheduleInterleaved1F1B runs several"))
        self._stage = stage


class ScheduleGPipe(PipelineScheduleSingle):
    """All microbatches forward, then all back. Every stage holds the activations of all of them.

    Source: Huang et al., "GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism", 2019.

    Args:
        stage: this rank's.
        n_microbatches: into how many a batch is cut.
        loss_fn: called as ``loss_fn(output, target)`` for each microbatch; without one nothing is learnt.
        args_chunk_spec, kwargs_chunk_spec: how arguments are cut, where not along dimension 0.
        output_merge_spec: how outputs are put together, where not along dimension 0.
        scale_grads: divide gradients by the number of microbatches, as is right for losses that are means.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella import core
        >>> from lamella.distributed.layers import functional as F, nn
        >>> dist.init_process_group(rank=0, world_size=1)
        >>> stage = PipelineStage(nn.Linear(2, 1), 0, 1, "cpu")
        >>> schedule, losses = ScheduleGPipe(stage, 2, loss_fn=F.mse_loss), []
        >>> schedule.step(core.ones(4, 2), target=core.zeros(4, 1), losses=losses).shape, len(losses)
        (torch.Size([4, 1]), 2)
        >>> dist.destroy_process_group()
    """

    def _order(self, rank: int) -> list[_Action]:
        mbs = range(self._n_microbatches)
        return [*(_Action(rank, "F", mb) for mb in mbs), *(_Action(rank, "B", mb) for mb in mbs)]


class Schedule1F1B(PipelineScheduleSingle):
    """One forward, one backward: a stage holds the activations of at most as many microbatches as stages follow it,
    itself included.

    Source: Narayanan et al., "PipeDream: Generalized Pipeline Parallelism for DNN Training", 2019.

    Args:
        stage, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads: as of
            `ScheduleGPipe`.
    """

    def _order(self, rank: int) -> list[_Action]:
        n = self._n_microbatches
        ahead = min(n, self._num_stages - rank)
        order = [_Action(rank, "F", mb) for mb in range(ahead)]
        for mb in range(n):
            order.append(_Action(rank, "B", mb))
            if mb + ahead < n:
                order.append(_Action(rank, "F", mb + ahead))
        return order


class PipelineScheduleMulti(_PipelineSchedule):
    """The base of schedules with several stages on each rank: stage i is on rank i modulo the number of ranks.

    Args:
        stages: this rank's.
        n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads: see the schedules.

    Raises:
        ValueError: a stage is on another rank, or ranks would have different numbers of stages.
    """

    def __init__(self, stages: Sequence[PipelineStage], n_microbatches: int,
                 loss_fn: Callable[..., Tensor] | None = None, args_chunk_spec: Any = None,
                 kwargs_chunk_spec: Any = None, output_merge_spec: Any = None, use_full_backward: bool | None = None,
                 scale_grads: bool = True, backward_requires_autograd: bool = True) -> None:
        del use_full_backward, backward_requires_autograd
        super().__init__(stages, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec,
                         scale_grads)
        expected = list(range(self.rank, self._num_stages, self.pp_group_size))
        if sorted(self._stages) != expected or self._num_stages % self.pp_group_size:
            raise ValueError(message(type(self).__name__, f"rank {self.rank} of {self.pp_group_size} runs the stages "
                                     f"{expected}, as many as other ranks", f"given {sorted(self._stages)} of "
                                                                            f"{self._num_stages}"))
        self.n_local_stages = len(stages)


class ScheduleInterleaved1F1B(PipelineScheduleMulti):
    """One forward, one backward, with several stages on each rank: the pipeline fills in smaller steps.

    Source: Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", 2021.

    Args:
        stages: this rank's; stage i is on rank i modulo the number of ranks.
        n_microbatches: divisible by the number of rounds, ``max(1, n_microbatches // ranks)``.
        loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads: as of `ScheduleGPipe`.

    Raises:
        ValueError: the microbatches do not make whole rounds.
    """

    def __init__(self, stages: Sequence[PipelineStage], n_microbatches: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(stages, n_microbatches, *args, **kwargs)
        rounds = max(1, n_microbatches // self.pp_group_size)
        if n_microbatches % rounds:
            raise ValueError(message("ScheduleInterleaved1F1B", "the number of microbatches must be a multiple of the "
                                     f"number of rounds ({rounds})", f"got {n_microbatches}"))
        self._per_round = n_microbatches // rounds

    def _order(self, rank: int) -> list[_Action]:
        v, ranks, n = self.n_local_stages, self.pp_group_size, self._n_microbatches
        total = v * n
        ahead = min(total, (v - 1) * self._per_round + 2 * (ranks - 1 - rank) + 1)
        counts = {"F": [0] * v, "B": [0] * v}

        def action(kind: str, i: int) -> _Action:
            local = i // self._per_round % v
            local = local if kind == "F" else v - 1 - local
            mb = counts[kind][local]
            counts[kind][local] += 1
            return _Action(local * ranks + rank, kind, mb)

        order = [action("F", i) for i in range(ahead)]
        for i in range(total):
            order.append(action("B", i))
            if i + ahead < total:
                order.append(action("F", i + ahead))
        return order


class ScheduleLoopedBFS(PipelineScheduleMulti):
    """All microbatches forward through a stage before the next of the rank's stages, then the same way back.

    Source: Lamy-Poirier, "Breadth-First Pipeline Parallelism", 2022.

    Args:
        stages: this rank's; stage i is on rank i modulo the number of ranks.
        n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads: as of
            `ScheduleGPipe`.
    """

    def _order(self, rank: int) -> list[_Action]:
        mine = range(rank, self._num_stages, self.pp_group_size)
        mbs = range(self._n_microbatches)
        return [*(_Action(s, "F", mb) for s in mine for mb in mbs),
                *(_Action(s, "B", mb) for s in reversed(mine) for mb in mbs)]


_BY_NAME = {"1F1B": Schedule1F1B, "Interleaved1F1B": ScheduleInterleaved1F1B, "GPipe": ScheduleGPipe,
            "LoopedBFS": ScheduleLoopedBFS, "PipelineScheduleSingle": PipelineScheduleSingle,
            "PipelineScheduleMulti": PipelineScheduleMulti}


def get_schedule_class(schedule_name: str) -> Any:
    """The class of a schedule, by name; letters' case does not matter.

    Args:
        schedule_name: "1F1B", "Interleaved1F1B", "GPipe" or "LoopedBFS".

    Raises:
        ValueError: there is no such schedule.

    Example:
        >>> get_schedule_class("1f1b").__name__
        'Schedule1F1B'
    """
    names = {name.lower(): name for name in _BY_NAME}
    found = names.get(schedule_name.lower())
    if found is None:
        raise ValueError(message("get_schedule_class", f"Unknown schedule name {schedule_name!r}",
                                 hint=did_you_mean(schedule_name, list(_BY_NAME)) or f"valid: {', '.join(_BY_NAME)}"))
    return _BY_NAME[found]
