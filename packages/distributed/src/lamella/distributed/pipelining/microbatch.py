"""Batches cut into microbatches, and put together again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd.pytree import tree_flatten, tree_unflatten
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

__all__ = ["TensorChunkSpec", "merge_chunks", "split_args_kwargs_into_chunks"]


class TensorChunkSpec:
    """Says that a tensor is cut into microbatches, and along which dimension.

    Args:
        split_dim: the dimension.

    Example:
        >>> TensorChunkSpec.from_tuple((0, 1))[1].split_dim
        1
    """

    def __init__(self, split_dim: int) -> None:
        self.split_dim = split_dim

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}({self.split_dim})"

    def __str__(self) -> str:
        return f"TensorChunkSpec({self.split_dim})"

    @staticmethod
    def from_tuple(chunk_dims: tuple[int, ...]) -> tuple[TensorChunkSpec, ...]:
        """A specification for each positional argument, of the dimensions."""
        return tuple(TensorChunkSpec(d) for d in chunk_dims)

    @staticmethod
    def from_dict(chunk_dims: dict[str, int]) -> dict[str, TensorChunkSpec]:
        """A specification for each keyword argument, of the dimensions."""
        return {key: TensorChunkSpec(d) for key, d in chunk_dims.items()}


class _Replicate:
    """Says that a tensor goes whole into every microbatch."""


class _CustomReducer:
    """Says that outputs are reduced instead of joined.

    Args:
        init_value: where the reduction begins.
        reduce_fn: takes what there is and one more output.
    """

    def __init__(self, init_value: Any, reduce_fn: Callable[[Any, Any], Any]) -> None:
        self.init_value = init_value
        self.reduce_fn = reduce_fn


def _is_spec(x: Any) -> bool:
    return x is None or x is _Replicate or isinstance(x, (TensorChunkSpec, _Replicate, _CustomReducer))


def split_tensor(t: Tensor, dim: int, chunks: int) -> list[Tensor]:
    """The parts of a tensor for the microbatches, of one size or differing by one."""
    if not t.ndim or t.shape[dim] < chunks:
        raise AssertionError(message("pipelining", f"a tensor is too small along dimension {dim} for {chunks} "
                                     "microbatches", list(t.shape), hint="make the batch larger, or the argument's "
                                     "chunk spec _Replicate"))
    parts = list(core.tensor_split(t, chunks, dim))
    if t.requires_grad and t.is_leaf:
        for part in parts:
            part.retain_grad()
    return parts


def _split_each(name: str, value: Any, spec: Any, chunks: int) -> list[Any]:
    """One argument for each microbatch."""
    leaves, structure = tree_flatten(value)
    if spec is None:
        specs: list[Any] = [TensorChunkSpec(0) if isinstance(x, Tensor) else _Replicate() for x in leaves]
    else:
        specs = tree_flatten(spec, is_leaf=_is_spec)[0]
        if len(specs) == 1 and len(leaves) != 1:
            specs *= len(leaves)
    if len(specs) != len(leaves):
        raise ValueError(message("pipelining", f"the chunk spec of {name} does not fit the argument",
                                 f"{len(specs)} specs, {len(leaves)} values"))
    columns = []
    for x, s in zip(leaves, specs):
        cut = isinstance(s, TensorChunkSpec) and isinstance(x, Tensor)
        columns.append(split_tensor(x, s.split_dim, chunks) if cut else [x] * chunks)
    return [tree_unflatten([column[i] for column in columns], structure) for i in range(chunks)]


def split_args_kwargs_into_chunks(args: tuple[Any, ...], kwargs: dict[str, Any] | None, chunks: int,
                                  args_chunk_spec: tuple[Any, ...] | None = None,
                                  kwargs_chunk_spec: dict[str, Any] | None = None
                                  ) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]]]:
    """Cut arguments into those of microbatches.

    Args:
        args, kwargs: the arguments of a batch. Tensors, also in lists and dicts, are cut along dimension 0, anything
            else goes into every microbatch.
        chunks: the number of microbatches.
        args_chunk_spec, kwargs_chunk_spec: `TensorChunkSpec` or `_Replicate` for each argument, where that is not
            wanted.

    Returns:
        Positional and keyword arguments of each microbatch.

    Example:
        >>> args, kwargs = split_args_kwargs_into_chunks((core.arange(4),), {"k": 1}, 2)
        >>> [a[0].tolist() for a in args], kwargs
        ([[0, 1], [2, 3]], [{'k': 1}, {'k': 1}])
    """
    kwargs = kwargs or {}
    if args_chunk_spec is not None and len(args_chunk_spec) != len(args):
        raise AssertionError(message("pipelining", "args_chunk_spec must name each argument",
                                     f"{len(args_chunk_spec)}, {len(args)} arguments"))
    rows = [_split_each(f"argument {i}", a, None if args_chunk_spec is None else args_chunk_spec[i], chunks)
            for i, a in enumerate(args)]
    named = {key: _split_each(repr(key), v, (kwargs_chunk_spec or {}).get(key), chunks) for key, v in kwargs.items()}
    return ([tuple(row[i] for row in rows) for i in range(chunks)],
            [{key: row[i] for key, row in named.items()} for i in range(chunks)])


def merge_chunks(chunks: list[Any], chunk_spec: Any) -> Any:
    """Put outputs of microbatches together.

    Args:
        chunks: the outputs.
        chunk_spec: a `TensorChunkSpec` for each tensor; along dimension 0 where None. Values without a spec must be
            equal, and are taken as they are.

    Returns:
        The output of the batch.

    Example:
        >>> merge_chunks([core.ones(1), core.zeros(1)], None)
        tensor([1., 0.])
    """
    flat = [tree_flatten(c) for c in chunks]
    structure = flat[0][1]
    if chunk_spec is None:
        specs: list[Any] = [TensorChunkSpec(0) if isinstance(x, Tensor) else None for x in flat[0][0]]
    else:
        specs = tree_flatten(chunk_spec, is_leaf=_is_spec)[0]
    if any(len(leaves) != len(specs) for leaves, _ in flat):
        raise ValueError(message("merge_chunks", "an output does not fit the chunk spec",
                                 f"{[len(leaves) for leaves, _ in flat]} values, {len(specs)} specs"))
    merged = []
    for i, s in enumerate(specs):
        values = [leaves[i] for leaves, _ in flat]
        if isinstance(s, TensorChunkSpec):
            merged.append(core.cat(values, s.split_dim))
        elif isinstance(s, _CustomReducer):
            total = s.init_value
            for v in values:
                total = s.reduce_fn(total, v)
            merged.append(total)
        else:
            if any(v is not values[0] and v != values[0] for v in values[1:]):
                raise AssertionError(message("merge_chunks", "values without a chunk spec differ", values))
            merged.append(values[0])
    return tree_unflatten(merged, structure)
