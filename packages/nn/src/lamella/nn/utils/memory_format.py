"""Memory formats of convolution weights."""

from __future__ import annotations

from typing import Any

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def _convert(module: Any, memory_format: Any, dims: int) -> Any:
    from lamella.nn.modules.conv_base import _ConvNd

    for m in module.modules():
        if isinstance(m, _ConvNd) and len(m.kernel_size) == dims:
            m.weight.data = m.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Puts the weights of all 2-D convolutions below `module` into a memory format; returns the module."""
    return _convert(module, memory_format, 2)


def convert_conv3d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Puts the weights of all 3-D convolutions below `module` into a memory format; returns the module."""
    return _convert(module, memory_format, 3)
