# Generated from packages/nn/src/lamella/nn/ops/padding.yaml (sha256 cdb259f590a3cb3b). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.padding as _k
import lamella.nn.meta.padding as _m


def reflection_pad1d(self, padding):
    return _result(_m.reflect(self, padding))


def reflection_pad1d_backward(grad_output, self, padding):
    return _result(_m.backward(grad_output, self, padding))


def reflection_pad2d(self, padding):
    return _result(_m.reflect(self, padding))


def reflection_pad2d_backward(grad_output, self, padding):
    return _result(_m.backward(grad_output, self, padding))


def reflection_pad3d(self, padding):
    return _result(_m.reflect(self, padding))


def reflection_pad3d_backward(grad_output, self, padding):
    return _result(_m.backward(grad_output, self, padding))


def replication_pad1d(self, padding):
    return _result(_m.replicate(self, padding))


def replication_pad1d_backward(grad_output, self, padding):
    return _result(_m.backward(grad_output, self, padding))


def replication_pad2d(self, padding):
    return _result(_m.replicate(self, padding))


def replication_pad2d_backward(grad_output, self, padding):
    return _result(_m.backward(grad_output, self, padding))


def replication_pad3d(self, padding):
    return _result(_m.replicate(self, padding))


def replication_pad3d_backward(grad_output, self, padding):
    return _result(_m.backward(grad_output, self, padding))


def _pad_circular(self, pad):
    return _result(_m.circular(self, pad))


def _pad_circular_backward(grad_output, self, pad):
    return _result(_m.backward(grad_output, self, pad))
