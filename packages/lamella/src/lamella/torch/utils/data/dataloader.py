"""DataLoader: batches of a dataset, in order or shuffled, in one process."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from lamella import torch

from ._utils.collate import default_collate, default_convert
from ._utils.pin_memory import pin_memory
from ._utils.worker import Worker, get_worker_info
from .dataset import IterableDataset, Subset, TensorDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler, draw_seed

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

T_co = TypeVar("T_co", covariant=True)
_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class DataLoader(Generic[T_co]):
    """Iterates over a dataset in batches.

    Args:
        dataset: a map-style dataset, or an ``IterableDataset``.
        batch_size: samples in a batch; None: samples come one by one, as the dataset gives them.
        shuffle: a new random order for each pass.
        sampler: an order of its own, instead of ``shuffle``.
        batch_sampler: an order of batches, instead of ``batch_size``, ``shuffle``, ``sampler`` and ``drop_last``.
        num_workers: how many workers share the batches. They run inside this process, one after another, each with its
            own copy of the dataset and its own random numbers, so batches equal those of torch's worker processes.
        collate_fn: makes a batch of a list of samples.
        pin_memory: put the tensors of batches into page-locked memory, where there is a GPU to copy them to.
        pin_memory_device: accepted; memory is locked for all GPUs.
        drop_last: leave out a last batch that is not full.
        timeout: accepted; there is nobody to wait for.
        worker_init_fn: called with each worker's number before its first sample.
        multiprocessing_context: accepted; there are no processes.
        generator: where the order and the workers' seeds come from (None: the default generator).
        prefetch_factor: batches that each worker has in hand (2 where there are workers).
        persistent_workers: keep workers (their dataset copies and random states) from pass to pass.
        in_order: accepted; batches always come in order.

    Raises:
        ValueError: for arguments that exclude one another or are out of range.
        TypeError: from ``len`` of a loader whose dataset has no length.

    Example:
        >>> from lamella import torch
        >>> loader = DataLoader(TensorDataset(torch.arange(5)), batch_size=2)
        >>> [x.tolist() for x, in loader]
        [[0, 1], [2, 3], [4]]
    """

    _initialized = False

    def __init__(self, dataset: Any, batch_size: int | None = 1, shuffle: bool | None = None, sampler: Any = None,
                 batch_sampler: Any = None, num_workers: int = 0, collate_fn: Callable[[list[Any]], Any] | None = None,
                 pin_memory: bool = False, drop_last: bool = False, timeout: float = 0,
                 worker_init_fn: Callable[[int], Any] | None = None, multiprocessing_context: Any = None,
                 generator: Any = None, *, prefetch_factor: int | None = None, persistent_workers: bool = False,
                 pin_memory_device: str = "", in_order: bool = True) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self._streams = isinstance(dataset, IterableDataset)
        if self._streams:
            _check_stream(shuffle, sampler, batch_sampler)
        else:
            shuffle = bool(shuffle)
        if sampler is not None and shuffle:
            raise ValueError("DataLoader: sampler and shuffle exclude one another")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("DataLoader: batch_sampler excludes batch_size, shuffle, sampler and drop_last")
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("DataLoader: drop_last needs batches, and batch_size=None asks for none")
        if sampler is None:
            if self._streams:
                sampler = itertools.repeat(None)
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_convert if batch_sampler is None else default_collate
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self._workers: list[Worker] | None = None
        self._initialized = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._initialized and name in _FIXED:
            raise ValueError(f"DataLoader: {name} cannot be changed after the loader is made")
        super().__setattr__(name, value)

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> Iterator[Any]:
        if self._workers is not None and self.persistent_workers:
            return _WorkersIter(self, self._workers)
        # one number of the generator is used up per pass whether or not there are workers: torch's losses depend on it
        base_seed = draw_seed(self.generator)
        if not self.num_workers:
            return _SingleProcessDataLoaderIter(self)
        self._workers = [Worker(i, self.num_workers, base_seed, self.dataset, self.worker_init_fn)
                         for i in range(self.num_workers)]
        return _WorkersIter(self, self._workers)

    def __len__(self) -> int:
        if not self._streams:
            return len(self._index_sampler)
        n = len(self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def _check_workers(num_workers: int, timeout: float, prefetch_factor: int | None, persistent: bool) -> None:
    if num_workers < 0:
        raise ValueError(f"DataLoader: num_workers must not be negative (num_workers={num_workers})")
    if timeout < 0:
        raise ValueError(f"DataLoader: timeout must not be negative (timeout={timeout})")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError("DataLoader: prefetch_factor needs workers "
                         f"(prefetch_factor={prefetch_factor}, num_workers=0)")
    if prefetch_factor is not None and prefetch_factor < 1:
        raise ValueError(f"DataLoader: prefetch_factor must be positive (prefetch_factor={prefetch_factor})")
    if persistent and num_workers == 0:
        raise ValueError("DataLoader: persistent_workers needs workers (num_workers=0)")


def _check_stream(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    if shuffle not in (False, None):
        raise ValueError(f"DataLoader: an IterableDataset has its own order (shuffle={shuffle})")
    for name, value in (("sampler", sampler), ("batch_sampler", batch_sampler)):
        if value is not None:
            raise ValueError(f"DataLoader: an IterableDataset has its own order ({name}={type(value).__name__})")


class _Fetcher:
    """Fetches one batch (or one sample) of a dataset for what the sampler gave."""

    def __init__(self, loader: DataLoader[Any], dataset: Any) -> None:
        self.dataset = dataset
        self.collate = loader.collate_fn
        self.batched = loader._auto_collation
        self.drop_last = loader.drop_last
        self.rows = self.batched and self.collate is default_collate and _is_rows(dataset)
        self.stream = iter(dataset) if loader._streams else None
        self.ended = False
        self.pins = loader.pin_memory and torch.cuda.is_available()

    def __call__(self, index: Any) -> Any:
        if self.pins:
            return pin_memory(self._fetched(index))
        return self._fetched(index)

    def _fetched(self, index: Any) -> Any:
        if self.stream is not None:
            return self.collate(self._from_stream(index))
        if not self.batched:
            return self.collate(self.dataset[index])
        if self.rows:
            return _gathered(self.dataset, index)
        whole = getattr(self.dataset, "__getitems__", None)
        return self.collate(whole(index) if whole else [self.dataset[i] for i in index])

    def _from_stream(self, index: Any) -> Any:
        if self.ended:
            raise StopIteration
        if not self.batched:
            return next(self.stream)  # type: ignore[arg-type]
        samples = list(itertools.islice(self.stream, len(index)))  # type: ignore[arg-type]
        self.ended = len(samples) < len(index)
        if not samples or (self.drop_last and self.ended):
            raise StopIteration
        return samples


def _is_rows(dataset: Any) -> bool:
    """Whether samples are rows of tensors, so that a batch is one indexing of each instead of many and a stack."""
    while type(dataset) is Subset:
        dataset = dataset.dataset
    return type(dataset) is TensorDataset and len(dataset.tensors) > 0


def _gathered(dataset: Any, indices: list[int]) -> list[Any]:
    while type(dataset) is Subset:
        indices = [dataset.indices[i] for i in indices]
        dataset = dataset.dataset
    chosen = torch.tensor(indices, dtype=torch.int64)
    return [t[chosen] for t in dataset.tensors]


class _SingleProcessDataLoaderIter:
    """One pass without workers."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        self._left = loader
        self._indices = iter(loader._index_sampler)
        self._fetch = _Fetcher(loader, loader.dataset)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._fetch(next(self._indices))

    def __len__(self) -> int:
        return len(self._left)


