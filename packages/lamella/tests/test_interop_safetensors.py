"""Files in the safetensors format: written and read here, by safetensors.numpy, and by safetensors.torch."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("safetensors")

import safetensors
import safetensors.numpy
from safetensors import SafetensorError

from lamella import torch
from lamella.interop import safetensors as st
from lamella.torch import nn

DTYPES = ("bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex64").split()


def tensors():
    found = {d: (torch.arange(24) % 5).to(getattr(torch, d)).reshape(2, 3, 4) for d in DTYPES}
    return {**found, "scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3), "param": nn.Parameter(torch.ones(2))}


def same(a, b):
    assert list(a) == list(b) or sorted(a) == sorted(b)
    for name, t in a.items():
        assert b[name].dtype is t.dtype and b[name].shape == t.shape and torch.equal(b[name], t.detach()), name


def test_round_trip_in_memory():
    same(tensors(), st.load(st.save(tensors())))


def test_round_trip_in_a_file(tmp_path):
    path = tmp_path / "x.safetensors"
    st.save_file(tensors(), path, metadata={"made": "here"})
    same(tensors(), st.load_file(path))
    same(tensors(), st.load_file(str(path), "cpu"))
    same(tensors(), st.load(path.read_bytes()))
    assert all(t.is_meta for t in st.load_file(path, device="meta").values())


def test_loaded_tensors_have_their_own_memory(tmp_path):
    path = tmp_path / "x.safetensors"
    st.save_file({"a": torch.zeros(3), "b": torch.zeros(3)}, path)
    for found in (st.load_file(path), st.load(path.read_bytes())):
        found["a"].add_(1)
        assert found["b"].tolist() == [0, 0, 0]
        st.save(found)
    assert st.load_file(path)["a"].tolist() == [0, 0, 0]


def test_numpys_side(tmp_path):
    plain = {k: v for k, v in tensors().items() if k not in ("bfloat16", "param")}
    path = tmp_path / "x.safetensors"
    st.save_file(plain, path)
    theirs = safetensors.numpy.load_file(path)
    assert sorted(theirs) == sorted(plain)
    for name, a in theirs.items():
        assert np.array_equal(a, plain[name].numpy()) and a.dtype == plain[name].numpy().dtype
    safetensors.numpy.save_file({k: v.numpy() for k, v in plain.items()}, path)
    same(plain, st.load_file(path))
    assert st.save(plain) == safetensors.numpy.save({k: v.numpy() for k, v in plain.items()})


def test_safe_open(tmp_path):
    path = tmp_path / "x.safetensors"
    w = torch.arange(24, dtype=torch.bfloat16).reshape(4, 6)
    st.save_file({"w": w, "v": torch.ones(2)}, path, metadata={"format": "pt"})
    with st.safe_open(path, framework="pt", device="cpu") as f:
        assert sorted(f.keys()) == ["v", "w"] == sorted(f.offset_keys()) and f.metadata() == {"format": "pt"}
        assert torch.equal(f.get_tensor("w"), w)
        assert sorted(f.get_tensors()) == ["v", "w"]
        part = f.get_slice("w")
        assert part.get_shape() == [4, 6] and part.get_dtype() == "BF16"
        assert torch.equal(part[1:3], w[1:3]) and torch.equal(part[:, 2:4], w[:, 2:4]) and torch.equal(part[...], w)
        with pytest.raises(SafetensorError, match="does not contain"):
            f.get_tensor("zz")
    assert st.safe_open(path).metadata() == {"format": "pt"}
    with pytest.raises(ValueError, match="framework 'tf'"):
        st.safe_open(path, framework="tf")


def test_refusals(tmp_path):
    t = torch.zeros(4, 4)
    for given, error, text in [
        ([t], ValueError, "expected a dict"),
        ({"a": 1, "b": [2], "c": t}, ValueError, "'a' is int, 'b' is list"),
        ({"a": t, "b": t}, RuntimeError, r"share memory.*\[\['a', 'b'\]\]"),
        ({"a": t, "b": t[1:3], "c": torch.ones(2)}, RuntimeError, r"\[\['a', 'b'\]\]"),
        ({"a": t[:3], "b": t[2:]}, RuntimeError, "share memory"),
        ({"a": t.T[:, 1:]}, ValueError, "non contiguous"),
        ({"a": t.to(torch.complex128)}, ValueError, "'a' is complex128"),
        ({"a": torch.empty(2, device="meta")}, NotImplementedError, "meta"),
    ]:
        with pytest.raises(error, match=text):
            st.save(given)
        with pytest.raises(error, match=text):
            st.save_file(given, tmp_path / "never")
    assert not (tmp_path / "never").exists()
    with pytest.raises(TypeError, match="metadata must be"):
        st.save({"a": t}, metadata={"epoch": 1})
    st.save({"a": t[:2], "b": t[2:]})  # neighbours in one memory


def test_broken_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        st.load_file(tmp_path / "none")
    broken = tmp_path / "broken"
    whole = st.save({"a": torch.zeros(100)})
    for content in (b"", b"abc", whole[:50], whole[:-1], b"\xff" * 100):
        broken.write_bytes(content)
        with pytest.raises((SafetensorError, OSError)):
            st.load_file(broken)
        with pytest.raises(SafetensorError):
            st.load(content)


def test_types_that_tensors_lack(tmp_path):
    header = b'{"a":{"dtype":"F8_E5M2","shape":[2],"data_offsets":[0,2]}}'
    content = len(header).to_bytes(8, "little") + header + b"\0\0"
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    for read in (lambda: st.load(content), lambda: st.load_file(path)):
        with pytest.raises(ValueError, match="cannot hold F8_E5M2, the type of 'a'"):
            read()


# ---------------------------------------------------------------- modules


class Tied(nn.Module):
    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.embedding = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.embedding.weight
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.head(self.norm(self.embedding(x)))


def test_models_with_shared_parameters(tmp_path):
    path = tmp_path / "m.safetensors"
    model = Tied(0)
    with pytest.raises(RuntimeError, match=r"\['embedding.weight', 'head.weight'\].*\n.*save_model"):
        st.save_file(model.state_dict(), path)
    st.save_model(model, path, metadata={"note": "x"})
    with st.safe_open(path) as f:
        assert "head.weight" not in f.keys() and f.metadata() == {"note": "x", "head.weight": "embedding.weight"}  # noqa: SIM118
    other = Tied(1)
    assert st.load_model(other, path) == (set(), [])
    x = torch.arange(5)
    assert torch.equal(other.eval()(x), model.eval()(x))
    assert other.head.weight is other.embedding.weight


def test_models_that_do_not_fit(tmp_path):
    path = tmp_path / "m.safetensors"
    st.save_model(nn.Linear(2, 3), path)
    with pytest.raises(RuntimeError, match=r'Missing key\(s\).*"2.bias"[^$]*Unexpected key\(s\).*"bias", "weight"'):
        st.load_model(nn.Sequential(nn.ReLU(), nn.ReLU(), nn.Linear(2, 3)), path)
    assert st.load_model(nn.Linear(2, 3, bias=False), path, strict=False) == (set(), ["bias"])
    with pytest.raises(RuntimeError, match="size mismatch"):
        st.load_model(nn.Linear(2, 4), path)


def test_models_with_views(tmp_path):
    model = nn.Linear(4, 4, bias=False)
    model.weight = nn.Parameter(torch.arange(16.0).reshape(4, 4).T)
    path = tmp_path / "m.safetensors"
    with pytest.raises(ValueError, match="non contiguous"):
        st.save_model(model, path, force_contiguous=False)
    st.save_model(model, path)
    other = nn.Linear(4, 4, bias=False)
    st.load_model(other, path)
    assert torch.equal(other.weight, model.weight)
    whole = torch.zeros(6)
    model = nn.Module()
    model.register_buffer("a", whole[:4])
    model.register_buffer("b", whole[2:])
    with pytest.raises(RuntimeError, match="holds all the memory"):
        st.save_model(model, path)


AS_TORCH = """
import sys
import torch
from safetensors.torch import load, load_file, load_model, save, save_file, save_model
from safetensors import safe_open
assert torch.__version__.endswith("lamella")
folder = sys.argv[1]
given = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.ones(2, dtype=torch.bfloat16), "c": torch.zeros(0, 2),
         "d": torch.tensor(3), "e": torch.ones(3, dtype=torch.bool)}
