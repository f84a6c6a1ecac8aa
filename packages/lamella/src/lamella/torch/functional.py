"""torch.functional: some of the functions at torch's top under another name."""

from __future__ import annotations

from lamella import torch as _torch

from ._missing import lookup

_NAMES = (
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist chain_matmul "
    "einsum istft lu meshgrid norm pca_lowrank split stft svd_lowrank tensordot unique unique_consecutive unravel_index"
).split()
globals().update({name: getattr(_torch, name) for name in _NAMES})

__getattr__, __dir__ = lookup(__name__)
