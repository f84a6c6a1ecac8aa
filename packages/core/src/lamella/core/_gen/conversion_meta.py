# Generated from packages/core/src/lamella/core/ops/conversion.yaml (sha256 908eacc1519ee738). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.conversion as _k
import lamella.core.meta.conversion as _m


def clone(self, memory_format=None):
    return _result(_m.clone(self, memory_format=memory_format))


def copy_(self, src, non_blocking=False):
    _bump(self, "copy_")
    return self

copy_.moves_versions = True


def fill__Scalar(self, value):
    _bump(self, "fill_")
    return self

fill__Scalar.moves_versions = True


def fill__Tensor(self, value):
    _bump(self, "fill_")
    return self

fill__Tensor.moves_versions = True


def zero_(self):
    _bump(self, "zero_")
    return self

zero_.moves_versions = True


def complex(real, imag):
    return _result(_m.complex(real, imag))
