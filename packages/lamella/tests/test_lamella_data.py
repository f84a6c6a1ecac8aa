"""utils.data: datasets, samplers, collation, the loader."""

import collections
import random

import numpy as np
import pytest

from lamella import torch

D = torch.utils.data
Point = collections.namedtuple("Point", "x y")


class Squares(D.Dataset):
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return torch.tensor([float(i), float(i * i)]), i

    def __len__(self):
        return self.n


class Count(D.IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        info = D.get_worker_info()
        return iter(range(self.n) if info is None else range(info.id, self.n, info.num_workers))


def numbers(loader):
    return [b.tolist() if isinstance(b, torch.Tensor) else [x.tolist() for x in b] for b in loader]


def test_datasets():
    a, b = Squares(3), Squares(2)
    both = a + b
    assert len(both) == 5 and both[3][1] == 0 and both[-1][1] == 1 and both.cumulative_sizes == [3, 5]
    assert D.Subset(a, [2, 0])[0][1] == 2
    assert D.TensorDataset(torch.arange(4), torch.arange(4) * 2)[1:3][1].tolist() == [2, 4]
    assert D.StackDataset([1, 2], [3, 4])[1] == (2, 4)
    assert list(Count(2) + Count(3)) == [0, 1, 0, 1, 2]


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: D.TensorDataset(torch.zeros(2), torch.zeros(3)), ValueError, r"must agree \(2, 3\)"),
    (lambda: D.ConcatDataset([]), ValueError, "at least one dataset"),
    (lambda: D.ConcatDataset([Count(1)]), TypeError, "use ChainDataset"),
    (lambda: D.ConcatDataset([[1]])[-2], ValueError, "index=-2, length=1"),
    (lambda: D.ConcatDataset([[1]])[1], IndexError, "index=1, length=1"),
    (lambda: D.StackDataset([1], [1, 2]), ValueError, "lengths of all datasets"),
    (lambda: D.random_split([1, 2, 3], [1, 1]), ValueError, r"1 \+ 1 = 2, dataset=3"),
    (lambda: D.RandomSampler([]), ValueError, "num_samples=0"),
    (lambda: D.RandomSampler([1], replacement=1), TypeError, "replacement=1"),
    (lambda: D.BatchSampler([1], 0, False), ValueError, "batch_size=0"),
    (lambda: D.BatchSampler([1], 1, 1), ValueError, "drop_last=1"),
    (lambda: D.WeightedRandomSampler([[1.0]], 1), ValueError, r"\(1, 1\)"),
    (lambda: D.DataLoader([1], shuffle=True, sampler=[0]), ValueError, "sampler and shuffle exclude"),
    (lambda: D.DataLoader([1], batch_sampler=[[0]], batch_size=2), ValueError, "batch_sampler excludes"),
    (lambda: D.DataLoader([1], batch_size=None, drop_last=True), ValueError, "drop_last needs batches"),
    (lambda: D.DataLoader([1], batch_size=0), ValueError, "batch_size=0"),
    (lambda: D.DataLoader([1], num_workers=-1), ValueError, "num_workers=-1"),
    (lambda: D.DataLoader([1], prefetch_factor=2), ValueError, "prefetch_factor needs workers"),
    (lambda: D.DataLoader([1], persistent_workers=True), ValueError, "persistent_workers needs workers"),
    (lambda: D.DataLoader(Count(1), shuffle=True), ValueError, "has its own order"),
    (lambda: setattr(D.DataLoader([1]), "batch_size", 2), ValueError, "cannot be changed"),
    (lambda: len(D.DataLoader(Count(1))), TypeError, "has no len"),
    (lambda: D.default_collate([object()]), TypeError, "found <class 'object'>"),
    (lambda: D.default_collate([np.array(["a"])]), TypeError, "found <U1"),
    (lambda: D.default_collate([[1], [1, 2]]), RuntimeError, "equal length"),
    (lambda: D.default_collate([torch.zeros(2), torch.zeros(3)]), RuntimeError, "stack"),
    (lambda: D.DistributedSampler([1]), ValueError, "init_process_group.* first, or pass both"),
    (lambda: D.DistributedSampler([1], 2, 2), ValueError, "rank=2"),
])
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_collate():
    c = D.default_collate
    assert c([1, 2]).dtype is torch.int64 and c([1.0, 2.0]).dtype is torch.float64
    assert c([True, False]).dtype is torch.bool and c(["a", "b"]) == ["a", "b"]
    assert c([np.float32(1), np.float32(2)]).dtype is torch.float32
    assert c([np.zeros((2, 3), np.int16)] * 4).shape == (4, 2, 3)
    out = c([{"x": torch.ones(2), "y": (1, "a")}] * 3)
    assert out["x"].shape == (3, 2) and out["y"][0].tolist() == [1, 1, 1] and out["y"][1] == ("a", "a", "a")
    point = c([Point(1, 2.0), Point(3, 4.0)])
    assert isinstance(point, Point) and point.x.tolist() == [1, 3]
    assert isinstance(c([collections.OrderedDict(a=1)]), collections.OrderedDict)
    assert D.default_convert((np.zeros(2), "s"))[0].shape == (2,)


