"""Samplers: the order in which a loader takes samples."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

from lamella import torch

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler",
           "WeightedRandomSampler"]

T_co = TypeVar("T_co", covariant=True)


def _positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def _boolean(name: str, value: Any, error: type[Exception]) -> None:
    if not isinstance(value, bool):
        raise error(f"{name} should be a boolean value, but got {name}={value}")


class Sampler(Generic[T_co]):
    """An order of indices. A subclass defines ``__iter__``, and ``__len__`` where the number is known."""

    def __init__(self, data_source: Any = None) -> None:
        pass

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("Sampler: a subclass must define __iter__")


class SequentialSampler(Sampler[int]):
    """The indices from first to last.

    Args:
        data_source: a dataset with a length.

    Example:
        >>> list(SequentialSampler("abc"))
        [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Indices in a random order, a new one each time.

    Args:
        data_source: a dataset with a length.
        replacement: draw each index anew, so that some come twice.
        num_samples: how many are drawn (None: as many as the dataset has).
        generator: where the numbers come from. None: a generator of its own for each pass, whose seed is drawn from the
            default generator; so one number of the default generator is used up per pass, as in torch.

    Raises:
        TypeError: if ``replacement`` is not a bool.
        ValueError: if the number of samples is not positive.

    Example:
        >>> sorted(RandomSampler("abcd"))
        [0, 1, 2, 3]
    """

    def __init__(self, data_source: Sized, replacement: bool = False, num_samples: int | None = None,
                 generator: Any = None) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        _boolean("replacement", replacement, TypeError)
        _positive("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many indices one pass gives."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = torch.Generator()
            generator.manual_seed(draw_seed(None))
        if self.replacement:
            # in blocks of 32, because the numbers drawn depend on the block's size
            for size in (*(32,) * (self.num_samples // 32), self.num_samples % 32):
                yield from torch.randint(high=n, size=(size,), dtype=torch.int64, generator=generator).tolist()
            return
        for _ in range(self.num_samples // n):
            yield from torch.randperm(n, generator=generator).tolist()
        yield from torch.randperm(n, generator=generator).tolist()[: self.num_samples % n]

    def __len__(self) -> int:
        return self.num_samples


def draw_seed(generator: Any) -> int:
    """A 63-bit seed from a generator (None: the default one)."""
    return int(torch.empty((), dtype=torch.int64).random_(generator=generator).item())


class SubsetRandomSampler(Sampler[int]):
    """Given indices in a random order.

    Args:
        indices: the indices.
        generator: where the permutation comes from (None: the default generator).

    Example:
        >>> sorted(SubsetRandomSampler([5, 7, 9]))
        [5, 7, 9]
    """

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in torch.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices drawn with given weights.

    Args:
        weights: a weight for each index; they need not add up to one.
        num_samples: how many are drawn.
        replacement: draw each index anew, so that some come twice.
        generator: where the numbers come from (None: the default generator).

    Raises:
        ValueError: if the number is not positive, ``replacement`` is not a bool, or ``weights`` has not one dimension.

    Example:
        >>> list(WeightedRandomSampler([0.0, 1.0], 3))
        [1, 1, 1]
    """

    def __init__(self, weights: Sequence[float], num_samples: int, replacement: bool = True,
                 generator: Any = None) -> None:
        _positive("num_samples", num_samples)
        _boolean("replacement", replacement, ValueError)
        self.weights = torch.as_tensor(weights, dtype=torch.double)
        if self.weights.dim() != 1:
            raise ValueError("weights should be a 1d sequence but given weights have shape "
                             f"{tuple(self.weights.shape)}")
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = torch.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Batches of another sampler's indices.

    Args:
        sampler: an iterable of indices.
        batch_size: how many make a batch.
        drop_last: leave out a last batch that is not full.

    Raises:
        ValueError: if ``batch_size`` is not positive or ``drop_last`` is not a bool.

    Example:
        >>> list(BatchSampler(range(5), batch_size=2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        _positive("batch_size", batch_size)
        _boolean("drop_last", drop_last, ValueError)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) < self.batch_size and self.drop_last:
                return
            yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole if self.drop_last or not rest else whole + 1
