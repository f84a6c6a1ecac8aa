"""PowerSGD: gradients travel as products of thin matrices (Vogels, Karimireddy, Jaggi, 2019, arXiv:1905.13727)."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lamella.autograd import no_grad
from lamella.core import Generator, bfloat16, bmm, empty, float16, linalg_qr, randn, stack, zeros
from lamella.dispatch.errors import message

from ...collectives import all_reduce
from ...group import resolve
from ...parallel.buckets import GradBucket, cut
from ...work import Future
from .default_hooks import allreduce_future

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]

logger = logging.getLogger(__name__)


class PowerSGDState:
    """How to compress, and what is remembered between steps: errors and factors of each bucket.

    Args:
        process_group: which ranks; the default group where None.
        matrix_approximation_rank: the rank of the products; more is closer to the gradient, and more to send.
        start_powerSGD_iter: steps at the beginning with plain means; at least 2 with error feedback or warm start.
        min_compression_rate: a matrix is compressed where that makes it smaller by more than this factor.
        use_error_feedback: add what compression lost to the next gradient.
        warm_start: begin with the last step's factors.
        orthogonalization_epsilon: is added to norms of columns.
        random_seed: of the first factors; the same on all ranks.
        compression_stats_logging_frequency: steps between log lines.
        batch_tensors_with_same_shape: compress matrices of one shape together.

    Raises:
        ValueError: compression would begin before the buckets have their final order.

    Example:
        >>> PowerSGDState(None, matrix_approximation_rank=2, start_powerSGD_iter=10).iter
        0
    """

    def __init__(
        self,
        process_group: Any,
        matrix_approximation_rank: int = 1,
        start_powerSGD_iter: int = 1_000,
        min_compression_rate: float = 2,
        use_error_feedback: bool = True,
        warm_start: bool = True,
        orthogonalization_epsilon: float = 0,
        random_seed: int = 0,
        compression_stats_logging_frequency: int = 10_000,
        batch_tensors_with_same_shape: bool = False,
    ) -> None:
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError(message("PowerSGDState", "Expect `start_powerSGD_iter` > 1 if `use_error_feedback` or "
                                     "`warm_start` is enabled", str(start_powerSGD_iter)))
        self.process_group = process_group
        self.matrix_approximation_rank = matrix_approximation_rank
        self.start_powerSGD_iter = start_powerSGD_iter
        self.min_compression_rate = min_compression_rate
        self.use_error_feedback = use_error_feedback
        self.warm_start = warm_start
        self.orthogonalization_epsilon = orthogonalization_epsilon
        self.rng = np.random.RandomState(random_seed)
        self.error_dict: dict[int, Any] = {}
        self.p_memory_dict: dict[int, Any] = {}
        self.q_memory_dict: dict[int, Any] = {}
        self.iter = 0
        self.total_numel_before_compression = 0
        self.total_numel_after_compression = 0
        self.compression_stats_logging_frequency = max(1, compression_stats_logging_frequency)
        self.next_stats_report = 0
        self.batch_tensors_with_same_shape = batch_tensors_with_same_shape

    def __getstate__(self) -> dict[str, Any]:
        logger.warning("NOTE: Process group is not serializable and excluded from a saved state.")
        return {k: v for k, v in self.__dict__.items() if k != "process_group"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.process_group = None
        self.__dict__.update(state)

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count a step, at its last bucket."""
        if bucket.is_last():
            self.iter += 1
        if self.iter == self.start_powerSGD_iter:
            logger.info("Start to apply PowerSGD after %s iterations.", self.iter)

    def compression_stats(self) -> tuple[float, int, int]:
        """(elements before compression over those after it, before, after)."""
        before, after = self.total_numel_before_compression, self.total_numel_after_compression
        return (before / after if after else 0), before, after

    def _report(self, bucket: GradBucket) -> None:
        if bucket.is_last() and self.iter >= self.next_stats_report:
            rate, before, after = self.compression_stats()
            logger.info("Compression stats: iter %s, total before compression %s, total after compression %s, rate %s",
                        self.iter, before, after, rate)
            self.next_stats_report = self.iter + self.compression_stats_logging_frequency

    def _with_error(self, index: int, flat: Any) -> Any:
        """Add what was lost in the step before; a copy of the sum."""
        if not self.use_error_feedback:
            return None
        if index in self.error_dict:
            flat.add_(self.error_dict[index])
        return flat.clone()

    def _remember(self, index: int, wanted: Any, got: Any) -> None:
        if self.use_error_feedback:
            self.error_dict[index] = wanted - got
        if not self.warm_start:
            self.p_memory_dict.clear()
            self.q_memory_dict.clear()

    def _factors(self, index: int, like: Any, p_size: int, q_size: int) -> tuple[Any, Any, bool]:
        """Memory for the factors of a bucket's matrices, and whether it is new."""
        new = not self.warm_start or index not in self.p_memory_dict
        if new:
            self.p_memory_dict[index] = empty(p_size, dtype=like.dtype, device=like.device)
            self.q_memory_dict[index] = empty(q_size, dtype=like.dtype, device=like.device)
        return self.p_memory_dict[index], self.q_memory_dict[index], new

    def _fill(self, qs: Sequence[Any]) -> None:
        """Random factors, the same on all ranks."""
        generator = Generator()
        generator.manual_seed(int(self.rng.randint(1_000_000_000)))
        for q in qs:
            q.copy_(randn(*q.shape, generator=generator, dtype=q.dtype))


