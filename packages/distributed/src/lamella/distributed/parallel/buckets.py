"""Buckets: gradients that travel together, as parts of one array."""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lamella.autograd import no_grad
from lamella.core import Tensor, empty
from lamella.dispatch.errors import message

MB = 1024 * 1024
#: The bucket whose gradients come first is small, so that communication begins early.
FIRST_BUCKET_BYTES = MB
DEFAULT_CAP_MB = 25


def limits(cap_mb: float | None, each: Sequence[float] | None, whole: bool) -> tuple[list[int], list[int]]:
    """Sizes in bytes of the buckets before and after the order of gradients is known.

    Args:
        cap_mb: size of a bucket in MiB; None is 25, with a first one of 1 MiB.
        each: a size for each bucket instead.
        whole: begin with a single bucket: until the order is known, nothing is gained by several.
    """
    if each:
        sizes = [int(mb * MB) for mb in each]
        return sizes, sizes
    if cap_mb is None:
        sizes = [FIRST_BUCKET_BYTES, DEFAULT_CAP_MB * MB]
    else:
        sizes = [int(cap_mb * MB)]
    return ([sys.maxsize] if whole else sizes), sizes


def assign(tensors: Sequence[Any], sizes: Sequence[int], order: Sequence[int] | None = None) -> list[list[int]]:
    """Part tensors into buckets: each of one element type and device, closed when it has reached its size.

    Args:
        tensors: the parameters.
        sizes: bytes for the first bucket of a kind, for its second and so on; the last one holds for all that follow.
        order: the numbers of the tensors in the order in which they are taken; 0, 1, 2 ... where None.

    Returns:
        For each bucket the numbers of its tensors. Without `order`, buckets are sorted by their first tensor.

    Example:
        >>> from lamella.core import zeros
        >>> assign([zeros(4), zeros(2), zeros(2)], [16])
        [[0], [1, 2]]
    """
    found: list[list[int]] = []
    opened: dict[Any, tuple[list[int], int, int]] = {}
    for i in range(len(tensors)) if order is None else order:
        t = tensors[i]
        key = t.dtype, t.device
        members, size, place = opened.pop(key, ([], 0, 0))
        members.append(i)
        size += t.numel() * t.element_size()
        if size >= sizes[place]:
            found.append(members)
            members, size, place = [], 0, min(place + 1, len(sizes) - 1)
        opened[key] = members, size, place
    found += [members for members, _, _ in opened.values() if members]
    return sorted(found, key=min) if order is None else found


def layout(t: Any) -> tuple[int, ...]:
    """The strides that a gradient in a bucket has: the parameter's where it leaves no holes, else row-major."""
    shape, strides = tuple(t.shape), tuple(t.stride())
    step = 1
    for stride, size in sorted(zip(strides, shape, strict=True)):
        if size != 1:
            if stride != step:
                break
            step *= size
    else:
        return strides
    row, step = [], 1
    for size in reversed(shape):
        row.append(step)
        step *= size
    return tuple(reversed(row))


class Bucket:
    """Parameters whose gradients travel together, and their array.

    Attributes:
        index: its place in the order in which buckets travel.
        members: the numbers of its parameters.
        left: how many gradients are still to come in this step.
        buffer: the flat tensor, made when first needed.
        views: parts of the buffer, laid out like the parameters.
        work: the all-reduce under way, or None.
        future: what the communication hook gave, or None.
        skipped: nothing travels in this step.
        factor: what NumPy multiplies gradients by on their way in; None for 1, and for other memory.
    """

    __slots__ = ("index", "members", "params", "dtype", "left", "buffer", "views", "work", "future", "skipped",
                 "factor")

    def __init__(self, index: int, members: list[int], params: Sequence[Any], dtype: Any = None) -> None:
        self.index = index
        self.members = members
        self.params = [params[i] for i in members]
        self.dtype = dtype or self.params[0].dtype
        self.left = len(members)
        self.buffer: Any = None
        self.views: list[Any] = []
        self.work: Any = None
        self.future: Any = None
        self.skipped = False
        self.factor: Any = None

    def numel(self) -> int:
        """How many elements its parameters have."""
        return sum(p.numel() for p in self.params)

    def nbytes(self) -> int:
        """How many bytes travel."""
        return self.numel() * (self.buffer if self.buffer is not None else empty(0, dtype=self.dtype)).element_size()

    def make_buffer(self) -> None:
        """Get memory for it."""
        if self.buffer is None:
            self.buffer = empty(self.numel(), dtype=self.dtype, device=self.params[0].device)
            self.views = parts(self.buffer, self.params)


    def set_factor(self, scale: float | None) -> None:
        """Make a number an array's own scalar: NumPy multiplies by it at once, without a question of types."""
        a = self.buffer._a
        if scale is None or a.__class__ is not np.ndarray:
            self.factor = None
        elif self.factor is None or self.factor != scale:
            self.factor = np.asarray(scale, a.dtype)


def parts(buffer: Any, params: Sequence[Any]) -> list[Any]:
    """Views of a flat tensor, one for each parameter and laid out like it."""
    views, offset = [], 0
    with no_grad():
        for p in params:
            views.append(buffer.as_strided(tuple(p.shape), layout(p), offset))
            offset += p.numel()
    return views


def cut(flat: Any, shapes: Iterable[Sequence[int]]) -> list[Any]:
    """Views of a flat tensor that lie one behind another, of these shapes."""
    found, at = [], 0
    for shape in shapes:
        n = math.prod(shape)
        found.append(flat[at : at + n].view(shape))
        at += n
    return found


class BuiltinCommHookType(enum.Enum):
    """Communication hooks that `DistributedDataParallel._register_builtin_comm_hook` takes."""

    ALLREDUCE = 0
    FP16_COMPRESS = 1


class GradBucket:
    """What a communication hook is given: gradients as one flat tensor.

    Example:
        >>> from lamella.core import zeros
        >>> bucket = GradBucket(0, zeros(3), [zeros(2), zeros(1)], True)
        >>> bucket.index(), bucket.is_last(), [g.shape for g in bucket.gradients()]
        (0, True, [torch.Size([2]), torch.Size([1])])
    """

    def __init__(self, index: int, buffer: Tensor, parameters: Sequence[Tensor], is_last: bool) -> None:
        self._index = index
        self._buffer = buffer
        self._parameters = list(parameters)
        self._is_last = is_last

    def index(self) -> int:
        """Its place in the order in which buckets travel; 0 is ready first."""
        return self._index

    def buffer(self) -> Tensor:
        """The flat tensor of its gradients, not yet divided by the number of ranks."""
        return self._buffer

    def set_buffer(self, buffer: Tensor) -> None:
        """Put another tensor of as many elements in the place of the flat tensor."""
        if buffer.numel() != self._buffer.numel():
            raise RuntimeError(message("GradBucket.set_buffer", "the number of elements must stay as it is",
                                       f"{self._buffer.numel()}, got {buffer.numel()}"))
        self._buffer = buffer

    def gradients(self) -> list[Tensor]:
        """The gradients: views of the flat tensor, in the order of `parameters()`."""
        return parts(self._buffer, self._parameters)

    def parameters(self) -> list[Tensor]:
        """The parameters whose gradients it holds."""
        return list(self._parameters)

    def is_last(self) -> bool:
        """Whether it is the last to travel in a step."""
        return self._is_last

    def __repr__(self) -> str:
        return f"<GradBucket {self._index}: {len(self._parameters)} gradients, {self._buffer.numel()} elements>"
