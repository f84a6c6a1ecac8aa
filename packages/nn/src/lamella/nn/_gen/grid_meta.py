# Generated from packages/nn/src/lamella/nn/ops/grid.yaml (sha256 52c0ba8725dd9dc1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.grid as _k
import lamella.nn.meta.grid as _m


def grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
    return _result(_m.grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners))


def grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners):
    return _result(_m.grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners))


def _grid_sampler_backward(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask):
    return tuple([_result(x) for x in _m._grid_sampler_backward(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask)])
