"""Division with a rounded quotient, and its remainders.

NumPy's own for floating numbers calls the C library once an element. Float32 quotients below 2**29 are exact enough in
double precision that rounding them and multiplying back gives the exact answer, at a tenth of the time.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..parallel import PIECE, in_pieces
from ..xp import NUMPY
from .select import all_true

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_LIMIT = float(1 << 29)


def _no_zero(xp: Any, op: str, other: Any) -> None:
    if not xp.all(other):
        raise RuntimeError(message(op, "ZeroDivisionError: integer division by zero"))


def _quotient(xp: Any, a: Any, b: Any) -> Any:
    """The quotient in double precision, or None where its integer part may not be exact."""
    if a.dtype is not _F32 or a.size < 128 and np.size(b) < 128:
        return None
    q = xp.divide(a, b, dtype=_F64)
    top = xp.abs(q).max()
    # Also refused: nan, division by zero, and an infinite divisor (of a quotient that is zero but has a sign).
    return q if top < _LIMIT and xp.isfinite(b).all() else None


def floor_divide(xp: Any, self: Any, other: Any) -> Any:
    if self.dtype.kind in "iu":
        _no_zero(xp, "floor_divide", other)
        return xp.floor_divide(self, other)
    if self.size > 2 * PIECE and xp is NUMPY and self.dtype is _F32:
        r = in_pieces(partial(floor_divide, xp), self, other)
        if r is not None:
            return r
    q = _quotient(xp, self, other)
    if q is not None:
        return xp.floor(q, q).astype(_F32)
    r = xp.floor_divide(self, other)
    # x // 0 is inf with x's sign, where NumPy says nan for some.
    return r if all_true(xp, other) else xp.where(xp.equal(other, 0), xp.true_divide(self, other), r)


def trunc_divide(xp: Any, self: Any, other: Any) -> Any:
    """The quotient rounded towards zero."""
    if self.dtype.kind in "iu":
        _no_zero(xp, "div", other)
        q = xp.floor_divide(self, other)
        # Rounding toward zero is one above the floor where the signs differ and there is a remainder.
        return q + ((q * other != self) & ((self < 0) != (other < 0))).astype(q.dtype)
    return xp.trunc(self / other)


def _rest(xp: Any, a: Any, b: Any, rounding: Any) -> Any:
    if a.dtype is not _F32:
        return None
    q = _quotient(xp, a, b)
    if q is None:
        return None
    rounding(q, q)
    q *= b
    return xp.subtract(a, q, q).astype(_F32)


def _remainder(xp: Any, op: str, rounding: str, a: Any, b: Any) -> Any:
    """What is left of ``a`` when ``b`` is taken away a rounded number of times; ``op`` is NumPy's function too."""
    if a.dtype.kind in "iu":
        _no_zero(xp, op, b)
        return getattr(xp, op)(a, b)
    if a.size > 2 * PIECE and xp is NUMPY and a.dtype is _F32:
        r = in_pieces(partial(_remainder, xp, op, rounding), a, b)
        if r is not None:
            return r
    r = _rest(xp, a, b, getattr(xp, rounding))
    if r is None:
        return getattr(xp, op)(a, b)
    return xp.copysign(r, a, r) if op == "fmod" else r  # the C library's zero keeps the sign, a difference does not


def remainder_Tensor(xp: Any, self: Any, other: Any) -> Any:
    """The remainder with the divisor's sign."""
    return _remainder(xp, "remainder", "floor", self, other)


def fmod_Tensor(xp: Any, self: Any, other: Any) -> Any:
    """The remainder with the dividend's sign."""
    return _remainder(xp, "fmod", "trunc", self, other)
