"""Gradients on their way: from whole ones on every rank to each rank's shard of their mean."""

from __future__ import annotations

from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd import no_grad
from lamella.core.tensor import Tensor, wrap
from lamella.dispatch.keys import BACKEND_MASK

from .handle import Handle

__all__ = ["Reducer", "Reduction"]


class Reducer:
    """How a unit's gradients become shards.

    Args:
        copies: the ranks that hold the same shard (None: nobody else does).
        dtype: the element type to reduce in; None: that of the gradients.
        keep: leave the shards of gradients in that type.

    Attributes:
        divisor: what sums are divided by; None: the number of ranks.
        hook: (state, function) that replaces the reduction.
        average_copies: False leaves out the reduction among ranks with the same shard, to make it up later.
        all_reduce_hook: called with this rank's part when it is summed up.
        reduce_scatter: somebody's own way to add up and divide.
    """

    def __init__(self, copies: Any, dtype: Any, keep: bool) -> None:
        self.copies = copies
        self.dtype = dtype
        self.keep = keep
        self.divisor: float | None = None
        self.hook: tuple[Any, Any] | None = None
        self.average_copies = True
        self.all_reduce_hook: Any = None
        self.reduce_scatter: Any = None

    def ranks(self, handle: Handle) -> int:
        """How many ranks' gradients are added up."""
        return handle.world * (1 if self.copies is None else self.copies.size())


def _before(n: float, dtype: Any) -> float:
    """What to divide by before the sum: in 16 bits, half of the way, so that neither sums nor summands leave the range.

    Source: torch's data parallelism divides by about the square root of the number of ranks on either side.
    """
    if dtype.itemsize > 2:
        return 1.0
    factor = 1.0
    while n % factor == 0 and n / factor > factor:
        factor *= 2
    return factor


class Reduction:
    """The reduction of one handle's gradients; it has begun when it is made.

    Args:
        handle: whose leaves' gradients are taken.
        reducer: how they are reduced.
    """

    def __init__(self, handle: Handle, reducer: Reducer) -> None:
        self.handle, self.reducer = handle, reducer
        self.work: Any = None
        self.second: Any = None
        self.kept = False
        with no_grad():
            grads = [p.take_grad() for p in handle.pieces]
            self.used = [g is not None for g in grads]
            whole = self._collect(grads)
            del grads
            self._reduce(whole)

    def _collect(self, grads: list[Any]) -> Tensor:
        """One vector of all gradients, zeros where there are none."""
        handle, layout = self.handle, self.handle.layout
        dtype = self.reducer.dtype or handle.compute
        make = core.empty if layout.fills(self.used) else core.zeros
        whole = make(handle.world * layout.length, dtype=dtype, device=handle.shard.device)
        arrays = [None if g is None else (g if g.dtype == dtype else g.to(dtype))._a for g in grads]
        layout.collect(whole._a, arrays)
        n = self.reducer.divisor or self.reducer.ranks(handle)
        self.before = _before(n, dtype)
        self.after = n / self.before
        if self.before != 1:
            whole.div_(self.before)
        return whole

    def _reduce(self, whole: Tensor) -> None:
        handle, hook = self.handle, self.reducer.hook
        if hook is not None:
            self._by_hook(whole, *hook)
        elif handle.world == 1:
            self.out = whole
        else:
            own = self.reducer.reduce_scatter
            if own is not None:
                self.out = own.allocate(handle.layout.length, dtype=whole.dtype, device=whole.device)
                self.work = own(output_tensor=self.out, input_tensor=whole, group=handle.group, op=dist.ReduceOp.SUM,
                                async_op=True)
            else:
                self.out = core.empty(handle.layout.length, dtype=whole.dtype, device=whole.device)
                self.work = dist.reduce_scatter_tensor(self.out, whole, group=handle.group, async_op=True)
        self.whole = whole  # until the communication is over

    def _by_hook(self, whole: Tensor, state: Any, fn: Any) -> None:
        handle = self.handle
        if handle.world == 1:
            fn(state, whole)
            self.out = whole
        else:
            self.out = core.empty(handle.layout.length, dtype=whole.dtype, device=whole.device)
            fn(state, whole, self.out)
        self.after = 1.0

    def advance(self) -> None:
        """Wait for the sum among the ranks that share the parameters, and begin the one among copies."""
        if self.work is not None:
            self.work.wait()
            self.work = None
        self.whole = None  # type: ignore[assignment]
        copies = self.reducer.copies
        if copies is None or self.second is not None or self.reducer.hook is not None:
            return
        if not self.reducer.average_copies:
            self.kept = True
            return
        if self.handle.unfinished is not None:
            self.out.add_(self.handle.unfinished)
            self.handle.unfinished = None
        self.second = dist.all_reduce(self.out, group=copies, async_op=True)

    def finish(self) -> None:
        """Wait for the end and give the optimizer its gradients."""
        self.advance()
        if self.second is not None:
            self.second.wait()
        with no_grad():
            out = self.out
            if self.kept:  # summed up among copies together with the next
                old, self.handle.unfinished = self.handle.unfinished, out
                if old is not None:
                    out.add_(old)
                return
            if self.reducer.all_reduce_hook is not None:
                self.reducer.all_reduce_hook(out)
            if self.after != 1:
                out.div_(self.after)
            if not self.reducer.keep and out.dtype != self.handle.dtype:
                out = out.to(self.handle.dtype)
            self._give(out)

    def _give(self, out: Tensor) -> None:
        handle = self.handle
        if handle.flat is not None:
            _add(handle.flat, out)
            _run_hooks(handle.flat)
            return
        ks = out._ks & BACKEND_MASK
        for i, (piece, part) in enumerate(zip(handle.pieces, handle.layout.parts[handle.rank], strict=True)):
            if not handle.wanted(piece) or (handle.style == "pieces" and not part.size):
                continue
            a = handle.layout.own(i, handle.rank, out._a)
            if not self.used[i] and not a.any():
                continue  # no rank used it, so far as can be seen: optimizers leave it alone
            piece.give_grad(wrap(a, ks))
            _run_hooks(piece.param)


def _add(param: Any, g: Tensor) -> None:
    if param._grad is None:
        param._grad = g
    else:
        param._grad.add_(g.to(param._grad.dtype))


def _run_hooks(param: Any) -> None:
    """Hooks on the optimizer's parameters run when their gradients are there."""
    hooks = param._post_accumulate_grad_hooks
    if hooks:
        for hook in list(hooks.values()):
            hook(param)
