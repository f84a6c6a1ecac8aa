"""Layers' functions that torch also has at its top, where their arguments differ from those in `functional`.

Parameters come before running statistics there, modes of sampling are numbers, and switches for cuDNN are accepted and
without effect.
"""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from . import functional as _F
from ._gen.batchnorm import op__batch_norm_training as _training
from ._gen.conv import convolution
from ._gen.normalization import native_group_norm, native_layer_norm
from .functional.grid import MODES, PADDINGS
from .functional.normalization import move_running_stats as _move

__all__ = [
    "adaptive_max_pool1d",
    "affine_grid_generator",
    "batch_norm",
    "convolution",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "native_batch_norm",
    "native_group_norm",
    "native_layer_norm",
]



def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """`functional.batch_norm` with all arguments required, parameters first."""
    return _F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The batch norm of a tensor, with the mean and inverse standard deviation of the batch (else empty)."""
    if not training:
        out = _F.batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
        empty: Any = input
        return out, empty.new_empty(0), empty.new_empty(0)
    out, mean, invstd, var = _training(input, weight, bias, eps)
    _move(input, running_mean, running_var, mean, var, momentum)
    return out, mean, invstd


def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """`functional.instance_norm` with all arguments required, parameters first."""
    return _F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    """`functional.layer_norm`."""
    return _F.layer_norm(input, normalized_shape, weight, bias, eps)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:
    """`functional.group_norm`."""
    return _F.group_norm(input, num_groups, weight, bias, eps)


def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """`functional.adaptive_max_pool1d` with indices."""
    return _F.adaptive_max_pool1d(input, output_size, return_indices=True)


def _named(op: str, name: str, names: tuple[str, ...], value: int) -> str:
    if not 0 <= value < len(names):
        raise RuntimeError(message(op, f"{name} must be one of {dict(enumerate(names))}", {name: value}))
    return names[value]


def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`functional.grid_sample` with modes as numbers (bilinear, nearest, bicubic; zeros, border, reflection)."""
    mode = _named("grid_sampler", "interpolation_mode", MODES, interpolation_mode)
    padding = _named("grid_sampler", "padding_mode", PADDINGS, padding_mode)
    return _F.grid_sample(input, grid, mode, padding, align_corners)


def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`grid_sampler` of images."""
    return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`grid_sampler` of volumes."""
    return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Tensor:
    """`functional.affine_grid` with all arguments required."""
    return _F.affine_grid(theta, size, align_corners)
