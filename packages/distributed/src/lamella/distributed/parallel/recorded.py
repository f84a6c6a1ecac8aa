"""Steps that the compiler records: gradients are averaged by operators of the recording, after backward.

The Python code of a recorded step runs once, without data; later only its operators run. So there are no hooks that
fill buckets meanwhile. The same messages travel in the same order as in steps that are not recorded: it does not matter
that one rank has a program for a step and another one has none.
"""

from __future__ import annotations

from typing import Any

from lamella.autograd import is_grad_enabled, no_grad
from lamella.core import cat, uint8

from ..collectives import all_reduce, broadcast
from .coalesced import messages
from .tasks import when_over

_HINT = "compile the module itself: DistributedDataParallel(torch.compile(module))"
_OUTSIDE = "the backward of a DistributedDataParallel is not part of the function"


def forward(ddp: Any, recorder: Any, inputs: Any, kwargs: Any) -> Any:
    """The module's forward while it is recorded.

    Args:
        ddp: the `DistributedDataParallel`.
        recorder: the mode that records.
        inputs, kwargs: of the module.
    """
    reducer = ddp.reducer
    reason = _unfit(ddp, reducer)
    if reason is not None:
        recorder.refuse(f"DistributedDataParallel {reason}", _HINT)
    syncs = is_grad_enabled() and ddp.require_backward_grad_sync
    if reducer.started:
        recorder.refuse("DistributedDataParallel has an error to report", lasting=False)
    if is_grad_enabled() and reducer.order and not reducer.rebuilt:
        recorder.refuse("DistributedDataParallel builds its buckets anew after the first step", lasting=False,
                        ready=False)
    if ddp.will_sync_module_buffers():
        _share_buffers(ddp)
    if ddp.require_forward_param_sync != syncs and ddp.forward_sync_buffers and ddp.modules_buffers:
        recorder.refuse("with no_sync() DistributedDataParallel changes which forward sends buffers", _HINT)
    inputs, kwargs = ddp._to_device(inputs, kwargs)
    output = ddp.module(*inputs, **kwargs)
    if syncs and reducer.group.size() > 1:
        recorder.notes[reducer] = Pass(reducer, recorder)
        recorder.unfinished[reducer] = _OUTSIDE
    return output


def _unfit(ddp: Any, reducer: Any) -> str | None:
    """Why a model's steps cannot be recorded."""
    if reducer.hook is not None or ddp.__dict__.get("buffer_hook") is not None:
        return "has a communication hook, which is Python code"
    if reducer.mixed is not None:
        return "has mixed_precision"
    if ddp._delayed is not None:
        return "has delay_all_reduce_named_params"
    if ddp._join_config.enable:
        return "is within Join"
    if ddp.find_unused_parameters and not ddp.static_graph:
        return "has find_unused_parameters, which looks at each step's graph"
    if not all(p.is_contiguous() for p in reducer.params):
        return "has parameters that are not contiguous"
    return None


def _share_buffers(ddp: Any) -> None:
    """Take the buffers' values from the group's rank 0, in the messages of `coalesced.broadcast_coalesced`."""
    group = ddp.process_group
    if group.size() == 1:
        return
    with no_grad():
        buffers = [t for name, t in ddp.module.named_buffers() if name not in ddp.parameters_to_ignore]
        for some in messages(buffers, ddp.broadcast_bucket_size):
            _send(group, some)


def _send(group: Any, tensors: list[Any]) -> None:
    dtype = uint8 if tensors[0].device.type == "cpu" else tensors[0].dtype
    row = cat([t.reshape(-1).view(dtype) for t in tensors])
    broadcast(row, group=group, group_src=0)
    parts = row.split([t.numel() * t.element_size() // dtype.itemsize for t in tensors])
    for t, part in zip(tensors, parts, strict=True):
        t.copy_(part.clone().view(t.dtype).reshape(t.shape))


class Pass:
    """A backward that is recorded.

    Attributes:
        left: the numbers of the parameters whose gradients have not come.
    """

    def __init__(self, reducer: Any, recorder: Any) -> None:
        self.reducer, self.recorder = reducer, recorder
        self.left = set(range(len(reducer.params)))
        self.begun = False

    def arrived(self, i: int) -> None:
        """A parameter's gradient was written."""
        if not self.begun:
            self.begun = True
            when_over(self, self.finish)
        self.left.discard(i)

    def finish(self) -> None:
        """The outermost backward is over."""
        if self.left:
            names = ", ".join(self.reducer.names[i][0] for i in sorted(self.left)[:5])
            self.recorder.refuse(f"parameters of a DistributedDataParallel get no gradient ({names})", lasting=False)
        del self.recorder.notes[self.reducer], self.recorder.unfinished[self.reducer]
        group = self.reducer.group
        with no_grad():
            for bucket in self.reducer.buckets:
                row = cat([p.grad.reshape(-1).to(bucket.dtype) for p in bucket.params]) * (1.0 / group.size())
                all_reduce(row, group=group)
                parts = row.split([p.numel() for p in bucket.params])
                for p, part in zip(bucket.params, parts, strict=True):
                    p.grad.copy_(part.reshape(p.shape))


def arrived(reducer: Any, recorder: Any, i: int) -> None:
    """A parameter's gradient was written in a backward that is recorded."""
    found = recorder.notes.get(reducer)
    if found is not None:
        found.arrived(i)