def _orthogonalize(matrices: Any, epsilon: float = 0) -> None:
    """Make the columns of each matrix orthonormal, in place."""
    rank, dtype = matrices.shape[2], matrices.dtype
    if rank > 2 and dtype not in (float16, bfloat16):
        matrices.copy_(linalg_qr(matrices)[0])
        return
    for i in range(rank):
        column = matrices[:, :, i : i + 1]
        norm = (column * column).sum(1, keepdim=True).sqrt()
        column.div_(norm + epsilon if epsilon else norm)
        if i + 1 < rank:
            rest = matrices[:, :, i + 1 :]
            rest.sub_((column * rest).sum(1, keepdim=True) * column)


class _Parts:
    """A bucket's gradients: matrices that are worth compressing, and the others.

    Attributes:
        matrices: of shape (how many, rows, columns); views of the bucket, except where several were stacked.
        copies: (stack, its members) for those.
        others: flat views of the bucket.
    """

    def __init__(self, state: PowerSGDState, bucket: GradBucket) -> None:
        flat, at = bucket.buffer(), 0
        self.others: list[Any] = []
        self.copies: list[tuple[Any, list[Any]]] = []
        found: list[Any] = []
        for p in bucket.parameters():
            n = p.numel()
            part = flat[at : at + n]
            at += n
            rows = p.shape[0] if p.dim() else 1
            columns = n // rows if rows else 0
            rank = min(rows, columns, state.matrix_approximation_rank)
            small = (rows + columns) * rank
            compress = small * state.min_compression_rate < n
            state.total_numel_before_compression += n
            state.total_numel_after_compression += small if compress else n
            if compress:
                found.append(part.view(rows, columns))
            else:
                self.others.append(part)
        self.matrices = [m.unsqueeze(0) for m in found]
        if state.batch_tensors_with_same_shape:
            self._stack(found)

    def _stack(self, found: Sequence[Any]) -> None:
        shapes: dict[tuple[int, ...], list[Any]] = {}
        for m in found:
            shapes.setdefault(tuple(m.shape), []).append(m)
        self.matrices = []
        for members in shapes.values():
            if len(members) == 1:
                self.matrices.append(members[0].unsqueeze(0))
            else:
                self.matrices.append(stack(members))
                self.copies.append((self.matrices[-1], members))

    def unstack(self) -> None:
        """Bring stacked matrices back to the bucket."""
        for together, members in self.copies:
            for i, m in enumerate(members):
                m.copy_(together[i])


def powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future:
    """Compress each matrix of a bucket to a product of two thin ones, of which the ranks take means.

    Args:
        state: how to compress.
        bucket: the gradients.

    Returns:
        A future of the bucket's tensor.

    Example:
        >>> def compress(model):
        ...     model.register_comm_hook(PowerSGDState(None, start_powerSGD_iter=100), powerSGD_hook)
    """
    group = resolve(state.process_group, "powerSGD_hook")
    flat = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_future(group, flat)
    index, size = bucket.index(), group.size()
    with no_grad():
        wanted = state._with_error(index, flat)
        split = _Parts(state, bucket)
        state._report(bucket)
        rest = empty(sum(t.numel() for t in split.others), dtype=flat.dtype, device=flat.device)
        rests = cut(rest, [(1, 1, t.numel()) for t in split.others])
        for to, t in zip(rests, split.others, strict=True):
            to.view(-1).copy_(t)
        works = [all_reduce(rest, group=group, async_op=True)] if split.others else []
        p_memory, q_memory, ps, qs = _left(state, index, flat, split.matrices)
        if ps:
            works.append(all_reduce(p_memory, group=group, async_op=True))

    def finish(_: Future) -> Any:
        with no_grad():
            for work in works:
                work.wait()  # type: ignore[union-attr]
            for to, t in zip(split.others, rests, strict=True):
                to.copy_(t.view(-1)).div_(size)
            if ps:
                _right(state, group, split.matrices, q_memory, ps, qs)
            split.unstack()
            state._remember(index, wanted, flat)
        state.maybe_increase_iter(bucket)
        return flat

    return _after(works, finish)


def _after(works: Sequence[Any], finish: Any) -> Future:
    if works:
        return works[0].get_future().then(finish)
    done = Future()
    done.set_result(None)
    return done.then(finish)


def _left(state: PowerSGDState, index: int, flat: Any,
          matrices: Sequence[Any]) -> tuple[Any, Any, list[Any], list[Any]]:
    """The left factors P = M Q of matrices M, with Q from the step before or by chance."""
    ranks = [min(*m.shape[1:], state.matrix_approximation_rank) for m in matrices]
    p_shapes = [(m.shape[0], m.shape[1], r) for m, r in zip(matrices, ranks, strict=True)]
    q_shapes = [(m.shape[0], m.shape[2], r) for m, r in zip(matrices, ranks, strict=True)]
    p_memory, q_memory, new = state._factors(index, flat, sum(map(math.prod, p_shapes)), sum(map(math.prod, q_shapes)))
    ps, qs = cut(p_memory, p_shapes), cut(q_memory, q_shapes)
    if new:
        state._fill(qs)
    for m, p, q in zip(matrices, ps, qs, strict=True):
        _orthogonalize(q, state.orthogonalization_epsilon)
        p.copy_(bmm(m, q))
    return p_memory, q_memory, ps, qs


def _right(state: PowerSGDState, group: Any, matrices: Sequence[Any], q_memory: Any, ps: Sequence[Any],
           qs: Sequence[Any]) -> None:
    """The right factors Q = M' P with orthonormal P, their means, and the products in the place of the matrices."""
    for m, p, q in zip(matrices, ps, qs, strict=True):
        _orthogonalize(p, state.orthogonalization_epsilon)
        q.copy_(bmm(m.transpose(1, 2), p))
    all_reduce(q_memory, group=group)
    q_memory.div_(group.size())
    for m, p, q in zip(matrices, ps, qs, strict=True):
        m.copy_(bmm(p, q.transpose(1, 2)))


def batched_powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future:
    """Compress a whole bucket as one square matrix: faster than `powerSGD_hook`, and further from the gradient.

    Args:
        state: how to compress.
        bucket: the gradients.

    Returns:
        A future of the bucket's tensor.
    """
    group = resolve(state.process_group, "batched_powerSGD_hook")
    flat = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_future(group, flat)
    index, n = bucket.index(), flat.numel()
    side = math.ceil(math.sqrt(n))
    state.total_numel_before_compression += n
    state.total_numel_after_compression += side * state.matrix_approximation_rank * 2
    with no_grad():
        square = zeros(side * side, dtype=flat.dtype, device=flat.device)
        square[:n].copy_(flat)
        state._report(bucket)
        wanted = state._with_error(index, square)
        matrices = [square.view(1, side, side)]
        p_memory, q_memory, ps, qs = _left(state, index, flat, matrices)
        work: Any = all_reduce(p_memory, group=group, async_op=True)

    def finish(_: Future) -> Any:
        with no_grad():
            _right(state, group, matrices, q_memory, ps, qs)
            state._remember(index, wanted, square)
            flat.copy_(square[:n])
        state.maybe_increase_iter(bucket)
        return flat

    return work.get_future().then(finish)
