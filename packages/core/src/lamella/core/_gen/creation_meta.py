# Generated from packages/core/src/lamella/core/ops/creation.yaml (sha256 a77ee4e662d0b0c2). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.creation as _k
import lamella.core.meta.creation as _m


def empty_memory_format(size, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.empty_memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def empty_strided(size, stride, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.empty_strided(size, stride, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def full(size, fill_value, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.full(size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def arange_start_step(start, end, step=1, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.arange_start_step(start, end, step, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def linspace(start, end, steps, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.linspace(start, end, steps, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def logspace(start, end, steps, base=10.0, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.logspace(start, end, steps, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def eye_m(n, m, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.eye_m(n, m, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def rand(size, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.rand(size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def randn(size, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.randn(size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def randint_low(low, high, size, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.randint_low(low, high, size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def randperm(n, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.randperm(n, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))
