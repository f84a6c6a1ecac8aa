"""Checkpoints' files: what values become, what the manifest says, and what happens when something is damaged."""

import doctest
import io
import json
import pickle
from collections import OrderedDict
from fractions import Fraction
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest

from lamella import core, distributed as dist
from lamella.core import Size, arange, tensor, zeros
from lamella.distributed import checkpoint as dcp
from lamella.distributed.checkpoint import CheckpointException, LocalShards, format_utils, values
from lamella.distributed.checkpoint.boxes import flat_boxes, overlap
from lamella.distributed.checkpoint.chunks import chunks_of
from lamella.distributed.checkpoint.metadata import ChunkStorageMetadata
from lamella.distributed.checkpoint.nested import flatten_state_dict, unflatten_state_dict
from lamella.distributed.checkpoint.state_dict_loader import _load_state_dict_from_keys
from lamella.distributed.threads import spawn


def save(state, folder, **options):
    return dcp.save(state, checkpoint_id=folder, no_dist=True, **options)


def load(state, folder, **options):
    dcp.load(state, checkpoint_id=folder, no_dist=True, **options)
    return state


PLAIN = [None, True, 3, -(2**70), 0.1, float("inf"), -0.0, 1e-320, "", "ü\n\"", [], {}, [1, [2.5, None]],
         {"a": {"b": (1, 2)}}, {1: 2, "1": 3}, {(1, "x"): []}, (), ((1,), "x"), {"!": "tuple"}, OrderedDict(b=1, a=2),
         1 + 2j, complex("nan+infj"), b"\x00\xff", {1, 2}, frozenset({"a"}), Size((2, 3)), core.bfloat16,
         core.device("cpu"), {"deep": [{"x": [{}]}]}]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values(value):
    data = values.dumps(value)
    json.loads(data)  # no archive
    back = values.loads(data)
    assert repr(back) == repr(value) and type(back) is type(value)


@pytest.mark.parametrize("value", [np.float64(0.5), np.arange(3), (1, tensor([1.0, 2.0])), "\ud800", bytearray(b"x")])
def test_other_values(value):
    data = values.dumps(value)
    assert data.startswith(b"PK")
    assert repr(values.loads(data)) == repr(value)


def test_classes_must_be_allowed(tmp_path):
    """Loading runs nothing that a file names, unless the program allowed it."""
    save({"f": Fraction(1, 3)}, tmp_path)
    with pytest.raises(CheckpointException, match="the value 'f' of the checkpoint(.|\n)*fractions.Fraction") as e:
        load({"f": 0}, tmp_path)
    assert isinstance(e.value.failures[0][0], pickle.UnpicklingError)
    with core.serialization.safe_globals([Fraction]):
        assert load({"f": 0}, tmp_path)["f"] == Fraction(1, 3)


def test_long_values_lie_in_files(tmp_path):
    state = {"text": "x" * 100_000, "odd": b"\xff" * 100_000, "short": "y"}
    save(state, tmp_path)
    assert len((tmp_path / ".metadata").read_bytes()) < 2000
    assert load(dict.fromkeys(state), tmp_path) == state


@pytest.mark.parametrize("state", [
    {"a": {"b": {"c": 1}}, "d": [tensor(1), [{"x": 2}, 3]], "e": [1, 2], "f": {}, "g": []},
    {"a": {0: 1, 1: {2: 3}}, "b": {True: 1, None: 2, (1, 2): 3}},
])
def test_flattening(state):
    flat, paths = flatten_state_dict(state)
    assert unflatten_state_dict(flat, paths) == state
    assert all(".".join(map(str, p)) == n for n, p in paths.items())


def test_two_values_of_one_name():
    with pytest.raises(ValueError, match="duplicated flatten key a.b"):
        flatten_state_dict({"a.b": 1, "a": {"b": 2}})
    with pytest.raises(ValueError, match="duplicated flatten key a.0"):
        flatten_state_dict({"a": {0: 1, "0": 2}})


