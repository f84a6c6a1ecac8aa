"""Small models, their data, and what one process makes of them: what sharded training must equal."""

import contextlib
import functools
import threading

import numpy as np

import lamella.distributed as dist
from lamella import core, nn, optim

BATCH = 8
_lock = threading.Lock()


class Block(nn.Module):
    """A transformer's block."""

    def __init__(self, width=16, heads=2):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.heads = heads

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p.reshape(b, t, self.heads, c // self.heads).transpose(1, 2)
                   for p in self.qkv(self.ln1(x)).chunk(3, -1))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.down(nn.functional.gelu(self.up(self.ln2(x))))


class GPT(nn.Module):
    """A model of characters whose embedding is also its last layer (`tied`)."""

    def __init__(self, width=16, vocabulary=13, length=6, blocks=3, tied=True):
        super().__init__()
        self.token, self.place = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        if tied:
            self.head.weight = self.token.weight

    def forward(self, ids):
        x = self.token(ids) + self.place(core.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class ConvNet(nn.Module):
    """A small network of convolutions."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.ReLU())
        self.second = nn.Sequential(nn.Conv2d(8, 8, 3, stride=2), nn.GroupNorm(2, 8), nn.ReLU())
        self.last = nn.Linear(8, 5)

    def forward(self, x):
        return self.last(self.second(self.first(x)).mean((2, 3)))


KINDS = {"gpt": GPT, "conv": ConvNet}
#: the modules that become units
UNITS = {"gpt": {Block}, "conv": {nn.Sequential}}


def fill(model, seed=0):
    """Give a model's parameters the same values wherever it is made."""
    rng = np.random.default_rng(seed)
    for p in model.parameters():
        p.data.copy_(core.tensor(rng.standard_normal(tuple(p.shape)) * 0.2))
    return model


def made(kind, dtype=core.float32, **options):
    """A model with the values that all ranks start from."""
    return fill(KINDS[kind](**options).to(dtype))


def batch(kind, step, dtype=core.float32, part=0, parts=1):
    """Inputs and targets of a step, or one part of them."""
    rng = np.random.default_rng(1000 + step)
    if kind == "gpt":
        ids = rng.integers(0, 13, (BATCH, 7))
        x, y = core.tensor(ids[:, :-1]), core.tensor(ids[:, 1:])
    else:
        x = core.tensor(rng.standard_normal((BATCH, 3, 7, 7))).to(dtype)
        y = core.tensor(rng.integers(0, 5, (BATCH,)))
    n = BATCH // parts
    return x[part * n : (part + 1) * n], y[part * n : (part + 1) * n]


def loss_of(model, x, y):
    """Cross entropy."""
    out = model(x)
    return nn.functional.cross_entropy(out.reshape(-1, out.shape[-1]), y.reshape(-1))


def optimizer_of(name, params):
    """An optimizer by name."""
    made = {"sgd": lambda p: optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.01),
            "adamw": lambda p: optim.AdamW(p, lr=0.002), "adam": lambda p: optim.Adam(p, lr=0.002),
            "rmsprop": lambda p: optim.RMSprop(p, lr=0.002), "adagrad": lambda p: optim.Adagrad(p, lr=0.01)}
    return made[name](params)


@functools.cache
def _reference(kind, steps, optimizer, dtype, clip, options):
    model = made(kind, dtype, **dict(options))
    step = optimizer_of(optimizer, model.parameters())
    losses, norms = [], []
    for i in range(steps):
        step.zero_grad()
        loss = loss_of(model, *batch(kind, i, dtype))
        loss.backward()
        if clip:
            norms.append(float(nn.utils.clip_grad_norm_(model.parameters(), *clip)))
        step.step()
        losses.append(loss.item())
    return {k: v.numpy().copy() for k, v in model.state_dict().items()}, losses, norms


def reference(kind, steps, optimizer="sgd", dtype=core.float32, clip=(), **options):
    """(parameters, losses, norms) of one process on whole batches."""
    with _lock:
        return _reference(kind, steps, optimizer, dtype, tuple(clip), tuple(sorted(options.items())))


def train(model, kind, steps, step, dtype=core.float32, clip=None, pieces=1, quiet=None, first=0):
    """Train on this rank's part of each batch, cut into pieces whose gradients add up.

    Returns the mean losses of all ranks and the norms that `clip` gave.
    """
    rank, world = dist.get_rank(), dist.get_world_size()
    losses, norms = [], []
    for i in range(first, first + steps):
        step.zero_grad()
        total = core.zeros(())
        for j in range(pieces):
            x, y = batch(kind, i, dtype, rank * pieces + j, world * pieces)
            with quiet(j < pieces - 1) if quiet is not None else contextlib.nullcontext():
                loss = loss_of(model, x, y) / pieces
                loss.backward()
            total += loss.detach().to(core.float32)
        if clip is not None:
            norms.append(float(clip()))
        step.step()
        dist.all_reduce(total)
        losses.append(total.item() / world)
    return losses, norms


def assert_equal(state, expected, tolerance=1e-6):
    """All entries of a state dict are those expected, in the same order."""
    assert list(state) == list(expected)
    for name, value in state.items():
        value = value.full_tensor() if hasattr(value, "full_tensor") else value
        difference = np.abs(value.numpy() - expected[name]).max()
        assert difference <= tolerance, (name, difference)
