# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 07b77522051d1351). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    number_keys as _number,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_sum,
    _T_sum_dim_IntList,
) = _define(
    "aten",
    "reduction",
    (
        ('sum(Tensor self, *, ScalarType? dtype=None) -> Tensor', True),
        ('sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor', True),
    ),
    {1: "lamella.core._gen.reduction_cpu", 3: "lamella.core._gen.reduction_meta", 65: "lamella.core.composite.reduction", },
    "lamella.core/ops/reduction.yaml",
)


def op_sum(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sum", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_sum[ks](self)
    return _T_sum[ks](self, dtype=dtype)


def op_sum_dim_IntList(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sum", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_sum_dim_IntList[ks](self, dim, keepdim)
    return _T_sum_dim_IntList[ks](self, dim, keepdim, dtype=dtype)


METHODS = {
}


FUNCTIONS = {
}
