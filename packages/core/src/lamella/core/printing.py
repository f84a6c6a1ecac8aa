"""How tensors print: the text of `repr(t)`, character for character what torch shows.

A tensor is trimmed to the corners that will be shown before anything is formatted, so printing a huge tensor costs the
same as printing a small one. Every element is formatted once; a column width comes from the finite non-zero ones.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .dtypes import bool_, get_default_complex, get_default_dtype, int64
from .serialization.names import is_parameter
from .tensor import Tensor


@dataclasses.dataclass
class _PrintOptions:
    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PRINT_OPTS = _PrintOptions()

_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Choose how tensors print from now on.

    Args:
        precision: digits after the decimal point of floating point elements.
        threshold: tensors with more elements than this show only their corners.
        edgeitems: elements shown at each end of a dimension that is cut short.
        linewidth: characters per line, used to break long rows.
        profile: a set of values to start from, "default", "short" or "full" (never cut short); the other arguments
            then override it.
        sci_mode: True prints floats as 1.0000e+00, False never does, None decides by the range of the values. Every
            call sets this one, so leaving it out goes back to None.

    Raises:
        ValueError: the profile is not one of the three.

    Example:
        >>> set_printoptions(precision=2, edgeitems=1)
        >>> get_printoptions()["precision"]
        2
        >>> set_printoptions(profile="default")
    """
    if profile is not None:
        chosen = _PROFILES.get(profile)
        if chosen is None:
            raise ValueError(message("set_printoptions", f"profile is one of {', '.join(_PROFILES)}", [repr(profile)]))
        for name, value in chosen.items():
            setattr(PRINT_OPTS, name, value)
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in given.items():
        if value is not None:
            setattr(PRINT_OPTS, name, value)
    PRINT_OPTS.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """The printing options in force, as keyword arguments for `set_printoptions`.

    Returns:
        A new dict with the keys precision, threshold, edgeitems, linewidth and sci_mode.

    Example:
        >>> get_printoptions()["edgeitems"]
        3
    """
    return dataclasses.asdict(PRINT_OPTS)


@contextlib.contextmanager
def printoptions(**kwargs: Any) -> Iterator[None]:
    """Printing options for the length of a `with` block.

    Args:
        **kwargs: what `set_printoptions` takes.

    Example:
        >>> with printoptions(precision=1):
        ...     get_printoptions()["precision"]
        1
        >>> get_printoptions()["precision"]
        4
    """
    before = get_printoptions()
    try:
        set_printoptions(**kwargs)
        yield
    finally:
        set_printoptions(**before)


def _width(text: str) -> int:
    return len(text)


def _format_plain(values: list[Any]) -> tuple[list[str], int]:
    texts = [str(v) for v in values]
    return texts, max(map(_width, texts), default=1)


def _needs_sci(magnitudes: np.ndarray) -> bool:
    low, high = magnitudes.min(), magnitudes.max()
    with np.errstate(over="ignore"):
        return bool(high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4)


def _format_floats(arr: np.ndarray) -> tuple[list[str], int]:
    """Text of every element of a flat float64 array, and the width of a column that holds them."""
    counted = np.isfinite(arr) & (arr != 0)
    finite = arr[counted]
    integral, sci = True, False
    if finite.size:
        integral = bool((finite == np.ceil(finite)).all())
        sci = _needs_sci(np.abs(finite)) if PRINT_OPTS.sci_mode is None else bool(PRINT_OPTS.sci_mode)
    if sci:
        spec = f".{PRINT_OPTS.precision}e"
    elif integral:
        spec = ".0f"
    else:
        spec = f".{PRINT_OPTS.precision}f"
    texts = [format(v, spec) for v in arr.tolist()]
    if integral and not sci:
        # The trailing point says "float"; inf and nan need none.
        texts = [t if t[-1] in "fn" else t + "." for t in texts]
    width = max((len(t) for t, c in zip(texts, counted.tolist(), strict=True) if c), default=1)
    return texts, width


def _pad(texts: list[str], width: int) -> list[str]:
    return [t.rjust(width) for t in texts]


def _column(arr: np.ndarray, is_float: bool) -> tuple[list[str], int]:
    """Padded texts of a flat array (real numbers or booleans) and their common width."""
    texts, width = _format_floats(arr.astype(np.float64)) if is_float else _format_plain(arr.tolist())
    return _pad(texts, width), width


def _elements(arr: np.ndarray, dtype: Any) -> tuple[list[str], int]:
    """Texts of all elements in row-major order, and the room that one takes including the separator."""
    flat = arr.reshape(-1)
    if not dtype.is_complex:
        texts, width = _column(flat, dtype.is_floating_point)
        return texts, width + 2
    real, real_width = _column(flat.real, True)
    imag, imag_width = _column(flat.imag, True)
    imag = [t.lstrip() for t in imag]
    joined = [f"{r}{i}j" if i[0] in "+-" else f"{r}+{i}j" for r, i in zip(real, imag, strict=True)]
    return joined, real_width + imag_width + 3


def _trim(arr: np.ndarray) -> np.ndarray:
    """The corners of an array that a summary shows."""
    edge = PRINT_OPTS.edgeitems
    for axis, size in enumerate(arr.shape):
        if size > 2 * edge:
            before = (slice(None),) * axis
            arr = np.concatenate((arr[(*before, slice(None, edge))], arr[(*before, slice(size - edge, None))]), axis)
    return arr


