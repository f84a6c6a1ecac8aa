# Generated from packages/nn/src/lamella/nn/ops/dropout.yaml (sha256 b085960dd3bd38df). Do not edit:
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
    _T__dropout_noise,
) = _define(
    "aten",
    "lamella.nn.dropout",
    (
        ('_dropout_noise(Tensor self, SymInt[]? size, float p, bool scaled, *, Generator? generator=None) -> Tensor', False),
    ),
    {1: "lamella.nn._gen.dropout_cpu", 2: "lamella.nn._gen.dropout_cuda", 3: "lamella.nn._gen.dropout_meta", 65: "lamella.nn.composite.dropout", },
    "lamella.nn/ops/dropout.yaml",
)


def op__dropout_noise(self, size, p, scaled, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_dropout_noise", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size is not None and size.__class__ not in _SEQUENCES:
        size = _as_ints("_dropout_noise", "size", size, False)
    if p.__class__ is not float and p.__class__ is not int:
        p = _as_float("_dropout_noise", "p", p)
    if scaled is not False and scaled is not True:
        scaled = _as_bool("_dropout_noise", "scaled", scaled)
    try:
        if generator is None:
            return _T__dropout_noise[ks](self, size, p, scaled)
        return _T__dropout_noise[ks](self, size, p, scaled, generator=generator)
    except Exception:
        _explain(_T__dropout_noise, (self, size, p, scaled, generator, ))
        raise


def _dropout_noise(input, size, p, scaled, *, generator=None):
    """_dropout_noise: see torch._dropout_noise."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("_dropout_noise", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size is not None and size.__class__ not in _SEQUENCES:
        size = _as_ints("_dropout_noise", "size", size, False)
    if p.__class__ is not float and p.__class__ is not int:
        p = _as_float("_dropout_noise", "p", p)
    if scaled is not False and scaled is not True:
        scaled = _as_bool("_dropout_noise", "scaled", scaled)
    try:
        if generator is None:
            return _T__dropout_noise[ks](input, size, p, scaled)
        return _T__dropout_noise[ks](input, size, p, scaled, generator=generator)
    except Exception:
        _explain(_T__dropout_noise, (input, size, p, scaled, generator, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "_dropout_noise": _dropout_noise,
}