def test_flat_boxes():
    """The boxes' elements, one after the other, are the range's; all ranges of some shapes."""
    for shape in [(), (5,), (3, 4), (2, 3, 2), (4, 1, 3), (1, 1, 1), (2, 0, 3)]:
        n = int(np.prod(shape))
        full = np.arange(n).reshape(shape)
        for start in range(n + 1):
            for stop in range(start, n + 1):
                boxes = list(flat_boxes(shape, start, stop))
                parts = [full[tuple(slice(o, o + m) for o, m in zip(b.offsets, b.sizes))].reshape(-1) for b in boxes]
                assert np.concatenate([*parts, np.empty(0, int)]).tolist() == list(range(start, stop))
                assert len(boxes) <= max(1, 2 * len(shape) - 1)


def test_overlaps():
    def box(*pairs):
        return ChunkStorageMetadata(Size(tuple(o for o, _ in pairs)), Size(tuple(n for _, n in pairs)))

    assert overlap(box((0, 2), (3, 4)), box((1, 5), (0, 4))) == ((1, 0), (0, 3), (1, 1))
    assert overlap(box((0, 2)), box((2, 2))) is None
    assert overlap(box(), box()) == ((), (), ())


def test_local_shards():
    with pytest.raises(ValueError, match=r"a shard lies outside of the tensor of \[2, 2\]"):
        LocalShards((2, 2), [((1, 0), zeros(2, 2))])
    with pytest.raises(ValueError, match="needs a dtype"):
        LocalShards((2, 2), [])
    assert chunks_of(LocalShards((2, 2), [], core.float32)) == []
    flat = zeros(4)
    part = LocalShards.from_flat((2, 3), 1, flat)
    part.shards[0][1].fill_(5)
    assert flat.tolist() == [5, 5, 0, 0]  # shards are views


