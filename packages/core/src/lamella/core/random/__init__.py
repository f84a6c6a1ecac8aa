"""Random numbers that follow PyTorch's CPU generator: `manual_seed(0)` and the same calls give the same numbers.

`generator` is torch's interface, `engine` the mt19937 stream below it; `transforms`, `discrete` and `samplers` hold the
distributions as array functions `(shape, numpy dtype, parameters, generator) -> ndarray`.
"""

from .discrete import bernoulli, dropout_mask, geometric, multinomial, randint, random_, randperm
from .generator import (
    Generator,
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .samplers import binomial, dirichlet, poisson, standard_gamma
from .transforms import cauchy, exponential, fill, log_normal, normal, standard_normals, uniform

__all__ = [
    "Generator",
    "bernoulli",
    "binomial",
    "cauchy",
    "default_generator",
    "dirichlet",
    "dropout_mask",
    "exponential",
    "fill",
    "fork_rng",
    "geometric",
    "get_rng_state",
    "initial_seed",
    "log_normal",
    "manual_seed",
    "multinomial",
    "normal",
    "poisson",
    "randint",
    "random_",
    "randperm",
    "seed",
    "set_rng_state",
    "standard_gamma",
    "standard_normals",
    "uniform",
]
