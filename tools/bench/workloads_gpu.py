"""What `gpu.py` times: large operators and training steps on a GPU, written once for torch and lamella alike.

Parameters and data are made on the CPU from fixed seeds and then moved, so that every framework starts from the same
numbers.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workloads import Work, _plain, _training, _with_gradients, arrays, gpt_model, tokens


@dataclass
class Case:
    """A workload.

    Attributes:
        build: makes it for a module that is spelled torch; ``small`` for a first look.
        bytes: what one step must move at least, for the comparison with a copy; 0 where that says nothing.
    """

    build: Callable[[Any, bool], Work]
    bytes: Callable[[bool], int] = lambda small: 0


def _floats(torch: Any, **shapes: tuple[int, ...]) -> list[Any]:
    return [torch.tensor(a).cuda() for a in arrays(0, **shapes).values()]


def _count(small: bool) -> int:
    return 1 << (12 if small else 26)


def copy(torch: Any, small: bool) -> Work:
    """A copy of 64 million floats: what the memory of the card can do."""
    x, y = _floats(torch, x=(_count(small),), y=(_count(small),))
    return _plain(lambda: y.copy_(x))


def chain(torch: Any, small: bool) -> Work:
    """``gelu(x * a + b) * sigmoid(x) + x`` on 64 million floats."""
    n = _count(small)
    x, a, b = _floats(torch, x=(n,), a=(n,), b=(n,))
    gelu = torch.nn.functional.gelu
    return _plain(lambda: gelu(x * a + b) * torch.sigmoid(x) + x)


def chain_backward(torch: Any, small: bool) -> Work:
    """The same with its three gradients."""
    n = _count(small) // 2
    x, a, b, g = _floats(torch, x=(n,), a=(n,), b=(n,), g=(n,))
    wanted = [t.requires_grad_() for t in (x, a, b)]
    gelu = torch.nn.functional.gelu
    return _with_gradients(torch, lambda: gelu(x * a + b) * torch.sigmoid(x) + x, wanted, g)


def _rows(small: bool) -> tuple[int, int]:
    return (64, 128) if small else (16384, 2048)


def softmax(torch: Any, small: bool) -> Work:
    """Softmax over the rows of 16384x2048, forward and backward."""
    x, g = _floats(torch, x=_rows(small), g=_rows(small))
    x.requires_grad_()
    return _with_gradients(torch, lambda: torch.softmax(x, 1), [x], g)


def layer_norm(torch: Any, small: bool) -> Work:
    """Layer norm of 16384x2048, forward and backward."""
    rows, columns = _rows(small)
    x, g = _floats(torch, x=(rows, columns), g=(rows, columns))
    w, b = torch.ones(columns).cuda(), torch.zeros(columns).cuda()
    wanted = [t.requires_grad_() for t in (x, w, b)]
    return _with_gradients(torch, lambda: torch.nn.functional.layer_norm(x, (columns,), w, b), wanted, g)


def _attention(kind: str, backward: bool) -> Callable[[Any, bool], Work]:
    def build(torch: Any, small: bool) -> Work:
        shape = (2, 2, 32, 16) if small else (8, 16, 1024, 64)
        q, k, v, g = (t.to(getattr(torch, kind)) for t in _floats(torch, q=shape, k=shape, v=shape, g=shape))
        attend = torch.nn.functional.scaled_dot_product_attention
        if not backward:
            return _plain(lambda: attend(q, k, v, is_causal=True))
        wanted = [t.requires_grad_() for t in (q, k, v)]
        return _with_gradients(torch, lambda: attend(q, k, v, is_causal=True), wanted, g)

    return build


def gpt(torch: Any, small: bool) -> Work:
    """6 layers of width 512, batch 16, context 256, AdamW."""
    torch.manual_seed(0)
    width, depth, context, batch = (32, 1, 16, 2) if small else (512, 6, 256, 16)
    model = gpt_model(torch, width, depth, 8, context, 4096).cuda()
    ids = torch.tensor(tokens(0, batch, context + 1, below=4096)).cuda()
    x, y = ids[:, :-1].contiguous(), ids[:, 1:].contiguous()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    cross_entropy = torch.nn.functional.cross_entropy
    return _training(model, optimizer, lambda: cross_entropy(model(x).view(-1, 4096), y.view(-1)))


def resnet(torch: Any, small: bool) -> Work:
    """ResNet-18's blocks on 64 images of 64x64, SGD with momentum."""
    torch.manual_seed(0)
    nn = torch.nn
    widths, batch, size = ((8, 16), 2, 16) if small else ((64, 128, 256, 512), 64, 64)

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, before: int, after: int, step: int) -> None:
            super().__init__()
            self.one, self.two = nn.Conv2d(before, after, 3, step, 1, bias=False), nn.Conv2d(after, after, 3, 1, 1,
                                                                                          bias=False)
            self.norm1, self.norm2 = nn.BatchNorm2d(after), nn.BatchNorm2d(after)
            self.short: Any = nn.Sequential() if before == after else nn.Sequential(
                nn.Conv2d(before, after, 1, step, bias=False), nn.BatchNorm2d(after))

        def forward(self, x: Any) -> Any:
            y = torch.relu(self.norm1(self.one(x)))
            return torch.relu(self.norm2(self.two(y)) + self.short(x))

    layers = [nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU()]
    for before, after in zip((widths[0], *widths), widths, strict=False):
        layers += [Block(before, after, 1 if before == after else 2), Block(after, after, 1)]
    model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(widths[-1], 10)).cuda()
    x = _floats(torch, x=(batch, 3, size, size))[0]
    y = torch.tensor(tokens(1, batch, below=10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    return _training(model, optimizer, lambda: nn.functional.cross_entropy(model(x), y))


def mlp(torch: Any, small: bool) -> Work:
    """784-512-256-10 with ReLU, batch 64, Adam: what the calls themselves cost."""
    torch.manual_seed(0)
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
    x, y = torch.tensor(arrays(0, x=(64, 784))["x"]).cuda(), torch.tensor(tokens(1, 64, below=10)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return _training(model, optimizer, lambda: nn.functional.cross_entropy(model(x), y))


def _area(small: bool) -> int:
    rows, columns = _rows(small)
    return rows * columns * 4


CASES: dict[str, Case] = {
    "copy": Case(copy, lambda small: 8 * _count(small)),
    "chain": Case(chain, lambda small: 16 * _count(small)),
    "chain, backward": Case(chain_backward, lambda small: 18 * _count(small)),
    "softmax, backward": Case(softmax, lambda small: 5 * _area(small)),
    "layer norm, backward": Case(layer_norm, lambda small: 5 * _area(small)),
    "attention": Case(_attention("float32", False)),
    "attention, backward": Case(_attention("float32", True)),
    "attention bfloat16": Case(_attention("bfloat16", False)),
    "mlp step": Case(mlp),
    "gpt step": Case(gpt),
    "resnet step": Case(resnet),
}
