"""Parameters whose gradients all travel at once, when the gradient of a parameter that is named has come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.autograd import no_grad
from lamella.autograd.engine import queue_callback
from lamella.core import zeros

from ..collectives import all_reduce
from .buckets import parts
from .coalesced import broadcast_coalesced


class Delayed:
    """Gradients that are parts of one tensor, which is reduced at a parameter's call.

    Args:
        params: whose gradients.
        trigger: the parameter.
        group: the process group.
    """

    def __init__(self, params: Sequence[Any], trigger: Any, group: Any) -> None:
        self.params = list(params)
        self.group = group
        first = self.params[0]
        self.buffer = zeros(sum(p.numel() for p in self.params), dtype=first.dtype, device=first.device)
        self.views = parts(self.buffer, self.params)
        broadcast_coalesced(group, self.params)
        trigger.register_hook(self._reduce)

    def _reduce(self, grad: Any) -> None:
        """The trigger's hook."""
        with no_grad():
            self.buffer.div_(self.group.size())
            work = all_reduce(self.buffer, group=self.group, async_op=True)
        if work is not None:
            queue_callback(lambda: work.synchronize())

    def prepare(self) -> None:
        """Before backward: gradients that are None become parts of the buffer, which then holds zeros."""
        with no_grad():
            for p, view in zip(self.params, self.views, strict=True):
                if p._grad is None:
                    view.zero_()
                    p._grad = view
