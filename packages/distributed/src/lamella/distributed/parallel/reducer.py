"""The reducer: takes gradients as backward makes them, and averages them over the ranks while backward goes on.

A hook behind each parameter's AccumulateGrad copies the gradient into its bucket (dividing it by the number of ranks on
the way). The hook of a bucket's last gradient starts the bucket's all-reduce; buckets start in the same order on all
ranks. Later hooks poll, which is what moves MPI's messages. When the outermost backward is over, a callback waits for
what is still under way and copies the means back.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from numpy import multiply

from lamella.autograd import no_grad
from lamella.autograd.engine import current_task
from lamella.core import int32, tensor, zeros
from lamella.dispatch.modes import recorder

from ..collectives import all_reduce, broadcast
from . import faults, recorded
from .buckets import Bucket, GradBucket, assign, parts
from .copying import pack, unpack
from .tasks import when_over
from .unused import Outputs, below

IDLE, LEARNING, RUNNING = 0, 1, 2


class Reducer:
    """Averages gradients of parameters over a group.

    Args:
        params: the parameters that require grad.
        names: for each, its name and the class of its module.
        group: the process group.
        sizes: sizes of the buckets at first, and when they are built anew (see `buckets.limits`).
        find_unused: parameters may be without gradient.
        as_view: gradients are parts of the buckets.
        static: the first step tells what all further ones are like.
        skip_unused: buckets without any used parameter do not travel.
        dtype: the element type that travels, where that is not the parameters'.
    """

    LEARNING = LEARNING

    def __init__(self, params: Sequence[Any], names: Sequence[tuple[str, str]], group: Any,
                 sizes: tuple[list[int], list[int]], *, find_unused: bool = False, as_view: bool = False,
                 static: bool = False, skip_unused: bool = False, dtype: Any = None) -> None:
        self.params = list(params)
        self.names = list(names)
        self.group = group
        self.sizes = sizes
        self.find_unused = find_unused
        self.as_view = as_view and dtype is None
        self.static = static
        self.skip_unused = skip_unused
        self.dtype = dtype
        self.hook: tuple[Any, Callable[..., Any]] | None = None
        self.futures: list[Any] = []
        self.iterations = 0
        self.rebuilt = False
        n = len(self.params)
        #: how often each parameter's hook runs in a step, once a static graph has been learnt
        self.uses: list[int] | None = None
        self.left_uses = [0] * n
        self.counts = [0] * n
        self.used = bytearray(n)
        self.order: list[int] = []
        self.idle: set[int] = set()
        self.unused: list[int] = []
        self.joined: tuple[Any, bool] | None = None
        self.warned = False
        self.recording = False
        self.mixed: Any = None
        self._reset()
        self._use([members for members in reversed(assign(self.params, sizes[0]))])
        self._watch_all()

    # -- hooks ---------------------------------------------------------------------------------------------------

    def _watch_all(self) -> None:
        self.nodes = [p._ag for p in self.params]
        self.handles = [self._watch(i, node) for i, node in enumerate(self.nodes)]

    def _watch(self, i: int, node: Any) -> Any:
        me = weakref.ref(self)

        def arrived(_inputs: Any, _outputs: Any) -> None:
            reducer = me()
            if reducer is not None:
                reducer.arrived(i)

        return node.register_hook(arrived)

    def watch_again(self) -> None:
        """Follow parameters that were frozen and thawed: their AccumulateGrad is another one since."""
        nodes = self.nodes
        for i, p in enumerate(self.params):
            if p._ag is not nodes[i] and p._ag is not None:
                self.handles[i].remove()
                nodes[i] = p._ag
                self.handles[i] = self._watch(i, p._ag)

    def unwatch(self) -> None:
        """Take the hooks out."""
        for handle in self.handles:
            handle.remove()

    def __del__(self) -> None:
        for handle in self.__dict__.get("handles", ()):
            handle.remove()

    # -- buckets -------------------------------------------------------------------------------------------------

    def _use(self, members: list[list[int]]) -> None:
        self.buckets = [Bucket(k, each, self.params, self.dtype) for k, each in enumerate(members)]
        n = len(self.params)
        self.of: list[Bucket] = [None] * n  # type: ignore[list-item]
        self.views: list[Any] = [None] * n
        for bucket in self.buckets:
            for i in bucket.members:
                self.of[i] = bucket

    def make_buffers(self) -> None:
        """Get memory for the buckets, where there is none yet."""
        for bucket in self.buckets:
            if bucket.buffer is None:
                bucket.make_buffer()
                for i, view in zip(bucket.members, bucket.views, strict=True):
                    self.views[i] = view

    def rebuild(self) -> None:
        """Once, after the first step: build buckets in the order in which gradients came on the group's rank 0."""
        self.check_finished()
        if self.rebuilt or not self.order or (self.find_unused and not self.static):
            return
        n = len(self.params)
        last = {i: place for place, i in enumerate(self.order)}
        order = sorted(range(n), key=lambda i: last.get(i, n + i))
        if self.group.size() > 1:
            told = self._to_travel(tensor(order))
            broadcast(told, group=self.group, group_src=0)
            order = told.tolist()
        self._use(assign(self.params, self.sizes[1], order))
        self.rebuilt = True
        self.order = []

    def _to_travel(self, t: Any) -> Any:
        """A tensor of the CPU where the group can send it: there, or on the parameters' device."""
        return t if "cpu" in self.group.transports else t.to(self.params[0].device)

    def push_all(self) -> None:
        """A rank without inputs takes part in building buckets anew with the order that it has."""
        if not self.rebuilt and not self.order:
            self.order = [i for bucket in self.buckets for i in bucket.members]

    # -- a step --------------------------------------------------------------------------------------------------

    def _reset(self) -> None:
        self.state = IDLE
        self.started = False
        self.done = bytearray(len(self.params))
        self.next = 0
        self.flying: deque[Any] = deque()
        self.used_work: Any = None
        self.used_map: Any = None
        self.task: Any = None
        self.outputs: Outputs | None = None
        self.missing: list[str] | None = None

    def prepare(self, output: Any) -> None:
        """Expect a backward that is to be synchronised.

        Args:
            output: what forward gave.
        """
        self.watch_again()
        self._reset()
        for bucket in self.buckets:
            bucket.left = len(bucket.members)
            bucket.work = bucket.future = None
            bucket.skipped = False
        self.state = LEARNING if self.static and self.uses is None else RUNNING
        self.outputs = Outputs(output)
        self.recording = self.state == RUNNING and not self.rebuilt and (self.static or not self.find_unused)
        if self.static:
            self.counts = [0] * len(self.params)
            if self.uses is not None:
                self.left_uses = list(self.uses)
                self.unused = [i for i, n in enumerate(self.uses) if not n]
        elif self.find_unused:
            reached = below([node for _, node in self.outputs.alive()])
            self.unused = [i for i, node in enumerate(self.nodes) if node not in reached]
            if not self.unused and not self.warned:
                self.warned = True
                faults.warn_nothing_unused()

    def arrived(self, i: int) -> None:
        """A parameter's gradient was written. Called by its hook."""
        note = recorder()
        if note is not None:
            recorded.arrived(self, note, i)
            return
        state = self.state
        if self.mixed is not None:
            self.mixed.restore_later()
        if state == RUNNING:
            if not self.started or self.task() is not current_task():
                self.begin()
            if self.find_unused and self.params[i]._grad is not None:
                self.used[i] = 1
            if self.uses is not None:
                left = self.left_uses[i] = self.left_uses[i] - 1
                if left > 0:
                    return
                if left < 0:
                    raise faults.changed(self, i)
            self.ready(i)
        elif state == LEARNING:
            self.begin()
            self.counts[i] += 1
            self.order.append(i)
        elif self.find_unused and self.params[i]._grad is not None:
            self.used[i] = 1  # gradients that add up without synchronisation count in the next one

    def begin(self) -> None:
        """A backward pass has come to a parameter: see to it that its end is noticed; count the unused as ready."""
        if self.state == IDLE:
            return
        task: Any = current_task()
        if not self.started or self.task() is not task:
            when_over(self, self.finish)
            self.task = weakref.ref(task)
        if not self.started:
            self.started = True
            self._set_scale()
            if not self.alone:
                self.make_buffers()
                for bucket in self.buckets:
                    bucket.set_factor(self.scale)
            if self.state == RUNNING:
                for i in self.unused:
                    self.ready(i)

    def _set_scale(self) -> None:
        """What gradients are multiplied by on their way into the bucket."""
        size = self.group.size()
        if self.joined is not None:
            work, by_all = self.joined
            if not by_all:
                work.wait()
                size = int(work.result()[0].item())
            self.joined = None
        self.divisor = size
        self.alone = self.group.size() == 1 and self.hook is None and not self.as_view and self.dtype is None
        self.scale = None if size == 1 or self.hook is not None else 1.0 / size

    def ready(self, i: int) -> None:
        """A parameter's gradient is complete, or will not come."""
        if self.done[i]:
            raise faults.twice(self, i)
        self.done[i] = 1
        bucket = self.of[i]
        if not self.alone:
            view, param, factor = self.views[i], self.params[i], bucket.factor
            grad, out = param._grad, view._a
            if factor is not None and grad is not None and grad._a.dtype is factor.dtype:
                multiply(grad._a, factor, out)
            else:
                pack(grad, view, self.scale)
            if self.as_view and grad is not None and grad is not view and grad._ag is None:
                param._grad = view
        if self.recording:
            self.order.append(i)
        bucket.left -= 1
        if not bucket.left:
            self._launch()
        elif self.flying:
            if self.flying[0].is_completed():
                self.flying.popleft()
        elif self.next and self.hook is not None:
            self._move()

    def _move(self) -> None:
        """Let what communication hooks have begun go on. Their futures are not asked: what those do then may
        communicate, and must come in the same order on all ranks."""
        transport = self.group.transports.get(self.params[0].device.type)
        move = getattr(transport, "progress", None)
        if move is not None:
            move()

    def _launch(self) -> None:
        """Start the buckets that are complete, in order."""
        buckets = self.buckets
        while self.next < len(buckets) and not buckets[self.next].left:
            bucket = buckets[self.next]
            self.next += 1
            if self.skip_unused and all(i in self.unused for i in bucket.members):
                bucket.skipped = True
            elif self.hook is not None:
                state, hook = self.hook
                bucket.future = faults.check_future(hook(state, self.grad_bucket(bucket)))
            elif self.group.size() > 1:
                bucket.work = all_reduce(bucket.buffer, group=self.group, async_op=True)
                self.flying.append(bucket.work)
        if self.next == len(buckets) and (self.find_unused and not self.static or self.state == LEARNING):
            self._share_used()

    def grad_bucket(self, bucket: Bucket, buffer: Any = None) -> GradBucket:
        """What the communication hook sees of a bucket."""
        return GradBucket(bucket.index, bucket.buffer if buffer is None else buffer, bucket.params,
                          bucket.index == len(self.buckets) - 1)

    def _share_used(self) -> None:
        """Start to find out which parameters no rank has used."""
        self.used_map = self.used_tensor()
        if self.group.size() > 1:
            self.used_work = all_reduce(self.used_map, group=self.group, async_op=True)

    def used_tensor(self) -> Any:
        """Which parameters this rank has used since gradients were last synchronised, as a tensor of 0 and 1."""
        return self._to_travel(tensor([int(u and p._grad is not None)
                                       for u, p in zip(self.used, self.params, strict=True)], dtype=int32))

    # -- the end of a backward -----------------------------------------------------------------------------------

    def finish(self) -> None:
        """The outermost backward is over."""
        task = current_task()
        self.task = None
        if self.state == LEARNING and self.started:
            self._learn()
        if self.state != IDLE and self.next == len(self.buckets):
            self._finalize()
        elif self.started:
            missing = [(*self.names[i], self.params[i]._ag) for i, done in enumerate(self.done) if not done]
            self.missing = faults.reasons(missing, self.outputs, task)
            self.task = _nothing

    def _learn(self) -> None:
        """The first step of a static graph is over: now everything travels."""
        for i, n in enumerate(self.counts):
            self.used[i] = 1 if n and self.params[i]._grad is not None else 0
        for bucket in self.buckets:
            for i in bucket.members:
                self.ready(i)
        self.uses = self.counts

    def _finalize(self) -> None:
        if self.mixed is not None:
            self.mixed.restore()
        if self.used_map is not None:
            if self.used_work is not None:
                self.used_work.wait()
            every = self.used_map.tolist()
            self.idle = {i for i, n in enumerate(every) if not n}
        for bucket in self.buckets:
            self._collect(bucket)
        self.settle()
        self.used = bytearray(len(self.params))
        self._reset()
        self.iterations += 1
        self.group.world.step += 1

    def _collect(self, bucket: Bucket) -> None:
        """Wait for a bucket, and hand its means to the parameters."""
        if bucket.work is not None:
            bucket.work.wait()
        views = bucket.views
        if bucket.future is not None:
            result = faults.check_result(bucket, bucket.future.wait())
            if result is not bucket.buffer:
                if self.as_view:
                    with no_grad():
                        bucket.buffer.copy_(result.reshape(-1))
                else:
                    views = parts(result.reshape(-1), bucket.params)
        bucket.work = bucket.future = None
        if not self.alone and not bucket.skipped:
            params = self.params
            for i, view in zip(bucket.members, views, strict=True):
                if i not in self.idle and params[i]._grad is not view:
                    if self.as_view and getattr(params[i]._grad, "_ag", None) is None:
                        params[i]._grad = view
                    else:
                        unpack(params[i], view)

    def settle(self) -> None:
        """Wait for what else was begun in the step: buffers' hooks, messages of `Join`."""
        futures, self.futures = self.futures, []
        for future in futures:
            future.wait()

    def change_group(self, group: Any) -> None:
        """Go on with other ranks; buckets are built anew after the next step."""
        self.group = group
        self.rebuilt = False
        self.order = []
        self.used = bytearray(len(self.params))
        self._reset()

    def check_finished(self) -> None:
        """Raise where the backward before left gradients unsynchronised."""
        if self.started:
            raise faults.unfinished(self)

    # -- ranks without inputs ------------------------------------------------------------------------------------

    def shadow(self) -> None:
        """Take part with zeros in what the others' backward sends, and take the gradients that come of it: optimizers
        that share parameters out to ranks make the others' steps with them."""
        self._set_scale()
        works: list[Any] = []
        for bucket in self.buckets:
            zero = zeros(bucket.numel(), dtype=bucket.dtype, device=bucket.params[0].device)
            if self.hook is not None:
                works.append((bucket, self.hook[1](self.hook[0], self.grad_bucket(bucket, zero)), None))
            elif self.group.size() > 1:
                works.append((bucket, all_reduce(zero, group=self.group, async_op=True), zero))
        means = []
        for bucket, work, zero in works:
            found = work.wait()
            mean = zero if zero is not None else found[0] if isinstance(found, (list, tuple)) else found
            means.append((bucket, mean))
        idle: set[int] = set()
        if self.find_unused and not self.static:
            used = self.used_tensor()
            all_reduce(used, group=self.group)
            idle = {i for i, n in enumerate(used.tolist()) if not n}
        for bucket, mean in means:
            for i, part in zip(bucket.members, parts(mean.reshape(-1), bucket.params), strict=True):
                if i not in idle:
                    unpack(self.params[i], part)
        self.push_all()


def _nothing() -> None:
    """Stands for a task that is over."""

