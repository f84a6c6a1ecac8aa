"""Padding, as users call it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.core import Tensor, constant_pad_nd
from lamella.dispatch.errors import message

from .._gen import padding as _gen

__all__ = ["pad"]

_MODES: dict[str, Any] = {
    "reflect": {n: getattr(_gen, f"op_reflection_pad{n}d") for n in (1, 2, 3)},
    "replicate": {n: getattr(_gen, f"op_replication_pad{n}d") for n in (1, 2, 3)},
    "circular": dict.fromkeys((1, 2, 3), _gen.op__pad_circular),
}


def _widths(given: Any) -> tuple[int, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise TypeError(message("pad", f"argument 'pad' must be tuple of ints, not {type(given).__name__}"))
    for v in given:
        if isinstance(v, bool) or not hasattr(v, "__index__"):
            raise TypeError(message("pad", f"argument 'pad' must be tuple of ints, but found {type(v).__name__}"))
    return tuple(int(v) for v in given)


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Widens (or, with negative widths, crops) the last dimensions of a tensor.

    Args:
        input: any tensor for ``"constant"``; for the other modes one or two leading dimensions (batch, channels) and up
            to three that are padded.
        pad: pairs (before, after), the last dimension first; at most one pair per dimension.
        mode: ``"constant"`` fills with ``value``; ``"reflect"`` mirrors without repeating the edge, ``"replicate"``
            repeats the edge, ``"circular"`` goes on at the other side.
        value: what ``"constant"`` fills with; 0 by default.

    Returns:
        A new tensor with each padded dimension ``before + size + after`` long.

    Raises:
        RuntimeError: for an odd number of widths, more pairs than dimensions, or widths that the mode does not allow.
        NotImplementedError: for an unknown mode, or more dimensions than a mode can do.

    Example:
        >>> from lamella import core
        >>> pad(core.tensor([[1.0, 2.0, 3.0]]), (1, 1), mode="reflect")
        tensor([[2., 1., 2., 3., 2.]])
    """
    if not isinstance(input, Tensor):
        raise TypeError(message("pad", f"argument 'input' must be Tensor, not {type(input).__name__}"))
    widths, ndim = _widths(pad), input.ndim
    if len(widths) % 2:
        raise RuntimeError(message("pad", "Padding length must be divisible by 2", [list(widths)]))
    if len(widths) > 2 * ndim:
        raise RuntimeError(
            message(
                "pad",
                "Padding length should be less than or equal to two times the input dimension",
                {"length": len(widths), "dimensions": ndim},
            )
        )
    if mode == "constant":
        return constant_pad_nd(input, widths, 0 if value is None else value)
    if mode not in _MODES:
        raise NotImplementedError(
            message("pad", f"Unrecognised padding mode {mode}", hint="one of constant, reflect, replicate, circular")
        )
    if value is not None and value != 0:
        raise RuntimeError(message("pad", f'Padding mode "{mode}" doesn\'t take in value argument', {"value": value}))
    n = len(widths) // 2
    if n not in (1, 2, 3) or ndim not in (n + 1, n + 2):
        raise NotImplementedError(
            message(
                "pad",
                "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now",
                {"input": list(input.shape), "pad": list(widths)},
            )
        )
    return _MODES[mode][n](input, widths)
