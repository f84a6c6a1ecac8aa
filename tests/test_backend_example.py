"""The example of an outside backend trains, and core treats its device as it treats its own.

Each test is a program of its own: a device's name is given once per process.
"""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
PRELUDE = """
import sys
sys.path.insert(0, sys.argv[1])
import backend_privateuse as example
import pytest
from lamella import torch
"""


def on_toy(body):
    done = subprocess.run([sys.executable, "-W", "error", "-c", PRELUDE + body, str(EXAMPLES)], capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_model_trains_on_the_device():
    out = on_toy("""
loss = example.main()
assert loss < 1e-6, loss
assert example.launched["linear"] == 100 and example.launched["matmul"] == 1, example.launched
""")
    assert "device='toy:0'" in out and "gradients on toy:0" in out


def test_the_device_gives_the_cpu_numbers():
    on_toy("""
def losses(device):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    x = torch.randn(16, 4).to(device)
    found = []
    for _ in range(5):
        loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found

assert losses("toy") == pytest.approx(losses("cpu"), rel=1e-5)
assert example.launched["relu"] == 5
""")


@pytest.mark.parametrize("package", ["lamella.core", "lamella.nn"])
def test_conformance(package):
    if importlib.util.find_spec(f"{package}.samples") is None:
        pytest.skip(f"{package} has no samples")
    on_toy(f"""
from lamella.core.samples import all_samples
from lamella.core.testing import check_backend

found = check_backend("toy", package={package!r})
assert found == {{}}, found
assert {package!r} != "lamella.core" or len(all_samples()) > 100
""")


def test_the_kit_reports_what_does_not_hold():
    on_toy("""
from lamella.core.testing import check_backend

example.lib.impl("square", example.kernel("square", lambda a: a * 3), allow_override=True)
example.lib.impl("cumsum", lambda self, dim, *, dtype=None: 1 / 0)
found = check_backend("toy", only=["square", "cumsum", "relu"])
assert sorted(found) == ["cumsum", "square"], found
assert "other values" in found["square"][0] and "ZeroDivisionError" in found["cumsum"][0], found
""")


def test_factories_views_writes_and_printing():
    on_toy("""
x = torch.zeros(2, 3, device="toy")
assert x.device == torch.device("toy", 0) and not x.is_cpu and x.to("toy") is x
assert repr(x[0]) == "tensor([0., 0., 0.], device='toy:0')"
assert x._version == 0
v = x.t()
assert v._base is x and v.device == x.device
v.add_(1)
assert x._version == v._version == 1 and x.tolist() == [[1.0] * 3] * 2
x[0, 1:] = 5
assert v.cpu().tolist() == [[1.0, 1.0], [5.0, 1.0], [5.0, 1.0]]
assert torch.arange(3, device="toy").sum().item() == 3
assert torch.tensor([1, 2], device="toy").dtype is torch.int64
assert torch.ones_like(x).device == x.new_full((1,), 2).device == x.half().device == x.device
with torch.device("toy"):
    assert torch.nn.Linear(1, 1).weight.device.type == "toy"
assert torch.equal(torch.add(x, x, out=torch.empty(2, 3, device="toy")), x * 2)
""")


def test_gradients_live_on_the_device():
    on_toy("""
w = torch.tensor([1.0, 2.0], device="toy", requires_grad=True)
(g,) = torch.autograd.grad((w * w * w).sum(), w, create_graph=True)
g.sum().backward()
assert w.grad.device.type == "toy" and w.grad.tolist() == [6.0, 12.0]
y = (w * w).exp()
y.add_(1)
with pytest.raises(RuntimeError, match="last overwritten by add_"):
    y.sum().backward()
""")


def test_errors():
    on_toy("""
x = torch.ones(2, device="toy")
with pytest.raises(RuntimeError, match="at least two devices, cpu and toy:0"):
    x + torch.ones(2)
assert (x + torch.tensor(1.0)).tolist() == [2.0, 2.0]
with pytest.raises(TypeError, match="can't convert toy:0"):
    x.numpy()
with pytest.raises(RuntimeError, match="already named 'toy'"):
    example.rename_privateuse1_backend("other")
with pytest.raises(RuntimeError, match="there is no device type 'tay'"):
    x.to("tay")
""")


def test_kernels_are_explained():
    out = on_toy("""
from lamella.dispatch import explain

x = torch.ones(2, 2, device="toy")
explain("aten::matmul", x, x)
explain("aten::exp", x)
""")
    assert "PrivateUse1  direct  runs" in out and "backend_privateuse.py" in out
    assert "PrivateUse1  fallback                   runs" in out
