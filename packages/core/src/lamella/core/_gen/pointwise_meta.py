# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 4787dfbc0afad38a). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.pointwise as _k
import lamella.core.meta.pointwise as _m


def add_Tensor(self, other, *, alpha=1):
    return _result(_elementwise("add", "arith", (self, other, )))


def add__Tensor(self, other, *, alpha=1):
    _inplace("add_", self, _elementwise("add_", "arith", (self, other, )))
    _bump(self, "add_")
    return self

add__Tensor.moves_versions = True


def sub_Tensor(self, other, *, alpha=1):
    return _result(_elementwise("sub", "arith", (self, other, )))


def sub__Tensor(self, other, *, alpha=1):
    _inplace("sub_", self, _elementwise("sub_", "arith", (self, other, )))
    _bump(self, "sub_")
    return self

sub__Tensor.moves_versions = True


def mul_Tensor(self, other):
    return _result(_elementwise("mul", "arith", (self, other, )))


def mul__Tensor(self, other):
    _inplace("mul_", self, _elementwise("mul_", "arith", (self, other, )))
    _bump(self, "mul_")
    return self

mul__Tensor.moves_versions = True


def neg(self):
    return _result(_elementwise("neg", "arith", (self, )))


def neg_(self):
    _inplace("neg_", self, _elementwise("neg_", "arith", (self, )))
    _bump(self, "neg_")
    return self

neg_.moves_versions = True


def exp(self):
    return _result(_elementwise("exp", "float", (self, )))


def exp_(self):
    _inplace("exp_", self, _elementwise("exp_", "float", (self, )))
    _bump(self, "exp_")
    return self

exp_.moves_versions = True


def sigmoid(self):
    return _result(_elementwise("sigmoid", "float", (self, )))


def sigmoid_(self):
    _inplace("sigmoid_", self, _elementwise("sigmoid_", "float", (self, )))
    _bump(self, "sigmoid_")
    return self

sigmoid_.moves_versions = True
