# Generated from packages/core/src/lamella/core/ops/segments.yaml (sha256 6cee8f6672444cbf). Do not edit:
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
    _T__segment_sum,
) = _define(
    "aten",
    "segments",
    (
        ('_segment_sum(Tensor self, Tensor lengths) -> Tensor', True),
    ),
    {1: "lamella.core._gen.segments_cpu", 2: "lamella.core._gen.segments_cuda", 3: "lamella.core._gen.segments_meta", 65: "lamella.core.composite.segments", },
    "lamella.core/ops/segments.yaml",
)


def op__segment_sum(self, lengths):
    try:
        ks = self._ks | lengths._ks
    except AttributeError:
        raise _not_tensor("_segment_sum", {"self": self, "lengths": lengths, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__segment_sum[ks](self, lengths)
    except Exception:
        _explain(_T__segment_sum, (self, lengths, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
