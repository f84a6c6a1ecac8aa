"""Models whose batches and sequences vary in length: one more program serves them all, with eager's numbers."""

from __future__ import annotations

import copy

import pytest

from lamella import torch
from lamella.torch import nn

F = nn.functional
pytestmark = pytest.mark.slow


class Net(nn.Module):
    """Layers with a convolution before them."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.out = nn.Linear(4 * 3 * 3, 5)

    def forward(self, x):
        x = F.max_pool2d(self.norm(self.conv(x)).relu(), 2)
        return self.out(x.flatten(1))


class Attention(nn.Module):
    """Attention to what came before."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in self.qkv(x).split(c, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(b, t, c))


class Loops(nn.Module):
    """A recurrent network with a head."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.out = nn.LSTM(5, 6, 2, batch_first=True), nn.Linear(6, 4)

    def forward(self, x):
        return self.out(self.lstm(x)[0][:, -1])


class GPT(nn.Module):
    """Two blocks over embeddings of tokens and places."""

    def __init__(self, vocabulary: int = 17, width: int = 8, most: int = 40) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(most, width)
        self.blocks = nn.ModuleList(
            nn.ModuleList([nn.LayerNorm(width), Attention(width, 2), nn.LayerNorm(width),
                           nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))])
            for _ in range(2))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        for first, attention, second, layers in self.blocks:
            x = x + attention(first(x))
            x = x + layers(second(x))
        return self.head(self.norm(x))


def classes(shape, count):
    return lambda *n: (torch.randn(*n, *shape), torch.randint(0, count, n[:1]))


MODELS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 16), nn.LayerNorm(16), nn.Tanh(),
                                  nn.Linear(16, 3)), classes((6,), 3), [(8,), (8,), (5,), (3,), (12,)]),
    "dropout": (lambda: nn.Sequential(nn.Linear(6, 16), nn.Dropout(0.3), nn.GELU(), nn.Linear(16, 3)),
                classes((6,), 3), [(8,), (8,), (5,), (3,), (12,)]),
    "convnet": (Net, classes((1, 6, 6), 5), [(8,), (8,), (5,), (3,), (12,)]),
    "norm": (lambda: nn.Sequential(nn.Linear(6, 16, bias=False), nn.BatchNorm1d(16), nn.ELU(), nn.Linear(16, 3)),
             classes((6,), 3), [(8,), (8,), (5,), (3,), (12,)]),
    "lstm": (Loops, classes((7, 5), 4), [(8,), (8,), (5,), (3,), (12,)]),
    "gpt batch": (GPT, lambda b, t: (torch.randint(0, 17, (b, t)), torch.randint(0, 17, (b, t))),
                  [(6, 10), (6, 10), (4, 10), (9, 10), (3, 10)]),
    "gpt length": (GPT, lambda b, t: (torch.randint(0, 17, (b, t)), torch.randint(0, 17, (b, t))),
                   [(3, 10), (3, 10), (3, 12), (3, 33), (3, 5)]),
    "gpt both": (GPT, lambda b, t: (torch.randint(0, 17, (b, t)), torch.randint(0, 17, (b, t))),
                 [(3, 10), (3, 10), (4, 12), (6, 33), (9, 5)]),
}


def loss_of(model, x, y):
    out = model(x)
    return F.cross_entropy(out.reshape(-1, out.shape[-1]), y.reshape(-1))


def step_of(model, forward=None, **options):
    """A training step; with a compiled forward, the rest of it is eager."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, **options)

    def step(x, y):
        optimizer.zero_grad()
        loss = loss_of(forward or model, x, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    return step


def alike(a, b):
    for (name, x), y in zip(a.state_dict().items(), b.state_dict().values(), strict=True):
        torch.testing.assert_close(x, y, atol=2e-5, rtol=2e-4, msg=lambda text, name=name: f"{name}: {text}")


def pair(name):
    torch.manual_seed(0)
    make, data, sizes = MODELS[name]
    model = make()
    return model, copy.deepcopy(model), data, sizes


@pytest.mark.parametrize("name", MODELS)
def test_whole_steps(name):
    model, other, data, sizes = pair(name)
    eager, fast = step_of(model), torch.compile(step_of(other))
    for seed, size in enumerate(sizes):
        batch = data(*size)
        torch.manual_seed(seed)
        want = eager(*batch)
        torch.manual_seed(seed)
        torch.testing.assert_close(fast(*batch), want, atol=1e-5, rtol=1e-5)
    alike(other, model)
    assert not fast.compiled.breaks and not fast.compiled.fixed, fast.compiled.fixed_reason
    assert len(fast.compiled.recompiles) == 1, fast.compiled.recompiles


@pytest.mark.parametrize("name", MODELS)
def test_compiled_forward_in_an_eager_loop(name):
    model, other, data, sizes = pair(name)
    compiled = torch.compile(other)
    eager, fast = step_of(model), step_of(other, compiled)
    for seed, size in enumerate(sizes):
        batch = data(*size)
        torch.manual_seed(seed)
        want = eager(*batch)
        torch.manual_seed(seed)
        torch.testing.assert_close(fast(*batch), want, atol=1e-5, rtol=1e-5)
    alike(other, model)


@pytest.mark.parametrize("name", MODELS)
def test_evaluation_that_is_dynamic_from_the_start(name):
    model, _, data, sizes = pair(name)
    model.eval()
    fast = torch.compile(lambda x: model(x), dynamic=True)
    with torch.no_grad():
        for size in sizes:
            x, _ = data(*size)
            torch.testing.assert_close(fast(x), model(x), atol=1e-5, rtol=1e-5)
    assert len(fast.compiled.entries) == 1, fast.compiled.recompiles


def test_the_last_batch_of_an_epoch_is_smaller():
    torch.manual_seed(0)
    x, y = torch.randn(44, 6), torch.randint(0, 3, (44,))
    model, other, _, _ = pair("mlp")
    eager, fast = step_of(model), torch.compile(step_of(other))
    for epoch in range(3):
        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16, shuffle=True,
                                             generator=torch.Generator().manual_seed(epoch))
        for batch in loader:
            torch.testing.assert_close(fast(*batch), eager(*batch), atol=1e-5, rtol=1e-5)
    alike(other, model)
    assert len(fast.compiled.recompiles) == 1, fast.compiled.recompiles
