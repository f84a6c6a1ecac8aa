"""Small models and the data that they are trained on, the same on every rank that asks for the same seed."""

from __future__ import annotations

import threading
import warnings
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from lamella import distributed as dist, nn
from lamella.autograd import Function, backward, enable_grad, no_grad
from lamella.core import arange, float32, from_numpy, full, int64
from lamella.nn import functional as F

VOCABULARY = 11


def fill(model, seed: int = 0, dtype=float32):
    """Give a model values by chance, which depend on the seed alone."""
    rng = np.random.default_rng(seed)
    model.to(dtype)
    for p in model.parameters():
        p.data.copy_(from_numpy(rng.standard_normal(tuple(p.shape)) * 0.3))
    return model


def batches(kind: str, steps: int, size: int, seed: int = 1, dtype=float32):
    """(input, target) of each step."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if kind == "gpt":
            text = from_numpy(rng.integers(0, VOCABULARY, (size, 9))).to(int64)
            yield text[:, :-1], text[:, 1:]
        else:
            yield (from_numpy(rng.standard_normal((size, 3, 6, 6))).to(dtype),
                   from_numpy(rng.integers(0, 4, (size,))).to(int64))


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """A character model; its head shares the embedding's weight."""

    def __init__(self, width: int = 16, blocks: int = 2, heads: int = 2, tied: bool = True, around=None) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(VOCABULARY, width), nn.Embedding(8, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, VOCABULARY, bias=False)
        if tied:
            self.head.weight = self.token.weight
        self.around = around

    def forward(self, ids):
        x = self.token(ids) + self.place(arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x) if self.around is None else self.around(block, x)
        return self.head(self.norm(x))


class Convnet(nn.Module):
    def __init__(self, norm=nn.BatchNorm2d) -> None:
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(3, 4, 3, padding=1), norm(4)
        self.conv2, self.norm2 = nn.Conv2d(4, 6, 3), norm(6)
        self.head = nn.Linear(6, 4)

    def forward(self, x):
        x = self.norm1(self.conv1(x)).relu()
        x = self.norm2(self.conv2(x)).relu()
        return self.head(x.mean((2, 3)))


def loss_of(output, target):
    return F.cross_entropy(output.reshape(-1, output.shape[-1]), target.reshape(-1))


class _Again(Function):
    @staticmethod
    def forward(ctx, run, x, *_params):
        ctx.run = run
        ctx.save_for_backward(x)
        with no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with enable_grad():
            y = ctx.run(x)
        backward(y, grad)
        return None, x.grad


def reentrant(run, x):
    """A checkpoint that runs backward inside of backward, as libraries write it."""
    return _Again.apply(run, x)


@dataclass
class Answer:
    main: object
    extra: object


def quiet():
    """A context that lets warnings pass. Filters are the process's own: for rank threads the tests' marks set them."""
    if threading.current_thread() is not threading.main_thread():
        return nullcontext()
    return warnings.catch_warnings(action="ignore")


def linear(value=1.0, n=1):
    m = nn.Linear(n, 1, bias=False)
    m.weight.data.fill_(value)
    return m


class Pick(nn.Module):
    """Uses one of its layers, or both with `which` = 2."""

    def __init__(self):
        super().__init__()
        self.a, self.b = linear(), linear()

    def forward(self, x, which):
        return (self.a(x) if which != 1 else 0) + (self.b(x) if which != 0 else 0)


def mine():
    return full((1, 1), dist.get_rank() + 1.0)
