"""What `train.py` times: training steps and large operators, written once for torch and lamella alike.

Each builder takes the module that is spelled torch, makes its data and parameters from fixed seeds, and returns a
`Work`: a step, the part of it that torch's compiler is given, and how the two fit together.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Work:
    """A workload in one framework.

    Attributes:
        step: does it once and returns something small to look at (a loss), or the results.
        forward: the part from the inputs to the loss, for a compiler that does not take whole steps.
        rest: what follows it: ``rest(forward())``.
    """

    step: Callable[[], Any]
    forward: Callable[[], Any]
    rest: Callable[[Any], Any]

    def with_forward(self, forward: Callable[[], Any]) -> Callable[[], Any]:
        """The step with another forward part."""
        rest = self.rest
        return lambda: rest(forward())


def arrays(seed: int, **shapes: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Float32 arrays of standard normal numbers by name."""
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal(shape, dtype=np.float32) for name, shape in shapes.items()}


def tokens(seed: int, *shape: int, below: int) -> np.ndarray:
    """Random integers."""
    return np.random.default_rng(seed).integers(0, below, shape)


def _training(model: Any, optimizer: Any, forward: Callable[[], Any]) -> Work:
    def step() -> Any:
        optimizer.zero_grad()
        loss = forward()
        loss.backward()
        optimizer.step()
        return loss

    def rest(loss: Any) -> Any:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return Work(step, forward, rest)