class _WorkersIter:
    """One pass in which workers take batches in turn; one whose stream has ended is passed over."""

    def __init__(self, loader: DataLoader[Any], workers: list[Worker]) -> None:
        self._loader = loader
        self._indices = iter(loader._index_sampler)
        self._workers = workers
        self._fetchers: list[_Fetcher] = []
        for worker in workers:
            with worker.active() as dataset:
                worker.exhausted = False
                self._fetchers.append(_Fetcher(loader, dataset))
        self._turn = itertools.cycle(range(len(workers)))
        self._waiting: deque[tuple[int, Any]] = deque()
        # torch hands every worker its first batches at once, which decides when the sampler draws its numbers
        for _ in range((loader.prefetch_factor or 1) * len(workers)):
            self._enqueue()

    def _enqueue(self) -> None:
        for index in self._indices:
            for _ in self._workers:
                number = next(self._turn)
                if not self._workers[number].exhausted:
                    self._waiting.append((number, index))
                    return
            return

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        while self._waiting:
            number, index = self._waiting.popleft()
            worker = self._workers[number]
            if worker.exhausted:
                continue
            try:
                with worker.active():
                    batch = self._fetchers[number](index)
            except StopIteration:
                if not self._loader._streams:
                    raise
                worker.exhausted = True
                self._enqueue()
                continue
            self._enqueue()
            return batch
        raise StopIteration

    def __len__(self) -> int:
        return len(self._loader)
