"""Random numbers on a GPU: the distributions of `lamella.core.random` over a GPU's generator and CuPy's arrays.

Distributions are the CPU's code (`twins`) where one uniform makes one number; normal numbers, permutations and what is
drawn by rejection have their own (`transforms`, `discrete`, `rejection`). A draw fills its result in index order.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import cupy

from lamella.dispatch.errors import message

from ...random.gpu import GpuGenerator, default_gpu_generator
from ..kernels.strides import writable
from ..twins import twin
from . import rejection

__all__ = [
    "bernoulli", "binomial", "cauchy", "dirichlet", "dropout_mask", "exponential", "fill", "geometric", "log_normal",
    "multinomial", "normal", "poisson", "randint", "random_", "randperm", "standard_gamma", "standard_normals",
    "uniform",
]  # fmt: skip


def source(generator: Any) -> Any:
    """What a kernel draws from: the generator's engine, or that of the current GPU's default generator.

    Args:
        generator: a `GpuGenerator` or None.

    Raises:
        RuntimeError: for the generator of another device.
    """
    index = cupy.cuda.runtime.getDevice()
    if generator is None:
        return default_gpu_generator(index).source
    where = generator.device
    if not isinstance(generator, GpuGenerator):
        rule = f"Expected a 'cuda' device type for generator but found '{where.type}'"
        raise RuntimeError(message("generator", rule, hint="torch.Generator(device='cuda') makes one"))
    if where.index not in (None, index):
        raise RuntimeError(message("generator", f"Expected a generator of cuda:{index} but found one of {where}"))
    return generator.source


def _drawing(fn: Any) -> Any:
    """A distribution that takes a `GpuGenerator` (or None) where ``fn`` takes an engine."""
    place = list(inspect.signature(fn).parameters).index("generator")

    @functools.wraps(fn)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if place < len(args):
            args = (*args[:place], source(args[place]), *args[place + 1 :])
        else:
            kwargs["generator"] = source(kwargs.get("generator"))
        return fn(*args, **kwargs)

    return draw


def fill(out: Any, sampler: Any, *args: Any, **kwargs: Any) -> Any:
    """Fill an array of any strides in place with ``sampler(shape, dtype, *args, **kwargs)``, in index order."""
    writable("random", out)[...] = sampler(out.shape, out.dtype, *args, **kwargs)
    return out


_transforms, _discrete = twin("lamella.core.random.transforms"), twin("lamella.core.random.discrete")
uniform, normal, exponential, cauchy, log_normal, standard_normals = (
    _drawing(getattr(_transforms, n))
    for n in ("uniform", "normal", "exponential", "cauchy", "log_normal", "standard_normals")
)
bernoulli, dropout_mask, geometric, multinomial, randint, random_, randperm = (
    _drawing(getattr(_discrete, n))
    for n in ("bernoulli", "dropout_mask", "geometric", "multinomial", "randint", "random_", "randperm")
)
poisson, binomial, standard_gamma, dirichlet = (
    _drawing(getattr(rejection, n)) for n in ("poisson", "binomial", "standard_gamma", "dirichlet")
)
