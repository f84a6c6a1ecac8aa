"""Folding batch normalisation into the layer before it, for evaluation."""

from __future__ import annotations

import copy
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn.parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _check_eval(op: str, *modules: Any) -> None:
    if any(m.training for m in modules):
        raise ValueError(f"{op}: Fusion only for eval!")


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a convolution that does what convolution and batch normalisation do together.

    Args:
        conv_w, conv_b: weight and bias of the convolution.
        bn_rm, bn_rv, bn_eps: running mean and variance and epsilon of the normalisation.
        bn_w, bn_b: its scale and shift.
        transpose: the convolution is a transposed one.
    """
    bias = core.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = core.rsqrt(bn_rv + bn_eps)
    if bn_w is not None:
        scale = scale * bn_w
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    weight = (conv_w * scale.reshape(shape)).to(dtype=conv_w.dtype)
    new_bias = (bias - bn_rm) * scale
    if bn_b is not None:
        new_bias = new_bias + bn_b
    grad_b = conv_w.requires_grad if conv_b is None else conv_b.requires_grad
    return Parameter(weight.detach(), conv_w.requires_grad), Parameter(new_bias.to(bias.dtype).detach(), grad_b)


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A copy of a convolution with the batch normalisation after it folded in.

    Args:
        conv, bn: the two layers, in evaluation mode.
        transpose: the convolution is a transposed one.

    Raises:
        ValueError: a layer is in training mode.
    """
    _check_eval("fuse_conv_bn_eval", conv, bn)
    fused = copy.deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor, linear_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor, bn_b: Tensor
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a Linear that does what Linear and batch normalisation do together."""
    return fuse_conv_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A copy of a Linear with the batch normalisation after it folded in.

    Args:
        linear, bn: the two layers, in evaluation mode.

    Raises:
        ValueError: a layer is in training mode, or the sizes differ.
    """
    _check_eval("fuse_linear_bn_eval", linear, bn)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise ValueError(
            f"fuse_linear_bn_eval: out_features must equal num_features ({linear.out_features}, {bn.num_features})"
        )
    fused = copy.deepcopy(linear)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused
