"""torch.utils.data.distributed: each of several processes takes its share of a dataset."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from lamella import torch

from .sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """One replica's share of the indices: every ``num_replicas``-th one of an order that all replicas agree on.

    Args:
        dataset: a dataset with a length.
        num_replicas: how many share it.
        rank: which of them this is, from 0.
        shuffle: a new order for each epoch, from ``seed + epoch``; call ``set_epoch`` before each one.
        seed: the same on all replicas.
        drop_last: make the shares equal by leaving samples out, instead of by giving some twice.

    Raises:
        RuntimeError: if ``num_replicas`` or ``rank`` is left out and there is no process group to take it from.
        ValueError: if ``rank`` is not in the range of the replicas.

    Example:
        >>> list(DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False))
        [1, 3, 0]
    """

    def __init__(self, dataset: Any, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = True,
                 seed: int = 0, drop_last: bool = False) -> None:
        if num_replicas is None or rank is None:
            group = torch.distributed
            if not (group.is_available() and group.is_initialized()):
                raise RuntimeError("DistributedSampler: num_replicas and rank come from the process group, and there "
                                   f"is none (num_replicas={num_replicas}, rank={rank})\nhint: pass both")
            num_replicas = group.get_world_size() if num_replicas is None else num_replicas
            rank = group.get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(f"DistributedSampler: rank must be in [0, {num_replicas - 1}] (rank={rank})")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        n = len(dataset)
        self.num_samples = n // num_replicas if drop_last else math.ceil(n / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        n = len(self.dataset)
        if self.shuffle:
            generator = torch.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = torch.randperm(n, generator=generator).tolist()
        else:
            indices = list(range(n))
        if self.drop_last or not indices:
            indices = indices[: self.total_size]
        else:
            indices = (indices * math.ceil(self.total_size / n))[: self.total_size]
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of the next pass; all replicas call it with the same number."""
        self.epoch = epoch
