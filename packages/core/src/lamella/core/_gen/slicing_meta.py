# Generated from packages/core/src/lamella/core/ops/slicing.yaml (sha256 7cfd7b6391f830e2). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.slicing as _k
import lamella.core.meta.slicing as _m


def select_int(self, dim, index):
    r = _k.select_int(_xp, self._a, dim, index)
    return _wrap_view(self, r)


def slice_Tensor(self, dim=0, start=None, end=None, step=1):
    r = _k.slice_Tensor(_xp, self._a, dim, start, end, step)
    return _wrap_view(self, r)


def diagonal(self, offset=0, dim1=0, dim2=1):
    r = _k.diagonal(_xp, self._a, offset, dim1, dim2)
    return _wrap_view(self, r)


def diag_embed(self, offset=0, dim1=-2, dim2=-1):
    return _result(_m.diag_embed(self, offset, dim1, dim2))


def unbind_int(self, dim=0):
    r = _k.unbind_int(_xp, self._a, dim)
    return tuple([_wrap_view(self, x) for x in r])


def split_Tensor(self, split_size, dim=0):
    r = _k.split_Tensor(_xp, self._a, split_size, dim)
    return tuple([_wrap_view(self, x) for x in r])


def split_with_sizes(self, split_sizes, dim=0):
    r = _k.split_with_sizes(_xp, self._a, split_sizes, dim)
    return tuple([_wrap_view(self, x) for x in r])


def unfold(self, dimension, size, step):
    r = _k.unfold(_xp, self._a, dimension, size, step)
    return _wrap_view(self, r)


def unfold_backward(grad_in, input_sizes, dim, size, step):
    return _result(_m.unfold_backward(grad_in, input_sizes, dim, size, step))


def slice_scatter(self, src, dim=0, start=None, end=None, step=1):
    return _result(_m.slice_scatter(self, src, dim, start, end, step))


def select_scatter(self, src, dim, index):
    return _result(_m.select_scatter(self, src, dim, index))


def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
    return _result(_m.diagonal_scatter(self, src, offset, dim1, dim2))


def select_backward(grad_output, input_sizes, dim, index):
    return _result(_m.select_backward(grad_output, input_sizes, dim, index))


def slice_backward(grad_output, input_sizes, dim, start, end, step):
    return _result(_m.slice_backward(grad_output, input_sizes, dim, start, end, step))


def diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
    return _result(_m.diagonal_backward(grad_output, input_sizes, offset, dim1, dim2))
