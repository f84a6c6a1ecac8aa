"""Distributed tensors: one tensor over the ranks of a mesh, cut, copied or in summands.

    mesh = init_device_mesh("cpu", (2,))
    w = distribute_tensor(weight, mesh, [Shard(0)])
    y = x @ w.t()               # each rank computes its columns
    y.full_tensor()

Operators without a rule for parts run on whole tensors (gathered first), as many do in torch; the rules are in `_ops`.
"""

from __future__ import annotations

from lamella.core.serialization.safe import add_safe_globals as _safe

from ..device_mesh import DeviceMesh, init_device_mesh
from ._api import distribute_module, distribute_tensor, empty, full, ones, rand, randn, zeros
from ._dtensor import DTensor, _rebuilt
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["DTensor", "DeviceMesh", "Partial", "Placement", "Replicate", "Shard", "distribute_module",
           "distribute_tensor", "empty", "full", "init_device_mesh", "ones", "rand", "randn", "zeros"]

_safe([DTensor, Partial, Replicate, Shard, _rebuilt])  # files of them load with weights_only=True
