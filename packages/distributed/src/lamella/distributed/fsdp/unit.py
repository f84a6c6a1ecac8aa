"""What happens around a unit's forward and backward: parameters come and go, gradients leave.

A `Unit` is the sharded part of one wrapped module. Its parameters are whole from just before forward until just after
it, and again from the moment a gradient reaches its outputs until gradients have reached its inputs; then its
gradients are complete and their reduction begins while backward goes on below. A `Run` is what the units of one model
share: the order in which they run, and the backward pass that is going on.
"""

from __future__ import annotations

import functools
import weakref
from typing import Any

from lamella.autograd import is_grad_enabled
from lamella.autograd.engine import current_task
from lamella.dispatch.modes import recorder

from ..parallel.containers import tensors_in
from ..parallel.tasks import at_end, outermost
from .handle import Handle
from .reduction import Reducer, Reduction

__all__ = ["Run", "Unit"]


class Run:
    """What the units of one model share.

    Attributes:
        units: all of them, the root first.
        order: units as forward came to them last time; `now` as it comes to them this time.
        done: units whose forward is over and whose backward is to come, in the order of forward.
        task: the backward pass that is going on, for which the final callback is queued.
        inner: backward pass within that one (a checkpoint's) -> units that it reached.
        pending: reductions that are under way.
    """

    def __init__(self, units: list[Unit]) -> None:
        self.units = units
        self.order: list[Unit] = []
        self.now: list[Unit] = []
        self.done: list[Unit] = []
        self.task: Any = None
        self.inner: dict[Any, list[Unit]] = {}
        self.pending: list[Reduction] = []

    @property
    def root(self) -> Unit:
        """The outermost unit."""
        return self.units[0]

    # -- forward ---------------------------------------------------------------------------------------------------

    def begin_forward(self) -> None:
        """The root's forward begins: nothing is left whole from earlier passes, but what must be."""
        self.now = []
        del self.done[: -4 * len(self.units)]  # of graphs that nobody went back through
        for unit in self.units:
            if not (unit.held or unit.asked):
                unit.reshard()

    def come_to(self, unit: Unit) -> None:
        """Note that forward came to a unit, and fetch the next one's parameters."""
        at = len(self.now)
        self.now.append(unit)
        ahead = unit.forward_prefetch
        if ahead is None:
            return
        if not ahead and self.order[: at + 1] == self.now and at + 1 < len(self.order):
            ahead = [self.order[at + 1]]
        for other in ahead:
            other.unshard(wait=False)

    def end_forward(self) -> None:
        """The root's forward is over."""
        self.order = self.now
        for unit in self.units:
            if unit is not self.root and unit.fetching():
                unit.reshard()

    # -- backward --------------------------------------------------------------------------------------------------

    def enter_backward(self, unit: Unit) -> None:
        """A gradient reached a unit: prepare the end of this backward pass, once."""
        task = current_task()
        if task is None:
            return
        if task.outer is not None:
            if task not in self.inner:
                self.inner[task] = []
                at_end(task, functools.partial(self.end_inner, task))
            self.inner[task].append(unit)
        task = outermost()
        if self.task is not task:
            self.task = task
            self.pending.clear()
            self.inner.clear()
            at_end(task, self.end_backward)

    def fetch_before(self, unit: Unit) -> None:
        """Fetch the parameters that backward needs after a unit's."""
        ahead = unit.backward_prefetch
        if ahead is None:
            return
        if not ahead and unit in self.done:
            at = len(self.done) - 1 - self.done[::-1].index(unit)
            ahead = [u for u in self.done[:at][-1:] if not u.reduced]
        for other in ahead:
            other.unshard(wait=False)

    def push(self, reductions: list[Reduction]) -> None:
        """Take charge of reductions that have begun; earlier ones are finished first, so that few buffers live."""
        before, self.pending = self.pending, reductions
        for r in before:
            r.finish()

    def end_inner(self, task: Any) -> None:
        """A backward pass within backward is over, and with it all that its units had to do."""
        for unit in dict.fromkeys(self.inner.pop(task)):
            if unit.opened and unit.outstanding <= 0:
                unit.calls.clear()
                unit.end_backward()

    def end_backward(self) -> None:
        """Everything has its gradient: reduce what is left, wait for all reductions, give up whole parameters."""
        self.task = None
        for unit in reversed(self.units):
            if unit.opened or unit.has_gradients():
                unit.end_backward(late=True)
        self.push([])
        for unit in self.units:
            unit.opened = unit.reduced = False
            unit.calls.clear()
            unit.outstanding = 0
            if not unit.held:
                unit.reshard()
        self.done.clear()


