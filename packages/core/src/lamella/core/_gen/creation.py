# Generated from packages/core/src/lamella/core/ops/creation.yaml (sha256 a77ee4e662d0b0c2). Do not edit:
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
    {1: "lamella.core._gen.creation_cpu", 2: "lamella.core._gen.creation_cuda", 3: "lamella.core._gen.creation_meta", 65: "lamella.core.composite.creation", },
    "lamella.core/ops/creation.yaml",
)


def op_empty_memory_format(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("empty", "size", size, False)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_empty_memory_format[ks](size)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("empty", "pin_memory", pin_memory)
        return _T_empty_memory_format[ks](size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_empty_memory_format, (size, dtype, layout, device, pin_memory, ))
        raise


def op_empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("empty_strided", "size", size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("empty_strided", "stride", stride, False)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_empty_strided[ks](size, stride)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("empty_strided", "pin_memory", pin_memory)
        return _T_empty_strided[ks](size, stride, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_empty_strided, (size, stride, dtype, layout, device, pin_memory, ))
        raise


def op_full(size, fill_value, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("full", "size", size, False)
    if fill_value.__class__ is not float and fill_value.__class__ is not int:
        fill_value = _as_number("full", "fill_value", fill_value)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_full[ks](size, fill_value)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("full", "pin_memory", pin_memory)
        return _T_full[ks](size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_full, (size, fill_value, dtype, layout, device, pin_memory, ))
        raise


def op_arange_start_step(start, end, step=1, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if start.__class__ is not float and start.__class__ is not int:
        start = _as_number("arange", "start", start)
    if end.__class__ is not float and end.__class__ is not int:
        end = _as_number("arange", "end", end)
    if step.__class__ is not float and step.__class__ is not int:
        step = _as_number("arange", "step", step)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_arange_start_step[ks](start, end, step)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("arange", "pin_memory", pin_memory)
        return _T_arange_start_step[ks](start, end, step, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_arange_start_step, (start, end, step, dtype, layout, device, pin_memory, ))
        raise


def op_linspace(start, end, steps, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if start.__class__ is not float and start.__class__ is not int:
        start = _as_number("linspace", "start", start)
    if end.__class__ is not float and end.__class__ is not int:
        end = _as_number("linspace", "end", end)
    if steps.__class__ is not int:
        steps = _as_int("linspace", "steps", steps)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_linspace[ks](start, end, steps)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("linspace", "pin_memory", pin_memory)
        return _T_linspace[ks](start, end, steps, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_linspace, (start, end, steps, dtype, layout, device, pin_memory, ))
        raise


def op_logspace(start, end, steps, base=10.0, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if start.__class__ is not float and start.__class__ is not int:
        start = _as_number("logspace", "start", start)
    if end.__class__ is not float and end.__class__ is not int:
        end = _as_number("logspace", "end", end)
    if steps.__class__ is not int:
        steps = _as_int("logspace", "steps", steps)
    if base.__class__ is not float and base.__class__ is not int:
        base = _as_float("logspace", "base", base)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_logspace[ks](start, end, steps, base)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("logspace", "pin_memory", pin_memory)
        return _T_logspace[ks](start, end, steps, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_logspace, (start, end, steps, base, dtype, layout, device, pin_memory, ))
        raise


def op_eye_m(n, m, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if n.__class__ is not int:
        n = _as_int("eye", "n", n)
    if m.__class__ is not int:
        m = _as_int("eye", "m", m)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_eye_m[ks](n, m)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("eye", "pin_memory", pin_memory)
        return _T_eye_m[ks](n, m, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_eye_m, (n, m, dtype, layout, device, pin_memory, ))
        raise


def op_rand(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("rand", "size", size, False)
    try:
        if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
            return _T_rand[ks](size)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("rand", "pin_memory", pin_memory)
        return _T_rand[ks](size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_rand, (size, generator, dtype, layout, device, pin_memory, ))
        raise


def op_randn(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("randn", "size", size, False)
    try:
        if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
            return _T_randn[ks](size)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("randn", "pin_memory", pin_memory)
        return _T_randn[ks](size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_randn, (size, generator, dtype, layout, device, pin_memory, ))
        raise


def op_randint_low(low, high, size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if low.__class__ is not int:
        low = _as_int("randint", "low", low)
    if high.__class__ is not int:
        high = _as_int("randint", "high", high)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("randint", "size", size, False)
    try:
        if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
            return _T_randint_low[ks](low, high, size)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("randint", "pin_memory", pin_memory)
        return _T_randint_low[ks](low, high, size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_randint_low, (low, high, size, generator, dtype, layout, device, pin_memory, ))
        raise


def op_randperm(n, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if n.__class__ is not int:
        n = _as_int("randperm", "n", n)
    try:
        if generator is None and dtype is None and layout is None and device is None and pin_memory is None:
            return _T_randperm[ks](n)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("randperm", "pin_memory", pin_memory)
        return _T_randperm[ks](n, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_randperm, (n, generator, dtype, layout, device, pin_memory, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
