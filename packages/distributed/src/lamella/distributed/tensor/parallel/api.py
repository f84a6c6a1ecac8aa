"""`parallelize_module`: a plan says in what style each submodule runs."""

from __future__ import annotations

import warnings
from fnmatch import fnmatch
from typing import Any

from lamella.dispatch.errors import message

from ...device_mesh import DeviceMesh, _mesh_resources
from .style import ParallelStyle

__all__ = ["parallelize_module"]


def parallelize_module(module: Any, device_mesh: DeviceMesh | None = None, parallelize_plan: Any = None, *,
                       src_data_rank: int | None = 0) -> Any:
    """Spread a module's parameters over the ranks of a mesh, in place.

    Args:
        module: the module.
        device_mesh: ranks in one dimension, such as ``mesh["tp"]``; that of the ``with`` block where None.
        parallelize_plan: a style, or a dict from names of submodules to styles. Parts of names may be patterns:
            ``"layers.*.w1"``. "" is the module itself.
        src_data_rank: whose values parameters get; None: every rank cuts its own.

    Returns:
        The module.

    Raises:
        TypeError: no such plan.
        NotImplementedError: a style does not know the kind of module.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella.distributed.layers import nn
        >>> from lamella.distributed.tensor import init_device_mesh
        >>> from lamella.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel
        >>> model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
        >>> plan = {"0": ColwiseParallel(), "2": RowwiseParallel()}
        >>> model = parallelize_module(model, init_device_mesh("cpu", (1,)), plan)
        >>> model[0].weight.placements, model[2].weight.placements
        ((Shard(dim=0),), (Shard(dim=1),))
        >>> dist.destroy_process_group()
    """
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    if parallelize_plan is None:
        warnings.warn(message("parallelize_module", "there is no parallelize_plan, so nothing is done"), stacklevel=2)
        return module
    if mesh.ndim != 1:
        raise ValueError(message("parallelize_module", "the mesh must have one dimension", repr(mesh),
                                 hint='pass one of its dimensions: mesh["tp"]'))
    if isinstance(parallelize_plan, ParallelStyle):
        parallelize_plan.src_data_rank = src_data_rank
        return parallelize_plan._apply(module, mesh)
    if not isinstance(parallelize_plan, dict):
        raise TypeError(message("parallelize_module", "the plan is a ParallelStyle or a dict of them",
                                type(parallelize_plan).__name__))
    for path, style in parallelize_plan.items():
        found = [module] if path == "" else _matching(module, path.split("."))
        if not found:
            warnings.warn(message("parallelize_module", f"the plan's key {path!r} names no submodule",
                                  f"there are {', '.join(n for n, _ in module.named_children())}"), stacklevel=2)
        for part in found:
            parallelize_module(part, mesh, style, src_data_rank=src_data_rank)
    return module


def _matching(module: Any, path: list[str]) -> list[Any]:
    """The submodules that a dotted name means, in which parts may be patterns."""
    found = [part for name, part in module.named_children() if fnmatch(name, path[0])]
    if len(path) == 1:
        return found
    return [deeper for part in found for deeper in _matching(part, path[1:])]