class Own:
    """A class of tensors with its own chunks: the halves of a row, as torch's protocol has it."""

    requires_grad = False
    dtype = core.float32
    shape = Size((4,))

    def __init__(self):
        self.halves = [arange(2.0), arange(2.0) + 2]

    def __create_chunk_list__(self):
        return [ChunkStorageMetadata(Size((o,)), Size((2,))) for o in (0, 2)]

    def __get_tensor_shard__(self, index):
        return self.halves[index.offset[0] // 2]


def test_classes_with_chunks(tmp_path):
    save({"x": Own()}, tmp_path)
    assert load({"x": zeros(4)}, tmp_path)["x"].tolist() == [0, 1, 2, 3]
    into = Own()
    for half in into.halves:
        half.zero_()
    load({"x": into}, tmp_path)
    assert [h.tolist() for h in into.halves] == [[0, 1], [2, 3]]


def test_manifest(tmp_path):
    save({"w": tensor([[1.0, 2.0]]), "n": {1: 0.5}, "e": {}}, tmp_path)
    told = json.loads((tmp_path / ".metadata").read_bytes())
    assert told["format"] == "lamella.distributed.checkpoint" and told["world_size"] == 1
    (name, nbytes), = told["files"].items()
    assert (tmp_path / name).stat().st_size == nbytes
    w = told["entries"]["w"]
    assert (w["shape"], w["dtype"], w["path"]) == ([1, 2], "float32", ["w"])
    assert w["chunks"][0]["file"] == name and w["chunks"][0]["key"] == "w"
    assert told["entries"]["n.1"] == {"path": ["n", {"key": 1}], "value": 0.5}
    assert told["entries"]["e"] == {"path": ["e"], "value": {}}
    from safetensors import safe_open

    with safe_open(tmp_path / name, "np") as f:
        assert f.get_tensor("w").tolist() == [[1, 2]]


def test_all_of_a_checkpoint(tmp_path):
    state = {"model": {"w": tensor([1.0]), "b": tensor([2])}, "o": {"groups": [{"lr": 1}, {}], 3: "x"}}
    save(state, tmp_path)
    assert _load_state_dict_from_keys(checkpoint_id=tmp_path, no_dist=True) == state
    assert _load_state_dict_from_keys("o", checkpoint_id=tmp_path) == {"o": state["o"]}
    assert _load_state_dict_from_keys({"model.b"}, checkpoint_id=tmp_path) == {"model": {"b": tensor([2])}}


def test_conversion_and_layout(tmp_path):
    """Tensors keep their own type when they are loaded into, and any order of memory is saved."""
    x = arange(6.0).reshape(2, 3)
    save({"t": x.t(), "s": x[:, ::2], "e": x[0].expand(4, 3)}, tmp_path)
    into = load({"t": zeros(3, 2, dtype=core.float64), "s": zeros(2, 2, dtype=core.int32).t(), "e": zeros(4, 3)},
                tmp_path)
    assert into["t"].dtype == core.float64 and into["t"].tolist() == x.t().tolist()
    assert into["s"].tolist() == [[0, 2], [3, 5]] and into["e"].tolist() == [[0, 1, 2]] * 4


def test_without_flattening(tmp_path):
    state = {"w": zeros(2), "o": {"a": (1, 2)}}
    save(state, tmp_path, planner=dcp.DefaultSavePlanner(flatten_state_dict=False))
    into = load({"w": zeros(2), "o": None}, tmp_path, planner=dcp.DefaultLoadPlanner(flatten_state_dict=False))
    assert into["o"] == {"a": (1, 2)}


def test_derived_planners(tmp_path):
    """Planners that change names and types, as torch's documentation has them."""

    class Rename(dcp.DefaultSavePlanner):
        def set_up_planner(self, state_dict, storage_meta=None, is_coordinator=False):
            super().set_up_planner({"my_" + k: v for k, v in state_dict.items()}, storage_meta, is_coordinator)

    class Doubled(dcp.DefaultLoadPlanner):
        def commit_tensor(self, read_item, tensor):
            tensor.mul_(2)

    save({"x": tensor([1.0, 2.0])}, tmp_path, planner=Rename())
    assert load({"my_x": zeros(2)}, tmp_path, planner=Doubled())["my_x"].tolist() == [2, 4]


# -- damage ----------------------------------------------------------------------------------------------------------


def one_file(folder):
    return next(p for p in folder.iterdir() if p.suffix == ".safetensors")


def cut(path, data):
    path.write_bytes(data[: len(data) // 2])


def flip(path, data):
    path.write_bytes(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])


def header(path, data):
    path.write_bytes(data[:8] + b"x" + data[9:])


def length(path, data):
    path.write_bytes(b"\xff" * 8 + data[8:])


def empty(path, data):
    path.write_bytes(b"")


def missing(path, data):
    path.unlink()


@pytest.mark.parametrize(("damage", "why"), [
    (cut, "has .* bytes, not the"), (flip, "checksum of 'w' is wrong"), (header, "header is no JSON"),
    (length, "header does not end"), (empty, "has 0 bytes"), (missing, "is not there"),
])
def test_damaged_files_are_named(tmp_path, damage, why):
    save({"w": arange(100.0)}, tmp_path)
    path = one_file(tmp_path)
    damage(path, path.read_bytes())
    with pytest.raises(CheckpointException, match=f"{path.name}.*{why}"):
        load({"w": zeros(100)}, tmp_path)


@pytest.mark.parametrize("damage", [cut, empty, header], ids=lambda f: f.__name__)
def test_damaged_manifests_are_named(tmp_path, damage):
    save({"w": arange(100.0)}, tmp_path)
    path = tmp_path / ".metadata"
    damage(path, path.read_bytes())
    with pytest.raises(CheckpointException, match=r"\.metadata is damaged"):
        load({"w": zeros(100)}, tmp_path)


def test_absent_checkpoints(tmp_path):
    with pytest.raises(CheckpointException, match="holds no checkpoint: there is no such folder"):
        load({}, tmp_path / "none")
    with pytest.raises(CheckpointException, match="it has no .metadata"):
        load({}, tmp_path)
    save({"w": zeros(2)}, tmp_path)
    (tmp_path / ".metadata").unlink()
    with pytest.raises(CheckpointException, match="a save to it did not finish"):
        load({"w": zeros(2)}, tmp_path)


def test_meta_tensors_are_refused(tmp_path):
    with pytest.raises(CheckpointException, match="meta device have no elements to save .a, b"):
        save({"a": zeros(2, device="meta"), "b": zeros(2, device="meta"), "c": zeros(1)}, tmp_path)


@pytest.mark.parametrize("name", [m.name for m in iter_modules(dcp.__path__)])
def test_examples(name):
    assert doctest.testmod(import_module(f"{dcp.__name__}.{name}")).failed == 0


# -- other formats ---------------------------------------------------------------------------------------------------


def test_single_files(tmp_path):
    state = {"model": {"w": arange(12.0).reshape(4, 3), "b": tensor([1, 2])}, "lr": (0.1, 0.2)}
    core.serialization.save(state, tmp_path / "a.pt")
    format_utils.torch_save_to_dcp(tmp_path / "a.pt", tmp_path / "c")
    format_utils.dcp_to_torch_save(tmp_path / "c", tmp_path / "b.pt")
    back = core.serialization.load(tmp_path / "b.pt")
    assert back["lr"] == (0.1, 0.2) and (back["model"]["w"] == state["model"]["w"]).all()

    def parts():
        rank = dist.get_rank()
        into = {"model": {"w": LocalShards((4, 3), [((2 * rank, 0), zeros(2, 3))])}}
        dcp.load(into, storage_reader=format_utils.BroadcastingTorchSaveReader(tmp_path / "a.pt"),
                 planner=format_utils.DynamicMetaLoadPlanner())
        assert (into["model"]["w"].shards[0][1] == state["model"]["w"][2 * rank : 2 * rank + 2]).all()
        for name, text in ((tmp_path / "none.pt", "none.pt"), (tmp_path / "a.pt", "has no tensor x")):
            with pytest.raises(CheckpointException, match=text):
                dcp.load({"x": zeros(1)}, storage_reader=format_utils.BroadcastingTorchSaveReader(name),
                         planner=format_utils.DynamicMetaLoadPlanner())

    spawn(parts, 2)
    with pytest.raises(CheckpointException, match="Non-tensor value identified at a, b"):
        load({"a": 1, "b": 2}, tmp_path / "a.pt", storage_reader=format_utils.BroadcastingTorchSaveReader(),
             planner=format_utils.DynamicMetaLoadPlanner())


def torch_checkpoint(folder, evil=False):
    """A checkpoint as torch writes it: made here, by pickling under torch's names."""
    def archive(value):
        buffer = io.BytesIO()
        core.serialization.save(value, buffer)
        return buffer.getvalue()

    parts = [archive(tensor([[1.0, 2.0]])), archive(tensor([[3.0, 4.0]])), archive((0.9, 0.99))]
    (folder / "__0_0.distcp").write_bytes(b"".join(parts))
    place = [b"", parts[0], parts[0] + parts[1]]
    module = "torch.distributed.checkpoint.metadata"

    def make(name, state, home=module):
        return Pickled(home, name, state)

    def index(name, offset=None):
        return make("MetadataIndex", {"fqn": name, "offset": offset and Torch("Size", (offset,)), "index": None})

    def chunk(offset):
        return make("ChunkStorageMetadata", {"offsets": Torch("Size", (offset,)), "sizes": Torch("Size", ((1, 2),))})

    def stored(i):
        return make("_StorageInfo", {"relative_path": "__0_0.distcp", "offset": len(place[i]), "length": len(parts[i])},
                    "torch.distributed.checkpoint.filesystem")

    props = make("TensorProperties", (Torch("float32"), None, False, 0, False))
    contents = {"m.w": make("TensorStorageMetadata", {"properties": props, "size": Torch("Size", ((2, 2),)),
                                                      "chunks": [chunk((0, 0)), chunk((1, 0))]}),
                "betas": make("BytesStorageMetadata", {})}
    data = [(index("m.w", (0, 0)), stored(0)), (index("m.w", (1, 0)), stored(1)), (index("betas"), stored(2))]
    state = {"state_dict_metadata": contents, "planner_data": {"m.w": ("m", "w"), "betas": ("betas",)},
             "storage_data": Pairs(data), "storage_meta": make("StorageMeta", {}), "version": "1.0.0"}
    if evil:
        state["version"] = Torch("system", ("true",), "os")
    (folder / ".metadata").write_bytes(Writer.dumps(make("Metadata", state)))


class Pickled:
    def __init__(self, module, name, state):
        self.module, self.name, self.state = module, name, state


class Torch:
    def __init__(self, name, args=None, module="torch"):
        self.module, self.name, self.args = module, name, args


class Pairs:
    def __init__(self, pairs):
        self.pairs = pairs


class Writer(pickle._Pickler):
    """Pickles the stand-ins above under the names that they stand for."""

    def save(self, x, save_persistent_id=True):
        if isinstance(x, Pickled):
            self.write(f"c{x.module}\n{x.name}\n".encode() + pickle.EMPTY_TUPLE + pickle.NEWOBJ)
            if x.state:
                self.save(x.state)
                self.write(pickle.BUILD)
        elif isinstance(x, Torch):
            self.write(f"c{x.module}\n{x.name}\n".encode())
            if x.args is not None:
                self.save(x.args)
                self.write(pickle.REDUCE)
        elif isinstance(x, Pairs):
            self.write(pickle.EMPTY_DICT)
            for k, v in x.pairs:
                self.save(k)
                self.save(v)
                self.write(pickle.SETITEM)
        else:
            super().save(x, save_persistent_id)

    @classmethod
    def dumps(cls, x):
        buffer = io.BytesIO()
        cls(buffer, 2).dump(x)
        return buffer.getvalue()


def test_checkpoints_of_torch(tmp_path):
    torch_checkpoint(tmp_path)
    into = load({"m": {"w": zeros(2, 2)}, "betas": None}, tmp_path)
    assert into["m"]["w"].tolist() == [[1, 2], [3, 4]] and into["betas"] == (0.9, 0.99)
    part = LocalShards((2, 2), [((0, 1), zeros(2, 1))])
    load({"m": {"w": part}}, tmp_path)
    assert part.shards[0][1].tolist() == [[2], [4]]
    assert list(_load_state_dict_from_keys(checkpoint_id=tmp_path, no_dist=True)) == ["m", "betas"]
    file = tmp_path / "__0_0.distcp"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(CheckpointException, match="__0_0.distcp is damaged: it ends before byte"):
        load({"betas": None}, tmp_path)


def test_tables_of_contents_run_nothing(tmp_path):
    torch_checkpoint(tmp_path, evil=True)
    with pytest.raises(CheckpointException, match="has no business with this .os.system"):
        load({"betas": None}, tmp_path)


@pytest.mark.torch
def test_what_torch_itself_wrote(tmp_path):
    torch = pytest.importorskip("torch")
    import torch.distributed.checkpoint as theirs

    state = {"m": {"w": torch.arange(6.0).reshape(2, 3), "b": torch.ones(2, dtype=torch.bfloat16)}, "step": 7,
             "opt": {"state": {0: {"step": torch.tensor(3.0)}}, "param_groups": [{"lr": 0.1, "betas": (0.9, 0.99)}]}}
    with pytest.warns(UserWarning, match="in a single process"):
        theirs.save(state, checkpoint_id=tmp_path, no_dist=True)
    into = load({"m": {"w": zeros(2, 3), "b": zeros(2)}, "step": 0, "opt": {
        "state": {0: {"step": zeros(())}}, "param_groups": [{"lr": 0, "betas": 0}]}}, tmp_path)
    assert into["m"]["w"].tolist() == [[0, 1, 2], [3, 4, 5]] and into["m"]["b"].tolist() == [1, 1]
    assert into["opt"]["param_groups"] == [{"lr": 0.1, "betas": (0.9, 0.99)}] and into["step"] == 7
    assert into["opt"]["state"][0]["step"].item() == 3


HF = {"a": arange(12.0).reshape(4, 3), "b": tensor([1, 2]), "c": tensor(2.5), "e": zeros(0, 3), "h": arange(4.0).to(
    core.bfloat16), "f": arange(3.0).to(core.float8_e5m2)}


def check_hub(folder, state=HF):
    into = {n: zeros(t.shape) for n, t in state.items()}
    dcp.load(into, storage_reader=dcp.HuggingFaceStorageReader(folder), no_dist=not dist.is_initialized())
    assert all((into[n] == t.to(core.float32)).all() for n, t in state.items())


def hub(folder, state=HF, **options):
    dcp.save(state, storage_writer=dcp.HuggingFaceStorageWriter(folder, **options),
             no_dist=not dist.is_initialized())


def test_form_of_the_hub(tmp_path):
    from safetensors import safe_open

    hub(tmp_path / "one")
    check_hub(tmp_path / "one")
    with safe_open(tmp_path / "one" / "model-00001-of-00001.safetensors", "np") as f:
        assert f.get_tensor("a").tolist() == HF["a"].tolist()
    files = dict(zip(HF, (1, 2, 1, 3, 3, 2), strict=True))
    spawn(lambda: hub(tmp_path / "three", fqn_to_index_mapping=files), 2)
    index = json.loads((tmp_path / "three" / "model.safetensors.index.json").read_bytes())
    assert index["weight_map"] == {n: f"model-{i:05d}-of-00003.safetensors" for n, i in files.items()}
    assert index["metadata"]["total_size"] == sum(t.nbytes for t in HF.values())
    assert len(list((tmp_path / "three").iterdir())) == 4
    spawn(lambda: check_hub(tmp_path / "three"), 2)
    with pytest.raises(CheckpointException, match="v is no tensor\n.*b is not in fqn_to_index_mapping"):
        hub(tmp_path, {"v": 1, "b": zeros(1)}, fqn_to_index_mapping={"v": 1})
    with pytest.raises(CheckpointException, match="has no safetensors files"):
        check_hub(tmp_path)


def test_parts_in_the_form_of_the_hub(tmp_path):
    def parts():
        rank, a = dist.get_rank(), HF["a"]
        flat = LocalShards.from_flat((4, 3), (0, 5)[rank], a.reshape(-1)[(0, 5)[rank] : (5, 12)[rank]].clone())
        rows = LocalShards((4, 3), [((rank * 3, 0), a[(0, 3)[rank] : (3, 4)[rank]].clone())])
        state = {"flat": flat, "rows": rows, "b": HF["b"]}
        if rank == 0:
            for t in (flat, rows):
                assert len(t.__create_chunk_list__()) <= 2
        with pytest.raises(CheckpointException, match="rows is not whole"):
            hub(tmp_path / "x", state)
        hub(tmp_path / "parts", state, save_distributed=True)
        hub(tmp_path / "whole", state, save_distributed=True, enable_consolidation=True, fqn_to_index_mapping={
            "flat": 1, "rows": 2, "b": 1}, thread_count_consolidation=2)
        for folder in ("parts", "whole"):
            check_hub(tmp_path / folder, {"flat": a, "rows": a, "b": HF["b"]})

    spawn(parts, 2)
    assert sorted(p.name for p in (tmp_path / "whole").iterdir()) == [
        "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json",
        "sharded"]
