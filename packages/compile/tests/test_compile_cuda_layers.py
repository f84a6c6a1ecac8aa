"""Layers compiled for a GPU, forward and backward, on a device that is played on the host: eager's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compile_cuda_device import EmulatedDevice

from lamella import torch
from lamella.compile.loops.numpy_run import _uniform
from lamella.compile.runtime.cuda import using
from lamella.core.random.gpu import default_gpu_generator

F = torch.nn.functional


def compiled(run: Any, *args: Any) -> tuple[list[Any], list[str]]:
    """What a function gives when it is compiled for a GPU, and the kernels that ran."""
    device = EmulatedDevice()
    with using(device):
        found = torch.compile(run, fullgraph=True, backend="cuda")(*args)
    return list(found) if isinstance(found, tuple) else [found], device.calls


def noise(shape: Any, offset: int, p: float, seed: int = 7) -> np.ndarray:
    drawn = _uniform(seed, offset, np.arange(np.prod(shape)).reshape(shape))
    return np.where(drawn < 1 - p, np.float32(1) / np.float32(1 - p), np.float32(0)).astype("float32")


def test_dropout_draws_in_the_kernels_that_read_it() -> None:
    generator = default_gpu_generator(0).manual_seed(7)
    generator.set_offset(11)
    x = torch.randn(6, 35)

    def run(x: Any) -> Any:
        x = x.detach().requires_grad_()
        y = F.dropout(F.dropout(x, 0.4).exp(), 0.25)
        return y, torch.autograd.grad((y * y).sum(), x)[0]

    (y, by_x), calls = compiled(run, x)
    first, second = noise(x.shape, 11, 0.4), noise(x.shape, 12, 0.25)
    middle = np.exp(x.numpy() * first)
    np.testing.assert_allclose(y.numpy(), middle * second, 1e-5)
    np.testing.assert_allclose(by_x.numpy(), 2 * y.numpy() * second * middle * first, 1e-4, 1e-6)
    assert generator.get_offset() == 13 and len(calls) <= 3


@pytest.mark.parametrize("causal", [False, True])
def test_attention_draws_its_dropout_itself(causal: bool) -> None:
    default_gpu_generator(0).manual_seed(7)
    rows = torch.randn(2, 37, 3, 4, 8)

    def run(rows: Any, factors: Any = None) -> Any:
        rows = rows.detach().requires_grad_()
        q, k, v = (rows[:, :, n].transpose(1, 2) for n in range(3))
        if factors is None:
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=0.3, is_causal=causal)
        else:
            scores = q @ k.transpose(-1, -2) * 8**-0.5
            scores = scores + torch.full((37, 37), -float("inf")).triu(1) if causal else scores
            y = (scores.softmax(-1) * factors) @ v
        return y, torch.autograd.grad((y * y * y).sum(), rows)[0]

    found, calls = compiled(run, rows)
    want = run(rows, torch.from_numpy(noise((2, 4, 37, 37), 0, 0.3)))
    for a, b in zip(found, want, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)
    assert {"attention", "attention_by_query", "attention_by_key"} <= set(calls)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_block_of_layers_equals_eager(dtype: str) -> None:
    torch.manual_seed(0)
    kind, nn = getattr(torch, dtype), torch.nn
    first, pool, norm = nn.Conv2d(3, 8, 3, stride=2, padding=1).to(kind), nn.MaxPool2d(2), nn.LayerNorm(32).to(kind)
    middle, last = nn.LSTM(32, 16, batch_first=True).to(kind), nn.Linear(16, 5).to(kind)
    weights = [p for layer in (first, norm, middle, last) for p in layer.parameters()]
    x, labels = torch.randn(4, 3, 16, 16).to(kind), torch.tensor([1, 0, 4, 2])

    def run(x: Any) -> Any:
        rows = norm(F.gelu(pool(first(x))).view(4, 4, 32))
        out = last(middle(rows)[0][:, -1])
        loss = F.cross_entropy(out, labels)
        return loss, *torch.autograd.grad(loss, weights)

    found, calls = compiled(run, x)
    close = {"rtol": 1e-4, "atol": 1e-5} if dtype == "float32" else {"rtol": 0.05, "atol": 0.02}
    for a, b in zip(found, run(x), strict=True):
        torch.testing.assert_close(a, b, **close)
    assert calls.count("lstm_step") == 4


def test_an_optimizers_step_is_few_launches() -> None:
    torch.manual_seed(0)
    sizes = [(40, 30), (30,), (30, 30), (30,), (30, 30), (30,), (70, 70), (5, 30), (5,)]
    start = [torch.randn(*s) for s in sizes]

    def trained(compile: Any) -> tuple[list[Any], int]:
        weights = [t.clone().requires_grad_() for t in start]
        optimizer = torch.optim.AdamW(weights, lr=0.1, weight_decay=0.1)

        def step() -> Any:
            optimizer.zero_grad()
            loss = sum((w * w * w).sum() for w in weights)
            loss.backward()
            optimizer.step()
            return loss

        step()
        device = EmulatedDevice()
        with using(device):
            run = torch.compile(step, backend="cuda") if compile else step
            for _ in range(4):
                device.calls.clear()
                run()
        return weights, len(device.calls)

    want, _ = trained(False)
    found, launches = trained(True)
    for a, b in zip(found, want, strict=True):
        torch.testing.assert_close(a, b)
    assert 0 < launches < 30


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_backward_that_is_compiled_ahead_keeps_no_weights_of_attention(dtype: str) -> None:
    rows = torch.randn(2, 96, 3, 2, 8).to(getattr(torch, dtype))

    def run(rows: Any) -> Any:
        q, k, v = (rows[:, :, n].transpose(1, 2) for n in range(3))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2).sin()

    def trained(fn: Any) -> Any:
        given = rows.detach().requires_grad_()
        y = fn(given)
        (y * y).sum().backward()
        return y, given.grad

    device = EmulatedDevice()
    with using(device):
        found = trained(torch.compile(run, fullgraph=True, backend="cuda"))
    close = {"rtol": 1e-4, "atol": 1e-4} if dtype == "float32" else {"rtol": 0.05, "atol": 0.05}
    for a, b in zip(found, trained(run), strict=True):
        torch.testing.assert_close(a, b, **close)
    assert device.calls.count("attention") == 2 and "attention_by_key" in device.calls
    assert not any("weights" in call for call in device.calls)


def test_layers_with_a_symbolic_batch_equal_eager() -> None:
    torch.manual_seed(0)
    nn = torch.nn
    first, middle, last = nn.Conv2d(1, 4, 3, padding=1), nn.LSTM(32, 16, batch_first=True), nn.Linear(16, 48)
    groups = nn.Conv2d(4, 4, 3, groups=2)
    parameters = [p for layer in (first, middle, last, groups) for p in layer.parameters()]

    def step(x: Any) -> Any:
        batch = x.shape[0]
        y = first(x).relu()
        rows = middle(y.view(batch, 8, 32))[0]
        q, k, v = (t.view(batch, 8, 2, 8).transpose(1, 2) for t in last(rows).split(16, 2))
        loss = F.scaled_dot_product_attention(q, k, v, is_causal=True).pow(2).sum() + groups(y).sin().sum()
        return loss, *torch.autograd.grad(loss, parameters)

    device = EmulatedDevice()
    with using(device):
        compiled = torch.compile(step, fullgraph=True, backend="cuda")
        for batch in (3, 7, 5, 11):
            x = torch.randn(batch, 1, 8, 8)
            for found, want in zip(compiled(x), step(x), strict=True):
                torch.testing.assert_close(found, want, rtol=1e-4, atol=1e-4)
    assert "attention_by_key" in device.calls and device.calls.count("lstm_step_backward") == 32


def test_attention_over_symbolic_lengths_equals_eager() -> None:
    def run(rows: Any, bias: Any) -> Any:
        rows = rows.detach().requires_grad_()
        q, k, v = (rows[:, :, n].transpose(1, 2) for n in range(3))
        y = F.scaled_dot_product_attention(q, k, v, bias)
        return y, torch.autograd.grad((y * y).sum(), rows)[0]

    device = EmulatedDevice()
    with using(device):
        compiled = torch.compile(run, fullgraph=True, backend="cuda", dynamic=True)
        for batch, length in ((2, 5), (3, 17), (2, 40)):
            rows, bias = torch.randn(batch, length, 3, 2, 8), torch.randn(length, length)
            for found, want in zip(compiled(rows, bias), run(rows, bias), strict=True):
                torch.testing.assert_close(found, want, rtol=1e-4, atol=1e-4)
    assert "attention_by_key" in device.calls


def test_equal_kernels_of_templates_keep_launches_of_their_own() -> None:
    def run(rows: Any, numbers: Any) -> Any:
        heads = [rows[:, :, n].transpose(1, 2) for n in range(3)]
        one = F.scaled_dot_product_attention(*heads)
        other = F.scaled_dot_product_attention(*(t * 2 for t in heads))
        return one, other, numbers @ numbers, (numbers + 1) @ numbers

    rows, numbers = torch.randn(2, 9, 3, 2, 8), torch.arange(16).view(4, 4)
    found, calls = compiled(run, rows, numbers)
    for a, b in zip(found, run(rows, numbers), strict=True):
        torch.testing.assert_close(a, b)
    assert calls.count("attention") + calls.count("attention1") + calls.count("attention_1") == 2, calls
