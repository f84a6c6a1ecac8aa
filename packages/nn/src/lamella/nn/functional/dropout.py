"""Dropout: random zeros in training.

The numbers are torch's: with the same seed the same elements are dropped. Nothing is drawn in evaluation, nor for p
of 0 or 1.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from lamella.core.faults import as_bool
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen.dropout import op__dropout_noise as _noise

_ALPHA = 1.7580993408473766


def _check(op: str, input: Any, p: float) -> None:
    if not isinstance(input, Tensor):
        raise TypeError(message(op, f"argument 'input' must be Tensor, not {type(input).__name__}"))
    if p < 0.0 or p > 1.0:
        raise ValueError(message(op, f"dropout probability has to be between 0 and 1, but got {p}"))


def _times(input: Any, factor: Any, inplace: bool) -> Any:
    return input.mul_(factor) if inplace else input * factor


def _drop(input: Any, p: float, training: bool, inplace: bool, size: Any) -> Any:
    if training is not True and not as_bool("dropout", "training", training) or p == 0 or input._a.size == 0:
        return input
    if input._a.dtype.kind in "biu":
        raise RuntimeError(
            message(
                "dropout",
                f"result type Float can't be cast to the desired output type {input.dtype}",
                hint="dropout needs a floating input",
            )
        )
    if p == 1:
        return _times(input, input.new_zeros(()), inplace)
    return _times(input, _noise(input, size, p, True), inplace)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeros in random places, and the other elements divided by ``1 - p`` (Hinton et al., 2012).

    Args:
        input: a floating tensor.
        p: the probability of a zero.
        training: otherwise the input is returned as it is.
        inplace: write the result into ``input``.

    Raises:
        ValueError: for a probability outside [0, 1].

    Example:
        >>> from lamella import core
        >>> dropout(core.ones(2), 0.5, training=False)
        tensor([1., 1.])
    """
    _check("dropout", input, p)
    return _drop(input, p, training, inplace, None)


def _channels(op: str, input: Any) -> tuple[int, ...]:
    """The shape of one number for each channel."""
    shape = input._a.shape
    if len(shape) < 2:
        raise RuntimeError(message(op, "Feature dropout requires at least 2 dimensions in the input"))
    return shape[:2] + (1,) * (len(shape) - 2)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """`dropout` of whole channels of ``(N, C, L)`` or ``(C, L)``; arguments are the same.

    Raises:
        RuntimeError: for other numbers of dimensions.
    """
    _check("dropout1d", input, p)
    n = input._a.ndim
    if n not in (2, 3):
        raise RuntimeError(
            message(
                "dropout1d", f"Expected 2D or 3D input, but received a {n}D input", hint="dropout drops single elements"
            )
        )
    x: Any = input
    if n == 2:
        x = x.unsqueeze_(0) if inplace else x.unsqueeze(0)
    r = _drop(x, p, training, inplace, _channels("dropout1d", x))
    return r if n == 3 else r.squeeze_(0) if inplace else r.squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """`dropout` of whole channels of ``(N, C, H, W)``; arguments are the same. ``(N, C, L)`` gives a warning."""
    _check("dropout2d", input, p)
    n = input._a.ndim
    if n not in (3, 4):
        warnings.warn(
            message(
                "dropout2d",
                f"Received a {n}-D input to dropout2d, which is deprecated",
                hint="use dropout for single elements",
            ),
            UserWarning,
            stacklevel=2,
        )
    if n == 3:
        warnings.warn(
            message(
                "dropout2d",
                "Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired",
                hint="use dropout1d",
            ),
            UserWarning,
            stacklevel=2,
        )
    return _drop(input, p, training, inplace, _channels("dropout2d", input))


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """`dropout` of whole channels of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; arguments are the same."""
    _check("dropout3d", input, p)
    n = input._a.ndim
    if n not in (4, 5):
        warnings.warn(
            message(
                "dropout3d",
                f"Received a {n}-D input to dropout3d, which is deprecated",
                hint="use dropout for single elements",
            ),
            UserWarning,
            stacklevel=2,
        )
    x: Any = input
    if n == 4:
        x = x.unsqueeze_(0) if inplace else x.unsqueeze(0)
    r = _drop(x, p, training, inplace, _channels("dropout3d", x))
    return r if n != 4 else r.squeeze_(0) if inplace else r.squeeze(0)


def _alpha(op: str, input: Any, p: float, training: bool, inplace: bool, channels: bool) -> Any:
    _check(op, input, p)
    if not training or p == 0 or input._a.size == 0:
        return input
    size = _channels(op, input) if channels else None
    if p == 1:
        return _times(input, input.new_zeros(()), inplace)
    kept = _noise(input, size, p, False)
    a = 1 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
    shift = (kept - 1) * (_ALPHA * a) + _ALPHA * a * p
    return _times(input, kept * a, inplace).add_(shift)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Elements replaced by selu's negative limit, scaled so that mean and variance stay (Klambauer et al., 2017).

    Args:
        input: a floating tensor.
        p: the probability of a replacement.
        training: otherwise the input is returned as it is.
        inplace: write the result into ``input``.

    Raises:
        ValueError: for a probability outside [0, 1].
    """
    return _alpha("alpha_dropout", input, p, training, inplace, False)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """`alpha_dropout` of whole channels of ``(N, C, ...)``; arguments are the same."""
    return _alpha("feature_alpha_dropout", input, p, training, inplace, True)


__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]
