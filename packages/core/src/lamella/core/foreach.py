"""Functions on lists of tensors: ``_foreach_add(tensors, others)`` and their kin, one operator call for each tensor.

Operands that go with the tensors are one number, one tensor of one element, or lists as long as the list of tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.dispatch.errors import message

from . import functions as F
from .runtime import is_number
from .tensor import Tensor

_UNARY = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round "
    "rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
).split()
_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "pow": "pow", "clamp_min": "clamp_min",
    "clamp_max": "clamp_max", "maximum": "clamp_min", "minimum": "clamp_max",
}  # fmt: skip


def _checked(op: str, tensors: Any) -> list[Tensor]:
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(message(op, f"argument 'self' must be a tuple of Tensors, not {type(tensors).__name__}"))
    if not tensors:
        raise RuntimeError(message(op, "Tensor list must have at least one tensor"))
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(message(op, f"element {i} must be a Tensor, not {type(t).__name__}"))
    return list(tensors)


def _spread(op: str, n: int, operand: Any) -> list[Any]:
    """One operand for each of ``n`` tensors."""
    if isinstance(operand, (list, tuple)):
        if len(operand) != n:
            what = (
                "Tensor lists must have the same number of tensors"
                if operand and isinstance(operand[0], Tensor)
                else "Tensor list must have same number of elements as scalar list"
            )
            raise RuntimeError(message(op, what, {"tensors": n, "operands": len(operand)}))
        return list(operand)
    if is_number(operand) or (isinstance(operand, Tensor) and operand._a.ndim == 0):
        return [operand] * n
    raise TypeError(message(op, f"an operand must be a number, a 0-d Tensor or a list, not {type(operand).__name__}"))


def _numbers(op: str, n: int, value: Any) -> list[Any]:
    if isinstance(value, Tensor):
        value = value.tolist() if value._a.ndim else value.item()  # type: ignore[attr-defined]
    return _spread(op, n, value)


def _unary(name: str, method: str) -> Callable[..., Any]:
    op, inplace = f"_foreach_{name}", name.endswith("_")

    def function(self: Any) -> Any:
        done = [getattr(t, method)() for t in _checked(op, self)]
        return self if inplace else tuple(done)

    return _named(function, op, method)


def _binary(name: str, method: str) -> Callable[..., Any]:
    op, inplace = f"_foreach_{name}", name.endswith("_")

    def function(self: Any, other: Any, *, alpha: Any = 1) -> Any:
        if is_number(self) and method == "pow":
            return tuple(F.pow(self, t) for t in _checked(op, other))  # type: ignore[attr-defined]
        tensors = _checked(op, self)
        others = _spread(op, len(tensors), other)
        scale = {} if method.rstrip("_") not in ("add", "sub") or alpha == 1 else {"alpha": alpha}
        done = [getattr(t, method)(x, **scale) for t, x in zip(tensors, others, strict=True)]
        return self if inplace else tuple(done)

    return _named(function, op, method)


def _ternary(name: str, method: str) -> Callable[..., Any]:
    op, inplace = f"_foreach_{name}", name.endswith("_")

    def function(self: Any, tensor1: Any, tensor2: Any, value: Any = 1, scalars: Any = None) -> Any:
        tensors = _checked(op, self)
        n = len(tensors)
        factors = _numbers(op, n, value if scalars is None else scalars)
        rows = zip(tensors, _spread(op, n, tensor1), _spread(op, n, tensor2), factors, strict=True)
        done = [getattr(t, method)(a, b, value=v) for t, a, b, v in rows]
        return self if inplace else tuple(done)

    return _named(function, op, method)


def _lerp(name: str) -> Callable[..., Any]:
    op, inplace = f"_foreach_{name}", name.endswith("_")

    def function(self: Any, tensors1: Any, weight: Any) -> Any:
        tensors = _checked(op, self)
        n = len(tensors)
        rows = zip(tensors, _spread(op, n, tensors1), _spread(op, n, weight), strict=True)
        done = [getattr(t, name)(end, w) for t, end, w in rows]
        return self if inplace else tuple(done)

    return _named(function, op, name)


def _named(function: Any, op: str, method: str) -> Any:
    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"``Tensor.{method}`` of each of a list of tensors."
    return function


def _foreach_norm(self: Any, ord: Any = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """The p-norm of each of a list of tensors."""
    norm = F.FUNCTIONS["linalg_vector_norm"]
    return tuple(norm(t, ord, dtype=dtype) for t in _checked("_foreach_norm", self))


def _foreach_powsum(self: Any, ord: Any = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """The sum of the powers of the absolute values of each of a list of tensors."""
    return tuple(t.abs().pow(ord).sum(dtype=dtype) for t in _checked("_foreach_powsum", self))  # type: ignore[attr-defined]


def _foreach_max(self: Any) -> tuple[Tensor, ...]:
    """The largest element of each of a list of tensors."""
    return tuple(t.max() for t in _checked("_foreach_max", self))  # type: ignore[attr-defined]


def _foreach_clone(self: Any, *, memory_format: Any = None) -> tuple[Tensor, ...]:
    """A copy of each of a list of tensors."""
    tensors: list[Any] = _checked("_foreach_clone", self)
    return tuple(t.clone() if memory_format is None else t.clone(memory_format=memory_format) for t in tensors)


def _foreach_copy_(self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Write each of a list of tensors into the one of another list."""
    tensors: list[Any] = _checked("_foreach_copy_", self)
    for t, s in zip(tensors, _spread("_foreach_copy_", len(tensors), src), strict=True):
        t.copy_(s, non_blocking)
    return self


def _foreach_zero_(self: Any) -> Any:
    """Fill each of a list of tensors with zeros."""
    tensors: list[Any] = _checked("_foreach_zero_", self)
    for t in tensors:
        t.zero_()
    return self


def _foreach_mm(self: Any, mat2: Any) -> tuple[Tensor, ...]:
    """The matrix products of the pairs of two lists."""
    tensors: list[Any] = _checked("_foreach_mm", self)
    return tuple(a.mm(b) for a, b in zip(tensors, _spread("_foreach_mm", len(tensors), mat2), strict=True))


for _name in _UNARY:
    for _end in ("", "_"):
        globals()[f"_foreach_{_name}{_end}"] = _unary(_name + _end, _name + _end)
for _name, _method in _BINARY.items():
    for _end in ("", "_"):
        globals()[f"_foreach_{_name}{_end}"] = _binary(_name + _end, _method + _end)
for _name in ("addcmul", "addcdiv"):
    for _end in ("", "_"):
        globals()[f"_foreach_{_name}{_end}"] = _ternary(_name + _end, _name + _end)
_foreach_lerp, _foreach_lerp_ = _lerp("lerp"), _lerp("lerp_")
