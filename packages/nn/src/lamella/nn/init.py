"""Initialisers: fill a tensor in place, without recording gradients, and return it.

All random ones draw torch's numbers in torch's order, so `manual_seed(0)` gives the same network in both.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor

_UNIT_GAIN = frozenset(
    ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid")
)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance through a non-linear function.

    Args:
        nonlinearity: its name in `torch.nn.functional`.
        param: the negative slope of `leaky_relu` (default 0.01).

    Returns:
        1 for linear functions, convolutions and sigmoid; 5/3 for tanh; sqrt(2) for relu;
        sqrt(2 / (1 + slope^2)) for leaky_relu; 3/4 for selu.

    Raises:
        ValueError: the function is not known, or `param` is not a number.

    Example:
        >>> from lamella import nn
        >>> round(nn.init.calculate_gain("relu"), 4)
        1.4142
    """
    if nonlinearity in _UNIT_GAIN:
        return 1
    if nonlinearity == "tanh":
        return 5 / 3
    if nonlinearity == "relu":
        return math.sqrt(2)
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        elif isinstance(param, bool) or not isinstance(param, (int, float)):
            raise ValueError(f"calculate_gain: negative_slope {param} not a valid number")
        return math.sqrt(2 / (1 + param**2))
    if nonlinearity == "selu":
        return 3 / 4
    raise ValueError(f"calculate_gain: Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fills with numbers drawn uniformly from [a, b).

    Args:
        tensor: what is filled.
        a: the lower bound.
        b: the upper bound.
        generator: where the random numbers come from.
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fills with numbers drawn from the normal distribution N(mean, std^2).

    Args:
        tensor: what is filled.
        mean: the mean.
        std: the standard deviation.
        generator: where the random numbers come from.
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _normal_cdf(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Fills with numbers drawn from the normal distribution N(mean, std^2), restricted to [a, b].

    Draws are repeated where they fall outside: from the normal distribution itself if more than 30% of it lies in
    [a, b], else from a uniform one with acceptance by the density.

    Args:
        tensor: what is filled.
        mean: the mean of the unrestricted distribution.
        std: its standard deviation.
        a: the lower bound.
        b: the upper bound.
        generator: where the random numbers come from.
    """
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            f"trunc_normal_: the mean is more than 2 std from [a, b], the values may be distributed wrongly "
            f"(mean={mean}, std={std}, a={a}, b={b})",
            stacklevel=2,
        )
    with no_grad():
        inside = _normal_cdf((b - mean) / std) - _normal_cdf((a - mean) / std)
        if inside > 0.3:
            _redraw_normal(tensor, mean, std, a, b, generator)
        else:
            _redraw_uniform(tensor, mean, std, a, b, generator)
    return tensor


def _redraw_normal(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> None:
    low, high = (core.full((), v, dtype=tensor.dtype).item() for v in (a, b))
    tensor.normal_(mean, std, generator=generator)
    while (outside := (tensor < low) | (tensor > high)).any():
        again = core.empty_like(tensor).normal_(mean, std, generator=generator)
        tensor.copy_(core.where(outside, again, tensor))


def _redraw_uniform(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> None:
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def refused(values: Tensor) -> Tensor:
        log_density = ((values - mean) / std).pow_(2).mul_(-0.5).sub_(peak)
        return core.empty_like(tensor).uniform_(generator=generator).log_().gt(log_density)

    tensor.uniform_(a, b, generator=generator)
    pending = refused(tensor)
    while pending.any():
        again = core.empty_like(tensor).uniform_(a, b, generator=generator)
        tensor.copy_(core.where(pending, again, tensor))
        pending = pending & refused(again)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fills with one value."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fills with ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fills with zeros."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor: Tensor) -> Tensor:
    """Fills a matrix with the identity.

    Raises:
        ValueError: the tensor does not have 2 dimensions.
    """
    if tensor.ndim != 2:
        raise ValueError(f"eye_: Only tensors with 2 dimensions are supported (got {tensor.ndim})")
    with no_grad():
        if not tensor.is_meta:
            tensor.copy_(core.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fills the weight of a convolution so that it passes as many input channels through as it can.

    Args:
        tensor: a weight of 3, 4 or 5 dimensions.
        groups: the number of groups of the convolution, each of which passes its channels.

    Raises:
        ValueError: the number of dimensions is another, or the output channels do not split into the groups.
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError(f"dirac_: Only tensors with 3, 4, or 5 dimensions are supported (got {tensor.ndim})")
    if tensor.size(0) % groups:
        raise ValueError(f"dirac_: dim 0 must be divisible by groups ({tensor.size(0)} and {groups})")
    if tensor.is_meta:
        return tensor
    per_group = tensor.size(0) // groups
    centre = tuple(s // 2 for s in tensor.shape[2:])
    with no_grad():
        tensor.zero_()
        for g in range(groups):
            for d in range(min(per_group, tensor.size(1))):
                tensor[(g * per_group + d, d, *centre)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    if tensor.ndim < 2:
        raise ValueError(
            f"init: Fan in and fan out can not be computed for tensor with fewer than 2 dimensions (got {tensor.ndim})"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"init: Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fills uniformly from [-a, a) with a = gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010).

    Args:
        tensor: what is filled; at least 2 dimensions.
        gain: a factor, see `calculate_gain`.
        generator: where the random numbers come from.

    Raises:
        ValueError: the tensor has fewer than 2 dimensions.
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / (fan_in + fan_out))
    a = math.sqrt(3.0) * std
    return uniform_(tensor, -a, a, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fills from N(0, std^2) with std = gain * sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010).

    Args:
        tensor: what is filled; at least 2 dimensions.
        gain: a factor, see `calculate_gain`.
        generator: where the random numbers come from.

    Raises:
        ValueError: the tensor has fewer than 2 dimensions.
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


def _nothing_to_do(tensor: Tensor) -> bool:
    if 0 not in tensor.shape:
        return False
    warnings.warn("init: Initializing zero-element tensors is a no-op", stacklevel=3)
    return True


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fills uniformly from [-bound, bound) with bound = gain * sqrt(3 / fan) (He et al., 2015).

    Args:
        tensor: what is filled; at least 2 dimensions.
        a: the negative slope that follows, for `leaky_relu`.
        mode: `"fan_in"` keeps the variance of the forward pass, `"fan_out"` that of the backward pass.
        nonlinearity: what follows the layer.
        generator: where the random numbers come from.

    Raises:
        ValueError: fewer than 2 dimensions, or a mode or non-linearity that is not known.
    """
    if _nothing_to_do(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fills from N(0, std^2) with std = gain / sqrt(fan) (He et al., 2015); arguments as for `kaiming_uniform_`."""
    if _nothing_to_do(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fills with a (semi-)orthogonal matrix times `gain` (Saxe et al., 2013); dimensions past the first are merged.

    Args:
        tensor: what is filled; at least 2 dimensions.
        gain: a factor.
        generator: where the random numbers come from.

    Raises:
        ValueError: the tensor has fewer than 2 dimensions.
    """
    if tensor.ndim < 2:
        raise ValueError(f"orthogonal_: Only tensors with 2 or more dimensions are supported (got {tensor.ndim})")
    if tensor.numel() == 0 or tensor.is_meta:
        return tensor
    rows = tensor.size(0)
    cols = tensor.numel() // rows
    with no_grad():
        flat = core.empty((rows, cols), dtype=tensor.dtype, device=tensor.device).normal_(0, 1, generator=generator)
        q = _orthonormal(flat.t() if rows < cols else flat)
        tensor.copy_((q.t() if rows < cols else q).reshape(tensor.shape)).mul_(gain)
    return tensor


def _orthonormal(tall: Tensor) -> Tensor:
    """The Q of the QR decomposition whose R has a positive diagonal."""
    q, r = np.linalg.qr(tall.cpu().numpy())
    return core.from_numpy(q * np.sign(np.diagonal(r))).to(tall.device)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fills a matrix from N(0, std^2) and sets the fraction `sparsity` of each column to zero (Martens, 2010).

    Raises:
        ValueError: the tensor does not have 2 dimensions.
    """
    if tensor.ndim != 2:
        raise ValueError(f"sparse_: Only tensors with 2 dimensions are supported (got {tensor.ndim})")
    if tensor.is_meta:
        return tensor
    rows, cols = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for col in range(cols):
            tensor[core.randperm(rows)[:zeros], col] = 0
    return tensor


def _deprecated(fn: Callable) -> Callable:
    old = fn.__name__[:-1]

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(f"nn.init.{old} is now deprecated in favor of nn.init.{old}_.", FutureWarning, stacklevel=2)
        return fn(*args, **kwargs)

    call.__name__ = old
    call.__doc__ = f"The older name of `{old}_`."
    return call


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
