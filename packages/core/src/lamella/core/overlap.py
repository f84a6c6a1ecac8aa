"""Refusing ``out=`` tensors that share memory in a way that torch refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .tensor import META, Tensor


def refuse_overlap(op: str, out: Any, *inputs: Any) -> None:
    """RuntimeError if elements of ``out`` share memory with each other or with an input.

    Args:
        op: what was called.
        out: a tensor, or a tuple of them; anything else is left to `write_out`.
        *inputs: the tensors (and lists of tensors) that the operator reads.
    """
    outs = out if isinstance(out, (tuple, list)) else (out,)
    for o in outs:
        if not isinstance(o, Tensor) or o._ks & META:
            continue
        a = o._a
        if a.size and any(s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True)):
            raise RuntimeError(
                message(
                    op,
                    "unsupported operation: more than one element of the written-to tensor refers to a "
                    "single memory location",
                    {"out": list(a.shape)},
                    hint="call .clone() on it first",
                )
            )
        for x in inputs:
            for t in x if isinstance(x, (tuple, list)) else (x,):
                if isinstance(t, Tensor) and np.may_share_memory(t._a, a):
                    raise RuntimeError(
                        message(
                            op,
                            "unsupported operation: some elements of the input tensor and the "
                            "written-to tensor refer to a single memory location",
                            hint="call .clone() on one of them first",
                        )
                    )
