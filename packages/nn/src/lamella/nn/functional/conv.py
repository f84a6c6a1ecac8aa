"""Convolutions, as users call them."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.core.faults import as_ints
from lamella.dispatch.errors import message

from .._gen import conv as _gen

__all__ = [
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "conv_tbc",
    "fold",
    "unfold",
]


def spread(op: str, name: str, value: Any, n: int) -> tuple[int, ...]:
    """One number for all spatial dimensions, or one for each."""
    if value.__class__ is int:
        return (value,) * n
    value = as_ints(op, name, value, True)
    if len(value) == 1:
        return value * n
    if len(value) != n:
        raise RuntimeError(
            message(op, f"expected {name} to be a single integer value or a list of {n} values", [list(value)])
        )
    return value


def _same_padding(
    op: str, kernel: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Left and right padding that keeps sizes; the odd element goes to the right."""
    if any(s != 1 for s in stride):
        raise RuntimeError(message(op, "padding='same' is not supported for strided convolutions", {"stride": stride}))
    total = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    return [(t // 2, t - t // 2) for t in total]


def _conv(
    op: str, n: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:  # noqa: A002
    for name, t in (("input", input), ("weight", weight)):
        if not isinstance(t, Tensor):
            raise TypeError(message(op, f"argument '{name}' must be Tensor, not {type(t).__name__}"))
    if weight.ndim != n + 2:
        raise RuntimeError(message(op, f"expected a {n + 2}-dimensional weight, but got {weight.ndim} dimensions"))
    stride, dilation = spread(op, "stride", stride, n), spread(op, "dilation", dilation, n)
    lone = input.ndim == n + 1
    if not lone and input.ndim != n + 2:
        raise RuntimeError(
            message(
                op,
                f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {op}, but got input of "
                f"size: {list(input.shape)}",
            )
        )
    x = input.unsqueeze(0) if lone else input
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise RuntimeError(message(op, f"padding must be 'same', 'valid' or numbers (got {padding!r})"))
        if padding == "valid":
            padding = (0,) * n
        else:
            sides = _same_padding(op, weight.shape[2:], stride, dilation)
            if any(a != b for a, b in sides):
                from .padding import pad

                # The common part stays with the convolution; only the odd element is padded here.
                x = pad(x, [v for a, b in reversed(sides) for v in (0, b - a)])
            padding = tuple(a for a, _ in sides)
    padding = spread(op, "padding", padding, n)
    r = _gen.convolution(x, weight, bias, stride, padding, dilation, False, (0,) * n, groups)
    return r.squeeze(0) if lone else r


def _transposed(
    op: str,
    n: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,  # noqa: A002
    groups: int,
    dilation: Any,
) -> Any:
    for name, t in (("input", input), ("weight", weight)):
        if not isinstance(t, Tensor):
            raise TypeError(message(op, f"argument '{name}' must be Tensor, not {type(t).__name__}"))
    if weight.ndim != n + 2:
        raise RuntimeError(message(op, f"expected a {n + 2}-dimensional weight, but got {weight.ndim} dimensions"))
    lone = input.ndim == n + 1
    if not lone and input.ndim != n + 2:
        raise RuntimeError(
            message(
                op,
                f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {op}, but got input of "
                f"size: {list(input.shape)}",
            )
        )
    x = input.unsqueeze(0) if lone else input
    r = _gen.convolution(
        x,
        weight,
        bias,
        spread(op, "stride", stride, n),
        spread(op, "padding", padding, n),
        spread(op, "dilation", dilation, n),
        True,
        spread(op, "output_padding", output_padding, n),
        groups,
    )
    return r.squeeze(0) if lone else r


_CONV_DOC = """A convolution over {n} spatial dimension{s}.

    Args:
        input: (N, C, {d}) or (C, {d}).
        weight: (O, C / groups, {k}).
        bias: (O,) or None.
        stride, dilation: a number or one for each dimension.
        padding: numbers, ``"valid"`` (none) or ``"same"`` (the size stays; stride must be 1).
        groups: into how many independent groups the channels are split.

    Returns:
        (N, O, ...) with (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1 in each dimension.

    Raises:
        RuntimeError: for sizes or types that do not fit together.
    """


def conv1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,  # noqa: A002
    groups: int = 1,
) -> Any:
    return _conv("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,  # noqa: A002
    groups: int = 1,
) -> Any:
    return _conv("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,  # noqa: A002
    groups: int = 1,
) -> Any:
    return _conv("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


for _f, _n, _d, _k in ((conv1d, 1, "L", "K"), (conv2d, 2, "H, W", "KH, KW"), (conv3d, 3, "D, H, W", "KD, KH, KW")):
    _f.__doc__ = _CONV_DOC.format(n=_n, s="" if _n == 1 else "s", d=_d, k=_k)


def conv_transpose1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,  # noqa: A002
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The gradient of `conv1d` in its input, as an operator of its own; weight is (C, O / groups, K)."""
    return _transposed("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,  # noqa: A002
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The gradient of `conv2d` in its input, as an operator of its own; weight is (C, O / groups, KH, KW)."""
    return _transposed("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,  # noqa: A002
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The gradient of `conv3d` in its input, as an operator of its own; weight is (C, O / groups, KD, KH, KW)."""
    return _transposed("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_tbc(input: Any, weight: Any, bias: Any, pad: int = 0) -> Any:  # noqa: A002
    """A one-dimensional convolution of (time, batch, channels) with (kernel, channels, out)."""
    r = conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad)
    return r.permute(2, 0, 1)


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:  # noqa: A002
    """The windows of (N, C, H, W) as columns: (N, C * kernel, windows)."""
    k, d, p, s = (
        spread("unfold", name, v, 2)
        for name, v in (("kernel_size", kernel_size), ("dilation", dilation), ("padding", padding), ("stride", stride))
    )
    _check_windows("unfold", k, d, p, s)
    if input.ndim not in (3, 4):
        raise RuntimeError(message("unfold", f"expected a 3D or 4D (batched) input, got {list(input.shape)}"))
    from ..kernels.conv import out_size

    out = [out_size(*v) for v in zip(input.shape[-2:], k, s, p, d, strict=True)]
    if any(o < 1 for o in out):
        raise RuntimeError(
            message(
                "unfold",
                f"the sliding windows do not fit: their number would be {out}",
                {"input": list(input.shape), "kernel_size": k},
            )
        )
    return _gen.op_im2col(input, k, d, p, s)


def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:  # noqa: A002
    """Adds up columns of windows, as `unfold` makes them, into (N, C, H, W)."""
    from ..kernels.conv import out_size

    size = spread("fold", "output_size", output_size, 2)
    k, d, p, s = (
        spread("fold", name, v, 2)
        for name, v in (("kernel_size", kernel_size), ("dilation", dilation), ("padding", padding), ("stride", stride))
    )
    _check_windows("fold", k, d, p, s)
    if input.ndim not in (2, 3):
        raise RuntimeError(message("fold", f"expected a 2D or 3D (batched) input, got {list(input.shape)}"))
    windows = 1
    for v in zip(size, k, s, p, d, strict=True):
        windows *= out_size(*v)
    if input.shape[-2] % (k[0] * k[1]) or windows != input.shape[-1] or windows < 1:
        raise RuntimeError(
            message(
                "fold",
                f"the input needs {k[0] * k[1]} values per channel and {windows} windows",
                {"input": list(input.shape), "output_size": size, "kernel_size": k},
            )
        )
    return _gen.op_col2im(input, size, k, d, p, s)


def _check_windows(op: str, k: Any, d: Any, p: Any, s: Any) -> None:
    for name, v, low in (("kernel_size", k, 1), ("dilation", d, 1), ("stride", s, 1), ("padding", p, 0)):
        if any(i < low for i in v):
            raise RuntimeError(message(op, f"{name} must be at least {low}", {name: v}))
