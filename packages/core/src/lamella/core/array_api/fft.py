"""Discrete Fourier transforms: the standard's extension ``fft``."""

from __future__ import annotations

from typing import Any

import lamella.core as _core

from .manipulation import as_axes

__all__ = [
    "fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft", "fftfreq", "rfftfreq",
    "fftshift", "ifftshift",
]  # fmt: skip


def _one(name: str, op: Any, what: str) -> Any:
    def transform(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
        return op(x, n, axis, norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""{what}

    Args:
        x: an array.
        n: how many points there are; by default the size of the axis (for ``irfft`` and ``hfft`` twice that less one).
        axis: the axis.
        norm: ``"backward"`` scales the inverse by 1/n, ``"forward"`` the other, ``"ortho"`` both by 1/sqrt(n).
    """
    return transform


def _several(name: str, op: Any, what: str) -> Any:
    def transform(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
        return op(x, None if s is None else tuple(s), None if axes is None else tuple(axes), norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""{what}

    Args:
        x: an array.
        s: how many points there are along each axis. axes: which axes; the last ones, or all, by default.
        norm: as in ``fft``.
    """
    return transform


fft = _one("fft", _core.fft_fft, "The Fourier transform along an axis.")
ifft = _one("ifft", _core.fft_ifft, "The inverse of ``fft``.")
rfft = _one("rfft", _core.fft_rfft, "The first half of the Fourier transform of real numbers.")
irfft = _one("irfft", _core.fft_irfft, "The inverse of ``rfft``.")
hfft = _one("hfft", _core.fft_hfft, "The Fourier transform, which is real, of a signal of which half is given.")
ihfft = _one("ihfft", _core.fft_ihfft, "The inverse of ``hfft``.")
fftn = _several("fftn", _core.fft_fftn, "The Fourier transform over several axes.")
ifftn = _several("ifftn", _core.fft_ifftn, "The inverse of ``fftn``.")
rfftn = _several("rfftn", _core.fft_rfftn, "As ``fftn``, of real numbers; only half of the last axis is kept.")
irfftn = _several("irfftn", _core.fft_irfftn, "The inverse of ``rfftn``.")


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies that results of ``fft`` belong to.

    Args:
        n: how many points. d: the distance of two.
        dtype: the default floating type by default. device: where the result goes.

    Example:
        >>> fftfreq(4).tolist()
        [0.0, 0.25, -0.5, -0.25]
    """
    return _core.fft_fftfreq(n, d, dtype=dtype or _core.get_default_dtype(), device=device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies that results of ``rfft`` belong to (arguments as those of ``fftfreq``).

    Example:
        >>> rfftfreq(4).tolist()
        [0.0, 0.25, 0.5]
    """
    return _core.fft_rfftfreq(n, d, dtype=dtype or _core.get_default_dtype(), device=device)


def fftshift(x: Any, /, *, axes: Any = None) -> Any:
    """The frequency zero moved to the middle of axes (all of them by default).

    Example:
        >>> fftshift(fftfreq(4)).tolist()
        [-0.5, -0.25, 0.0, 0.25]
    """
    return _core.fft_fftshift(x, None if axes is None else as_axes(axes))


def ifftshift(x: Any, /, *, axes: Any = None) -> Any:
    """The inverse of ``fftshift``.

    Example:
        >>> ifftshift(fftshift(fftfreq(4))).tolist()
        [0.0, 0.25, -0.5, -0.25]
    """
    return _core.fft_ifftshift(x, None if axes is None else as_axes(axes))
