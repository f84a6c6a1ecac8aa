"""Where results go that have a place already: in-place operators and ``out=``.

Everything is checked before the first element is written, so that a failure leaves tensors whole.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.state import state

from . import dtypes as dt
from .overlap import refuse_clash
from .promotion import can_cast
from .storage import is_cupy, is_overlapping
from .tensor import CPU, Tensor, bump, describe


def is_writable(a: np.ndarray) -> bool:
    """Whether each element of ``a`` has memory of its own."""
    if (a.__class__ is np.ndarray or not is_cupy(a)) and not a.flags.writeable:
        return False
    return not (a.size and is_overlapping(a))


def write_back(op: str, target: Tensor, r: np.ndarray) -> None:
    """Write an in-place operator's result, after checking shape and type, so that a failure leaves the target whole."""
    a = target._a
    if a.dtype is not r.dtype:
        have, want = dt.from_numpy_dtype(r.dtype), dt.from_numpy_dtype(a.dtype)
        if not can_cast(have, want):
            raise RuntimeError(
                message(
                    op,
                    f"the result type {have.name} can't be cast to the tensor's type {want.name}",
                    hint=f"convert the tensor first: x = x.to(torch.{have.name})",
                )
            )
    if r.shape != a.shape:
        try:
            fits = np.broadcast_shapes(r.shape, a.shape) == a.shape
        except ValueError:
            fits = False
        if not fits:
            raise RuntimeError(
                message(
                    op,
                    f"output with shape {list(a.shape)} doesn't match the broadcast shape "
                    f"{list(np.broadcast_shapes(r.shape, a.shape))}",
                )
            )
    if not is_writable(a):
        raise overlap_error(op, target)
    np.copyto(a, r, casting="unsafe")


def overlap_error(op: str, target: Tensor) -> RuntimeError:
    """The error for a write through a tensor whose elements share memory."""
    return RuntimeError(
        message(
            op,
            "more than one element of the written-to tensor refers to a single memory location",
            {"target": describe(target)},
            hint="call .clone() on it first",
        )
    )


def write_out(op: str, out: Any, result: Any, exact: bool = False, inputs: tuple[Any, ...] = ()) -> Any:
    """Write a result into ``out=`` (a tensor, or a tuple of them) and return ``out``.

    ``exact``: ``out`` must have the result's own type; otherwise any type that the result can be cast to will do.
    ``inputs``: the tensors that were read, which must not overlap ``out`` in part.
    """
    pairs = [(out, result)]
    if isinstance(result, (tuple, list)):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            raise TypeError(message(op, f"argument 'out' must be a tuple of {len(result)} Tensors"))
        pairs = list(zip(out, result, strict=True))
    for o, r in pairs:  # all of them before any is written
        _check_out(op, o, r, exact, inputs)
    for o, r in pairs:
        _write(op, o, r, inputs)
    return out


def _write(op: str, out: Any, result: Any, inputs: tuple[Any, ...]) -> None:
    """Write a result into a tensor that can take it."""
    if out._a.shape != result._a.shape:
        resize(op, out, result._a.shape)
        if out._vc is not None:
            refuse_clash(op, out, inputs)
    if (out._ks | result._ks) & TRANSFORM_MASK or state.affected & CPU:  # somebody listens to operators
        out.copy_(result)  # type: ignore[attr-defined]
        return
    if out._ks & CPU:
        np.copyto(out._a, result._a, casting="unsafe")
    elif not out.is_meta:
        out.copy_(result)  # type: ignore[attr-defined]
    bump(out, op)


def _check_out(op: str, out: Any, result: Any, exact: bool, inputs: tuple[Any, ...]) -> None:
    """Refuse a tensor that can't take a result."""
    if not isinstance(out, Tensor):
        raise TypeError(message(op, f"argument 'out' must be Tensor, not {type(out).__name__}"))
    if result._ag is not None or out._ag is not None:
        raise RuntimeError(
            message(
                op,
                "functions with out=... arguments don't support automatic differentiation, "
                "but one of the arguments requires grad",
            )
        )
    if (out._ks ^ result._ks) & BACKEND_MASK:
        raise RuntimeError(
            message(
                op,
                "expected out tensor on the device of the result",
                {"out": describe(out), "result": describe(result)},
            )
        )
    have, want = result.dtype, out.dtype
    if exact and have is not want:
        raise RuntimeError(message(op, f"expected out tensor to have dtype {have.name}, but got {want.name} instead"))
    if have is not want and not can_cast(have, want):
        raise RuntimeError(message(op, f"result type {have.name} can't be cast to the desired output type {want.name}"))
    if out._a.shape == result._a.shape:
        if not is_writable(out._a):
            raise overlap_error(op, out)
        if out._vc is not None:
            refuse_clash(op, out, inputs)


def resize(op: str, out: Tensor, shape: tuple[int, ...]) -> None:
    """Give ``out`` memory for another shape; torch warns when elements were there."""
    if out._a.size:
        warnings.warn(
            message(
                op,
                f"an output with elements was resized from {list(out._a.shape)} to {list(shape)}",
                hint="resize it to zero elements first: out.resize_(0)",
            ),
            UserWarning,
            stacklevel=5,
        )
    from .composite.explicit import resized

    out._a = resized(out, shape)
