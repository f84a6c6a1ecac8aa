"""Models train on a GPU as they do on the CPU: the examples' and others, on the stand-in for CuPy."""

import importlib.util
import io
from pathlib import Path

import numpy as np
import pytest

from lamella import torch
from lamella.cli import finder
from lamella.torch import nn

pytestmark = pytest.mark.usefixtures("cupy_on_numpy")
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def example(name):
    """An example's module, which sees lamella as torch."""
    hook = finder.install()
    try:
        spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        finder.uninstall(hook)
    return module


def train(model, optimizer, loss, batches, device):
    """The losses of some steps, and the parameters and buffers after them."""
    model.to(device)
    opt = optimizer(model.parameters())
    losses = []
    for batch in batches:
        opt.zero_grad()
        value = loss(model, *[torch.tensor(a).to(device, non_blocking=True) for a in batch])
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        losses.append(value.item())
    return losses, {k: v.detach().cpu().numpy() for k, v in model.state_dict().items()}


def same(build, optimizer, loss, batches, devices=("cuda",), tolerance=2e-4):
    """A model trained on the CPU and on GPUs has the same losses and weights."""
    torch.manual_seed(0)
    want = train(build(), optimizer, loss, batches, "cpu")
    for device in devices:
        torch.manual_seed(0)
        got = train(build(), optimizer, loss, batches, device)
        np.testing.assert_allclose(got[0], want[0], rtol=tolerance)
        for name, value in want[1].items():
            np.testing.assert_allclose(got[1][name], value, rtol=tolerance, atol=tolerance, err_msg=name)
    assert want[0][-1] < want[0][0]


def test_char_gpt():
    gpt = example("char_gpt")
    rng = np.random.default_rng(0)
    batches = [(rows[:, :-1].copy(), rows[:, 1:].copy()) for rows in [rng.integers(0, 20, (4, 17))] * 5]
    same(
        lambda: gpt.CharGPT(20, context=16, layers=2, heads=2, width=32),
        lambda p: torch.optim.AdamW(p, lr=1e-2),
        lambda model, x, y: model(x, y)[1],
        batches,
        ("cuda", "cuda:1"),
    )


def test_char_gpt_writes_on_the_gpu():
    gpt = example("char_gpt")
    model = gpt.CharGPT(20, context=16, layers=1, heads=2, width=16, dropout=0.1).to("cuda")
    torch.manual_seed(0)
    out = model.generate(torch.zeros(1, 1, dtype=torch.int64, device="cuda"), 5)
    assert out.device.type == "cuda" and out.shape == (1, 6) and int(out.max()) < 20


def test_digits():
    pytest.importorskip("sklearn")
    pytest.importorskip("rich")
    net = example("digits").DigitNet
    rng = np.random.default_rng(1)
    batches = [(rng.standard_normal((8, 1, 8, 8)).astype(np.float32), np.arange(8) % 10)] * 5
    same(
        lambda: net(dropout=0.0),
        lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
        lambda model, x, y: nn.functional.cross_entropy(model(x), y),
        batches,
    )


