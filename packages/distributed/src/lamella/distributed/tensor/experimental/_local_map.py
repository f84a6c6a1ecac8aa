"""`local_map`: a function of local tensors, called with DTensors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from lamella.dispatch.errors import message

from ...device_mesh import DeviceMesh
from .._dtensor import DTensor
from ..placement_types import Placement


def local_map(func: Callable[..., Any] | None = None, out_placements: Any = None, in_placements: Any = None,
              in_grad_placements: Any = None, device_mesh: DeviceMesh | None = None, *,
              redistribute_inputs: bool = False) -> Any:
    """Make a function of the ranks' parts one of DTensors.

    Args:
        func: takes local tensors (and other things), returns one or several.
        out_placements: placements of each result; None for results that are no tensors. One alone means all.
        in_placements: placements that each argument must have; None for arguments that are no tensors. Not checked
            where None.
        in_grad_placements: how gradients of the local arguments lie.
        device_mesh: of the results; the arguments' where None.
        redistribute_inputs: move arguments that lie otherwise, instead of raising.

    Returns:
        The function; a decorator where ``func`` is None.

    Raises:
        ValueError: an argument lies otherwise.
    """
    if func is None:
        return functools.partial(local_map, out_placements=out_placements, in_placements=in_placements,
                                 in_grad_placements=in_grad_placements, device_mesh=device_mesh,
                                 redistribute_inputs=redistribute_inputs)

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        mesh, parts, seen = device_mesh, [], False
        for i, a in enumerate(args):
            if isinstance(a, DTensor):
                seen = True
                mesh = a.device_mesh if mesh is None else mesh
                a = _lying(a, None if in_placements is None else in_placements[i], i, redistribute_inputs)
                grads = None if in_grad_placements is None else in_grad_placements[i]
                a = a.to_local(grad_placements=grads)
            parts.append(a)
        found = func(*parts, **kwargs)
        if not seen:
            return found
        several = isinstance(found, (list, tuple))
        outs = list(found) if several else [found]
        where = _for_each(out_placements, len(outs))
        made = [o if w is None else DTensor.from_local(o, mesh, w) for o, w in zip(outs, where)]
        return type(found)(made) if several else made[0]

    return mapped


def _for_each(placements: Any, n: int) -> list[Any]:
    if placements is None or all(isinstance(p, Placement) for p in placements):
        return [placements] * n
    if len(placements) != n:
        raise ValueError(message("local_map", "out_placements must name each result",
                                 f"{len(placements)}, {n} results"))
    return list(placements)


def _lying(a: DTensor, wanted: Sequence[Placement] | None, i: int, move: bool) -> DTensor:
    if wanted is None or tuple(wanted) == a.placements:
        return a
    if not move:
        raise ValueError(message("local_map", f"argument {i} has placements {a.placements}, not {tuple(wanted)}",
                                 hint="redistribute_inputs=True moves it"))
    return a.redistribute(placements=wanted)
