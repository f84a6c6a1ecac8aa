"""What generated code calls: unwrapping, promotion on the slow path, writing results, argument errors."""

from __future__ import annotations

import numbers
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK
from lamella.dispatch.registry import keys_in

from . import dtypes as dt
from .copies import in_float32
from .devices import backend_bit
from .faults import as_bool, as_float, as_int, as_ints, as_number, explain_call, refuse
from .outputs import is_writable, overlap_error, write_back, write_out
from .overlap import refuse_clash
from .promotion import float_dtype, result_dtype
from .tensor import CPU, Size, Tensor, VersionCounter, bump, describe, recorder, wrap, wrap_view

__all__ = [
    "BACKEND_MASK",
    "F32",
    "F64",
    "Tensor",
    "VersionCounter",
    "MISSING",
    "SEQUENCES",
    "as_bool",
    "as_float",
    "as_int",
    "as_ints",
    "as_number",
    "asarray",
    "backend_bit",
    "bump",
    "elementwise",
    "elementwise_into",
    "explain_call",
    "foreign",
    "is_number",
    "keys_in",
    "ndarray",
    "new",
    "new_tensor",
    "not_tensor",
    "number_keys",
    "numpy_names",
    "old_form",
    "operand_error",
    "recorder",
    "refuse_clash",
    "return_type",
    "varargs",
    "wrap",
    "wrap_result",
    "wrap_view",
    "write_back",
    "write_out",
]

# Inf and nan are results in torch's arithmetic, not occasions for NumPy's warnings. NumPy keeps the first setting for
# this thread alone; the filter serves threads that programs start.
np.seterr(all="ignore")
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"lamella\.")

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
_LOW = (dt.float16, dt.bfloat16)
ndarray, asarray, new = np.ndarray, np.asarray, object.__new__
#: A bare Tensor: quicker than object.__new__(Tensor).
new_tensor = partial(new, Tensor)
_NUMBERS = (int, float, complex, bool)
#: What sizes come as; anything else is looked at more closely.
SEQUENCES = (tuple, list, Size)


def is_number(x: Any) -> bool:
    """Whether ``x`` is a Python or NumPy number (bool included)."""
    return x.__class__ in _NUMBERS or isinstance(x, (numbers.Number, np.generic))


def number_keys(op: str, name: str, x: Any) -> int:
    """The key set of a number where a tensor may stand: none. Anything else is a TypeError."""
    if is_number(x):
        return 0
    if isinstance(x, ndarray) and x.ndim == 0:
        return 0
    raise TypeError(message(op, f"argument '{name}' must be Tensor or a number, not {type(x).__name__}"))


def no_tensor(op: str) -> int:
    """The CPU's key for operators that torch calls with numbers alone; other such calls are refused."""
    if op in ("add", "sub", "mul", "floor_divide"):
        return CPU
    raise TypeError(message(op, "one of the operands must be a Tensor, but all are numbers"))


def not_tensor(op: str, arguments: dict[str, Any], lists: dict[str, Any] | None = None) -> Exception:
    """The error for a call in which an argument is not the tensor it should be.

    Args:
        op: the operator.
        arguments: what should be tensors (or, without ``lists``, perhaps sequences of them).
        lists: what should be sequences of tensors.
    """
    if lists is not None:
        for name, x in arguments.items():
            if x is not None and not isinstance(x, Tensor):
                return refuse(op, name, "Tensor", x)
        arguments = {**{name: x for name, x in arguments.items() if x is None}, **lists}
    for name, x in arguments.items():
        if isinstance(x, Tensor) or x is None:
            continue
        if isinstance(x, (list, tuple)):
            for i, y in enumerate(x):
                if y is not None and not isinstance(y, Tensor):
                    return TypeError(
                        message(
                            op,
                            f"argument '{name}' must be a sequence of Tensors, but element {i} is {type(y).__name__}",
                        )
                    )
            continue
        return TypeError(message(op, f"argument '{name}' must be Tensor, not {type(x).__name__}"))
    name = next((n for n, x in arguments.items() if x is None), next(iter(arguments), "input"))
    return refuse(op, name, "Tensor", None)


def varargs(op: str, name: str, given: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """``x.view(2, 3)``, ``x.view((2, 3))`` and ``x.view(size=(2, 3))`` as one tuple."""
    if kwargs:
        if given or set(kwargs) - {name, "shape" if name == "size" else "size"}:
            extra = next(k for k in kwargs if k != name) if not given else name
            raise TypeError(message(op, f"got an unexpected keyword argument '{extra}'"))
        return as_ints(op, name, next(iter(kwargs.values())), False)
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        return tuple(given[0])
    return given


#: The default of parameters that a call must give, perhaps under another name.
MISSING: Any = type("Missing", (), {"__repr__": lambda self: "<missing>"})()
_NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}


