"""Parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn._names import typename

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def _same_device(op: str, param: Tensor, first: Any) -> Any:
    if first is not None and param.device != first:
        raise TypeError(
            f"{op}: Found two parameters on different devices, this is currently not supported ({first} and "
            f"{param.device})"
        )
    return param.device


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements of the parameters, one after another.

    Args:
        parameters: the parameters, on one device.

    Raises:
        TypeError: they are on several devices.
    """
    device = None
    parts = []
    for param in parameters:
        device = _same_device("parameters_to_vector", param, device)
        parts.append(param.reshape(-1))
    return core.cat(parts)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Gives the parameters the elements of `vec`, of which they become views.

    Args:
        vec: as many elements as the parameters have together.
        parameters: the parameters, on one device.

    Raises:
        TypeError: `vec` is no tensor, or the parameters are on several devices.
        RuntimeError: `vec` is too short.
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"vector_to_parameters: expected torch.Tensor, but got: {typename(vec)}")
    device = None
    at = 0
    for param in parameters:
        device = _same_device("vector_to_parameters", param, device)
        n = param.numel()
        if at + n > vec.numel():
            raise RuntimeError(
                f"vector_to_parameters: the vector is too short for the parameters (it has {vec.numel()} elements)"
            )
        param.data = vec[at : at + n].view(param.shape).data
        at += n
