"""Numbers that an element type does not hold: compiled code gives what eager gives, errors included."""

from __future__ import annotations

from typing import Any

import pytest

from lamella import torch
from lamella.torch import nn

F = nn.functional
I = torch.tensor([-100, 0, 100], dtype=torch.int8)  # noqa: E741
J = torch.tensor([-100, 0, 100])
U = torch.tensor([0, 5, 200], dtype=torch.uint8)
B = torch.tensor([True, False, True])
AT = torch.tensor([0])
X = torch.tensor([1.5, -2.0, float("nan")])

CASES: dict[str, Any] = {
    "addcmul, a value with a fraction": lambda: torch.addcmul(J, J, J, value=0.5),
    "addcmul, a negative value with a fraction": lambda: torch.addcmul(J, J, J, value=-1.5),
    "addcmul, bools among integers": lambda: torch.addcmul(J, B, J, value=0.5),
    "addcmul, a large value": lambda: torch.addcmul(I, I, I, value=1000),
    "addcmul of bools": lambda: torch.addcmul(B, B, B),
    "threshold, large": lambda: F.threshold(I, 1000, 5),
    "threshold, low": lambda: F.threshold(I, -1000, 5),
    "threshold, a large value": lambda: F.threshold(I, 5, 1000),
    "threshold, with fractions": lambda: F.threshold(I, 0.5, 1.7),
    "threshold, a negative fraction": lambda: F.threshold(I, -0.5, 1),
    "threshold, below unsigned": lambda: F.threshold(U, -1, 5),
    "threshold, an unsigned value": lambda: F.threshold(U, 5, -1),
    "threshold of bools": lambda: F.threshold(B, 0, 1),
    "threshold, infinite": lambda: F.threshold(J, float("inf"), 1),
    "threshold, nan": lambda: F.threshold(J, float("nan"), 1),
    "clamp, high": lambda: I.clamp(max=1000),
    "clamp, low": lambda: I.clamp(min=-1000),
    "clamp, unsigned": lambda: U.clamp(min=-1),
    "clamp, a float": lambda: I.clamp(max=1000.5),
    "clamp, in place": lambda: I.clone().clamp_(max=1000),
    "clamp, within": lambda: I.clamp(-5, 5),
    "add, alpha with a fraction": lambda: torch.add(J, J, alpha=1.5),
    "add a number, alpha with a fraction": lambda: torch.add(J, 2, alpha=1.5),
    "add, a large alpha": lambda: torch.add(I, I, alpha=1000),
    "add of bools": lambda: torch.add(B, B, alpha=True),
    "sub, alpha with a fraction": lambda: torch.sub(J, J, alpha=1.5),
    "rsub, alpha with a fraction": lambda: torch.rsub(J, J, alpha=1.5),
    "rsub from a number, alpha with a fraction": lambda: torch.rsub(J, 2, alpha=1.5),
    "rsub, a whole alpha": lambda: torch.rsub(J, J, alpha=3),
    "heaviside of two types": lambda: torch.heaviside(J, J.float()),
    "hardtanh, wide": lambda: F.hardtanh(I, -1000, 1000),
    "hardtanh, very wide": lambda: F.hardtanh(J, -1e30, 1e30),
    "hardtanh, with fractions": lambda: F.hardtanh(I, -1.5, 1.5),
    "hardtanh, unsigned": lambda: F.hardtanh(U, -1, 1),
    "masked_fill": lambda: I.masked_fill(B, 1000),
    "masked_fill with a tensor": lambda: I.masked_fill(B, torch.tensor(1000)),
    "masked_fill with a sum": lambda: I.masked_fill(B, J.abs().sum()),
    "masked_fill, with a fraction": lambda: I.masked_fill(B, 1.5),
    "masked_fill, unsigned": lambda: U.masked_fill(B, -1),
    "fill_": lambda: I.clone().fill_(1000),
    "fill_ with a tensor": lambda: I.clone().fill_(torch.tensor(1000)),
    "an element": lambda: _set(I.clone(), 1000),
    "pad": lambda: F.pad(I, (1, 1), value=1000),
    "pad by nothing": lambda: F.pad(I, (0, 0), value=1000),
    "pad by less": lambda: F.pad(I, (-1, 0), value=1000),
    "pad, with a fraction": lambda: F.pad(I, (1, 1), value=1.5),
    "full": lambda: torch.full((2,), 1000, dtype=torch.int8),
    "full_like": lambda: torch.full_like(I, 1000),
    "new_full": lambda: I.new_full((2,), 1000),
    "index_fill": lambda: I.index_fill(0, AT, 1000),
    "index_add, alpha with a fraction": lambda: J.index_add(0, AT, J[:1], alpha=1.5),
    "index_add, a large alpha": lambda: I.index_add(0, AT, I[:1], alpha=1000),
    "scatter": lambda: I.scatter(0, AT, 1000),
    "scatter, adding": lambda: I.scatter(0, AT, 1000, reduce="add"),
    "addmv, a large alpha": lambda: torch.addmv(I, torch.ones(3, 3, dtype=torch.int8), I, alpha=1000),
    "addr, alpha with a fraction": lambda: torch.addr(J, J, J, alpha=1.5),
    "abs of bools": lambda: torch.abs(B),
    "a number of more than 64 bits": lambda: J * 2**64,
    "a number of more than 64 bits, compared": lambda: J < 2**64,
    "a number of more than 64 bits, floating": lambda: X * 2**64,
    "a number of 64 bits": lambda: J + 2**63,
    "sub of bools": lambda: B - B,
    "sub from bools": lambda: B - 1,
    "sub of a bool": lambda: J - True,
    "sub of bools from integers": lambda: J - B,
    "sub of bools, alpha": lambda: torch.sub(J, B, alpha=2),
    "rsub of bools": lambda: 2.0 - B,
    "argmax of bools": lambda: B.argmax(0),
    "argmin of bools": lambda: B.argmin(),
    "max of bools": lambda: B.max(0).indices,
    "softmax of integers": lambda: F.softmax(J, 0),
    "softmax of one integer": lambda: F.softmax(J[0], 0),
    "softmax of nan": lambda: F.softmax(X[2], 0),
    "log_softmax of nan": lambda: F.log_softmax(X[2], 0),
    "softmax of a number": lambda: F.softmax(X[0], 0),
    "log_softmax of a number": lambda: F.log_softmax(X[0], -1),
    "mse_loss of integers": lambda: F.mse_loss(J, J),
    "mse_loss of two types": lambda: F.mse_loss(J, X[:1]),
    "smooth_l1_loss of integers": lambda: F.smooth_l1_loss(J, J),
    "huber_loss of integers": lambda: F.huber_loss(J, J),
    "soft_margin_loss of integers": lambda: F.soft_margin_loss(J, J),
    "binary_cross_entropy of integers": lambda: F.binary_cross_entropy(U // 200, U // 200),
    "binary_cross_entropy_with_logits of integers": lambda: F.binary_cross_entropy_with_logits(J, J),
    "cross_entropy of integers": lambda: F.cross_entropy(J[None], AT),
    "nll_loss of integers": lambda: F.nll_loss(J[None], AT),
    "round, with decimals": lambda: torch.round(J, decimals=2),
}

#: Numbers that are only known at run time.
SCALED: dict[str, Any] = {
    "power": lambda x, w: x**w,
    "power of integers": lambda x, w: J**w,
    "lerp": lambda x, w: torch.lerp(x, x + 1, w),
    "xlogy": lambda x, w: torch.xlogy(x, w) + torch.xlogy(w, x),
    "xlog1py": lambda x, w: torch.special.xlog1py(x, w) + torch.special.xlog1py(w, x),
    "add": lambda x, w: torch.add(x, x, alpha=w),
    "addcmul": lambda x, w: torch.addcmul(x, x, x, value=w),
    "clamp": lambda x, w: x.clamp(max=w),
    "pad": lambda x, w: F.pad(x, (1, 1), value=w),
    "renorm": lambda x, w: torch.renorm(x[:, None], 2, 0, w),
}


def _set(x: Any, number: Any) -> Any:
    x[0] = number
    return x


def outcome(fn: Any) -> tuple[Any, ...]:
    """The elements and their type, or the error."""
    try:
        made = fn()
    except Exception as error:
        return type(error), str(error)
    return made.dtype, repr(made.tolist())  # nan is no number that is equal to itself


@pytest.mark.parametrize("name", CASES)
def test_numbers_that_do_not_fit(name: str) -> None:
    wanted = outcome(CASES[name])
    torch.compiler.reset()
    assert outcome(torch.compile(CASES[name])) == wanted


@pytest.mark.parametrize("name", SCALED)
def test_numbers_known_at_run_time(name: str) -> None:
    torch.compiler.reset()
    compiled = torch.compile(SCALED[name], fullgraph=True)
    x = torch.tensor([0.0, 1.5, -2.0, float("inf"), float("nan")])
    for w in (0.25, 2.0, 0.75):
        torch.testing.assert_close(compiled(x, w), SCALED[name](x, w), equal_nan=True)
