"""Whole training steps of several kinds of models: their decompositions give what the graphs give."""

from __future__ import annotations

from typing import Any

import pytest
from compile_decompose_helper import assert_same, assert_specs

import lamella.nn.functional as F
from lamella import torch
from lamella.compile.decompose import RULES, decompose
from lamella.compile.graph import interpret
from lamella.compile.graph.passes import prepare
from lamella.compile.graph.record import record
from lamella.compile.graph.verify import verify
from lamella.torch import nn


class Residual(nn.Module):
    """Convolutions with batch norm, dropout and a mean over positions."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.drop, self.pool, self.last = nn.Dropout(0.2), nn.AdaptiveAvgPool2d(1), nn.Linear(4, 3)

    def forward(self, x: Any) -> Any:
        return self.last(self.pool(self.drop(F.relu(self.norm(self.first(x)) + x))).flatten(1))


class Hourglass(nn.Module):
    """Down, up again, and both put together."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1), nn.Conv2d(8, 1, 1)
        self.norm, self.up = nn.GroupNorm(2, 4), nn.ConvTranspose2d(8, 4, 2, 2)

    def forward(self, x: Any) -> Any:
        a = F.silu(self.norm(self.a(x)))
        b = F.gelu(self.b(F.avg_pool2d(a, 2)))
        wide = F.interpolate(b, scale_factor=2, mode="bilinear")
        return self.c(torch.cat([a, self.up(b) + wide[:, :4]], 1))


class Gated(nn.Module):
    """RMS norm, a gated layer, and attention written out with a mask and rotations."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(8)
        self.gate, self.value, self.out = (nn.Linear(8, 8, bias=False) for _ in range(3))

    def forward(self, x: Any) -> Any:
        h = self.norm(x)
        y = self.out(F.silu(self.gate(h)) * self.value(h))
        n = y.shape[1]
        mask = torch.triu(torch.ones(n, n), 1).bool()
        scores = (y @ y.transpose(1, 2) / 8**0.5).masked_fill(mask, -1e9)
        y = torch.softmax(scores, -1) @ y
        turn = torch.cos(torch.arange(n).float()[:, None] * torch.arange(4))
        return torch.cat([y[..., :4] * turn, y[..., 4:] * turn], -1).mean(1)


class Signals(nn.Module):
    """Reflected padding, instance norm and a slope that is learned."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(2, 4, 3, padding=1, padding_mode="reflect", bias=False)
        self.norm, self.slope, self.last = nn.InstanceNorm1d(4, affine=True), nn.PReLU(), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.last(self.slope(self.norm(self.conv(x))).mean(-1))


class Recurrent(nn.Module):
    """Two layers both ways."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.out = nn.Embedding(9, 6), nn.Linear(10, 9)
        self.loop = nn.GRU(6, 5, 2, bidirectional=True, batch_first=True)

    def forward(self, x: Any) -> Any:
        return self.out(self.loop(self.table(x))[0]).transpose(1, 2)


def smoothed(scores: Any, target: Any) -> Any:
    return F.cross_entropy(scores, target, label_smoothing=0.1)


MODELS: dict[str, Any] = {
    "residual": lambda: (Residual(), torch.randn(3, 4, 8, 8), torch.randint(0, 3, (3,)), smoothed),
    "hourglass": lambda: (Hourglass(), torch.randn(2, 1, 8, 8), torch.rand(2, 1, 8, 8),
                          F.binary_cross_entropy_with_logits),
    "gated": lambda: (Gated(), torch.randn(2, 5, 8), torch.randn(2, 8), F.huber_loss),
    "signals": lambda: (Signals(), torch.randn(3, 2, 7), torch.randn(3, 2), F.smooth_l1_loss),
    "recurrent": lambda: (Recurrent(), torch.randint(0, 9, (2, 5)), torch.randint(0, 9, (2, 5)), F.cross_entropy),
}
#: What may be left of operators that have rules, because the call is a primitive as it is.
PRIMITIVE = {"aten::add.Tensor", "aten::sub.Tensor", "aten::sum.dim_IntList", "aten::cat", "aten::pow.Tensor_Scalar",
             "aten::embedding_dense_backward"}


@pytest.mark.parametrize("name", MODELS)
def test_training_steps(name: str) -> None:
    torch.manual_seed(0)
    model, x, y, loss = MODELS[name]()
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD(parameters, lr=0.1, momentum=0.9)

    def step(*_: Any) -> Any:
        value = loss(model(x), y)
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        return value

    step()
    optimizer.zero_grad()
    states = [t for p in parameters for t in optimizer.state[p].values() if isinstance(t, torch.Tensor)]
    inputs = [x, y, *parameters, *states, *model.buffers()]
    saved = [t.detach().clone() for t in inputs]
    graph = prepare(record(step, inputs))
    made = decompose(graph, strict=True)
    verify(made, after="decompose")
    assert_specs(made, {n.name for n in graph.nodes})
    given, outs = [[t.clone() for t in saved] for _ in range(2)], []
    for g, tensors in zip((graph, made), given, strict=True):
        torch.manual_seed(1)
        outs.append(interpret.execute(g, tensors))
    assert_same(name, [*outs[1], *given[1]], [*outs[0], *given[0]], 1e-5)
    assert {str(n.op.name) for n in made.nodes if n.kind == "call" and n.op.name in RULES} <= PRIMITIVE
