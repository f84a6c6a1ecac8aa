# Generated from packages/nn/src/lamella/nn/ops/embedding.yaml (sha256 d9a8747a7aaf86c5). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.embedding as _k
import lamella.nn.meta.embedding as _m


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return _result(_m.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse))


def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    return _result(_m.embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq))


def embedding_renorm_(self, indices, max_norm, norm_type):
    _bump(self, "embedding_renorm_")
    return self

embedding_renorm_.moves_versions = True


def one_hot(self, num_classes=-1):
    return _result(_m.one_hot(self, num_classes))