class Residual(nn.Module):
    """A block of a ResNet with a strided path beside it."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2d(8, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8),
        )  # fmt: skip
        self.side = nn.Conv2d(3, 8, 1, 2)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = nn.functional.relu(self.body(x) + self.side(x))
        return self.head(nn.functional.adaptive_avg_pool2d(x, 1).flatten(1))


def test_residual_block():
    rng = np.random.default_rng(2)
    batches = [(rng.standard_normal((6, 3, 9, 9)).astype(np.float32), np.arange(6) % 5)] * 5
    same(
        Residual,
        lambda p: torch.optim.Adam(p, lr=1e-2),
        lambda model, x, y: nn.functional.cross_entropy(model(x), y),
        batches,
    )


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_layers(kind):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.core = getattr(nn, kind)(4, 6, num_layers=2, batch_first=True, bidirectional=True)
            self.head = nn.Linear(12, 1)

        def forward(self, x):
            return self.head(self.core(x)[0])

    rng = np.random.default_rng(3)
    batches = [tuple(rng.standard_normal((3, 7, n)).astype(np.float32) for n in (4, 1))] * 5
    same(Net, lambda p: torch.optim.RMSprop(p, lr=1e-2), lambda m, x, y: ((m(x) - y) ** 2).mean(), batches)


def test_transformer_encoder_layer():
    rng = np.random.default_rng(4)
    batches = [tuple(rng.standard_normal((2, 5, 16)).astype(np.float32) for _ in range(2))] * 4
    same(
        lambda: nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True),
        lambda p: torch.optim.SGD(p, lr=0.1),
        lambda m, x, y: nn.functional.smooth_l1_loss(m(x), y),
        batches,
    )


def test_dropout_draws_on_the_gpu_and_masks_repeat():
    model = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.5)).to("cuda")
    x = torch.ones(50, 6, device="cuda")
    torch.cuda.manual_seed(3)
    a = model(x)
    torch.cuda.manual_seed(3)
    assert torch.equal(model(x), a) and not torch.equal(model(x), a)
    assert 0.3 < (a == 0).float().mean().item() < 0.7


def test_files_move_between_devices():
    model = nn.Linear(3, 2).to("cuda:1")
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 3, device="cuda:1")).sum().backward()
    optimizer.step()
    file = io.BytesIO()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
    for where, want in ((None, "cuda:1"), ("cpu", "cpu"), ("cuda:0", "cuda:0"), ({"cuda:1": "cuda:0"}, "cuda:0")):
        file.seek(0)
        loaded = torch.load(file, map_location=where)
        assert str(loaded["model"]["weight"].device) == want
        other = nn.Linear(3, 2).to(want)
        other.load_state_dict(loaded["model"])
        again = torch.optim.Adam(other.parameters())
        again.load_state_dict(loaded["optimizer"])
        assert str(again.state[other.weight]["exp_avg"].device) == want
        np.testing.assert_array_equal(other.weight.detach().cpu().numpy(), model.weight.detach().cpu().numpy())


def test_mixed_devices_are_named():
    layer = nn.Linear(3, 2).to("cuda")
    with pytest.raises(RuntimeError, match="same device") as caught:
        layer(torch.ones(1, 3))
    assert "cuda:0" in str(caught.value) and "cpu" in str(caught.value)
    with pytest.raises(RuntimeError, match="cuda:0 and cuda:1|cuda:1 and cuda:0"):
        layer(torch.ones(1, 3, device="cuda:1"))




def test_a_step_does_not_wait_for_the_gpu(monkeypatch):
    import cupy

    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
    text = nn.Sequential(nn.Embedding(50, 32), layer, nn.Linear(32, 50))
    image = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(),
                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 50))  # fmt: skip
    batches = (
        (text.cuda(), torch.randint(0, 50, (4, 16), device="cuda"), torch.randint(0, 50, (64,), device="cuda")),
        (image.cuda(), torch.randn(4, 3, 16, 16, device="cuda"), torch.randint(0, 50, (4,), device="cuda")),
    )
    optimizers = [torch.optim.AdamW(text.parameters()), torch.optim.SGD(image.parameters(), lr=0.1, momentum=0.9)]

    def step():
        for (model, x, y), optimizer in zip(batches, optimizers, strict=True):
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(model(x).reshape(-1, 50), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()

    step()
    waits = []

    def waiting(name, plain):
        def noted(self, *args, **kwargs):
            waits.append(name)
            return plain(self, *args, **kwargs)

        return noted

    for name in ("item", "tolist", "get", "__bool__", "__int__", "__float__"):
        monkeypatch.setattr(cupy.ndarray, name, waiting(name, getattr(cupy.ndarray, name)))
    step()
    assert waits == []
    assert batches[0][1].sum().item() > 0 and waits == ["item"]
