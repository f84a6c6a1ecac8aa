"""Questions about elements."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import dtypes as dt

from ..builder import Builder
from ..table import rule


def _all(b: Builder, x: Any, value: bool) -> Any:
    return b.full(x.spec.shape, value, dt.bool_)


@rule("aten::isfinite")
def isfinite(b: Builder, self: Any) -> Any:
    if self.spec.dtype.category < 2:
        return _all(b, self, True)
    return b.lt(b.abs(self), math.inf)


@rule("aten::isnan")
def isnan(b: Builder, self: Any) -> Any:
    return _all(b, self, False) if self.spec.dtype.category < 2 else b.isnan(self)


@rule("aten::isinf")
def isinf(b: Builder, self: Any) -> Any:
    return _all(b, self, False) if self.spec.dtype.category < 2 else b.isinf(self)


@rule("aten::isposinf")
def isposinf(b: Builder, self: Any) -> Any:
    return _all(b, self, False) if self.spec.dtype.category < 2 else b.eq(self, math.inf)


@rule("aten::isneginf")
def isneginf(b: Builder, self: Any) -> Any:
    return _all(b, self, False) if self.spec.dtype.category < 2 else b.eq(self, -math.inf)


@rule("aten::isreal")
def isreal(b: Builder, self: Any) -> Any:
    return _all(b, self, True)


@rule("aten::signbit")
def signbit(b: Builder, self: Any) -> Any:
    d = self.spec.dtype
    if d.category < 2:
        return b.lt(self, 0) if d.is_signed else _all(b, self, False)
    one = b.full((), 1.0, d)
    return b.lt(b.pointwise("aten::copysign.Tensor", "float", one, self), 0)
