"""Programs that leave Python: the folder, and its C++ program, built for the host and run on the files."""

import json
import shutil
import subprocess
import sys

import compile_standalone_helper as standalone
import numpy as np
import pytest

from lamella import torch
from lamella.compile.standalone import host
from lamella.torch import nn
from lamella.torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(16, 32), nn.LayerNorm(32), nn.Linear(32, 8)
        self.register_buffer("scale", torch.arange(8.0))

    def forward(self, x):
        return self.last(self.norm(F.gelu(self.first(x)))) * self.scale


def training_step(net, optimizer):
    """Classification, compiled."""

    @torch.compile(fullgraph=True)
    def step(x, t):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), t)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def check(folder, *options):
    """Build the folder for the host and run it: it compares its outputs with eager's."""
    standalone.build(folder)
    done = standalone.run(folder, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "TOO LARGE" not in done.stdout and done.stdout.count("largest difference") == len(list(
        (folder / "expected").iterdir()))
    return done.stdout


def test_a_model_leaves_python(tmp_path):
    torch.manual_seed(0)
    model = torch.compile(Net())
    x = torch.randn(4, 16)
    found = model.emit("cuda", (x,), out=tmp_path / "net")
    assert found.path == tmp_path / "net" and found.name == "Net" and not found.eager
    files = {str(p.relative_to(found.path)) for p in found.path.rglob("*") if p.is_file()}
    assert {"README.md", "CMakeLists.txt", "program.cu", "host.cpp", "support.h", "plan.json", "weights.bin",
            "inputs/x.bin", "expected/out0.bin"} <= files
    assert {f"kernels/{name}.cu" for name in found.kernels} <= files and found.kernels
    plan = json.loads((found.path / "plan.json").read_text())
    assert {w["name"] for w in plan["weights"]} >= {"first.weight", "first.bias", "norm.weight", "last.weight", "scale"}
    assert [i["name"] for i in plan["inputs"]] == ["x"] and plan["outputs"][0]["shape"] == [4, 8]
    assert {step["step"] for step in plan["steps"]} == {"launch", "product"}
    check(found.path, "--repeat", "2")
    out = np.fromfile(found.path / "outputs" / "out0.bin", np.float32).reshape(4, 8)
    np.testing.assert_allclose(out, model(x).detach().numpy(), rtol=1e-4, atol=1e-5)


def test_kernels_stand_alone_under_their_head(tmp_path):
    @torch.compile
    def f(x, a, b):
        return F.gelu(x * a + b)

    found = f.emit("cuda", tuple(torch.randn(256, 256) for _ in range(3)), out=tmp_path)
    (text,) = [(tmp_path / f"kernels/{name}.cu").read_text() for name in found.kernels]
    assert '#include "lamella/cuda/' in text and "test_compile_standalone.py:" in text and "read" in text
    check(tmp_path)


def test_a_training_step_writes_its_new_parameters(tmp_path):
    torch.manual_seed(0)
    net = nn.Linear(8, 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    step = training_step(net, optimizer)
    x, t = torch.randn(16, 8), torch.randint(0, 4, (16,))
    step(x, t)  # the optimizer has its state from now on
    before = [p.detach().clone() for p in net.parameters()]
    found = step.emit("cuda", (x, t), out=tmp_path)
    assert all((p == q).all() for p, q in zip(net.parameters(), before, strict=True))  # nothing was run
    new = [p.stem for p in (tmp_path / "expected").glob("new_*.bin")]
    assert len(new) >= 4 and not found.eager
    check(tmp_path)


def test_sizes_that_vary_are_options(tmp_path):
    f = torch.compile(lambda x, w: (x @ w).softmax(-1) + x.sum(0), dynamic=True)
    x, w = torch.randn(6, 8), torch.randn(8, 8)
    found = f.emit("cuda", (x, w), out=tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text())
    assert sorted(plan["symbols"].values()) == [6, 8] and "options" in found.files["README.md"]
    check(tmp_path)
    name = next(s for s, n in plan["symbols"].items() if n == 6)
    other = torch.randn(10, 8)
    (tmp_path / "inputs" / "x.bin").write_bytes(other.numpy().tobytes())
    shutil.rmtree(tmp_path / "expected")
    done = standalone.run(tmp_path, f"--{name}", "10")
    assert done.returncode == 0, done.stderr
    out = np.fromfile(tmp_path / "outputs" / "out0.bin", np.float32).reshape(10, 8)
    np.testing.assert_allclose(out, ((other @ w).softmax(-1) + other.sum(0)).numpy(), rtol=1e-4, atol=1e-5)


def test_views_and_strided_inputs(tmp_path):
    f = torch.compile(lambda x, y: (x.t(), (x.t() + y)[1:], (y * 2).t()))
    f.emit("cuda", (torch.randn(4, 6), torch.randn(4, 6).t()), out=tmp_path)
    check(tmp_path)


def test_wrong_answers_and_missing_files_are_told(tmp_path):
    f = torch.compile(lambda x: x * 2 + 1)
    f.emit("cuda", torch.ones(8), out=tmp_path)
    check(tmp_path)
    run = standalone.run
    (tmp_path / "expected" / "out0.bin").write_bytes(np.zeros(8, np.float32).tobytes())
    done = run(tmp_path)
    assert done.returncode == 1 and "TOO LARGE" in done.stdout
    (tmp_path / "inputs" / "x.bin").write_bytes(b"123")
    done = run(tmp_path)
    assert done.returncode == 1 and "inputs/x.bin: 32 bytes are needed" in done.stderr
    assert "expected --name value, got inputs" in run(tmp_path, "inputs").stderr


def test_draws_take_a_seed(tmp_path):
    f = torch.compile(lambda x: F.dropout(x, 0.25))
    found = f.emit("cuda", torch.ones(4096), out=tmp_path)
    assert not found.eager and "--seed" in found.files["README.md"] and "expected/out0.bin" not in found.files
    standalone.build(tmp_path)
    outs = []
    for seed in ("0", "0", "7"):
        done = standalone.run(tmp_path, "--seed", seed)
        assert done.returncode == 0, done.stderr
        outs.append(np.fromfile(tmp_path / "outputs" / "out0.bin", np.float32))
    assert (outs[0] == outs[1]).all() and (outs[0] != outs[2]).any() and 0.2 < (outs[2] == 0).mean() < 0.3


def test_eager_calls_are_named(tmp_path):
    f = torch.compile(lambda x: torch.linalg.svd(x @ x.t())[1] + 1)
    found = f.emit("cuda", torch.randn(4, 4), out=tmp_path)
    assert found.eager and "Not in here" in found.files["README.md"]
    assert "only Python can do it" in found.files["host.cpp"]


def test_wrong_targets_and_calls_that_are_no_graph():
    f = torch.compile(lambda x: x + 1 if x.sum() > 0 else x)
    with pytest.raises(RuntimeError, match="there is no target 'vulkan'"):
        f.emit("vulkan", torch.ones(2))
    with pytest.raises(RuntimeError, match="becomes a Python number"):
        f.emit("cuda", torch.ones(2))


def test_sizes_in_cpp():
    assert host.size("max(s0, 4)*2 - s1%3") == "((larger(s0, 4) * 2) - mod(s1, 3))"
    assert host.size("-s0//4") == "floordiv((-s0), 4)"


def test_the_command_writes_what_a_script_compiles(tmp_path):
    (tmp_path / "script.py").write_text("""
import sys, torch
net = torch.compile(torch.nn.Linear(4, 3))
net(torch.ones(2, 4)).sum().backward()
torch.compile(lambda x: x.softmax(-1))(torch.ones(5, 7))
print(sys.argv[1:])
""")
    command = [sys.executable, "-m", "lamella.cli", "compile"]

    def run(*words):
        return subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True, timeout=300)

    done = run("script.py", "--emit", "cuda", "--out", "made", "--own", "3")
    assert done.returncode == 0 and "['--own', '3']" in done.stdout, done.stderr
    made = {p.name for p in (tmp_path / "made").iterdir()}
    assert made == {"Linear", "Linear_backward", "lambda"} and "made/Linear: " in done.stderr
    check(tmp_path / "made" / "Linear")
    check(tmp_path / "made" / "lambda")
    (tmp_path / "empty.py").write_text("import torch")
    done = run("--emit", "cuda", "empty.py")
    assert done.returncode == 1 and "the script compiled nothing" in done.stderr
    assert run("script.py").returncode == 2 and "usage: lamella compile" in run("--help").stdout


def test_checks_of_indices_are_in_the_program_where_they_are_asked_for(tmp_path):
    from lamella.dispatch.config import settings

    with settings.using(cuda_checks=True):
        torch.compile(lambda w, i: F.embedding(i, w) * 2).emit("cuda", (torch.randn(8, 4), torch.tensor([1, 7])),
                                                               out=tmp_path)
    check(tmp_path)
    (tmp_path / "inputs" / "i.bin").write_bytes(np.array([1, 9]).tobytes())
    done = standalone.run(tmp_path)
    assert done.returncode == 1 and "index out of range (index=9, size=8)" in done.stderr


@pytest.mark.slow
def test_a_training_step_of_convolutions_and_attention(tmp_path):
    torch.manual_seed(0)

    class Mixed(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
            self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 5)

        def forward(self, x):
            x = torch.relu(self.norm(self.conv(x))).flatten(2).transpose(1, 2)
            q, k, v = (t.unsqueeze(1) for t in self.qkv(x).chunk(3, -1))
            return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).squeeze(1)).mean(1)

    net = Mixed()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    step = training_step(net, optimizer)
    given = torch.randn(4, 3, 8, 8), torch.randint(0, 5, (4,))
    step(*given)
    found = step.emit("cuda", given, out=tmp_path)
    assert not found.eager
    check(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_nvcc_builds_the_program(tmp_path):
    torch.manual_seed(0)
    found = torch.compile(Net()).emit("cuda", (torch.randn(4, 16),), out=tmp_path)
    cmake = shutil.which("cmake")
    if cmake is not None:
        subprocess.run([cmake, "-B", "build", "-DCMAKE_CUDA_ARCHITECTURES=80;90"], cwd=tmp_path, check=True)
        subprocess.run([cmake, "--build", "build"], cwd=tmp_path, check=True)
        program = tmp_path / "build" / found.name
    else:
        program = tmp_path / found.name
        subprocess.run(["nvcc", "-std=c++17", "-arch=sm_80", "-Iinclude", "-o", str(program), "host.cpp", "program.cu",
                        "-ldl"], cwd=tmp_path, check=True)
    for name in found.kernels:
        subprocess.run(["nvcc", "-std=c++17", "-arch=sm_80", "-Iinclude", "-cubin", "-o", "/dev/null",
                        f"kernels/{name}.cu"], cwd=tmp_path, check=True)
    done = subprocess.run([str(program)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 or "GPU cannot be used" in done.stderr
