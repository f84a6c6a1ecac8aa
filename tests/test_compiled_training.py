"""Whole training steps compiled to C++ train as eager ones do: fifty steps of four kinds of network."""

import pytest

from lamella import torch
from lamella.torch import nn

F = nn.functional
STEPS = 50

pytestmark = pytest.mark.slow


class Convnet(nn.Module):
    """As in examples/digits.py: 8x8 images of digits."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.head = nn.Linear(128, 10)

    def forward(self, x):
        return self.head(self.body(x))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2, self.heads = nn.LayerNorm(width), nn.LayerNorm(width), heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, width = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.norm1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, width)
        x = x + self.out(y)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class CharGPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.word, self.place = nn.Embedding(30, 32), nn.Embedding(16, 32)
        self.blocks = nn.Sequential(Block(32, 4), Block(32, 4))
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 30)

    def forward(self, ids):
        x = self.word(ids) + self.place(torch.arange(ids.shape[1]))
        return self.head(self.norm(self.blocks(x))).flatten(0, 1)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.word, self.cells, self.head = nn.Embedding(30, 16), nn.LSTM(16, 24, 2), nn.Linear(24, 30)

    def forward(self, ids):
        return self.head(self.cells(self.word(ids))[0]).flatten(0, 1)


class Residual(nn.Module):
    """A block of ResNet with batch normalisation, and dropout before the classifier."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.conv1 = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(16), nn.BatchNorm2d(16)
        self.drop, self.head = nn.Dropout(0.3), nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.stem(x))
        y = F.relu(self.norm1(self.conv1(x)))
        x = F.relu(x + self.norm2(self.conv2(y)))
        return self.head(self.drop(F.adaptive_avg_pool2d(x, 1).flatten(1)))


def images(*shape):
    return torch.randn(*shape), torch.randint(0, 10, (shape[0],))


def texts(*shape):
    return torch.randint(0, 30, shape), torch.randint(0, 30, (shape[0] * shape[1],))


CASES = {
    "digits convnet": (Convnet, lambda: images(32, 1, 8, 8), lambda p: torch.optim.AdamW(p, lr=2e-3)),
    "char GPT": (CharGPT, lambda: texts(6, 16), lambda p: torch.optim.AdamW(p, lr=1e-3)),
    "LSTM": (Recurrent, lambda: texts(12, 5), lambda p: torch.optim.Adam(p, lr=1e-2)),
    "ResNet block": (Residual, lambda: images(16, 3, 8, 8), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
}


def trained(case, compiled):
    make, data, optimize = CASES[case]
    torch.manual_seed(3)
    model, (x, y) = make(), data()
    optimizer = optimize(model.parameters())
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    if compiled:
        step = torch.compile(step, fullgraph=True)
    losses = []
    for _ in range(STEPS):
        losses.append(step(x, y).item())
        schedule.step()
    if compiled:
        assert len(step.compiled.entries) == 1, "one program for all steps"
    return torch.tensor(losses), {k: v.clone() for k, v in model.state_dict().items()}, torch.rand(3)


@pytest.mark.parametrize("case", CASES)
def test_fifty_steps(case):
    losses, state, numbers = trained(case, False)
    got_losses, got_state, got_numbers = trained(case, True)
    assert losses[-1] < 0.9 * losses[0]
    torch.testing.assert_close(got_losses, losses, rtol=1e-4, atol=1e-4)
    assert torch.equal(numbers, got_numbers), "the generator stands where it stood"
    for name, value in state.items():
        close = torch.allclose(got_state[name], value, rtol=1e-3, atol=1e-4)
        assert close, f"{name}: {(got_state[name] - value).abs().max()}"
