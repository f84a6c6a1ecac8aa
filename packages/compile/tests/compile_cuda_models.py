"""Whole training steps whose CUDA kernels are checked: networks, all optimizers, and the examples' models."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from lamella import torch
from lamella.torch import nn

F = nn.functional
ROOT = Path(__file__).resolve().parents[3]
SEED = 3


class Residual(nn.Module):
    """A block of a residual network: two convolutions with batch norm beside a projection."""

    def __init__(self, narrow: int = 4, wide: int = 8) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(narrow, wide, 3, 2, 1, bias=False), nn.Conv2d(wide, wide, 3, 1, 1, bias=False)
        self.norm1, self.norm2, self.norm3 = nn.BatchNorm2d(wide), nn.BatchNorm2d(wide), nn.BatchNorm2d(wide)
        self.beside = nn.Conv2d(narrow, wide, 1, 2, bias=False)
        self.pool, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(wide, 5)

    def forward(self, x: Any) -> Any:
        y = self.norm2(self.two(F.relu(self.norm1(self.one(x)))))
        return self.head(self.pool(F.relu(y + self.norm3(self.beside(x)))).flatten(1))


class Recurrent(nn.Module):
    """Embeddings, a recurrent network and a head."""

    def __init__(self, kind: str, width: int = 12, layers: int = 2) -> None:
        super().__init__()
        self.words, self.cells = nn.Embedding(11, width), getattr(nn, kind)(width, width, layers)
        self.head = nn.Linear(width, 11)

    def forward(self, ids: Any) -> Any:
        return self.head(self.cells(self.words(ids))[0]).flatten(0, 1)


class Attention(nn.Module):
    """A transformer block over embeddings."""

    def __init__(self, causal: bool, width: int = 16, heads: int = 2) -> None:
        super().__init__()
        self.causal, self.heads = causal, heads
        self.words, self.norm1, self.norm2 = nn.Embedding(11, width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out, self.up = nn.Linear(width, 3 * width), nn.Linear(width, width), nn.Linear(width, 4 * width)
        self.down, self.head = nn.Linear(4 * width, width), nn.Linear(width, 11)

    def forward(self, ids: Any) -> Any:
        x = self.words(ids)
        b, t, c = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.norm1(x)).split(c, 2))
        mask = None if self.causal else torch.arange(t) < t - 2
        y = F.scaled_dot_product_attention(q, k, v, mask, is_causal=self.causal)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return self.head(x + self.down(F.gelu(self.up(self.norm2(x))))).flatten(0, 1)


def perceptron() -> Any:
    """Three layers."""
    return nn.Sequential(nn.Linear(20, 33), nn.ReLU(), nn.Linear(33, 17), nn.Tanh(), nn.Linear(17, 5))


def convolutions() -> Any:
    """Convolutions and pooling, as for digits."""
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 6, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(6 * 16, 12), nn.ReLU(), nn.Linear(12, 5))


@cache
def example(name: str) -> Any:
    """The module of an example, with lamella's torch."""
    names = ("", ".nn", ".nn.functional", ".utils", ".utils.data")
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {f"torch{n}": importlib.import_module(f"lamella.torch{n}") for n in names}):
        spec.loader.exec_module(found)
    return found


class Logits(nn.Module):
    """The character-level GPT of the examples, but for its own loss."""

    def __init__(self) -> None:
        super().__init__()
        self.gpt = example("char_gpt").CharGPT(11, context=16, layers=2, heads=2, width=32)

    def forward(self, ids: Any) -> Any:
        return self.gpt(ids)[0].flatten(0, 1)


def images(channels: int, size: int, classes: int = 5) -> Callable[[], tuple[Any, Any]]:
    """Eight random images and their classes."""
    return lambda: (torch.randn(8, channels, size, size), torch.randint(0, classes, (8,)))


def sentences(rows: int, columns: int) -> Callable[[], tuple[Any, Any]]:
    """Random words, and the words to say."""
    return lambda: (torch.randint(0, 11, (rows, columns)), torch.randint(0, 11, (rows * columns,)))


def vectors() -> tuple[Any, Any]:
    """Random vectors and their classes."""
    return torch.randn(16, 20), torch.randint(0, 5, (16,))


Maker = Callable[[Any], Any]


def adamw(parameters: Any) -> Any:
    """The optimizer of most networks here; gradients that are 0 but for rounding stay without effect."""
    return torch.optim.AdamW(parameters, lr=1e-2, eps=1e-3)


#: name -> (model, data, optimizer)
NETWORKS: dict[str, tuple[Callable[[], Any], Callable[[], Any], Maker]] = {
    "perceptron": (perceptron, vectors, adamw),
    "convolutions": (convolutions, images(1, 12), adamw),
    "resnet_block": (Residual, images(4, 9), adamw),
    "lstm": (lambda: Recurrent("LSTM"), sentences(6, 3), adamw),
    "gru": (lambda: Recurrent("GRU"), sentences(6, 3), adamw),
    "rnn": (lambda: Recurrent("RNN", layers=1), sentences(6, 3), adamw),
    "causal_attention": (lambda: Attention(True), sentences(3, 10), adamw),
    "masked_attention": (lambda: Attention(False), sentences(3, 10), adamw),
    "char_gpt": (Logits, sentences(3, 16), lambda p: torch.optim.AdamW(p, lr=1e-2, betas=(0.9, 0.99), eps=1e-3)),
    "digits": (lambda: example("digits").DigitNet(5, dropout=0.0), images(1, 8), adamw),
}
OPTIMIZERS: dict[str, Maker] = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01, nesterov=True),
    "adam": lambda p: torch.optim.Adam(p, lr=0.01, eps=1e-3),
    "amsgrad": lambda p: torch.optim.AdamW(p, lr=0.01, eps=1e-3, amsgrad=True),
    "adamax": lambda p: torch.optim.Adamax(p, lr=0.01),
    "nadam": lambda p: torch.optim.NAdam(p, lr=0.01, eps=1e-3),
    "radam": lambda p: torch.optim.RAdam(p, lr=0.01, eps=1e-3),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.01, eps=1e-3, momentum=0.5, centered=True),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.05, eps=1e-3),
    "adadelta": lambda p: torch.optim.Adadelta(p, lr=0.5),
    "rprop": lambda p: torch.optim.Rprop(p, lr=0.003),
    "asgd": lambda p: torch.optim.ASGD(p, lr=0.05),
}
ALL = {**NETWORKS, **{f"optimizer_{name}": (perceptron, vectors, make) for name, make in OPTIMIZERS.items()}}


class Work:
    """A training step and what it changes."""

    def __init__(self, name: str, dtype: Any) -> None:
        make, data, optimizer = ALL[name]
        torch.manual_seed(SEED)
        self.model = make().to(dtype)
        x, self.y = data()
        self.x = x.to(dtype) if x.is_floating_point() else x
        if name in NETWORKS and dtype is not torch.float32:
            optimizer = OPTIMIZERS["momentum"]  # updates that rounding changes as little as it changes gradients
        self.optimizer = optimizer(self.model.parameters())
        self.clip = name == "char_gpt"
        squares = name[10:] in ("adam", "amsgrad", "nadam", "radam", "rmsprop", "adagrad")
        self.scale = 256.0 if squares and dtype is torch.float16 else 1.0  # squares of gradients stay above 0

    def step(self) -> Any:
        """Loss, gradients and update."""
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(self.x), self.y)
        (loss * self.scale).backward()
        if self.clip:
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.detach()

    def state(self) -> dict[str, Any]:
        """All parameters and buffers."""
        return {name: value.detach() for name, value in self.model.state_dict().items()}
