# Generated from packages/nn/src/lamella/nn/ops/vision.yaml (sha256 39c0aaa5401101bf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.vision as _k
import lamella.nn.meta.vision as _m


def upsample_nearest1d(self, output_size, scales=None):
    return _result(_m.upsample(self, output_size, scales))


def upsample_nearest2d(self, output_size, scales=None):
    return _result(_m.upsample(self, output_size, scales))


def upsample_nearest3d(self, output_size, scales=None):
    return _result(_m.upsample(self, output_size, scales))


def _upsample_nearest_exact1d(self, output_size, scales=None):
    return _result(_m.upsample(self, output_size, scales))


def _upsample_nearest_exact2d(self, output_size, scales=None):
    return _result(_m.upsample(self, output_size, scales))


def _upsample_nearest_exact3d(self, output_size, scales=None):
    return _result(_m.upsample(self, output_size, scales))


def upsample_linear1d(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def upsample_bilinear2d(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def upsample_trilinear3d(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def upsample_bicubic2d(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def _upsample_bilinear2d_aa(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def _upsample_bicubic2d_aa(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def _upsample_lanczos2d_aa(self, output_size, align_corners, scales=None):
    return _result(_m.upsample_aligned(self, output_size, align_corners, scales))


def _upsample_backward(grad_output, size, mode, align_corners, scales):
    return _result(_m._upsample_backward(grad_output, size, mode, align_corners, scales))
