# Generated from packages/core/src/lamella/core/ops/distance.yaml (sha256 6ad0707454b5021f). Do not edit:
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
    _T__cdist_forward,
) = _define(
    "aten",
    "distance",
    (
        ('_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor', True),
    ),
    {1: "lamella.core._gen.distance_cpu", 2: "lamella.core._gen.distance_cuda", 3: "lamella.core._gen.distance_meta", 65: "lamella.core.composite.distance", },
    "lamella.core/ops/distance.yaml",
)


def op__cdist_forward(x1, x2, p, compute_mode):
    try:
        ks = x1._ks | x2._ks
    except AttributeError:
        raise _not_tensor("_cdist_forward", {"x1": x1, "x2": x2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not float and p.__class__ is not int:
        p = _as_float("_cdist_forward", "p", p)
    if compute_mode is not None and compute_mode.__class__ is not int:
        compute_mode = _as_int("_cdist_forward", "compute_mode", compute_mode)
    try:
        return _T__cdist_forward[ks](x1, x2, p, compute_mode)
    except Exception:
        _explain(_T__cdist_forward, (x1, x2, p, compute_mode, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