class Unit:
    """The parameters of one wrapped module (or of a few), and what happens to them around its forward and backward.

    Args:
        modules: whose forward it is about.
        handles: its parameters, by element type.
        reducer: how its gradients are reduced.
        keep: whether parameters stay whole from forward to backward; None: only the root's do.

    Attributes:
        sync: whether backward reduces gradients (False: they stay whole on each rank).
        keep_after_backward: parameters stay whole after backward.
        forward_prefetch, backward_prefetch: units to fetch early; empty: the next in order; None: none.
        late_prefetch: fetch after this unit's gradients, not before.
        opened: a gradient has reached the outputs in this backward.
        reduced: the reduction has begun.
        held: whole parameters outlive the pass, because gradients are being accumulated without reduction.
        asked: somebody asked for whole parameters by hand.
    """

    def __init__(self, modules: list[Any], handles: list[Handle], reducer: Reducer, keep: bool | None) -> None:
        self.modules = modules
        self.handles = handles
        self.reducer = reducer
        self.keep = keep
        self.run: Run | None = None
        self.sync = True
        self.keep_after_backward = False
        self.forward_prefetch: list[Unit] | None = []
        self.backward_prefetch: list[Unit] | None = []
        self.late_prefetch = False
        self.fetch_in_backward = True
        self.opened = self.reduced = self.held = self.asked = False
        self.outstanding = 0
        self.calls: set[int] = set()
        self._number = 0

    # -- whole and sharded -----------------------------------------------------------------------------------------

    def unshard(self, wait: bool = True) -> None:
        """Fetch the whole parameters."""
        for handle in self.handles:
            handle.start()
        if wait:
            for handle in self.handles:
                handle.finish()

    def reshard(self) -> None:
        """Give up the whole parameters."""
        self.asked = False
        for handle in self.handles:
            handle.release()

    def forget(self) -> None:
        """Give up what a pass that was broken off has left."""
        self.opened = self.reduced = self.held = False
        self.outstanding = 0
        self.calls.clear()
        self.drop_gradients()
        self.reshard()

    def drop_gradients(self) -> None:
        """Forget gradients that are not reduced yet."""
        for handle in self.handles:
            for piece in handle.pieces:
                piece.leaf._grad = None

    def fetching(self) -> bool:
        """Whether whole parameters are under way that nobody has waited for."""
        return any(h._pending is not None for h in self.handles)

    def is_root(self) -> bool:
        """Whether it is the outermost unit."""
        return self.run is not None and self.run.root is self

    def has_gradients(self) -> bool:
        """Whether leaves have gradients that are not reduced yet."""
        return any(p.leaf._grad is not None for h in self.handles for p in h.pieces)

    def wants_gradients(self) -> bool:
        """Whether any parameter is to be trained."""
        return any(h.wanted(p) for h in self.handles for p in h.pieces)

    # -- forward ---------------------------------------------------------------------------------------------------

    def before_forward(self, inputs: Any) -> None:
        """Make the parameters whole, and listen for the gradients of the inputs."""
        assert self.run is not None
        note = recorder()
        if note is not None:
            note.refuse("a sharded module gathers its parameters from all ranks, and gives them up again")
        again = current_task() is not None  # a checkpoint runs it again within backward
        if not again and self.is_root():
            self.run.begin_forward()
        self.unshard()
        self.asked = False
        if not again:
            self.run.come_to(self)
        if is_grad_enabled():
            self._listen_below(inputs, again)

    def _listen_below(self, inputs: Any, again: bool) -> None:
        self._number += 1
        number, me = self._number, weakref.ref(self)
        found = self.wants_gradients()

        def arrived(_: Any) -> None:
            unit = me()
            if unit is not None:
                unit.close(number, counted=not again)

        for _, t in tensors_in(inputs):
            # A leaf's gradient may be complete while operators of the module that do not depend on it are to run.
            if t.requires_grad and not t.is_leaf:
                t.register_hook(arrived)
                found = True
        if found and not again:
            self.outstanding += 1

    def after_forward(self, output: Any) -> None:
        """Give the whole parameters up, and listen for the gradients of the outputs."""
        assert self.run is not None
        again = current_task() is not None
        listening = is_grad_enabled() and self._listen(output)
        if not again:
            keep = self.is_root() if self.keep is None else self.keep
            over = not is_grad_enabled() or (not keep and (listening or not self.wants_gradients()))
            if over and not self.held:
                self.reshard()
            if listening:
                self.run.done.append(self)
            if self.is_root():
                self.run.end_forward()

    def _listen(self, output: Any) -> bool:
        number = self._number
        me = weakref.ref(self)

        def arrived(_: Any) -> None:
            unit = me()
            if unit is not None:
                unit.open(number)

        found = False
        for _, t in tensors_in(output):
            if t.requires_grad:
                t.register_hook(arrived)
                found = True
        return found

    # -- backward --------------------------------------------------------------------------------------------------

    def open(self, number: int) -> None:
        """A gradient has reached an output: the parameters are needed."""
        run = self.run
        if run is None:
            return
        run.enter_backward(self)
        self.opened = True
        self.calls.add(number)
        if self.fetch_in_backward:
            self.unshard()
        if not self.late_prefetch:
            run.fetch_before(self)

    def close(self, number: int, counted: bool) -> None:
        """Gradients have reached an input: all of this call's operators have run."""
        if counted:
            self.outstanding -= 1
        self.calls.discard(number)
        if self.opened and not self.calls and self.outstanding <= 0:
            self.end_backward()

    def end_backward(self, late: bool = False) -> None:
        """Begin to reduce the gradients, which are complete, and give up the whole parameters."""
        run = self.run
        assert run is not None
        self.opened = False
        if not self.sync:
            self.held = self.keep is True or self.keep_after_backward
            if not self.held:
                self.reshard()
            return
        self.reduced = True
        self.held = False
        reductions = []
        if self.wants_gradients():
            reductions = [Reduction(h, self.reducer) for h in self.handles if any(h.wanted(p) for p in h.pieces)]
        if not self.keep_after_backward:
            self.reshard()
        if self.late_prefetch and not late:
            run.fetch_before(self)
        run.push(reductions)