def _row(texts: list[str], cut: bool, indent: int, room: int) -> str:
    if cut:
        half = len(texts) // 2
        texts = [*texts[:half], " ...", *texts[half:]]
    per_line = len(texts)
    if math.isfinite(PRINT_OPTS.linewidth):
        per_line = max(1, math.floor((PRINT_OPTS.linewidth - indent) / room))
    lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nest(texts: list[str], shape: tuple[int, ...], cuts: tuple[bool, ...], indent: int, room: int) -> str:
    """Brackets around the element texts of a (trimmed) block of the given shape."""
    if not shape:
        return texts[0]
    if len(shape) == 1:
        return _row(texts, cuts[0], indent, room)
    step = len(texts) // shape[0]
    parts = [
        _nest(texts[i * step : (i + 1) * step], shape[1:], cuts[1:], indent + 1, room) for i in range(shape[0])
    ]
    if cuts[0]:
        half = len(parts) // 2
        parts.insert(half, "...")
    return "[" + ("," + "\n" * (len(shape) - 1) + " " * (indent + 1)).join(parts) + "]"


def array_str(arr: np.ndarray, dtype: Any, indent: int = 0) -> str:
    """The bracketed elements of an array as a tensor prints them.

    Args:
        arr: an ndarray (or an array of another module that follows NumPy's protocol and has `get`).
        dtype: the lamella dtype, asked for `is_complex` and `is_floating_point`.
        indent: how far the text is indented where it will stand; continued lines line up with it.

    Returns:
        The text, such as "[[1., 2.],\\n [3., 4.]]"; "[]" when there are no elements.
    """
    if arr.size == 0:
        return "[]"
    summarize = arr.size > PRINT_OPTS.threshold
    if summarize and arr.ndim and not PRINT_OPTS.edgeitems:
        return "[...]"
    cuts = tuple(summarize and size > 2 * PRINT_OPTS.edgeitems for size in arr.shape)
    if summarize:
        arr = _trim(arr)
    if not isinstance(arr, np.ndarray):
        arr = arr.get()
    texts, room = _elements(arr, dtype)
    return _nest(texts, arr.shape, cuts, indent, room)


def _content(t: Any, indent: int, given: str | None) -> tuple[str, list[str]]:
    """The part between the brackets of `tensor(...)`, and what describes it: size and dtype where they do not show."""
    default, dtype, shape = get_default_dtype(), t.dtype, tuple(t.shape)
    notes = []
    if t.is_meta or 0 in shape:
        if t.is_meta or len(shape) != 1:
            notes.append(f"size={shape}")
        if dtype is not default:
            notes.append(f"dtype={dtype}")
        text = "..." if t.is_meta else "[]"
    else:
        if not PRINT_OPTS.edgeitems:
            notes.append(f"size={shape}")
        if dtype not in (default, get_default_complex(), int64, bool_):
            notes.append(f"dtype={dtype}")
        text = given if given is not None else array_str(_host_array(t), dtype, indent)
    return (text if given is None else given), notes


def _host_array(t: Any) -> Any:
    return t._a if t.is_cpu else t.detach().to("cpu")._a


def _gradient_note(t: Any) -> list[str]:
    try:
        grad_fn = getattr(t, "grad_fn", None)
    except RuntimeError:  # a view whose history cannot be rebased still has to print
        return ["grad_fn=<Invalid>"]
    if grad_fn is not None:
        name = grad_fn.name() if callable(getattr(grad_fn, "name", None)) else type(grad_fn).__name__
        return [f"grad_fn=<{name.rsplit('::', 1)[-1]}>"]
    return ["requires_grad=True"] if getattr(t, "requires_grad", False) else []


def _append(text: str, notes: list[str], indent: int) -> str:
    """`text` followed by the notes, each on a new line where the current one is full, and the closing bracket."""
    column = len(text) - text.rfind("\n") + 1
    for note in notes:
        if column + len(note) + 2 > PRINT_OPTS.linewidth:
            text += ",\n" + " " * indent + note
            column = indent + len(note)
        else:
            text += ", " + note
            column += len(note) + 2
    return text + ")"


def tensor_repr(t: Any, *, tensor_contents: str | None = None, tangent: Any = None) -> str:
    """The text that `repr(t)` returns.

    Args:
        t: a tensor; elements in CPU memory are read as they lie there, no operator is called.
        tensor_contents: printed in place of the elements.
        tangent: the forward-mode tangent of `t`, printed last where given.

    Returns:
        What torch prints for the same tensor under the same options: elements, then device, size, dtype, gradient.

    Example:
        >>> from lamella import core
        >>> tensor_repr(core.tensor([1.0, 2.5]))
        'tensor([1.0000, 2.5000])'
    """
    cls = type(t)
    plain = cls is Tensor or "_plain" in cls.__dict__  # Parameter and Buffer print as tensors do
    prefix = "tensor(" if plain else f"{cls.__name__}("
    text, notes = _content(t, len(prefix), tensor_contents)
    if t.device.type != "cpu":
        notes.insert(0, f"device='{t.device}'")
    notes += _gradient_note(t)
    if tangent is not None:
        notes.append(f"tangent={tangent}")
    text = _append(prefix + text, notes, len(prefix))
    return f"Parameter({text})" if not plain and is_parameter(t) else text
