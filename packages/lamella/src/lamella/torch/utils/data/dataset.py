"""Datasets: what a loader takes samples from."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from lamella import torch

__all__ = ["ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset", "TensorDataset",
           "random_split"]

T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """A map from keys to samples. A subclass defines ``__getitem__``, and ``__len__`` where samplers need it.

    It may define ``__getitems__(indices)`` too, which fetches the samples of a whole batch at once.

    Example:
        >>> class Squares(Dataset):
        ...     def __getitem__(self, i):
        ...         return i * i
        ...     def __len__(self):
        ...         return 4
        >>> len(Squares() + Squares())
        8
    """

    def __getitem__(self, index: Any) -> T_co:
        raise NotImplementedError("Dataset: a subclass must define __getitem__")

    def __add__(self, other: Dataset[T_co]) -> ConcatDataset[T_co]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co]):
    """A stream of samples. A subclass defines ``__iter__``; two of them added follow one another.

    Example:
        >>> class Count(IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(3))
        >>> list(Count() + Count())
        [0, 1, 2, 0, 1, 2]
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("IterableDataset: a subclass must define __iter__")

    def __add__(self, other: Dataset[T_co]) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Any, ...]]):
    """Samples are the rows of tensors: sample ``i`` is ``(t[i] for t in tensors)`` as a tuple.

    Args:
        *tensors: tensors whose first sizes agree.

    Raises:
        ValueError: if the first sizes differ.

    Example:
        >>> from lamella import torch
        >>> TensorDataset(torch.arange(3), torch.arange(3) * 10)[1]
        (tensor(1), tensor(10))
    """

    tensors: tuple[Any, ...]

    def __init__(self, *tensors: Any) -> None:
        sizes = [t.size(0) for t in tensors]
        if len(set(sizes)) > 1:
            raise ValueError(f"TensorDataset: the first sizes of all tensors must agree ({', '.join(map(str, sizes))})")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0) if self.tensors else 0


class StackDataset(Dataset[Any]):
    """Several datasets side by side: a sample is a tuple (or, from keywords, a dict) of their samples.

    Args:
        *args: the datasets of a tuple sample.
        **kwargs: the datasets of a dict sample, by key; one of the two forms, not both.

    Raises:
        ValueError: if both forms or none are used, or the lengths differ.

    Example:
        >>> StackDataset(x=[1, 2], y=[3, 4])[1]
        {'x': 2, 'y': 4}
    """

    datasets: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise ValueError("StackDataset: give datasets either as arguments or as keywords, and at least one")
        parts = list(args or kwargs.values())
        lengths = [len(d) for d in parts]
        if len(set(lengths)) > 1:
            raise ValueError(f"StackDataset: the lengths of all datasets must agree ({', '.join(map(str, lengths))})")
        self._length = lengths[0]
        self.datasets = args or kwargs

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {k: d[index] for k, d in self.datasets.items()}
        return tuple(d[index] for d in self.datasets)

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[T_co]):
    """Datasets one after another.

    Args:
        datasets: map-style datasets with a length, at least one.

    Raises:
        ValueError: if there is none, or for an index before the first sample.
        TypeError: if one of them is an ``IterableDataset``.

    Example:
        >>> ConcatDataset([[1, 2], [3]])[2]
        3
    """

    datasets: list[Any]
    cumulative_sizes: list[int]

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """The running total of the lengths."""
        return list(itertools.accumulate(len(d) for d in sequence))

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ConcatDataset: there must be at least one dataset (got none)")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise TypeError("ConcatDataset: an IterableDataset has no index\nhint: use ChainDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> T_co:
        total = len(self)
        if idx < 0:
            if -idx > total:
                raise ValueError(f"ConcatDataset: the index is out of range (index={idx}, length={total})")
            idx += total
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        if which == len(self.datasets):
            raise IndexError(f"ConcatDataset: the index is out of range (index={idx}, length={total})")
        start = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][idx - start]


class ChainDataset(IterableDataset[Any]):
    """Streams one after another.

    Args:
        datasets: iterable-style datasets; they are looked at when the chain is iterated.

    Raises:
        TypeError: while iterating, if one of them is not an ``IterableDataset``.
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def _checked(self) -> Iterator[Any]:
        for d in self.datasets:
            if not isinstance(d, IterableDataset):
                raise TypeError(f"ChainDataset: every part must be an IterableDataset (got {type(d).__name__})")
            yield d

    def __iter__(self) -> Iterator[Any]:
        for d in self._checked():
            yield from d

    def __len__(self) -> int:
        return sum(len(d) for d in self._checked())  # type: ignore[arg-type]


class Subset(Dataset[T_co]):
    """Some of a dataset's samples, in a chosen order.

    Args:
        dataset: a map-style dataset.
        indices: the indices that are taken.

    Example:
        >>> Subset("abcd", [3, 0])[0]
        'd'
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        chosen = [self.indices[i] for i in indices]
        whole = getattr(self.dataset, "__getitems__", None)
        return whole(chosen) if callable(whole) else [self.dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def _lengths(total: int, parts: Sequence[float]) -> list[int]:
    """Lengths from fractions: rounded down, and what is left goes to the first parts, one each."""
    if any(not 0 <= p <= 1 for p in parts):
        raise ValueError(f"random_split: fractions must be between 0 and 1 ({', '.join(map(str, parts))})")
    lengths = [math.floor(total * p) for p in parts]
    for i in range(total - sum(lengths)):
        lengths[i % len(lengths)] += 1
    for i, n in enumerate(lengths):
        if n == 0:
            warnings.warn(f"random_split: part {i} is empty (fraction {parts[i]} of {total} samples)", stacklevel=3)
    return lengths


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = None) -> list[Subset[Any]]:
    """Split a dataset into parts that do not overlap, at random.

    Args:
        dataset: a map-style dataset with a length.
        lengths: how many samples each part gets, or fractions that add up to 1.
        generator: where the permutation comes from (None: the default generator).

    Returns:
        One ``Subset`` per length.

    Raises:
        ValueError: if the lengths do not add up to the dataset's, or a fraction is out of range.

    Example:
        >>> from lamella import torch
        >>> [len(p) for p in random_split(range(10), [0.7, 0.3], torch.Generator().manual_seed(0))]
        [7, 3]
    """
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _lengths(total, lengths)
    if sum(lengths) != total:
        raise ValueError(f"random_split: the lengths must add up to the dataset's "
                         f"({' + '.join(map(str, lengths))} = {sum(lengths)}, dataset={total})")
    order = torch.randperm(total, generator=generator).tolist()
    ends = itertools.accumulate(int(n) for n in lengths)
    return [Subset(dataset, order[end - int(n) : end]) for n, end in zip(lengths, ends)]
