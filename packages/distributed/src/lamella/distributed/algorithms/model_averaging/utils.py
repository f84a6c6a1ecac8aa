"""Means of parameters over ranks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.dispatch.errors import message

from ...collectives import all_reduce
from ...group import get_world_size
from ...parallel.buckets import cut

__all__ = ["average_parameters", "average_parameters_or_parameter_groups", "get_params_to_average"]


def average_parameters(params: Iterable[Tensor], process_group: Any = None) -> None:
    """Put the mean over the ranks in the place of each parameter; they travel together, by element type.

    Args:
        params: the parameters, the same ones on all ranks.
        process_group: the ranks; all by default. Ranks outside of it keep what they have.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.distributed.threads import spawn
        >>> from lamella import distributed as dist
        >>> def mean():
        ...     w = ones(2) * dist.get_rank()
        ...     average_parameters([w])
        ...     return w.tolist()
        >>> spawn(mean, 2)
        [[0.5, 0.5], [0.5, 0.5]]
    """
    ranks = get_world_size(process_group)
    if ranks < 0:
        return
    kinds: dict[Any, list[Tensor]] = {}
    for p in params:
        kinds.setdefault((p.dtype, p.device), []).append(p)
    with no_grad():
        for alike in kinds.values():
            flat = core.cat([p.detach().reshape(-1) for p in alike]).div_(ranks)
            all_reduce(flat, group=process_group)
            for p, part in zip(alike, cut(flat, [p.shape for p in alike]), strict=True):
                p.copy_(part)


def get_params_to_average(params: Iterable[Any]) -> list[Tensor]:
    """Those of a model's parameters, or of an optimizer's groups, that have gradients.

    Args:
        params: parameters, or the groups of an optimizer.

    Raises:
        TypeError: for something else.
    """
    found: list[Tensor] = []
    for entry in params:
        if isinstance(entry, Tensor):
            found.append(entry)
        elif isinstance(entry, dict):
            found += entry["params"]
        else:
            raise TypeError(message("get_params_to_average", "parameters or parameter groups are averaged",
                                    type(entry).__name__))
    return [p for p in found if p.grad is not None]


def average_parameters_or_parameter_groups(params: Iterable[Any], process_group: Any = None) -> None:
    """`average_parameters` of those of a model's parameters, or of an optimizer's groups, that have gradients."""
    average_parameters(get_params_to_average(params), process_group)
