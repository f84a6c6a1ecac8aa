"""Random numbers of distributed tensors: every rank draws the same whole tensor and keeps its part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.core.random import Generator
from lamella.core.tensor import Tensor

from ..device_mesh import DeviceMesh
from ._dtensor import wrap_local
from ._dtensor_spec import DTensorSpec
from ._redistribute import part_of

__all__ = ["is_rng_supported_mesh", "manual_seed"]


def is_rng_supported_mesh(device_mesh: DeviceMesh) -> bool:
    """Whether random operators on a mesh's tensors agree between the ranks: they always do."""
    return True


def manual_seed(seed: int, device_mesh: DeviceMesh) -> None:
    """Give a mesh a generator of its own, by the same seed on all ranks; then drawing needs no communication.

    Args:
        seed: the seed.
        device_mesh: the mesh.
    """
    device_mesh._get_root_mesh().__dict__["_generator"] = Generator(device_mesh.device_type).manual_seed(seed)


def generator_for(mesh: DeviceMesh, given: Any = None) -> Any:
    """A generator in the same state on all ranks of a mesh.

    Without one of the mesh's own (`manual_seed`) its first rank draws a seed for the others, from ``given`` or its
    default generator.
    """
    own = mesh._get_root_mesh().__dict__.get("_generator")
    if own is not None and given is None:
        return own
    seed = core.randint(0, 2**62, (1,), dtype=core.int64, generator=given if given is None or given.device.type == "cpu"
                        else None)
    if mesh.device_type != "cpu":
        seed = seed.to(mesh.device_type)
    for i in range(mesh.ndim):
        if mesh.size(i) > 1:
            dist.broadcast(seed, group=mesh.get_group(i), group_src=0)
    return Generator(mesh.device_type).manual_seed(int(seed.item()))


def drawn(make: Callable[[Any], Tensor], spec: DTensorSpec, generator: Any = None) -> Any:
    """A DTensor of what ``make(generator)`` draws; the generator is the mesh's where none is given."""
    whole = make(generator_for(spec.mesh) if generator is None else generator)
    return wrap_local(part_of(whole, spec), spec)
