"""``torch.func``: functions of functions."""

from __future__ import annotations

from .rearranging import rearrange
from .transforms.api import debug_unwrap, grad, grad_and_value, jvp, linearize, vjp
from .transforms.batched import vmap
from .transforms.jacobians import hessian, jacfwd, jacrev

__all__ = [
    "debug_unwrap", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "rearrange", "vjp",
    "vmap",
]