def numpy_names(op: str, fn: Callable[..., Any], extra: dict[str, Any], given: dict[str, Any]) -> Any:
    """Call ``fn`` again with NumPy's parameter names, ``axis`` and ``keepdims``, turned into torch's."""
    for name, value in extra.items():
        known = _NUMPY_NAMES.get(name)
        if known not in given:
            raise TypeError(message(op, f"got an unexpected keyword argument '{name}'"))
        given[known] = value
    for name, value in given.items():
        if value is MISSING:
            raise TypeError(message(op, f"missing required argument '{name}'"))
    return fn(**given)


def old_form(op: str, fn: Callable[..., Any], given: tuple[Any, ...], names: list[str], out: Any = None) -> Any:
    """A call in torch's old form, with numbers before the tensors they scale: ``x.add_(alpha, other)``."""
    numbers_ = [i for i, x in enumerate(given) if is_number(x)][: len(names)]
    tensors = [x for i, x in enumerate(given) if i not in numbers_]
    if not numbers_ or len(tensors) != fn.__code__.co_argcount:
        rule = f"takes {fn.__code__.co_argcount} positional arguments but {len(given)} were given"
        raise TypeError(message(op, rule))
    named = {name: given[i] for name, i in zip(names, numbers_, strict=False)}
    warnings.warn(
        message(op, "numbers before the tensors are an old form", hint=f"give {' and '.join(named)} by name"),
        UserWarning,
        stacklevel=3,
    )
    return fn(*tensors, **named) if out is None else fn(*tensors, **named, out=out)


def foreign(fn: Callable[..., Any], self: Tensor, other: Any) -> Any:
    """Python's operator on a tensor and a NumPy array, where torch takes the array for a tensor."""
    return fn(self, wrap(other.copy())) if isinstance(other, ndarray) else NotImplemented


def wrap_result(x: Any) -> Any:
    """A tensor over a kernel's array (None stays None)."""
    if x is None:
        return None
    if x.__class__ is not ndarray:
        x = asarray(x)
    return wrap(x)


_return_types: dict[tuple[str, tuple[str, ...]], Any] = {}


