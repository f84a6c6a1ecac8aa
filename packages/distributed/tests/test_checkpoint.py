"""Checkpoints: what is saved on some ranks is loaded on as many, on fewer, on more, and by other parts."""

import os
import random

import pytest
from harness import ranks

from lamella import core, distributed as dist
from lamella.core import arange, randn, tensor, zeros
from lamella.distributed import checkpoint as dcp
from lamella.distributed.checkpoint import CheckpointException, LocalShards
from lamella.distributed.checkpoint.staging import DefaultStager, StagingOptions
from lamella.distributed.threads import spawn

TYPES = [core.bool, core.uint8, core.int8, core.uint16, core.int16, core.uint32, core.int32, core.uint64, core.int64,
         core.float16, core.bfloat16, core.float32, core.float64, core.complex64, core.complex128, core.float8_e4m3fn,
         core.float8_e5m2, core.float8_e4m3fnuz, core.float8_e5m2fnuz]


def rows(n, size, rank):
    """Where rank's rows begin and end when n are spread over ranks unevenly."""
    cuts = [0, *(n * (r + 1) // size for r in range(size))]
    return cuts[rank], cuts[rank + 1]


def whole(shape, seed=0, dtype=core.float32):
    n = 1
    for s in shape:
        n *= s
    return (arange(n) * 7 + seed).reshape(shape).to(dtype)


def by_rows(full):
    a, b = rows(full.shape[0], dist.get_world_size(), dist.get_rank())
    return LocalShards(full.shape, [((a, *[0] * (full.ndim - 1)), full[a:b].clone())])


def by_columns(full):
    a, b = rows(full.shape[1], dist.get_world_size(), dist.get_rank())
    return LocalShards(full.shape, [((0, a), full[:, a:b].clone())])


def flat(full):
    a, b = rows(full.numel(), dist.get_world_size(), dist.get_rank())
    return LocalShards.from_flat(full.shape, a, full.reshape(-1)[a:b].clone())


def emptied(part):
    for _, t in part.shards:
        t.zero_()
    return part


def right(part, full):
    for offsets, t in part.shards:
        box = tuple(slice(o, o + n) for o, n in zip(offsets, t.shape))
        assert (t == full[box]).all()


def state(fill=True):
    """A state dict of every kind of thing; with fill=False what one loads into."""
    full = {name: whole((7, 6), i) for i, name in enumerate(("rows", "columns", "flat"))}
    sharded = {"rows": by_rows(full["rows"]), "columns": by_columns(full["columns"]), "flat": flat(full["flat"])}
    if not fill:
        sharded = {n: emptied(p) for n, p in sharded.items()}
    plain = {str(d): (whole((3, 2), 1) % 2 if d is core.bool else whole((3, 2), 1)).to(d) for d in TYPES}
    if not fill:
        plain = {n: zeros(3, 2).to(t.dtype) for n, t in plain.items()}
    groups = [{"lr": 0.1, "betas": (0.9, 0.999), "params": [0, 1], "foreach": None}, {"lr": 0.2, "params": []}]
    rest = {"step": 3, "name": "ü", "nan": float("inf"), "none": None, "list": [1, [2, "x"]], "nothing": {}, "no": []}
    if not fill:
        groups = [dict.fromkeys(g) for g in groups]
        rest = dict.fromkeys(rest)
    return {"model": {**sharded, **plain}, "optim": {"state": {0: {"m": whole((4,)) if fill else zeros(4)}},
                                                     "param_groups": groups}, **rest}


def check_loaded(folder, **options):
    loaded, wanted = state(fill=False), state()
    kept = loaded["model"]["torch.float32"]
    dcp.load(loaded, checkpoint_id=folder, **options)
    assert loaded["model"]["torch.float32"] is kept  # in place
    for i, name in enumerate(("rows", "columns", "flat")):
        right(loaded["model"].pop(name), whole((7, 6), i))
        del wanted["model"][name]
    for name, t in wanted["model"].items():
        got = loaded["model"][name]
        assert got.dtype == t.dtype and got.tolist() == t.tolist() if "float8" not in name else (
            got.to(core.float32) == t.to(core.float32)).all()
    assert (loaded["optim"]["state"][0]["m"] == whole((4,))).all()
    assert loaded["optim"]["param_groups"] == wanted["optim"]["param_groups"]
    for name in ("step", "name", "nan", "none", "list", "nothing", "no"):
        assert loaded[name] == wanted[name] and type(loaded[name]) is type(wanted[name])


@ranks(1, 2, 4)
def test_same_ranks(folder):
    metadata = dcp.save(state(), checkpoint_id=folder)
    assert metadata.state_dict_metadata["model.rows"].size == (7, 6)
    check_loaded(folder)


@pytest.mark.parametrize(("before", "after"), [(4, 2), (4, 1), (1, 4), (2, 3), (3, 2)])
def test_other_ranks(tmp_path, before, after):
    spawn(lambda: dcp.save(state(), checkpoint_id=tmp_path), before)
    spawn(lambda: check_loaded(tmp_path), after)


@pytest.mark.parametrize("pair", ["rows columns", "columns flat", "flat rows"])
def test_other_parts(tmp_path, pair):
    """Saved by one division, loaded by another, for any number of ranks."""
    ways = {"rows": by_rows, "columns": by_columns, "flat": flat}
    first, second = (ways[w] for w in pair.split())
    full = whole((5, 3))
    spawn(lambda: dcp.save({"w": first(full)}, checkpoint_id=tmp_path), 4)

    def load():
        part = emptied(second(full))
        dcp.load({"w": part}, checkpoint_id=tmp_path)
        right(part, full)
        plain = zeros(5, 3)
        dcp.load({"w": plain}, checkpoint_id=tmp_path)
        assert (plain == full).all()

    spawn(load, 3)


def test_random_divisions(tmp_path):
    """Flat ranges of random tensors, on random numbers of ranks."""
    rng = random.Random(0)
    for i in range(12):
        shape = tuple(rng.randint(1, 5) for _ in range(rng.randint(0, 4)))
        full, folder = whole(shape, i), tmp_path / str(i)
        spawn(lambda f=full, p=folder: dcp.save({"w": flat(f)}, checkpoint_id=p), rng.randint(1, 4))

        def load(full=full, folder=folder):
            part = emptied(flat(full))
            dcp.load({"w": part}, checkpoint_id=folder)
            right(part, full)

        spawn(load, rng.randint(1, 4))


@ranks(4)
def test_replicas_are_spread(folder):
    """What all ranks have is written once, and about as much of it by each rank."""
    dcp.save({str(i): zeros(100) for i in range(8)}, checkpoint_id=folder)
    dist.barrier()
    sizes = [p.stat().st_size for p in folder.iterdir() if p.suffix == ".safetensors"]
    assert len(sizes) == 4 and max(sizes) < 2 * 400 + 600


@ranks(2)
def test_keys_of_single_ranks(folder):
    """Ranks may have keys that others don't have."""
    rank = dist.get_rank()
    dcp.save({f"only {rank}": tensor([rank]), "all": 1}, checkpoint_id=folder)
    mine = {f"only {1 - rank}": zeros(1)}
    dcp.load(mine, checkpoint_id=folder)
    assert mine[f"only {1 - rank}"].item() == 1 - rank


@ranks(2)
def test_overwriting(folder):
    """The second save takes the first one's place, whose files are gone."""
    for i in range(3):
        dcp.save({"w": tensor([i, i]), "i": i}, checkpoint_id=folder)
    loaded = {"w": zeros(2), "i": None}
    dcp.load(loaded, checkpoint_id=folder)
    dist.barrier()
    assert loaded["w"].tolist() == [2, 2] and loaded["i"] == 2
    assert len(os.listdir(folder)) == 2  # one rank's file, and the manifest
    with pytest.raises(CheckpointException, match="Checkpoint already exists"):
        dcp.save({"w": zeros(1)}, storage_writer=dcp.FileSystemWriter(folder, overwrite=False))


class Breaks:
    """A value that cannot be written on one rank."""

    def __init__(self, on):
        self.on = on

    def __reduce__(self):
        if dist.get_rank() == self.on:
            raise OSError("the disk is full")
        return int, (3,)


@ranks(2, 4)
def test_a_rank_fails(folder):
    """All ranks raise, the error says which rank failed and why, and the checkpoint before is whole."""
    last = dist.get_world_size() - 1
    dcp.save({"w": whole((4, 4)), "s": by_rows(whole((4, 4)))}, checkpoint_id=folder)
    bad = {"w": whole((4, 4), 1), "s": by_rows(whole((4, 4), 1))}
    if dist.get_rank() == last:
        bad["breaks"] = Breaks(last)
    with pytest.raises(CheckpointException, match=rf"save: failed on rank {last}\n.*OSError: the disk is full") as e:
        dcp.save(bad, checkpoint_id=folder)
    assert list(e.value.failures) == [last]
    dist.barrier()
    loaded = {"w": zeros(4, 4)}
    dcp.load(loaded, checkpoint_id=folder)
    assert (loaded["w"] == whole((4, 4))).all()
    left = [n for n in os.listdir(folder) if n.endswith(".safetensors")]
    assert len(left) == dist.get_world_size()  # the failed save's files are gone


@ranks(2)
def test_parts_that_do_not_fit(folder):
    """All that is wrong with the ranks' parts is listed."""
    rank = dist.get_rank()
    wrong = {"kind": zeros(2) if rank else 3, "shape": zeros(2 + rank), "type": zeros(1).to(
        core.float64 if rank else core.float32)}
    with pytest.raises(CheckpointException) as e:
        dcp.save(wrong, checkpoint_id=folder)
    text = str(e.value)
    assert "shape is f32[2] on rank 0 and f32[3] on rank 1" in text
    assert "kind is a value on rank 0 and f32[2] on rank 1" in text
    assert "type is f32[1] on rank 0 and f64[1] on rank 1" in text
    gap = {"gap": LocalShards((4,), [((3 * rank,), zeros(1))]), "twice": LocalShards((3,), [((rank,), zeros(2))])}
    with pytest.raises(CheckpointException) as e:
        dcp.save(gap, checkpoint_id=folder)
    assert "gap: no rank has 2 of 4 elements" in str(e.value) and "twice: chunks overlap" in str(e.value)
    assert not os.path.exists(folder / ".metadata")


@ranks(2)
def test_loading_lists_what_is_missing(folder):
    dcp.save({"a": zeros(2), "b": zeros(3), "v": 1, "c": zeros(4)}, checkpoint_id=folder)
    with pytest.raises(CheckpointException) as e:
        dcp.load({"a": zeros(3), "x": zeros(1), "y": 2, "b": zeros(3), "c": None}, checkpoint_id=folder)
    text = str(e.value)
    assert "Missing key in checkpoint state_dict: x, y." in text
    assert "a: size mismatch between saved [2] and current: [3]" in text
    assert "c is a tensor of [4] in the checkpoint, here NoneType" in text
    assert "ranks 0, 1: RuntimeError: load: the checkpoint does not fit the state dict" in text
    part = {"a": zeros(2) + 1, "x": zeros(1) + 5}
    dcp.load(part, checkpoint_id=folder, planner=dcp.DefaultLoadPlanner(allow_partial_load=True))
    assert part["a"].tolist() == [0, 0] and part["x"].tolist() == [5]


@ranks(2)
def test_async_save(folder):
    """The copy is what the state was at the call, and collectives go on meanwhile."""
    w, steps = by_rows(whole((6, 4))), [1]
    future = dcp.async_save({"w": w, "steps": steps, "p": whole((3,))}, checkpoint_id=folder / "a")
    for _, t in w.shards:
        t.zero_()
    steps.append(2)
    total = zeros(1)
    for _ in range(20):
        one = tensor([1.0])
        dist.all_reduce(one)
        total += one
    assert total.item() == 20 * dist.get_world_size()
    again = dcp.async_save({"w": w}, checkpoint_id=folder / "b")
    assert future.result().state_dict_metadata["w"].size == (6, 4)
    again.result()
    into = {"w": emptied(by_rows(whole((6, 4)))), "steps": None, "p": zeros(3)}
    dcp.load(into, checkpoint_id=folder / "a")
    right(into["w"], whole((6, 4)))
    assert into["steps"] == [1]
    stager = DefaultStager(StagingOptions(use_async_staging=True))
    both = dcp.async_save({"p": whole((3,), 4)}, checkpoint_id=folder / "c", async_stager=stager)
    both.staging_completion.result()
    both.upload_completion.result()
    stager.close()
    dcp.load(into := {"p": zeros(3)}, checkpoint_id=folder / "c")
    assert (into["p"] == whole((3,), 4)).all()
    writer = dcp.FileSystemWriter(folder / "d", cache_staged_state_dict=True)
    for i in range(3):
        dcp.async_save({"p": whole((3,), i)}, storage_writer=writer, checkpoint_id=folder / f"d{i}").result()
    for i in range(3):
        dcp.load(into, checkpoint_id=folder / f"d{i}")
        assert (into["p"] == whole((3,), i)).all()
    failing = dcp.async_save({"x": Breaks(0)}, storage_writer=dcp.FileSystemWriter(folder / "a"))
    assert "rank 0: OSError: the disk is full" in str(failing.exception())


@ranks(2)
def test_own_manifests(folder):
    """Without collectives each rank saves and loads for itself."""
    rank = dist.get_rank()
    dcp.save({"x": tensor([rank])}, checkpoint_id=folder, use_collectives=False)
    dcp.save({"x": tensor([rank + 5])}, checkpoint_id=folder, use_collectives=False)
    dist.barrier()
    into = {"x": zeros(1)}
    dcp.load(into, checkpoint_id=folder)
    assert into["x"].item() == rank + 5


@ranks(2)
def test_groups_and_options(folder):
    """A group of some ranks; several files and threads per rank."""
    alone = dist.new_group([1])
    if dist.get_rank() == 1:
        dcp.save({"x": tensor([3.0])}, checkpoint_id=folder / "one", process_group=alone)
    dist.barrier()
    into = {"x": zeros(1)}
    dcp.load(into, checkpoint_id=folder / "one")
    assert into["x"].item() == 3
    many = {str(i): zeros(i + 1) + i for i in range(9)}
    for name, options in (("threads", {"thread_count": 3}), ("files", {"single_file_per_rank": False})):
        dcp.save(many, storage_writer=dcp.FileSystemWriter(folder / name, **options))
        into = {n: zeros(t.numel()) for n, t in many.items()}
        dcp.load(into, checkpoint_id=folder / name)
        assert all((into[n] == t).all() for n, t in many.items())


class Counter:
    """An object with a state."""

    def __init__(self, n=0):
        self.n, self.loads = n, 0

    def state_dict(self):
        return {"n": self.n}

    def load_state_dict(self, state):
        self.n = state["n"]
        self.loads += 1


@ranks(1, 2)
def test_objects_and_modules(folder):
    from lamella.distributed.layers import nn, optim

    model = nn.Linear(3, 2)
    optimizer = optim.Adam([{"params": model.parameters()}, {"params": [], "lr": 0.5}], lr=0.1)
    for p in model.parameters():
        dist.broadcast(p.data, 0)
        p.grad = core.ones(p.shape)
    optimizer.step()
    weights = {n: t.clone() for n, t in model.state_dict().items()}
    dcp.save({"model": model, "optim": optimizer, "count": Counter(4)}, checkpoint_id=folder)
    fresh = nn.Linear(3, 2)
    # This optimizer has no state yet; it gets it all the same.
    other = optim.Adam([{"params": fresh.parameters()}, {"params": []}], lr=7)
    count = Counter()
    dcp.load({"model": fresh, "optim": other, "count": count}, checkpoint_id=folder)
    assert all((t == weights[n]).all() for n, t in fresh.state_dict().items())
    assert (count.n, count.loads) == (4, 1)
    assert other.param_groups[1]["lr"] == 0.5 and other.param_groups[1]["betas"] == (0.9, 0.999)
    state = other.state[fresh.weight]
    assert state["step"].item() == 1 and (state["exp_avg"] != 0).all()


def test_alone(tmp_path):
    """Without process groups there is a warning, unless no_dist says that this is meant."""
    with pytest.warns(UserWarning, match="assuming the intent is to save in a single process"):
        dcp.save({"x": zeros(1)}, checkpoint_id=tmp_path)
    dcp.save({"x": randn(3)}, checkpoint_id=tmp_path, no_dist=True)
    with pytest.warns(UserWarning, match="to load in"):
        dcp.load({"x": zeros(3)}, checkpoint_id=tmp_path)
    with pytest.raises(RuntimeError, match="checkpoint_id"):
        dcp.save({}, no_dist=True)
    with pytest.raises(RuntimeError, match="no writer knows such a place"):
        dcp.save({}, checkpoint_id="s3://bucket/x", no_dist=True)
