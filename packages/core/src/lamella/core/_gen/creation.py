# Generated from packages/core/src/lamella/core/ops/creation.yaml (sha256 a77ee4e662d0b0c2). Do not edit:
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
    _T_empty_memory_format,
    _T_empty_strided,
    _T_full,
    _T_arange_start_step,
    _T_linspace,
    _T_logspace,
    _T_eye_m,
    _T_rand,
    _T_randn,
    _T_randint_low,
    _T_randperm,
) = _define(
    "aten",
    "creation",
    (
        ('empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('rand(SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('randn(SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('randint.low(SymInt low, SymInt high, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('randperm(SymInt n, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
    ),
    {1: "lamella.core._gen.creation_cpu", 3: "lamella.core._gen.creation_meta", 65: "lamella.core.composite.creation", },
    "lamella.core/ops/creation.yaml",
)


def op_empty_memory_format(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_empty_memory_format[ks](size)
    return _T_empty_memory_format[ks](size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_empty_strided[ks](size, stride)
    return _T_empty_strided[ks](size, stride, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_full(size, fill_value, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_full[ks](size, fill_value)
    return _T_full[ks](size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_arange_start_step(start, end, step=1, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_arange_start_step[ks](start, end, step)
    return _T_arange_start_step[ks](start, end, step, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_linspace(start, end, steps, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_linspace[ks](start, end, steps)
    return _T_linspace[ks](start, end, steps, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_logspace(start, end, steps, base=10.0, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_logspace[ks](start, end, steps, base)
    return _T_logspace[ks](start, end, steps, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_eye_m(n, m, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None and layout is None and device is None and pin_memory is None:
        return _T_eye_m[ks](n, m)
    return _T_eye_m[ks](n, m, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_rand(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
        return _T_rand[ks](size)
    return _T_rand[ks](size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_randn(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
        return _T_randn[ks](size)
    return _T_randn[ks](size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_randint_low(low, high, size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
        return _T_randint_low[ks](low, high, size)
    return _T_randint_low[ks](low, high, size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def op_randperm(n, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
        return _T_randperm[ks](n)
    return _T_randperm[ks](n, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


METHODS = {
}


FUNCTIONS = {
}
