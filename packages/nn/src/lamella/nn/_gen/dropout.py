# Generated from packages/nn/src/lamella/nn/ops/dropout.yaml (sha256 84df55c756fbc47d). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
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
        ('_dropout_noise(Tensor self, SymInt[] size, float p, bool scaled, *, Generator? generator=None) -> Tensor', False),
    ),
    {1: "lamella.nn._gen.dropout_cpu", 3: "lamella.nn._gen.dropout_meta", 65: "lamella.nn.composite.dropout", },
    "lamella.nn/ops/dropout.yaml",
)


def op__dropout_noise(self, size, p, scaled, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_dropout_noise", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None:
        return _T__dropout_noise[ks](self, size, p, scaled)
    return _T__dropout_noise[ks](self, size, p, scaled, generator=generator)


def _dropout_noise(input, size, p, scaled, *, generator=None):
    """_dropout_noise: see torch._dropout_noise."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("_dropout_noise", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None:
        return _T__dropout_noise[ks](input, size, p, scaled)
    return _T__dropout_noise[ks](input, size, p, scaled, generator=generator)


METHODS = {
}


FUNCTIONS = {
    "_dropout_noise": _dropout_noise,
}
