"""Refusing to write into memory that is read at the same time, where torch refuses it.

Torch's rule, which is also ours: two tensors that fill their memory without gaps clash when they overlap without being
the same; what is scattered over its memory is let through. NumPy reads before it writes, so those results are right.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .kernels.strides import one_place
from .storage import address, is_cupy, is_overlapping, lowest
from .tensor import META, Tensor, describe

#: In-place operators whose operands may not share any memory with the target, not even all of it.
_STRICT = frozenset(
    "index_add_ index_copy_ index_put_ index_reduce_ put_ scatter_ scatter_add_ scatter_reduce_ index_fill_".split()
)
#: Operators, in place or with ``out=``, that torch does not look at.
_LAX = frozenset(
    "addmm_ addmv_ addbmm_ baddbmm_ set_ resize_as_ map_ map2_ ldexp_ fill_ masked_scatter_ "
    "mm bmm matmul tril triu logsumexp diag".split()
)


def is_dense(a: np.ndarray) -> bool:
    """Whether elements fill a block of memory, in any order of dimensions, each place once."""
    if a.flags.forc:
        return True
    step = a.itemsize
    for s, n in sorted((s, n) for s, n in zip(a.strides, a.shape, strict=True) if n != 1):
        if s != step:
            return False
        step *= n
    return True


def may_share(a: Any, b: Any) -> bool:
    """Whether two arrays reach into one stretch of memory; arrays on a GPU and on the host never do."""
    if a.__class__ is np.ndarray and b.__class__ is np.ndarray:
        return np.may_share_memory(a, b)
    if is_cupy(a) != is_cupy(b) or not a.size or not b.size:
        return False
    if is_cupy(a) and a.device.id != b.device.id:
        return False
    return lowest(a) < _highest(b) and lowest(b) < _highest(a)


def _highest(a: Any) -> int:
    """The address behind the last byte that an array touches."""
    return address(a) + a.itemsize + sum(max(0, (n - 1) * s) for n, s in zip(a.shape, a.strides, strict=True))


def clash(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays over one memory overlap in part, as far as torch looks."""
    if a is b or not a.size or not b.size or not is_dense(a) or not is_dense(b):
        return False
    x, y = address(a), address(b)
    if x == y and a.nbytes == b.nbytes:
        outer = [(s, n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1]
        return outer != [(s, n) for s, n in zip(b.strides, b.shape, strict=True) if n > 1]
    return x < y + b.nbytes and y < x + a.nbytes


def overlap_of_input(op: str, target: Tensor, source: Tensor) -> RuntimeError:
    """The error for an operand that shares memory with what is written."""
    return RuntimeError(
        message(
            op,
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
            "memory location",
            {"input": describe(source), "written-to": describe(target)},
            hint="call .clone() on one of them first",
        )
    )


def refuse_clash(op: str, target: Tensor, operands: Iterable[Any]) -> None:
    """RuntimeError where an operand shares memory with the tensor that an in-place operator writes.

    Only tensors that share a version counter with the target are looked at: those that torch knows to share memory.
    """
    vc = target._vc
    if vc is None or op in _LAX or target._ks & META:
        return
    for x in operands:
        if x.__class__ is list or x.__class__ is tuple:
            refuse_clash(op, target, x)
        elif (
            isinstance(x, Tensor)
            and x._vc is vc
            and (clash(target._a, x._a) or (op in _STRICT and may_share(target._a, x._a)))
        ):
            raise overlap_of_input(op, target, x)


def refuse_overlap(op: str, out: Any, *inputs: Any, shape: tuple[int, ...] | None = None) -> None:
    """RuntimeError if elements of ``out`` share memory with each other or with an input.

    Args:
        op: what was called.
        out: a tensor, or a tuple of them; anything else is left to `write_out`.
        *inputs: the tensors (and lists of tensors) that the operator reads.
        shape: the shape that ``out`` will get.
    """
    outs = out if isinstance(out, (tuple, list)) else (out,)
    for o in outs:
        if not isinstance(o, Tensor) or o._ks & META:
            continue
        a = o._a
        if a.size and is_overlapping(a):
            raise one_place(op, {"out": list(a.shape)})
        grown = a
        if shape is not None and shape != a.shape:
            from .composite.explicit import resized

            grown = resized(o, shape)
        for x in inputs:
            for t in x if isinstance(x, (tuple, list)) else (x,):
                if isinstance(t, Tensor) and (may_share(t._a, a) or may_share(t._a, grown)):
                    raise overlap_of_input(op, o, t)
