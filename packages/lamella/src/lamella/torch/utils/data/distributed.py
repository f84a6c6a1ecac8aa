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
        num_replicas: how many share it; by default the ranks of the process group.
        rank: which of them this is, from 0; by default the rank in the process group.
        shuffle: a new order for each epoch, from ``seed + epoch``; call ``set_epoch`` before each one.
        seed: the same on all replicas.
        drop_last: make the shares equal by leaving samples out, instead of by giving some twice.

    Raises:
        ValueError: if ``rank`` is not in the range of the replicas, or ``num_replicas`` or ``rank`` is left out and
            there is no process group to take it from.

    Example:
        >>> list(DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False))
        [1, 3, 0]
    """

    def __init__(self, dataset: Any, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = True,
                 seed: int = 0, drop_last: bool = False) -> None:
        if num_replicas is None or rank is None:
            group = torch.distributed
            if not group.is_initialized():
                raise ValueError("DistributedSampler: num_replicas and rank come from the process group, and there is "
                                 f"none (num_replicas={num_replicas}, rank={rank})\n"
                                 "hint: call torch.distributed.init_process_group() first, or pass both")
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
        while not self.drop_last and 0 < len(indices) < self.total_size:
            indices += indices[: self.total_size - len(indices)]
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of the next pass; all replicas call it with the same number."""
        self.epoch = epoch
