"""Normalisation, as users call it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lamella.core import Tensor
from lamella.core.dtypes import float32
from lamella.core.faults import as_bool, as_float
from lamella.core.promotion import promote_types
from lamella.dispatch.errors import message

from .._args import need_tensor
from .._gen import batchnorm as _batch, normalization as _gen
from .._reduction import constants
from ..kernels.normalization import default_eps
from ..meta.batchnorm import check_running
from ..meta.normalization import check_layer

__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "rms_norm"]


def _shape(op: str, normalized_shape: Any) -> tuple[int, ...]:
    if isinstance(normalized_shape, int) or not isinstance(normalized_shape, Sequence):
        raise TypeError(
            message(
                op,
                f"argument 'normalized_shape' must be tuple of ints, not {type(normalized_shape).__name__}",
                hint=f"({normalized_shape},)" if isinstance(normalized_shape, int) else None,
            )
        )
    return tuple(normalized_shape)


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises each feature vector to mean 0 and variance 1, then scales and shifts it (Ba et al., 2016).

    Args:
        input: (*, *normalized_shape), of a floating type.
        normalized_shape: the last sizes, over which is normalised.
        weight, bias: factors and summands of that shape, or None.
        eps: added to the variance.

    Returns:
        A tensor like ``input``.

    Raises:
        RuntimeError: for shapes or types that do not fit together.

    Example:
        >>> from lamella import core
        >>> layer_norm(core.tensor([[1.0, 3.0], [5.0, 5.0]]), (2,))
        tensor([[-1.0000,  1.0000],
                [ 0.0000,  0.0000]])
    """
    if normalized_shape.__class__ is not tuple:
        normalized_shape = _shape("layer_norm", normalized_shape)
    return _gen.native_layer_norm(input, normalized_shape, weight, bias, eps)[0]


def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides each feature vector by its root mean square, then scales it (Zhang and Sennrich, 2019).

    Args:
        input: (*, *normalized_shape), of a floating type.
        normalized_shape: the last sizes, over which is normalised.
        weight: factors of that shape, or None.
        eps: added to the mean square; by default the distance from 1 to the next number.

    Returns:
        A tensor like ``input``.

    Raises:
        RuntimeError: for shapes or types that do not fit together.

    Example:
        >>> from lamella import core
        >>> rms_norm(core.tensor([3.0, 4.0]), (2,))
        tensor([0.8485, 1.1314])
    """
    need_tensor("rms_norm", input=input)
    shape = _shape("rms_norm", normalized_shape)
    if input.dtype.is_complex:
        return _complex_rms_norm(input, shape, weight, eps)
    if weight is not None and weight.dtype is not input.dtype and weight.dtype.category == 2:
        return _mixed_rms_norm(input, shape, weight, eps)
    return _gen.op__fused_rms_norm(input, shape, weight, eps)[0]


def _mixed_rms_norm(x: Any, shape: tuple[int, ...], weight: Any, eps: float | None) -> Any:
    """In a type that holds both; the result has the input's."""
    wide = promote_types(promote_types(x.dtype, weight.dtype), float32)
    eps = default_eps(promote_types(x.dtype, float32).np) if eps is None else eps
    return _gen.op__fused_rms_norm(x.to(wide), shape, weight.to(wide), eps)[0].to(x.dtype)


def _complex_rms_norm(x: Any, shape: tuple[int, ...], weight: Any, eps: float | None) -> Any:
    check_layer("rms_norm", x._a.real, shape, None, None)
    eps = default_eps(x._a.real.dtype) if eps is None else eps
    out = x * ((x * x).mean(tuple(range(-len(shape), 0)), True) + eps).rsqrt()
    return out if weight is None else out * weight


