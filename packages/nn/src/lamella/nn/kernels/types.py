"""Element types in kernels: which are computed in a wider type, and how torch spells them in messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

F32, F64, I64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)
_NAMES = {
    "float32": "Float",
    "float64": "Double",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "int64": "Long",
    "int32": "Int",
    "int16": "Short",
    "int8": "Char",
    "uint8": "Byte",
    "bool": "Bool",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}


def is_low(d: Any) -> bool:
    """Whether a type has 16 bits and a fraction: sums and functions are computed in float32 then."""
    return d.itemsize == 2 and d.kind not in "iu"


def type_name(d: Any) -> str:
    """Torch's name for an element type in messages: Float, Long."""
    return _NAMES.get(d.name, d.name)


def special() -> Any:
    """scipy.special, loaded when first needed."""
    import scipy.special

    return scipy.special


def floating(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel written for float32 and float64 arrays with dimensions, made to serve the 16-bit types and 0-d too."""
    return _typed(fn, "f")


def floating_or_complex(fn: Callable[..., Any]) -> Callable[..., Any]:
    """As `floating`, for kernels that complex arrays are welcome in too."""
    return _typed(fn, "fc")


def _typed(fn: Callable[..., Any], kinds: str) -> Callable[..., Any]:
    name = fn.__name__

    @wraps(fn)
    def run(xp: Any, a: Any, *rest: Any) -> Any:
        d = a.dtype
        if (d is F32 or d is F64) and a.ndim:
            return fn(xp, a, *rest)
        if a.ndim == 0:
            flat = [x.reshape(1) if isinstance(x, xp.ndarray) and x.ndim == 0 else x for x in rest]
            return _each(lambda r: r.reshape(()), run(xp, a.reshape(1), *flat))
        if is_low(d):
            wide = [x.astype(F32) if isinstance(x, xp.ndarray) and x.dtype == d else x for x in rest]
            return _each(lambda r: r.astype(d), fn(xp, a.astype(F32), *wide))
        if d.kind not in kinds:
            raise NotImplementedError(
                message(
                    name,
                    f"it is not implemented for '{type_name(d)}'",
                    hint="convert the input to a floating type: x.float()",
                )
            )
        return fn(xp, a, *rest)

    return run


def _each(change: Callable[[Any], Any], r: Any) -> Any:
    return tuple([change(x) for x in r]) if isinstance(r, tuple) else change(r)