save_file(given, folder + "/x", metadata={"k": "v"})
for found in (load_file(folder + "/x"), load(save(given))):
    assert sorted(found) == sorted(given)
    assert all(torch.equal(found[k], given[k]) and found[k].dtype == given[k].dtype for k in given)
    found["a"].add_(1)
    save_file(found, folder + "/y")
with safe_open(folder + "/x", framework="pt") as f:
    assert torch.equal(f.get_slice("a")[:, 1:], given["a"][:, 1:])
model, other = torch.nn.Linear(2, 3), torch.nn.Linear(2, 3)
save_model(model, folder + "/m")
load_model(other, folder + "/m")
assert torch.equal(model.weight, other.weight)
"""


def test_safetensors_torch_under_lamella_run(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(AS_TORCH)
    done = subprocess.run([sys.executable, "-m", "lamella.cli", "run", str(script), str(tmp_path)], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.torch
def test_with_safetensors_torch(tmp_path):
    real = pytest.importorskip("torch")
    import safetensors.torch as theirs

    path = tmp_path / "x.safetensors"
    mine = {k: v.detach() for k, v in tensors().items()}
    st.save_file(mine, path)
    found = theirs.load_file(path)
    assert sorted(found) == sorted(mine)
    for name, t in found.items():
        assert str(t.dtype) == str(mine[name].dtype)
        assert mine[name].numel() == 0 or real.equal(real.from_dlpack(mine[name]), t), name
    theirs.save_file(found, path)
    same(mine, st.load_file(path))
    assert theirs.save(found) == st.save(mine)
    model = real.nn.Linear(3, 2)
    theirs.save_model(model, path)
    copy = nn.Linear(3, 2)
    st.load_model(copy, path)
    assert copy.weight.tolist() == model.weight.tolist()
    st.save_model(Tied(0), path)
    assert sorted(theirs.load_file(path)) == sorted(k for k in Tied(0).state_dict() if k != "head.weight")
