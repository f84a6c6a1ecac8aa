"""PipelineStage: some of a model's layers, with what flows in and out of them."""

from __future__ import annotations

from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd import backward as autograd_backward, enable_grad
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

__all__ = ["PipelineStage"]

_TAGS = 30_000  # MPI promises tags up to 32767; objects have one above these
_WIDTH = 16  # tensors between two stages that have tags of their own


def _as_tuple(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, (list, tuple)) else (x,)


class _Meta:
    """What a receiver must know of a tensor."""

    __slots__ = ("shape", "dtype", "requires_grad")

    def __init__(self, t: Tensor) -> None:
        self.shape, self.dtype = tuple(t.shape), t.dtype
        self.requires_grad = bool(t.requires_grad)

    def empty(self, device: Any) -> Tensor:
        """A tensor to receive into."""
        return core.empty(self.shape, dtype=self.dtype, device=device)

    def fits(self, t: Tensor) -> bool:
        """Whether a tensor is such a one."""
        return tuple(t.shape) == self.shape and t.dtype is self.dtype

    def __repr__(self) -> str:
        return f"{self.dtype.short}{list(self.shape)}"


class PipelineStage:
    """Some of a model's layers, on one rank of a pipeline.

    Shapes of what comes from the stage before are told by it with the first microbatch of each step.

    Args:
        submodule: the layers. It gets tensors and returns a tensor or a tuple of tensors.
        stage_index: which stage this is, counted from 0.
        num_stages: how many there are.
        device: where the layers are.
        input_args, output_args: accepted; shapes are found by themselves.
        group: the ranks of the pipeline; all where None. Stage i is on rank i of it, modulo its size.
        dw_builder: accepted.

    Raises:
        ValueError: no such stage, or fewer stages than ranks.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella.distributed.layers import nn
        >>> dist.init_process_group(rank=0, world_size=1)
        >>> stage = PipelineStage(nn.Linear(2, 2), 0, 1, "cpu")
        >>> stage.is_first, stage.is_last
        (True, True)
        >>> dist.destroy_process_group()
    """

    def __init__(self, submodule: Any, stage_index: int, num_stages: int, device: Any, input_args: Any = None,
                 output_args: Any = None, output_grads: Any = None, input_grads: Any = None, group: Any = None,
                 dw_builder: Any = None, get_mesh: Any = None) -> None:
        del input_args, output_args, output_grads, input_grads, dw_builder, get_mesh
        if not 0 <= stage_index < num_stages:
            raise ValueError(message("PipelineStage", f"Stage index {stage_index} is out of range of {num_stages}"))
        self.submod = submodule
        self.stage_index = stage_index
        self.num_stages = num_stages
        self.device = device
        self.group: Any = dist.group.WORLD if group is None else group
        self.group_rank = dist.get_rank(self.group)
        self.group_size = dist.get_world_size(self.group)
        if self.group_size > num_stages:
            raise ValueError(message("PipelineStage", f"Pipeline group size {self.group_size} cannot be larger than "
                                     f"number of stages {num_stages}"))
        self.stage_index_to_group_rank = {i: i % self.group_size for i in range(num_stages)}
        self.has_backward = False
        #: microbatch -> (outputs, inputs) that backward still needs
        self.fwd_cache: dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]] = {}
        #: microbatch -> gradients of its inputs
        self.bwd_cache: dict[int, tuple[Any, ...]] = {}
        self.output_chunks: list[Any] = []
        self._local: dict[tuple[str, int], tuple[Any, ...]] = {}
        self._metas: list[_Meta] | None = None  # of the inputs
        self._out_metas: list[_Meta] | None = None
        self._told = False  # whether the next stage knows them
        self._arriving: dict[tuple[str, int], tuple[list[Any], list[Any]]] = {}

    @property
    def is_first(self) -> bool:
        """Whether the model begins here."""
        return self.stage_index == 0

    @property
    def is_last(self) -> bool:
        """Whether the model ends here."""
        return self.stage_index == self.num_stages - 1

    def clear_runtime_states(self) -> None:
        """Forget the last step."""
        for kept in (self.fwd_cache, self.bwd_cache, self._local, self._arriving, self.output_chunks):
            kept.clear()  # type: ignore[attr-defined]
        self._metas = self._out_metas = None
        self._told = False

    # ------------------------------------------------------------------ messages

    def _peer(self, stage: int) -> int:
        return self.stage_index_to_group_rank[stage]

    def _tag(self, kind: str, stage: int, mb: int, i: int) -> int:
        """``kind`` F: into ``stage``; B: back to ``stage``."""
        return ((mb * self.num_stages + stage) * 2 + (kind == "B")) * _WIDTH % _TAGS + i % _WIDTH

    def expect(self, kind: str, mb: int) -> None:
        """Begin to receive what forward (F) or backward (B) of a microbatch needs."""
        source = self._peer(self.stage_index + (-1 if kind == "F" else 1))
        if kind == "F" and self._metas is None:
            told: list[Any] = [None]
            dist.recv_object_list(told, group=self.group, group_src=source)
            self._metas = told[0]
        metas = self._metas if kind == "F" else [m for m in self._out_metas or () if m.requires_grad]
        buffers = [m.empty(self.device) for m in metas or ()]
        works = [dist.irecv(b, group=self.group, group_src=source, tag=self._tag(kind, self.stage_index, mb, i))
                 for i, b in enumerate(buffers)]
        self._arriving[kind, mb] = (buffers, works)

    def _receive(self, kind: str, mb: int) -> tuple[Any, ...]:
        """What `expect` began to receive, or a stage on this rank handed on."""
        local = self._local.pop((kind, mb), None)
        if local is not None:
            return local
        buffers, works = self._arriving.pop((kind, mb))
        for w in works:
            w.wait()
        return tuple(buffers)

    def hand_on(self, kind: str, mb: int, output: Any, stages: dict[int, PipelineStage]) -> bool:
        """Give a microbatch's output (F) or the gradients of its inputs (B) to a stage on this rank; whether there is
        one that wants them."""
        to = self.stage_index + (1 if kind == "F" else -1)
        if not 0 <= to < self.num_stages:
            self.bwd_cache.pop(mb, None)
            return False
        if self._peer(to) != self.group_rank:
            return False
        stages[to]._local[kind, mb] = _as_tuple(output) if kind == "F" else self.bwd_cache.pop(mb)
        return True

    def send(self, kind: str, mb: int, output: Any) -> list[Any]:
        """Begin to send a microbatch's output (F) to the next stage, the first of a step after its shapes, or the
        gradients of its inputs (B) to the one before; returns what must be waited for, and kept."""
        to = self.stage_index + (1 if kind == "F" else -1)
        peer = self._peer(to)
        if kind == "F" and not self._told:
            dist.send_object_list([self._out_metas], group=self.group, group_dst=peer)
            self._told = True
        tensors = [t.detach().contiguous() for t in (_as_tuple(output) if kind == "F" else self.bwd_cache.pop(mb))]
        return [(dist.isend(t, group=self.group, group_dst=peer, tag=self._tag(kind, to, mb, i)), t)
                for i, t in enumerate(tensors)]

    # ------------------------------------------------------------------ forward

    def forward_one_chunk(self, mb: int, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None,
                          save_forward_output: bool = True) -> Any:
        """Run a microbatch through the layers.

        Args:
            mb: its number.
            args: its inputs, on the first stage; elsewhere they come from the stage before.
            kwargs: its keyword arguments.
            save_forward_output: keep the output for `output_chunks`, on the last stage.

        Returns:
            What the layers returned.
        """
        if self.is_first:
            inputs: tuple[Any, ...] = tuple(args)
        else:
            received = self._receive("F", mb)
            wanted = [m.requires_grad for m in self._metas] if self._metas is not None else [
                bool(t.requires_grad) for t in received]
            inputs = tuple(t.detach().requires_grad_(w and self.has_backward) for t, w in zip(received, wanted))
        try:
            output = self._forward(inputs, kwargs or {})
        except Exception as e:
            e.add_note(f"in forward of microbatch {mb} of pipeline stage {self.stage_index} "
                       f"({', '.join(_shown(x) for x in inputs)})")
            raise
        outputs = _as_tuple(output)
        if not self.is_last:
            self._check_outputs(mb, outputs)
        if self.has_backward:
            self.fwd_cache[mb] = (outputs, inputs)
        if self.is_last and save_forward_output:
            self.output_chunks.append(output)
        return output

    def _forward(self, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _is_ddp(self.submod):
            with self.submod.no_sync():  # the last backward synchronises
                return self.submod(*inputs, **kwargs)
        return self.submod(*inputs, **kwargs)

    def _check_outputs(self, mb: int, outputs: tuple[Any, ...]) -> None:
        wrong = next((o for o in outputs if not isinstance(o, Tensor)), None)
        if wrong is not None:
            raise TypeError(message("PipelineStage", f"stage {self.stage_index} must return tensors",
                                    type(wrong).__name__, hint="only the last stage may return other things"))
        if len(outputs) > _WIDTH:
            raise ValueError(message("PipelineStage", f"a stage returns at most {_WIDTH} tensors", str(len(outputs))))
        if self._out_metas is None:
            self._out_metas = [_Meta(o) for o in outputs]
            return
        if len(outputs) != len(self._out_metas) or not all(m.fits(o) for m, o in zip(self._out_metas, outputs)):
            raise RuntimeError(message(
                "PipelineStage", f"all microbatches of a step must have one shape, but microbatch {mb} of stage "
                f"{self.stage_index} has another", f"{[_Meta(o) for o in outputs]}, the first {self._out_metas}",
                hint="make the batch divisible by n_microbatches"))

    # ------------------------------------------------------------------ backward

    def backward_one_chunk(self, mb: int, loss: Any = None, last_backward: bool = False) -> None:
        """Run a microbatch back through the layers.

        Args:
            mb: its number.
            loss: where backward begins, on the last stage; elsewhere gradients come from the stage behind.
            last_backward: no microbatch follows: replicas synchronise their gradients.
        """
        outputs, inputs = self.fwd_cache.pop(mb)
        if self.is_last:
            roots, grads = (loss,), None
        else:
            roots = tuple(o for o in outputs if o.requires_grad)
            grads = self._receive("B", mb)
        self._backward(roots, grads, outputs, last_backward)
        found = []
        for x in inputs:
            if isinstance(x, Tensor) and x.requires_grad and not self.is_first:
                found.append(core.zeros_like(x) if x.grad is None else x.grad)
        self.bwd_cache[mb] = tuple(found)

    def _backward(self, roots: Any, grads: Any, outputs: tuple[Any, ...], last: bool) -> None:
        submod = self.submod
        if _is_ddp(submod):
            if last:
                submod.reducer.prepare(outputs)
        elif hasattr(submod, "set_requires_gradient_sync"):
            submod.set_is_last_backward(last)
            submod.set_requires_gradient_sync(last)
        if roots:
            with enable_grad():
                autograd_backward(roots, grads)

    def scale_grads(self, grad_scale_factor: int) -> None:
        """Divide the gradients of the layers' parameters."""
        if grad_scale_factor != 1:
            for p in self.submod.parameters():
                if p.grad is not None:
                    p.grad.div_(grad_scale_factor)


def _is_ddp(module: Any) -> bool:
    return hasattr(module, "no_sync") and hasattr(module, "reducer")


def _shown(x: Any) -> str:
    return repr(_Meta(x)) if isinstance(x, Tensor) else type(x).__name__
