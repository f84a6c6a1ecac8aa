"""Window functions: torch.signal.windows, and the older ``torch.hann_window`` and its like."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..layouts import strided
from ..tensor import Tensor
from .creation import arange, empty, linspace, ones


def _check(name: str, M: int, dtype: Any, layout: Any) -> Any:  # noqa: N803 - torch's name
    op = f"signal.windows.{name}"
    if M < 0:
        raise ValueError(message(op, f"requires non-negative window length, got M={M}"))
    if layout is not None and layout is not strided:
        raise ValueError(message(op, f"is implemented for strided tensors only, got: {layout}"))
    d = dt.get_default_dtype() if dtype is None else dtype
    if d not in (dt.float32, dt.float64):
        raise ValueError(message(op, f"expects float32 or float64 dtypes, got: {d!r}"))
    return d


def _window(name: str, what: str, options: dict[str, Any], points: Any) -> Any:
    """A public function from ``points(M, periodic, make, **options)``; ``make`` has the dtype and device."""
    op = f"signal.windows.{name}"

    def window(
        M: int,  # noqa: N803
        *,
        sym: bool = True,
        dtype: Any = None,
        layout: Any = strided,
        device: Any = None,
        requires_grad: bool = False,
        **given: Any,
    ) -> Tensor:
        for key in given:
            if key not in options:
                raise TypeError(message(op, f"got an unexpected keyword argument '{key}'"))
        chosen = {**options, **given}
        for key, value in chosen.items():
            if value is ...:
                raise TypeError(message(op, f"missing required argument '{key}'"))
        d = _check(name, M, dtype, layout)
        make = {"dtype": d, "device": device}
        if M == 0:
            r: Any = empty(0, **make)
        elif M == 1:
            points(M, not sym, make, **chosen)
            r = ones(1, **make)
        else:
            r = points(M, not sym, make, **chosen)
        return r.requires_grad_(True) if requires_grad else r

    window.__name__ = window.__qualname__ = name
    extra = "".join(f"        {k}: see torch.signal.windows.{name} (default {v}).\n" for k, v in options.items())
    window.__doc__ = f"""{what}

    Args:
        M: number of points.
        sym: symmetric, for designing filters; False is periodic, for spectra.
        dtype: float32 or float64.
        layout, device, requires_grad: as for other factories.
{extra}
    Raises:
        ValueError: for a negative length or another dtype.
    """
    return window


def _span(M: int, periodic: bool) -> int:  # noqa: N803
    return M if periodic else max(M - 1, 1)


def _general_cosine(M: int, periodic: bool, make: Any, a: Any) -> Any:  # noqa: N803
    terms = list(a)
    if not terms:
        raise ValueError(message("signal.windows.general_cosine", "coefficients cannot be empty"))
    angle: Any = arange(M, **make) * (2 * math.pi / _span(M, periodic))  # type: ignore[operator]
    r: Any = 0.0
    for i, c in enumerate(terms):
        r = r + (angle * i).cos() * ((-1) ** i * c)
    return r


def _cosines(*terms: float) -> Any:
    return lambda M, periodic, make: _general_cosine(M, periodic, make, terms)


def _general_hamming(M: int, periodic: bool, make: Any, alpha: float) -> Any:  # noqa: N803
    return _general_cosine(M, periodic, make, (alpha, 1.0 - alpha))


def _bartlett(M: int, periodic: bool, make: Any) -> Any:  # noqa: N803
    k: Any = linspace(-1, -1 + 2 * (M - 1) / _span(M, periodic), M, **make)
    return 1 - k.abs()


def _cosine(M: int, periodic: bool, make: Any) -> Any:  # noqa: N803
    x: Any = arange(M, **make) + 0.5  # type: ignore[operator]
    return (x * (math.pi / (M + 1 if periodic else M))).sin()


def _exponential(M: int, periodic: bool, make: Any, center: float | None, tau: float) -> Any:  # noqa: N803
    op = "signal.windows.exponential"
    if tau <= 0:
        raise ValueError(message(op, f"Tau must be positive, got: {tau} instead."))
    if not periodic and center is not None:
        raise ValueError(message(op, "Center must be None for symmetric windows"))
    middle = (M if periodic else M - 1) / 2.0 if center is None else center
    x: Any = arange(M, **make) - middle  # type: ignore[operator]
    return (x.abs() * (-1 / tau)).exp()


def _gaussian(M: int, periodic: bool, make: Any, std: float) -> Any:  # noqa: N803
    if std <= 0:
        raise ValueError(
            message("signal.windows.gaussian", f"Standard deviation must be positive, got: {std} instead.")
        )
    x: Any = arange(M, **make) - (M if periodic else M - 1) / 2.0  # type: ignore[operator]
    return (-((x * (1 / (std * math.sqrt(2)))) ** 2)).exp()


def _kaiser(M: int, periodic: bool, make: Any, beta: float) -> Any:  # noqa: N803
    if beta < 0:
        raise ValueError(message("signal.windows.kaiser", f"beta must be non-negative, got: {beta} instead."))
    x: Any = linspace(-beta, -beta + 2 * beta * (M - 1) / _span(M, periodic), M, **make)
    root = (x.new_full((), beta * beta) - x * x).clamp(min=0).sqrt()
    return root.i0() / x.new_full((), beta).i0()


_ALL = {
    "bartlett": _window("bartlett", "A triangle that is zero at both ends.", {}, _bartlett),
    "blackman": _window("blackman", "Blackman's window: three cosines.", {}, _cosines(0.42, 0.5, 0.08)),
    "cosine": _window("cosine", "Half a period of a sine.", {}, _cosine),
    "exponential": _window(
        "exponential", "Exponential decay to both sides.", {"center": None, "tau": 1.0}, _exponential
    ),
    "gaussian": _window("gaussian", "A bell curve of height one.", {"std": 1.0}, _gaussian),
    "general_cosine": _window(
        "general_cosine", "A sum of cosines with the weights ``a``.", {"a": ...}, _general_cosine
    ),
    "general_hamming": _window("general_hamming", "alpha - (1 - alpha) cos.", {"alpha": 0.54}, _general_hamming),
    "hamming": _window("hamming", "Hamming's window.", {}, _cosines(0.54, 0.46)),
    "hann": _window("hann", "Hann's window: a squared sine.", {}, _cosines(0.5, 0.5)),
    "kaiser": _window("kaiser", "Kaiser's window.", {"beta": 12.0}, _kaiser),
    "nuttall": _window(
        "nuttall", "Nuttall's window: four cosines.", {}, _cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411)
    ),
}


def _old(name: str, new: Any, parameters: tuple[tuple[str, Any], ...]) -> Any:
    """``torch.<name>``: periodic unless asked otherwise, any floating dtype, further parameters by position."""

    def window(window_length: int, *args: Any, requires_grad: bool = False, **options: Any) -> Tensor:
        chosen = {"periodic": True, **dict(parameters)}
        if len(args) > len(chosen):
            raise TypeError(message(name, f"takes at most {1 + len(chosen)} positional arguments"))
        chosen |= dict(zip(chosen, args, strict=False))
        chosen |= {k: options.pop(k) for k in list(options) if k in chosen}
        d = options.pop("dtype", None) or dt.get_default_dtype()
        options.pop("layout", None), options.pop("pin_memory", None)
        if window_length < 0:
            raise RuntimeError(message(name, "requires non-negative window_length", {"window_length": window_length}))
        if not d.is_floating_point:
            raise RuntimeError(message(name, f"expects floating point dtypes, got: {d!r}"))
        periodic = chosen.pop("periodic")
        inner = d if d.itemsize > 2 else dt.float32
        r: Any = new(window_length, periodic, {"dtype": inner, "device": options.pop("device", None)}, **chosen)
        if options:
            raise TypeError(message(name, f"got an unexpected keyword argument '{next(iter(options))}'"))
        r = r if inner is d else r.to(d)
        return r.requires_grad_(True) if requires_grad else r

    window.__name__ = window.__qualname__ = name
    window.__doc__ = f"""As ``torch.signal.windows.{name.removesuffix("_window")}``, periodic by default.

    Args:
        window_length: number of points.
        periodic: for spectra; False is symmetric.
        **options: dtype, device, requires_grad{"".join(", " + k for k, _ in parameters)}.
    """
    return window


def _plain(points: Any) -> Any:
    """The points of a window, also of none or one."""

    def make(M: int, periodic: bool, options: Any, **chosen: Any) -> Any:  # noqa: N803
        if M < 2:
            return ones(M, **options)
        return points(M, periodic, options, **chosen)

    return make


def _hamming(M: int, periodic: bool, make: Any, alpha: float, beta: float) -> Any:  # noqa: N803
    return _general_cosine(M, periodic, make, (alpha, beta))


FUNCTIONS: dict[str, Any] = {f"signal_windows_{n}": f for n, f in _ALL.items()}
FUNCTIONS |= {
    "bartlett_window": _old("bartlett_window", _plain(_bartlett), ()),
    "blackman_window": _old("blackman_window", _plain(_cosines(0.42, 0.5, 0.08)), ()),
    "hann_window": _old("hann_window", _plain(_cosines(0.5, 0.5)), ()),
    "hamming_window": _old("hamming_window", _plain(_hamming), (("alpha", 0.54), ("beta", 0.46))),
    "kaiser_window": _old("kaiser_window", _plain(_kaiser), (("beta", 12.0),)),
}
METHODS: dict[str, Any] = {}