def _more_than_one(size: Sequence[int]) -> None:
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(
            message("batch_norm", f"Expected more than 1 value per channel when training, got input size {list(size)}")
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises each channel over batch and positions, then scales and shifts it (Ioffe and Szegedy, 2015).

    Args:
        input: (N, C, *), of a floating type.
        running_mean, running_var: (C,). In training they move towards the batch's mean and unbiased variance, in place;
            otherwise they are what is normalised with.
        weight, bias: factors and summands of shape (C,), or None.
        training: normalise with statistics of the batch.
        momentum: how far the running statistics move.
        eps: added to the variance.

    Returns:
        A tensor like ``input``.

    Raises:
        ValueError: for training with a single value per channel, an eps that is not positive, or one running statistic
            without the other.
        RuntimeError: for shapes or types that do not fit together, or running statistics that are missing.

    Example:
        >>> from lamella import core
        >>> batch_norm(core.tensor([[1.0], [3.0]]), None, None, training=True)
        tensor([[-1.0000],
                [ 1.0000]])
    """
    need_tensor("batch_norm", input=input)
    training = as_bool("batch_norm", "training", training)
    momentum, eps = as_float("batch_norm", "momentum", momentum), as_float("batch_norm", "eps", eps)
    if not input._a.size:
        return _of_nothing(input, weight, bias, training)
    if input.ndim < 2:
        raise (IndexError if running_mean is None else RuntimeError)(
            message("batch_norm", f"expected an input (N, C, *) of at least 2 dimensions, but got {input.ndim}")
        )
    if training:
        _more_than_one(input.shape)
        if eps <= 0:
            raise ValueError(message("batch_norm", f"eps must be positive during training, but got {eps}"))
        return _trained(input, running_mean, running_var, weight, bias, momentum, eps)
    if eps < 0:
        raise ValueError(message("batch_norm", f"eps must be non-negative, but got {eps}"))
    if running_mean is None or running_var is None:
        raise RuntimeError(
            message("batch_norm", "Expected running_mean and running_var to be defined when training=False")
        )
    return _batch.op__batch_norm_inference(input, weight, bias, running_mean, running_var, eps)


def _of_nothing(x: Any, weight: Any, bias: Any, training: bool) -> Any:
    """The result for an empty input: empty, but part of the graph."""
    if training:
        _more_than_one(x.shape)
    out = x.clone()
    if weight is not None:
        out = out * weight[0]
    return out if bias is None else out + bias[0]


def _trained(x: Any, running_mean: Any, running_var: Any, weight: Any, bias: Any, momentum: float, eps: float) -> Any:
    if (running_mean is None) != (running_var is None):
        missing = "running_mean" if running_mean is None else "running_var"
        raise ValueError(
            message("batch_norm", f"running_mean and running_var must be given together, but {missing} is None")
        )
    if running_mean is not None:
        c = x.shape[1]
        for name, t in (("running_mean", running_mean), ("running_var", running_var)):
            check_running("batch_norm", name, t._a, c, True)
        constants("batch_norm", running_mean=running_mean, running_var=running_var)
    out, mean, _invstd, var = _batch.op__batch_norm_training(x, weight, bias, eps)
    move_running_stats(x, running_mean, running_var, mean, var, momentum)
    return out


def move_running_stats(x: Any, running_mean: Any, running_var: Any, mean: Any, var: Any, momentum: float) -> None:
    """Move running statistics (or None) towards those of a batch; its biased variance is made unbiased."""
    m = x.numel() // x.shape[1] if x.shape[1] else 0
    if running_mean is not None and m > 1:
        _batch.op__update_running_stats(running_mean, running_var, mean, var * (m / (m - 1)), momentum)


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalises groups of channels of each sample, then scales and shifts each channel (Wu and He, 2018).

    Args:
        input: (N, C, *), of a floating type.
        num_groups: into how many groups the channels are split; a divisor of C.
        weight, bias: factors and summands of shape (C,), or None.
        eps: added to the variance.

    Returns:
        A tensor like ``input``.

    Raises:
        RuntimeError: for shapes or types that do not fit together.
        ValueError: for a single value per group.

    Example:
        >>> from lamella import core
        >>> group_norm(core.tensor([[1.0, 3.0, 4.0, 8.0]]), 2)
        tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    need_tensor("group_norm", input=input)
    if input.ndim < 2:
        raise RuntimeError(
            message("group_norm", f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
        )
    n, c, *rest = input.shape
    if num_groups < 1 or c % num_groups:
        raise RuntimeError(
            message(
                "group_norm",
                "Expected number of channels in input to be divisible by num_groups, but got "
                f"input of shape {list(input.shape)} and num_groups={num_groups}",
            )
        )
    _more_than_one((n * c // num_groups, num_groups, *rest))
    return _gen.native_group_norm(input, weight, bias, n, c, math.prod(rest), num_groups, eps)[0]


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises each channel of each sample over its positions, then scales and shifts it (Ulyanov et al., 2016).

    Args:
        input: (N, C, *), of a floating type.
        running_mean, running_var: (C,). With input statistics they move towards the mean over samples, in place;
            without, they are what is normalised with.
        weight, bias: factors and summands of shape (C,), or None.
        use_input_stats: normalise with statistics of the input.
        momentum: how far the running statistics move.
        eps: added to the variance.

    Returns:
        A tensor like ``input``.

    Raises:
        ValueError: for input statistics of a single position.
        RuntimeError: for shapes or types that do not fit together, or running statistics that are missing.

    Example:
        >>> from lamella import core
        >>> instance_norm(core.tensor([[[1.0, 3.0], [2.0, 2.0]]]))
        tensor([[[-1.0000,  1.0000],
                 [ 0.0000,  0.0000]]])
    """
    need_tensor("instance_norm", input=input)
    shape = tuple(input.shape)
    if use_input_stats and math.prod(shape[2:]) == 1:
        raise ValueError(
            message(
                "instance_norm", f"Expected more than 1 spatial element when training, got input size {list(shape)}"
            )
        )
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            message(
                "instance_norm", "Expected running_mean and running_var to be defined when use_input_stats is false"
            )
        )
    if len(shape) < 2:
        raise RuntimeError(message("instance_norm", f"expected at least a 2D input (N, C, *), but got {len(shape)}D"))
    n, c = shape[:2]
    if use_input_stats and running_mean is None and running_var is None and c:
        return _gen.native_group_norm(input, weight, bias, n, c, math.prod(shape[2:]), c, eps)[0]

    def each(t: Any) -> Any:
        return None if t is None else t.repeat(n)

    x = input.reshape(1, n * c, *shape[2:])
    means, variances = each(running_mean), each(running_var)
    out = batch_norm(x, means, variances, each(weight), each(bias), use_input_stats, momentum, eps)
    if use_input_stats:
        moved = [None if t is None else t.reshape(n, c).mean(0) for t in (means, variances)]
        for running, new in zip((running_mean, running_var), moved, strict=True):
            if running is not None:
                running.detach().copy_(new)
    return out.reshape(shape)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Divides each element by a power of the mean square of neighbouring channels (Krizhevsky et al., 2012).

    Args:
        input: (N, C, *) with at least one position dimension.
        size: how many channels count as neighbours.
        alpha: factor of the mean square.
        beta: the power.
        k: what is added before the power is taken.

    Returns:
        A tensor like ``input``.

    Raises:
        ValueError: for an input of fewer than 3 dimensions.

    Example:
        >>> from lamella import core
        >>> local_response_norm(core.ones(1, 2, 1), 1, alpha=3.0, beta=0.5)
        tensor([[[0.5000],
                 [0.5000]]])
    """
    from .padding import pad
    from .pooling import avg_pool2d

    need_tensor("local_response_norm", input=input)
    if input.ndim < 3:
        raise ValueError(
            message("local_response_norm", f"Expected 3D or higher dimensionality input (got {input.ndim} dimensions)")
        )
    if not input._a.size:
        return input
    squares = (input * input).reshape(input.shape[0], 1, input.shape[1], -1)
    squares = pad(squares, (0, 0, size // 2, (size - 1) // 2))
    means = avg_pool2d(squares, (size, 1), stride=1).reshape(input.shape)
    return input / means.mul(alpha).add(k).pow(beta)
