"""assert_close: are two results equal up to rounding?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from lamella import torch

__all__ = ["assert_close", "default_tolerances"]

_TOLERANCES = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7),
               "complex64": (1.3e-6, 1e-5), "complex128": (1e-7, 1e-7)}


def default_tolerances(*dtypes: Any) -> tuple[float, float]:
    """The relative and absolute tolerance for a comparison of these types: the widest among them."""
    pairs = [_TOLERANCES.get(str(d).removeprefix("torch."), (0.0, 0.0)) for d in dtypes]
    return max(p[0] for p in pairs), max(p[1] for p in pairs)


class _Options:
    msg: Any

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def fail(self, text: str, at: str) -> NoReturn:
        text = f"assert_close: {text}" + (f" (at item {at})" if at else "")
        msg = self.msg
        raise AssertionError(msg(text) if callable(msg) else msg if msg is not None else text)


def assert_close(actual: Any, expected: Any, *, allow_subclasses: bool = True, rtol: float | None = None,
                 atol: float | None = None, equal_nan: bool = False, check_device: bool = True,
                 check_dtype: bool = True, check_layout: bool = True, check_stride: bool = False,
                 msg: str | Callable[[str], str] | None = None) -> None:
    """Raise unless ``|actual - expected| <= atol + rtol * |expected|`` everywhere.

    Args:
        actual, expected: tensors, numbers, arrays, or sequences and mappings of them.
        allow_subclasses: let one type be a subclass of the other.
        rtol, atol: tolerances, both or neither; by default they follow the dtype.
        equal_nan: let nan equal nan.
        check_device, check_dtype, check_layout, check_stride: whether these must agree too.
        msg: a text instead of the one made here, or a function of it.

    Raises:
        AssertionError: if they are not close; the text says where and by how much.
        ValueError: if only one of the tolerances is given.
        TypeError: for things that cannot be compared.

    Example:
        >>> from lamella import torch
        >>> assert_close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-6]))
    """
    if (rtol is None) != (atol is None):
        raise ValueError(f"assert_close: give both tolerances or none (rtol={rtol}, atol={atol})")
    options = _Options(allow_subclasses=allow_subclasses, rtol=rtol, atol=atol, equal_nan=equal_nan, msg=msg,
                       check_device=check_device, check_dtype=check_dtype, check_layout=check_layout,
                       check_stride=check_stride)
    _compare(actual, expected, options, "")


def _compare(actual: Any, expected: Any, options: Any, at: str) -> None:
    tensors = isinstance(actual, torch.Tensor), isinstance(expected, torch.Tensor)
    if all(tensors):
        return _tensors(actual, expected, options, at)
    text = (str, bytes)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            options.fail(f"the keys differ ({sorted(map(str, actual))} and {sorted(map(str, expected))})", at)
        for key in expected:
            _compare(actual[key], expected[key], options, f"{at}[{key!r}]")
        return None
    if isinstance(actual, Sequence) and isinstance(expected, Sequence) and not isinstance(actual, text):
        if len(actual) != len(expected):
            options.fail(f"the lengths differ ({len(actual)} and {len(expected)})", at)
        for i, (a, b) in enumerate(zip(actual, expected)):
            _compare(a, b, options, f"{at}[{i}]")
        return None
    if actual is None and expected is None:
        return None
    if any(tensors) and not (isinstance(actual, np.ndarray) or isinstance(expected, np.ndarray)):
        options.fail(f"the types differ ({type(actual).__name__} and {type(expected).__name__})", at)
    try:
        return _tensors(torch.as_tensor(actual), torch.as_tensor(expected), options, at)
    except (TypeError, RuntimeError) as e:
        names = f"{type(actual).__name__} and {type(expected).__name__}"
        raise TypeError(f"assert_close: {names} cannot be compared") from e


def _tensors(actual: Any, expected: Any, options: Any, at: str) -> None:
    pairs = [("shapes", tuple(actual.shape), tuple(expected.shape), True),
             ("devices", actual.device, expected.device, options.check_device),
             ("dtypes", actual.dtype, expected.dtype, options.check_dtype)]
    if options.check_stride and tuple(actual.shape) == tuple(expected.shape):
        pairs.append(("strides", actual.stride(), expected.stride(), True))
    for name, a, b, wanted in pairs:
        if wanted and a != b:
            options.fail(f"the {name} differ ({a} and {b})", at)
    if actual.is_meta or expected.is_meta:
        return
    rtol, atol = (x.item() if isinstance(x, torch.Tensor) else x for x in (options.rtol, options.atol))
    if rtol is None:
        rtol, atol = default_tolerances(actual.dtype, expected.dtype)
    x, y = (_array(t) for t in (actual, expected))
    with np.errstate(all="ignore"):
        difference = np.abs(x - y)
        close = (x == y) | (difference <= atol + rtol * np.abs(y))
        if options.equal_nan:
            close |= np.isnan(x) & np.isnan(y)
        if bool(np.all(close)):
            return
        relative = difference / np.abs(y)
    _report(close, difference, relative, rtol, atol, options, at)


def _array(t: Any) -> Any:
    t = t.detach().cpu() if t.is_cuda else t.detach()
    a = np.asarray(t.to(torch.float32).numpy() if str(t.dtype) in ("torch.bfloat16", "torch.float16") else t.numpy())
    if a.dtype.kind in "biu":
        return a.astype(np.float64) if a.dtype.itemsize < 8 else a.astype(object).astype(np.longdouble)
    return a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)


def _report(close: Any, difference: Any, relative: Any, rtol: float, atol: float, options: _Options,
            at: str) -> NoReturn:
    wrong = int((~close).sum())
    lines = [f"{wrong} of {close.size} elements differ ({100 * wrong / close.size:.1f}%)"]
    for name, values, limit in (("absolute", difference, atol), ("relative", relative, rtol)):
        masked = np.where(close, -1, np.nan_to_num(values, nan=np.inf))
        where = tuple(int(i) for i in np.unravel_index(int(np.argmax(masked)), masked.shape))
        place = f" at {where}" if where else ""
        lines.append(f"greatest {name} difference: {float(np.asarray(values)[where]):.6g}{place} (allowed: {limit:g})")
    options.fail("\n".join(lines), at)