def seed_loop(torch: Any) -> Work:
    """Linear(10, 1) on 32 rows, mean squared error, AdamW."""
    torch.manual_seed(0)
    data = arrays(0, x=(32, 10), y=(32, 1))
    model, x, y = torch.nn.Linear(10, 1), torch.tensor(data["x"]), torch.tensor(data["y"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    return _training(model, optimizer, lambda: torch.nn.functional.mse_loss(model(x), y))


def mlp(torch: Any) -> Work:
    """784-512-256-10 with ReLU, batch 64, cross entropy, Adam."""
    torch.manual_seed(0)
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))
    x, y = torch.tensor(arrays(0, x=(64, 784))["x"]), torch.tensor(tokens(1, 64, below=10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return _training(model, optimizer, lambda: nn.functional.cross_entropy(model(x), y))


def gpt_model(torch: Any, width: int = 128, depth: int = 4, heads: int = 4, context: int = 64, words: int = 65) -> Any:
    """A decoder-only transformer as in char_gpt.py, without dropout."""
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            b, t, _ = x.shape
            q, k, v = (z.view(b, t, heads, width // heads).transpose(1, 2)
                       for z in self.qkv(self.norm1(x)).split(width, dim=2))
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(y.transpose(1, 2).reshape(b, t, width))
            return x + self.down(functional.gelu(self.up(self.norm2(x))))

    class GPT(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.word, self.place = nn.Embedding(words, width), nn.Embedding(context, width)
            self.blocks = nn.Sequential(*[Block() for _ in range(depth)])
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

        def forward(self, ids: Any) -> Any:
            at = torch.arange(ids.shape[1], device=ids.device)
            return self.head(self.norm(self.blocks(self.word(ids) + self.place(at))))

    return GPT()


def gpt(torch: Any) -> Work:
    """4 layers of width 128, batch 12, context 64, AdamW."""
    torch.manual_seed(0)
    model = gpt_model(torch)
    ids = torch.tensor(tokens(0, 12, 65, below=65))
    x, y = ids[:, :-1].contiguous(), ids[:, 1:].contiguous()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    cross_entropy = torch.nn.functional.cross_entropy
    return _training(model, optimizer, lambda: cross_entropy(model(x).view(-1, 65), y.view(-1)))


def convnet(torch: Any) -> Work:
    """MNIST's convolutional network: 32 and 64 channels, 9216-128-10, batch 64, Adam."""
    torch.manual_seed(0)
    nn = torch.nn
    model = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Flatten(), nn.Linear(9216, 128), nn.ReLU(), nn.Linear(128, 10))
    x, y = torch.tensor(arrays(0, x=(64, 1, 28, 28))["x"]), torch.tensor(tokens(1, 64, below=10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return _training(model, optimizer, lambda: nn.functional.cross_entropy(model(x), y))


def lstm(torch: Any) -> Work:
    """2 layers of 200 cells over 35 steps of 20 sequences, a classifier of 65 words, Adam."""
    torch.manual_seed(0)
    nn = torch.nn

    class Model(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.word, self.cells, self.head = nn.Embedding(65, 200), nn.LSTM(200, 200, 2), nn.Linear(200, 65)

        def forward(self, ids: Any) -> Any:
            return self.head(self.cells(self.word(ids))[0])

    model = Model()
    x, y = torch.tensor(tokens(0, 35, 20, below=65)), torch.tensor(tokens(1, 35 * 20, below=65))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return _training(model, optimizer, lambda: nn.functional.cross_entropy(model(x).view(-1, 65), y))


def _plain(forward: Callable[[], Any]) -> Work:
    return Work(forward, forward, lambda out: out)


def _with_gradients(torch: Any, forward: Callable[[], Any], wanted: list[Any], g: Any) -> Work:
    def rest(out: Any) -> Any:
        return out, torch.autograd.grad(out, wanted, g)

    return Work(lambda: rest(forward()), forward, rest)


def _chain_data(torch: Any, grad: bool) -> list[Any]:
    data = arrays(0, x=(4 << 20,), a=(4 << 20,), b=(4 << 20,), g=(4 << 20,))
    return [torch.tensor(v).requires_grad_(grad and k != "g") for k, v in data.items()]


def chain(torch: Any) -> Work:
    """``gelu(x * a + b) * sigmoid(x) + x`` on 4 million floats."""
    x, a, b, _ = _chain_data(torch, False)
    gelu = torch.nn.functional.gelu
    return _plain(lambda: gelu(x * a + b) * torch.sigmoid(x) + x)


def chain_backward(torch: Any) -> Work:
    """The same with its three gradients."""
    x, a, b, g = _chain_data(torch, True)
    gelu = torch.nn.functional.gelu
    return _with_gradients(torch, lambda: gelu(x * a + b) * torch.sigmoid(x) + x, [x, a, b], g)


def layer_norm(torch: Any) -> Work:
    """Layer norm of 4096x1024, forward and backward."""
    x, g = (torch.tensor(v) for v in arrays(0, x=(4096, 1024), g=(4096, 1024)).values())
    w, b = torch.ones(1024), torch.zeros(1024)
    wanted = [t.requires_grad_() for t in (x, w, b)]
    return _with_gradients(torch, lambda: torch.nn.functional.layer_norm(x, (1024,), w, b), wanted, g)


def softmax(torch: Any) -> Work:
    """Softmax over the rows of 4096x1024, forward and backward."""
    x, g = (torch.tensor(v) for v in arrays(0, x=(4096, 1024), g=(4096, 1024)).values())
    x.requires_grad_()
    return _with_gradients(torch, lambda: torch.softmax(x, 1), [x], g)


def sum_columns(torch: Any) -> Work:
    """Sum over axis 0 of 4096x4096."""
    x = torch.tensor(arrays(0, x=(4096, 4096))["x"])
    return _plain(lambda: x.sum(0))


def sum_rows(torch: Any) -> Work:
    """Sum over axis 1 of 4096x4096."""
    x = torch.tensor(arrays(0, x=(4096, 4096))["x"])
    return _plain(lambda: x.sum(1))


#: name -> (builder, the ratio to torch eager that lamella's compiled step is to stay below)
WORKLOADS: dict[str, tuple[Callable[[Any], Work], float]] = {
    "seed loop": (seed_loop, 0.06),
    "mlp": (mlp, 0.6),
    "gpt": (gpt, 0.8),
    "convnet": (convnet, 1.3),
    "lstm": (lstm, 0.8),
    "chain": (chain, 0.3),
    "chain, backward": (chain_backward, 0.25),
    "layer_norm, backward": (layer_norm, 0.9),
    "softmax, backward": (softmax, 0.9),
    "sum 0": (sum_columns, 0.8),
    "sum 1": (sum_rows, 0.8),
}