def return_type(op: str, fields: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    """Torch's named result tuple of an operator (``torch.return_types.max``)."""
    found = _return_types.get((op, fields))
    if found is None:
        made: Any = namedtuple  # type checkers take a call of it for a class statement
        cls: Any = made(op, fields)
        cls.__module__ = "torch.return_types"
        cls.__repr__ = lambda r: (
            f"torch.return_types.{op}(\n" + ",\n".join(f"{n}={x!r}" for n, x in zip(fields, r, strict=True)) + ")"
        )
        found = _return_types[op, fields] = cls
    return found._make


# ---------------------------------------------------------------- elementwise operators off the fast path


def compute_dtype(promote: str, operands: tuple[Any, ...]) -> dt.dtype:
    """The type an elementwise operator computes in."""
    d = result_dtype(*operands)
    return float_dtype(d) if promote == "float" else d


_TOO_BIG = "int too big to convert"


def as_operand(x: Any, d: dt.dtype) -> Any:
    """A tensor's array, or a number, in the computing type."""
    if isinstance(x, Tensor):
        a = x._a
        return a if a.dtype is d.np else a.astype(d.np)
    if x is None:
        return None
    if isinstance(x, (np.generic, ndarray)):
        x = x.item()
    if d.category == 1 and isinstance(x, int):
        if x.bit_length() > 64:
            raise OverflowError(_TOO_BIG)
        bits = d.itemsize * 8
        x = int(x) & ((1 << bits) - 1)
        if d.is_signed and x >> (bits - 1):
            x -= 1 << bits
    return np.asarray(x, d.np)


#: Operators for which no operand may be a flag, whatever the others are.
_NO_FLAGS = frozenset(("sub", "sub_", "rsub"))


def _is_flag(x: Any) -> bool:
    return x._a.dtype.kind == "b" if isinstance(x, Tensor) else isinstance(x, (bool, np.bool_))


#: Operators whose second operand keeps its precision beside 16-bit tensors if it is a number or one element.
_EXACT_SECOND = frozenset(("mul", "div", "floor_divide", "true_divide"))


#: Operators whose number beside the operands, `alpha`, is rounded like an operand.
_SCALED = frozenset(("add", "add_", "sub", "sub_", "rsub"))


def _narrow_operands(op: str, operands: tuple[Any, ...], d: dt.dtype) -> list[Any]:
    """Operands of 16-bit arithmetic: rounded to the 16-bit type before they are widened, with torch's exceptions."""
    arrays = [as_operand(x, d) for x in operands]
    if op.rstrip("_") in _EXACT_SECOND:
        numbers = [i for i, x in enumerate(operands) if not isinstance(x, Tensor)]
        i = numbers[0] if numbers else 1
        if i < len(operands) and arrays[i].size == 1 and (numbers and op.startswith("mul") or i == 1):
            arrays[i] = as_operand(operands[i], dt.float32)
    return arrays


def elementwise(
    op: str,
    fn: Callable[..., Any],
    xp: Any,
    promote: str,
    operands: tuple[Any, ...],
    params: tuple[Any, ...],
    refuse: str = "",
) -> np.ndarray:
    """Promote operands, compute, and return an array of the result type; types of a kind in ``refuse`` are errors."""
    if promote == "none":
        arrays = [x._a if isinstance(x, Tensor) else x for x in operands]
        return asarray(fn(xp, *arrays, *params) if xp is not None else fn(*arrays, *params))
    plain = [x._a for x in operands if x.__class__ is Tensor]
    np_type = plain[0].dtype if len(plain) == len(operands) else None
    if (np_type is F32 or np_type is F64) and all(a.dtype is np_type for a in plain) and "f" not in refuse:
        return asarray(fn(xp, *plain, *params) if xp is not None else fn(*plain, *params))
    low = result_dtype(*operands)
    if low.itemsize == 1 and low.category == 2 and op not in ("eq", "ne", "isnan"):
        raise unsupported(op, low)
    d = float_dtype(low) if promote == "float" else low
    if low.np.kind in refuse or op in _NO_FLAGS and any(_is_flag(x) for x in operands):
        raise unsupported(op, low if low.np.kind in refuse else dt.bool_)
    inner = dt.float32 if d in _LOW and promote in ("arith", "float") else d
    if inner is not d:
        arrays = _narrow_operands(op, operands, d)
        if params and op in _SCALED:
            params = tuple(as_operand(p, d).item() if p.__class__ is float else p for p in params)
        call = fn if xp is None else partial(fn, xp)
        r = in_float32(call, arrays, d.np, params)
        if r is not None:
            return r
        arrays = [x if x is None or x.dtype is F32 else x.astype(F32) for x in arrays]
    else:
        arrays = [as_operand(x, d) for x in operands]
    if xp is None and low.category < 2 <= d.category:
        # Integers in a floating-point ufunc: one rounding, at the end.
        return asarray(fn(*[x if x is None else x.astype(F64) for x in arrays], *params)).astype(d.np)
    r = asarray(fn(xp, *arrays, *params) if xp is not None else fn(*arrays, *params))
    if inner is not d and r.dtype is F32:
        r = r.astype(d.np)
    return r


_HINTS = {
    ("sub", "b"): "use ^ (exclusive or) or logical_xor",
    ("rsub", "b"): "use ^ (exclusive or) or logical_xor",
    ("neg", "b"): "use ~ or logical_not",
    ("sign", "c"): "use torch.sgn",
}


def unsupported(op: str, d: dt.dtype) -> NotImplementedError:
    """The error for an element type that an operator is not defined for (torch's class; it is a RuntimeError)."""
    return NotImplementedError(
        message(op, f"it is not implemented for {d.name} tensors", hint=_HINTS.get((op.rstrip("_"), d.np.kind)))
    )


def elementwise_into(
    op: str,
    fn: Callable[..., Any],
    xp: Any,
    promote: str,
    operands: tuple[Any, ...],
    params: tuple[Any, ...],
    refuse: str = "",
) -> None:
    """The in-place form: compute, then write into the first operand."""
    refuse_clash(op, operands[0], operands[1:])
    write_back(op, operands[0], elementwise(op, fn, xp, promote, operands, params, refuse))


def operand_error(op: str, error: Exception, *operands: Any) -> Exception:
    """Say in torch's class and lamella's words why NumPy could not combine the operands."""
    shown = [describe(x) for x in operands if x is not None]
    tensors = [x for x in operands if isinstance(x, Tensor)]
    try:
        full = np.broadcast_shapes(*(x._a.shape for x in tensors))
    except ValueError:
        a, b = tensors[0]._a.shape, tensors[1]._a.shape
        dim = next((i for i in range(1, min(len(a), len(b)) + 1) if a[-i] != b[-i] and 1 not in (a[-i], b[-i])), 1)
        at = max(len(a), len(b)) - dim
        return RuntimeError(
            message(
                op,
                f"the size of tensor a ({a[-dim]}) must match the size of tensor b ({b[-dim]}) "
                f"at non-singleton dimension {at}",
                shown,
            )
        )
    if tensors and op.endswith("_") and full != tensors[0]._a.shape:
        return RuntimeError(
            message(
                op,
                f"output with shape {list(tensors[0]._a.shape)} doesn't match the broadcast shape {list(full)}",
                shown,
            )
        )
    if tensors and op.endswith("_") and not is_writable(tensors[0]._a):
        return overlap_error(op, tensors[0])
    if isinstance(error, OverflowError) and str(error) == _TOO_BIG:
        return OverflowError(message(op, _TOO_BIG, shown))
    if isinstance(error, OverflowError):
        return RuntimeError(message(op, "value cannot be converted without overflow", shown))
    if isinstance(error, TypeError):
        return NotImplementedError(message(op, "it is not implemented for this element type", shown))
    return RuntimeError(message(op, str(error), shown))
