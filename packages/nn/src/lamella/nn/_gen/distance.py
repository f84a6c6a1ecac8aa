# Generated from packages/nn/src/lamella/nn/ops/distance.yaml (sha256 b8240470d5656be8). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T__pdist_forward,
    _T__pdist_backward,
) = _define(
    "aten",
    "lamella.nn.distance",
    (
        ('_pdist_forward(Tensor self, float p=2) -> Tensor', True),
        ('_pdist_backward(Tensor grad, Tensor self, Tensor pdist) -> Tensor', False),
    ),
    {1: "lamella.nn._gen.distance_cpu", 2: "lamella.nn._gen.distance_cuda", 3: "lamella.nn._gen.distance_meta", 65: "lamella.nn.composite.distance", },
    "lamella.nn/ops/distance.yaml",
)


def op__pdist_forward(self, p=2):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_pdist_forward", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not float and p.__class__ is not int:
        p = _as_float("_pdist_forward", "p", p)
    try:
        return _T__pdist_forward[ks](self, p)
    except Exception:
        _explain(_T__pdist_forward, (self, p, ))
        raise


def op__pdist_backward(grad, self, pdist):
    try:
        ks = grad._ks | self._ks | pdist._ks
    except AttributeError:
        raise _not_tensor("_pdist_backward", {"grad": grad, "self": self, "pdist": pdist, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__pdist_backward[ks](grad, self, pdist)
    except Exception:
        _explain(_T__pdist_backward, (grad, self, pdist, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
