"""Gradients at kinks, ties, origins and infinities: PyTorch's, on the same numbers. Skipped where it is not installed.

A row is a function of the library (PyTorch or lamella) and float64 tensors, and the numbers to try it on.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from lamella import autograd, core
from lamella.nn import functional

torch: Any = pytest.importorskip("torch")
pytestmark = pytest.mark.torch
INF, NAN = math.inf, math.nan
TIE = [[1.0, 2.0, 2.0], [0.0, 0.0, 0.0]]
PAIR = ([0.0, 1.0, 0.0, -0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 0.0, -2.0, 0.0])
ROWS: dict[str, tuple[Any, ...]] = {}


class Ours:
    """The library as PyTorch spells it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(core, name)

    nn = type("nn", (), {"functional": functional})
    autograd = autograd
    linalg = type("linalg", (), {n[7:]: staticmethod(getattr(core, n)) for n in dir(core) if n.startswith("linalg_")})


def row(name: str, fn: Any, *inputs: Any) -> None:
    assert name not in ROWS
    ROWS[name] = (fn, *inputs)


def first(r: Any) -> Any:
    return r[0] if isinstance(r, tuple) else r


def rows_of_reductions() -> None:
    for n in ("max", "min", "amax", "amin", "median", "nanmedian", "prod", "norm", "std", "var", "mean"):
        row(n, lambda m, x, n=n: getattr(m, n)(x), TIE)
        more = (2,) if n == "norm" else ()
        row(f"{n} of rows", lambda m, x, n=n, more=more: first(getattr(m, n)(x, *more, 1)), TIE)
    for n in ("sort", "cummax", "cummin"):
        row(n, lambda m, x, n=n: getattr(m, n)(x, 1)[0] * m.tensor([3.0, 1.0, 2.0], dtype=m.float64), TIE)
    row("mode", lambda m, x: m.mode(x, 1)[0] * m.tensor([1.0, 3.0]), TIE)
    row("aminmax", lambda m, x: sum(m.aminmax(x)), TIE)
    for q in (0.0, 0.25, 0.5, 1.0):
        row(f"quantile {q}", lambda m, x, q=q: m.quantile(x, q), TIE)
    for how in ("lower", "higher", "midpoint", "nearest"):
        row(f"quantile {how}", lambda m, x, how=how: m.quantile(x, 0.4, interpolation=how), TIE)
    for n in ("median", "nanmedian"):
        row(f"{n} with nan", lambda m, x, n=n: getattr(m, n)(x), [1.0, NAN, 2.0, 3.0])
    row("nanquantile with nan", lambda m, x: m.nanquantile(x, 0.5), [1.0, NAN, 2.0, 3.0])
    for k in (0, 1):
        for n in ("std", "var"):
            row(f"{n} of one, {k}", lambda m, x, n=n, k=k: getattr(m, n)(x, correction=k), [2.0])
            row(f"{n} of equals, {k}", lambda m, x, n=n, k=k: getattr(m, n)(x, correction=k), [2.0, 2.0, 2.0])
    for z in ([2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [0.0, 0.0, 4.0], [0.0, 0.0, 0.0]):
        row(f"prod {z}", lambda m, x: m.prod(x), z)
        row(f"prod of a dimension {z}", lambda m, x: m.prod(x, 0), z)
        row(f"cumprod {z}", lambda m, x: m.cumprod(x, 1), [z, z[::-1]])
    for n in ("softmax", "log_softmax", "logcumsumexp"):
        factors = [[2.0, 1.0, 3.0], [1.0, 2.0, 4.0]]
        row(
            f"{n} of -inf",
            lambda m, x, n=n, f=factors: getattr(m, n)(x, 1) * m.tensor(f, dtype=m.float64),
            [[-INF, -INF, -INF], [-INF, 0.0, 1.0]],
        )
    row("logsumexp of -inf", lambda m, x: m.logsumexp(x, 1), [[-INF, -INF], [-INF, 0.0]])
    for how in ("amax", "amin", "prod", "mean"):
        for own in (True, False) if how in ("prod", "mean") else (True,):
            for n in ("scatter_reduce", "index_reduce"):
                row(
                    f"{n} {how} {own}",
                    lambda m, x, y, n=n, how=how, own=own: getattr(m, n)(
                        x, 0, m.tensor([0, 0, 2]), y, how, include_self=own
                    ),
                    [1.0, 1.0, 0.0],
                    [1.0, 1.0, 0.0],
                )


def rows_of_norms() -> None:
    for p in (1, 2, 3, INF, -INF, 0.5):
        row(f"vector_norm {p} at 0", lambda m, x, p=p: m.linalg.vector_norm(x, p), [0.0, 0.0, 0.0])
        row(f"vector_norm {p}", lambda m, x, p=p: m.linalg.vector_norm(x, p), [1.0, -1.0, 0.0])
        row(f"norm {p}", lambda m, x, p=p: m.norm(x, p, 1), TIE)
        at_0 = [[[1.0, 2.0]]] * 2
        row(f"pairwise_distance {p}", lambda m, *x, p=p: m.nn.functional.pairwise_distance(*x, p, 0.0), *at_0)
    for p in (0, 1, 2, 3, INF, 0.5):
        row(f"cdist {p}", lambda m, x, y, p=p: m.cdist(x, y, p), [[1.0, 2.0], [0.0, 0.0]], [[1.0, 2.0], [1.0, 0.0]])
    for p in (1, 2, 3, INF, 0.5):
        row(f"dist {p}", lambda m, x, y, p=p: m.dist(x, y, p), [1.0, 2.0], [1.0, 2.0])
        row(f"pdist {p}", lambda m, x, p=p: m.nn.functional.pdist(x, p), [[1.0, 2.0], [1.0, 2.0], [0.0, 2.0]])
        row(f"normalize {p}", lambda m, x, p=p: m.nn.functional.normalize(x, p, 1), [[0.0, 0.0], [1.0, -1.0]])
        row(f"renorm {p}", lambda m, x, p=p: m.renorm(x, p, 0, 1.0), [[0.0, 0.0], [1.0, 0.0], [2.0, 2.0]])
    for p in ("fro", 1, -1, INF, -INF, 2):
        row(f"matrix_norm {p}", lambda m, x, p=p: m.linalg.matrix_norm(x, p), [[1.0, 1.0], [1.0, 1.0]])
        row(f"matrix_norm {p} at 0", lambda m, x, p=p: m.linalg.matrix_norm(x, p), [[0.0, 0.0], [0.0, 0.0]])


def rows_elementwise() -> None:
    for n in (
        "maximum minimum fmax fmin atan2 hypot pow float_power xlogy logaddexp logaddexp2 copysign remainder fmod div"
    ).split():
        row(n, lambda m, x, y, n=n: getattr(m, n)(x, y), *PAIR)
    row("pow at inf", lambda m, x, y: m.pow(x, y), [0.0, 0.0, 0.0, INF, 1.0, 1.0], [0.0, 0.5, 2.0, 0.0, INF, -INF])
    row("clamp", lambda m, x: m.clamp(x, -1, 1), [-1.0, 1.0, 0.0, 2.0, NAN])
    row("clamp to nothing", lambda m, x: m.clamp(x, 1, -1), [-1.0, 1.0, 0.0, 2.0])
    row(
        "clamp by tensors",
        lambda m, x, y, z: m.clamp(x, y, z),
        [0.0, 1.0, 2.0, 0.0, 5.0],
        [0.0, 0.0, 2.0, 1.0, 7.0],
        [1.0, 1.0, 2.0, 2.0, 3.0],
    )
    for n in "floor ceil round trunc frac sign abs sinc i0 lgamma sqrt rsqrt log log1p asin acos atanh erfinv".split():
        row(n, lambda m, x, n=n: getattr(m, n)(x), [0.0, 1.0, -1.0, 0.5, 2.0])
    for n in ("abs", "sgn", "angle", "sqrt", "log"):
        row(
            f"{n} of a complex 0",
            lambda m, x, n=n: real_of(m, getattr(m, n)(m.complex(x, x * 0))),
            [0.0, 1.0],
        )
    row("sqrt where not negative", lambda m, x: m.where(x > 0, m.sqrt(x), 0.0), [0.0, 4.0])
    row("diff under a root", lambda m, x: m.diff(x) ** 0.5, [0.0, 0.0, 4.0])


def real_of(m: Any, r: Any) -> Any:
    return m.view_as_real(r) if r.is_complex() else r


def rows_of_networks() -> None:
    x = [0.0, -0.0, 1.0, -1.0, 3.0, -3.0, 6.0, 0.5, -0.5, 20.0, 21.0]
    for n in (
        "relu relu6 elu selu celu leaky_relu hardtanh hardshrink hardsigmoid hardswish softshrink softplus softsign "
        "tanhshrink gelu silu mish logsigmoid"
    ).split():
        row(n, lambda m, x, n=n: getattr(m.nn.functional, n)(x), x)
    row("prelu", lambda m, x, w: m.nn.functional.prelu(x, w), [[0.0, -1.0, 1.0]], [0.25])
    row("threshold", lambda m, x: m.nn.functional.threshold(x, 1.0, 5.0), [0.0, 1.0, 2.0])
    for d in (1, 2, 3):
        flat: Any = [0.0] * 4
        for _ in range(d - 1):
            flat = [flat] * 4
        for n in ("max_pool", "adaptive_max_pool", "avg_pool", "adaptive_avg_pool", "lp_pool"):
            more = (2, 2) if n == "lp_pool" else (2,)
            row(f"{n}{d}d", lambda m, x, n=f"{n}{d}d", more=more: getattr(m.nn.functional, n)(x, *more), [[flat]])
    for n, more in (("layer_norm", ((3,),)), ("rms_norm", ((3,),)), ("group_norm", (1,)), ("instance_norm", ())):
        row(
            n,
            lambda m, x, n=n, more=more: getattr(m.nn.functional, n)(x, *more) * m.tensor([1.0, 2.0, 4.0]),
            [[[0.0, 0.0, 0.0]], [[1.0, 1.0, 1.0]]],
        )
    row(
        "batch_norm",
        lambda m, x: m.nn.functional.batch_norm(x, None, None, training=True) * m.tensor([[1.0], [2.0], [4.0]]),
        [[1.0], [1.0], [1.0]],
    )
    for mode in ("border", "reflection", "zeros"):
        row(
            f"grid_sample {mode}",
            lambda m, g, mode=mode: m.nn.functional.grid_sample(
                m.arange(4.0, dtype=m.float64).view(1, 1, 2, 2), g, align_corners=True, padding_mode=mode
            ),
            [[[[-1.0, -1.0], [1.0, 1.0]], [[0.0, 0.0], [2.0, 2.0]]]],
        )


def rows_of_losses() -> None:
    for n in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "poisson_nll_loss"):
        row(
            n,
            lambda m, x, n=n: getattr(m.nn.functional, n)(
                x, m.tensor([0.0, 0.0, 1.0, -1.0, 2.0], dtype=m.float64), reduction="none"
            ),
            [0.0, 1.0, 0.0, 1.0, 1.0],
        )
    row("hinge", lambda m, x: m.nn.functional.hinge_embedding_loss(x, m.tensor([1, -1, -1])), [0.0, 1.0, 2.0])
    row(
        "margin_ranking_loss",
        lambda m, x, y: m.nn.functional.margin_ranking_loss(x, y, m.tensor([1, 1, -1]), margin=1.0),
        [0.0, 1.0, 2.0],
        [0.0, 0.0, 1.0],
    )
    row(
        "cosine_embedding_loss",
        lambda m, x, y: m.nn.functional.cosine_embedding_loss(x, y, m.tensor([1, -1])),
        [[0.0, 0.0], [1.0, 0.0]],
        [[0.0, 0.0], [0.0, 1.0]],
    )
    row("cosine_similarity", lambda m, *x: m.nn.functional.cosine_similarity(*x), *[[[0.0, 0.0], [1.0, 0.0]]] * 2)
    row("triplet", lambda m, *x: m.nn.functional.triplet_margin_loss(*x, margin=1e-9), *[[[1.0, 1.0]]] * 3)
    row(
        "triplet, swapped",
        lambda m, *x: m.nn.functional.triplet_margin_loss(*x, swap=True),
        [[1.0, 1.0]],
        [[1.0, 2.0]],
        [[2.0, 1.0]],
    )
    for p in (1, 2):
        row(
            f"multi_margin_loss {p}",
            lambda m, x, p=p: m.nn.functional.multi_margin_loss(x, m.tensor([0, 1]), p=p),
            [[1.0, 0.0], [0.0, 0.0]],
        )
    row(
        "multilabel_margin_loss",
        lambda m, x: m.nn.functional.multilabel_margin_loss(x, m.tensor([[0, 2, -1, 1]])),
        [[1.0, 0.0, 0.0, 1.0]],
    )
    row(
        "binary_cross_entropy_with_logits",
        lambda m, x: m.nn.functional.binary_cross_entropy_with_logits(x, m.tensor([0.0, 1.0, 1.0, 0.0])),
        [0.0, INF, -INF, 1000.0],
    )
    row("kl_div", lambda m, x, y: m.nn.functional.kl_div(x, y, reduction="sum"), [0.0, -1.0], [0.0, 1.0])


for _rows in (rows_of_reductions, rows_of_norms, rows_elementwise, rows_of_networks, rows_of_losses):
    _rows()


def gradients(m: Any, fn: Any, inputs: Any) -> list[Any]:
    tensors = [m.tensor(x, dtype=m.float64, requires_grad=True) for x in inputs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = m.autograd.grad(fn(m, *tensors).sum(), tensors, allow_unused=True)
    return [0.0 if g is None else g.detach().numpy() for g in found]


@pytest.mark.parametrize("name", ROWS)
def test_as_torch_has_it(name: str) -> None:
    fn, *inputs = ROWS[name]
    want, got = gradients(torch, fn, inputs), gradients(Ours(), fn, inputs)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)