def test_loader_batches():
    loader = D.DataLoader(Squares(5), batch_size=2)
    batches = list(loader)
    assert len(loader) == 3 and [y.tolist() for _, y in batches] == [[0, 1], [2, 3], [4]]
    assert batches[0][0].shape == (2, 2)
    assert len(D.DataLoader(Squares(5), batch_size=2, drop_last=True)) == 2
    assert list(D.DataLoader(range(3), batch_size=None)) == [0, 1, 2]
    assert numbers(D.DataLoader(Count(5), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]
    assert numbers(D.DataLoader(Count(5), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert list(D.DataLoader(range(4), batch_sampler=[[3, 0], [1]], collate_fn=tuple)) == [(3, 0), (1,)]


def test_loader_gathers_rows_of_tensors_as_stacking_would():
    x, y = torch.randn(7, 3), torch.arange(7)
    whole = D.TensorDataset(x, y)
    part = D.Subset(whole, [6, 2, 4])
    for dataset in (whole, part):
        fast = list(D.DataLoader(dataset, batch_size=2))
        slow = list(D.DataLoader(dataset, batch_size=2, collate_fn=lambda b: D.default_collate(b)))
        assert all(torch.equal(a, b) for f, s in zip(fast, slow) for a, b in zip(f, s))
        assert [type(b) for b in fast] == [type(b) for b in slow]


def test_getitems_is_used():
    class Whole(Squares):
        def __getitems__(self, indices):
            return [("batch", i) for i in indices]

    names, indices = next(iter(D.DataLoader(Whole(2), batch_size=2)))
    assert names == ("batch", "batch") and indices.tolist() == [0, 1]


def test_workers_share_batches_with_random_numbers_of_their_own():
    class Noisy(Squares):
        def __getitem__(self, i):
            return torch.tensor([i, random.random(), np.random.rand(), torch.rand(()).item()], dtype=torch.float64)

    seen = []
    torch.manual_seed(0)
    random.seed(1)
    before = random.getstate()
    loader = D.DataLoader(Noisy(6), batch_size=1, num_workers=2, worker_init_fn=seen.append)
    first = torch.stack([b[0] for b in loader])
    assert seen == [0, 1] and random.getstate() == before and D.get_worker_info() is None
    assert first[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    torch.manual_seed(0)
    assert torch.equal(torch.stack([b[0] for b in loader]), first)
    assert not torch.equal(torch.stack([b[0] for b in loader]), first)


def test_workers_split_a_stream():
    assert numbers(D.DataLoader(Count(7), batch_size=2, num_workers=2)) == [[0, 2], [1, 3], [4, 6], [5]]
    assert numbers(D.DataLoader(Count(2), batch_size=2, num_workers=3)) == [[0], [1]]


def test_distributed_sampler():
    shares = [list(D.DistributedSampler(range(5), 2, rank, shuffle=False)) for rank in (0, 1)]
    assert shares == [[0, 2, 4], [1, 3, 0]]
    assert [list(D.DistributedSampler(range(5), 2, r, False, drop_last=True)) for r in (0, 1)] == [[0, 2], [1, 3]]
    sampler = D.DistributedSampler(range(8), 1, 0)
    first = list(sampler)
    sampler.set_epoch(1)
    assert sorted(first) == sorted(sampler) and first != list(sampler)


def shares(D, n, ranks, drop_last):
    """The indices of all ranks, in two epochs and in order."""
    found = []
    for rank in range(ranks):
        sampler = D.DistributedSampler(range(n), ranks, rank, seed=3, drop_last=drop_last)
        first = list(sampler)
        sampler.set_epoch(2)
        plain = D.DistributedSampler(range(n), ranks, rank, shuffle=False, drop_last=drop_last)
        found.append((len(sampler), sampler.total_size, first, list(sampler), list(plain)))
    return found


def programs(torch):
    """Orders and random numbers that must be equal in lamella and torch."""
    D = torch.utils.data

    class Noisy(D.Dataset):
        def __getitem__(self, i):
            return torch.rand(()).item() + i

        def __len__(self):
            return 7

    def generator():
        return torch.Generator().manual_seed(5)

    def after(result):
        return result, torch.rand(2).tolist()

    def batches(loader, epochs=2):
        return [[b.tolist() for b in loader] for _ in range(epochs)]

    return {
        "shuffle": lambda: after(batches(D.DataLoader(range(10), batch_size=3, shuffle=True))),
        "no shuffle": lambda: after(batches(D.DataLoader(range(4)))),
        "generator": lambda: after(batches(D.DataLoader(range(10), batch_size=3, shuffle=True, generator=generator()))),
        "replacement": lambda: after(list(D.RandomSampler(range(50), replacement=True, num_samples=70))),
        "more samples": lambda: after(list(D.RandomSampler(range(5), num_samples=12, generator=generator()))),
        "subset": lambda: after(list(D.SubsetRandomSampler([3, 1, 4, 1, 5]))),
        "weighted": lambda: after(list(D.WeightedRandomSampler([0.1, 0.9, 0.4, 0.7], 20))),
        "weighted once": lambda: after(list(D.WeightedRandomSampler([0.1, 0.9, 0.4, 0.7], 4, replacement=False))),
        "split": lambda: after([p.indices for p in D.random_split(range(10), [0.5, 0.3, 0.2])]),
        "split by generator": lambda: after([p.indices for p in D.random_split(range(10), [7, 3], generator())]),
        "noise": lambda: after(batches(D.DataLoader(Noisy(), batch_size=2, shuffle=True))),
        "workers": lambda: after(batches(D.DataLoader(Noisy(), batch_size=2, shuffle=True, num_workers=2))),
        "persistent workers": lambda: after(batches(
            D.DataLoader(Noisy(), batch_size=2, shuffle=True, num_workers=2, persistent_workers=True), 3)),
        "distributed": lambda: after(list(D.DistributedSampler(range(11), 3, 1, seed=4))),
        "distributed, all sizes": lambda: [shares(D, n, ranks, drop) for n in (1, 2, 5, 8, 9) for ranks in (1, 2, 4)
                                           for drop in (False, True)],
    }


@pytest.mark.torch
@pytest.mark.parametrize("name", list(programs(torch)))
def test_same_order_and_numbers_as_torch(name):
    theirs = pytest.importorskip("torch")
    results = []
    for t in (theirs, torch):
        t.manual_seed(11)
        results.append(programs(t)[name]())
    assert results[0] == results[1]
