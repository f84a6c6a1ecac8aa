"""Making one batch of many samples."""

from __future__ import annotations

import collections.abc
import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from lamella import torch

__all__ = ["collate", "default_collate", "default_collate_fn_map", "default_convert"]


def _rebuilt(like: Any, values: Any) -> Any:
    """A container of the same type with other contents; the plain kind where the type does not take them."""
    kind: Any = type(like)
    try:
        if isinstance(like, collections.abc.Mapping):
            if not isinstance(like, collections.abc.MutableMapping):
                return kind(values)
            clone: Any = copy.copy(like)
            clone.update(values)
            return clone
        if not isinstance(like, collections.abc.MutableSequence):
            return kind(values)
        clone = copy.copy(like)
        for i, value in enumerate(values):
            clone[i] = value
        return clone
    except TypeError:
        return values


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def default_convert(data: Any) -> Any:
    """Turn the arrays and NumPy scalars inside a sample into tensors; everything else stays as it is.

    Args:
        data: a sample: arrays, tensors, and containers of them.

    Returns:
        The same structure.

    Example:
        >>> import numpy as np
        >>> default_convert({"x": np.zeros(2), "name": "a"})
        {'x': tensor([0., 0.], dtype=torch.float64), 'name': 'a'}
    """
    if isinstance(data, torch.Tensor):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "SUO" else torch.as_tensor(data)
    if isinstance(data, collections.abc.Mapping):
        return _rebuilt(data, {key: default_convert(value) for key, value in data.items()})
    if _is_namedtuple(data):
        return type(data)(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return _rebuilt(data, [default_convert(d) for d in data])
    return data


def collate(batch: Any, *, collate_fn_map: dict[Any, Callable[..., Any]] | None = None) -> Any:
    """Batch samples with a table of functions for their element types, going into mappings and sequences.

    Args:
        batch: a list of samples of one structure.
        collate_fn_map: type (or tuple of types) -> ``fn(batch, *, collate_fn_map)``.

    Returns:
        One structure of batches.

    Raises:
        TypeError: for a type that neither the table nor a container rule covers.
        RuntimeError: if sequences among the samples differ in length.
    """
    elem = batch[0]
    table = collate_fn_map or {}
    if type(elem) in table:
        return table[type(elem)](batch, collate_fn_map=collate_fn_map)
    for kind, fn in table.items():
        if isinstance(elem, kind):
            return fn(batch, collate_fn_map=collate_fn_map)

    def inner(samples: Any) -> Any:
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(elem, collections.abc.Mapping):
        return _rebuilt(elem, {key: inner([d[key] for d in batch]) for key in elem})
    if _is_namedtuple(elem):
        return type(elem)(*(inner(samples) for samples in zip(*batch)))
    if isinstance(elem, collections.abc.Sequence):
        sizes = {len(d) for d in batch}
        if len(sizes) > 1:
            raise RuntimeError("default_collate: sequences in a batch must be of equal length "
                               f"({', '.join(map(str, sorted(sizes)))})\nhint: pass a collate_fn that pads them")
        columns = [inner(samples) for samples in zip(*batch)]
        return columns if isinstance(elem, tuple) else _rebuilt(elem, columns)
    raise TypeError(_refusal(type(elem)))


def _refusal(kind: Any) -> str:
    return f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {kind}"


def collate_tensor_fn(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """Tensors of one shape become one tensor with a new first dimension."""
    return torch.stack(batch, 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """Arrays become a tensor as tensors do."""
    if batch[0].dtype.kind in "SUO":
        raise TypeError(_refusal(batch[0].dtype))
    return collate([torch.as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """NumPy scalars become a tensor of their type."""
    return torch.as_tensor(np.asarray(batch))


def collate_float_fn(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """Python floats become a float64 tensor."""
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """Python integers and booleans become a tensor."""
    return torch.tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """Strings stay a list."""
    return batch


default_collate_fn_map: dict[Any, Callable[..., Any]] = {
    torch.Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch: Any) -> Any:
    """Batch samples: tensors are stacked, numbers become tensors, containers are batched part by part.

    Args:
        batch: a list of samples of one structure.

    Returns:
        One structure; tensors in it have a new first dimension.

    Raises:
        TypeError: for a type that cannot be batched.
        RuntimeError: if tensors or sequences among the samples differ in size.

    Example:
        >>> default_collate([(1, "a"), (2, "b")])
        [tensor([1, 2]), ('a', 'b')]
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)
