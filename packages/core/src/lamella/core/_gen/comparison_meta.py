# Generated from packages/core/src/lamella/core/ops/comparison.yaml (sha256 3248c2079ba231df). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.comparison as _k
import lamella.core.meta.comparison as _m


def eq_Tensor(self, other):
    return _result(_elementwise("eq", "compare", (self, other, )))


def eq__Tensor(self, other):
    _inplace("eq_", self, _elementwise("eq_", "compare", (self, other, )))
    _bump(self, "eq_")
    return self

eq__Tensor.moves_versions = True


def ne_Tensor(self, other):
    return _result(_elementwise("ne", "compare", (self, other, )))


def ne__Tensor(self, other):
    _inplace("ne_", self, _elementwise("ne_", "compare", (self, other, )))
    _bump(self, "ne_")
    return self

ne__Tensor.moves_versions = True


def lt_Tensor(self, other):
    return _result(_elementwise("lt", "compare", (self, other, ), "c"))


def lt__Tensor(self, other):
    _inplace("lt_", self, _elementwise("lt_", "compare", (self, other, ), "c"))
    _bump(self, "lt_")
    return self

lt__Tensor.moves_versions = True


def le_Tensor(self, other):
    return _result(_elementwise("le", "compare", (self, other, ), "c"))


def le__Tensor(self, other):
    _inplace("le_", self, _elementwise("le_", "compare", (self, other, ), "c"))
    _bump(self, "le_")
    return self

le__Tensor.moves_versions = True


def gt_Tensor(self, other):
    return _result(_elementwise("gt", "compare", (self, other, ), "c"))


def gt__Tensor(self, other):
    _inplace("gt_", self, _elementwise("gt_", "compare", (self, other, ), "c"))
    _bump(self, "gt_")
    return self

gt__Tensor.moves_versions = True


def ge_Tensor(self, other):
    return _result(_elementwise("ge", "compare", (self, other, ), "c"))


def ge__Tensor(self, other):
    _inplace("ge_", self, _elementwise("ge_", "compare", (self, other, ), "c"))
    _bump(self, "ge_")
    return self

ge__Tensor.moves_versions = True


def isnan(self):
    return _result(_elementwise("isnan", "compare", (self, )))


def isinf(self):
    return _result(_elementwise("isinf", "compare", (self, )))


def isfinite(self):
    return _result(_elementwise("isfinite", "compare", (self, )))


def isposinf(self):
    return _result(_elementwise("isposinf", "compare", (self, ), "c"))


def isneginf(self):
    return _result(_elementwise("isneginf", "compare", (self, ), "c"))


def signbit(self):
    return _result(_elementwise("signbit", "compare", (self, ), "c"))


def isreal(self):
    return _result(_elementwise("isreal", "compare", (self, )))


def logical_and(self, other):
    return _result(_elementwise("logical_and", "compare", (self, other, )))


def logical_and_(self, other):
    _inplace("logical_and_", self, _elementwise("logical_and_", "compare", (self, other, )))
    _bump(self, "logical_and_")
    return self

logical_and_.moves_versions = True


def logical_or(self, other):
    return _result(_elementwise("logical_or", "compare", (self, other, )))


def logical_or_(self, other):
    _inplace("logical_or_", self, _elementwise("logical_or_", "compare", (self, other, )))
    _bump(self, "logical_or_")
    return self

logical_or_.moves_versions = True


def logical_xor(self, other):
    return _result(_elementwise("logical_xor", "compare", (self, other, )))


def logical_xor_(self, other):
    _inplace("logical_xor_", self, _elementwise("logical_xor_", "compare", (self, other, )))
    _bump(self, "logical_xor_")
    return self

logical_xor_.moves_versions = True


def logical_not(self):
    return _result(_elementwise("logical_not", "compare", (self, )))


def logical_not_(self):
    _inplace("logical_not_", self, _elementwise("logical_not_", "compare", (self, )))
    _bump(self, "logical_not_")
    return self

logical_not_.moves_versions = True


def bitwise_and_Tensor(self, other):
    return _result(_elementwise("bitwise_and", "arith", (self, other, ), "fVc"))


def bitwise_and__Tensor(self, other):
    _inplace("bitwise_and_", self, _elementwise("bitwise_and_", "arith", (self, other, ), "fVc"))
    _bump(self, "bitwise_and_")
    return self

bitwise_and__Tensor.moves_versions = True


def bitwise_or_Tensor(self, other):
    return _result(_elementwise("bitwise_or", "arith", (self, other, ), "fVc"))


def bitwise_or__Tensor(self, other):
    _inplace("bitwise_or_", self, _elementwise("bitwise_or_", "arith", (self, other, ), "fVc"))
    _bump(self, "bitwise_or_")
    return self

bitwise_or__Tensor.moves_versions = True


def bitwise_xor_Tensor(self, other):
    return _result(_elementwise("bitwise_xor", "arith", (self, other, ), "fVc"))


def bitwise_xor__Tensor(self, other):
    _inplace("bitwise_xor_", self, _elementwise("bitwise_xor_", "arith", (self, other, ), "fVc"))
    _bump(self, "bitwise_xor_")
    return self

bitwise_xor__Tensor.moves_versions = True


def bitwise_not(self):
    return _result(_elementwise("bitwise_not", "arith", (self, ), "fVc"))


def bitwise_not_(self):
    _inplace("bitwise_not_", self, _elementwise("bitwise_not_", "arith", (self, ), "fVc"))
    _bump(self, "bitwise_not_")
    return self

bitwise_not_.moves_versions = True


def bitwise_left_shift_Tensor(self, other):
    return _result(_elementwise("bitwise_left_shift", "arith", (self, other, ), "bfVc"))


def bitwise_left_shift__Tensor(self, other):
    _inplace("bitwise_left_shift_", self, _elementwise("bitwise_left_shift_", "arith", (self, other, ), "bfVc"))
    _bump(self, "bitwise_left_shift_")
    return self

bitwise_left_shift__Tensor.moves_versions = True


def bitwise_right_shift_Tensor(self, other):
    return _result(_elementwise("bitwise_right_shift", "arith", (self, other, ), "bfVc"))


def bitwise_right_shift__Tensor(self, other):
    _inplace("bitwise_right_shift_", self, _elementwise("bitwise_right_shift_", "arith", (self, other, ), "bfVc"))
    _bump(self, "bitwise_right_shift_")
    return self

bitwise_right_shift__Tensor.moves_versions = True
