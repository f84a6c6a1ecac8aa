"""Utilities around modules: clipping, packing, parametrisations, fusion."""

from __future__ import annotations

from lamella.nn.utils.clip_grad import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from lamella.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm",
    "parameters_to_vector", "vector_to_parameters",
]  # fmt: skip

# Loaded when first used: name -> module.
_LAZY = {
    "fuse_conv_bn_eval": "fusion",
    "fuse_conv_bn_weights": "fusion",
    "fuse_linear_bn_eval": "fusion",
    "fuse_linear_bn_weights": "fusion",
    "skip_init": "init",
    "weight_norm": "weight_norm_hook",
    "remove_weight_norm": "weight_norm_hook",
    "spectral_norm": "spectral_norm_hook",
    "remove_spectral_norm": "spectral_norm_hook",
    "convert_conv2d_weight_memory_format": "memory_format",
    "convert_conv3d_weight_memory_format": "memory_format",
    "rnn": "",
    "parametrize": "",
    "parametrizations": "",
    "stateless": "",
    "fusion": "",
    "prune": "",
    "hooks": "",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    home = _LAZY.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if home == "":
        return import_module(f"{__name__}.{name}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
