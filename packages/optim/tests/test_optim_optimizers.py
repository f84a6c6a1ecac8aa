"""What the optimizers compute: torch's numbers, the same for every implementation, layout and size."""

import json
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import optim_golden as golden
import pytest

import lamella.autograd  # noqa: F401
from lamella import core, optim
from lamella.dispatch import modes
from lamella.dispatch.keys import DispatchKey
from lamella.optim.operators import OPERATORS, _array_kernel
from lamella.optim.rules import engine
from lamella.optim.rules.engine import update_device_arrays

_HERE = Path(__file__).parent
GOLDEN = json.loads((_HERE / "optim_golden.json").read_text())["optimizers"]
LAMELLA = SimpleNamespace(optim=optim, zeros=core.zeros, tensor=core.tensor)
CASES = [pytest.param(case, id=f"{case['name']}-{i}") for i, case in enumerate(GOLDEN)]
ADAM = {"lr": 0.05, "weight_decay": 0.1, "amsgrad": True}


def array(t):
    return np.array(t.detach().numpy())


def walk(case, shapes, steps=4, dtype=np.float64, change=None, order="C"):
    """Train parameters of these shapes on random gradients; the parameters' arrays at the end."""
    rng = np.random.default_rng(5)
    params = []
    for shape in shapes:
        value = rng.standard_normal(shape)
        if np.dtype(dtype).kind == "c":
            value = value + 1j * rng.standard_normal(shape)
        params.append(core.from_numpy(np.asarray(value, dtype, order=order)).requires_grad_())
    optimizer = getattr(optim, case["name"])(params, **golden.options(case["kwargs"]))
    if change is not None:
        change(optimizer)
    for _ in range(steps):
        for p in params:
            g = rng.standard_normal(tuple(p.shape))
            if np.dtype(dtype).kind == "c":
                g = g + 1j * rng.standard_normal(tuple(p.shape))
            p.grad = core.from_numpy(np.asarray(g, dtype))
        optimizer.step()
    return [array(p) for p in params], optimizer


def plain(optimizer):
    """Run the body over plain operators in place of the kernel, as another backend does."""
    body = optimizer._operator.number.kernel(DispatchKey.CompositeExplicitAutograd).fn
    optimizer._launch = lambda ks, lists, group, options: body(*lists, **options)


@pytest.mark.parametrize("case", CASES)
def test_numbers_are_torchs(case):
    params, optimizer = golden.train(LAMELLA, case["name"], case["kwargs"], core.float64)
    for p, expected in zip(params, case["params"]):
        np.testing.assert_allclose(array(p), expected, rtol=1e-6, atol=1e-9)
    state = optimizer.state_dict()["state"].get(0, {})
    assert set(state) == set(case["state"])
    for key, expected in case["state"].items():
        np.testing.assert_allclose(array(state[key]), expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_float32_follows(case):
    params, _ = golden.train(LAMELLA, case["name"], case["kwargs"], core.float32)
    assert params[0].dtype is core.float32
    for p, expected in zip(params, case["params"]):
        np.testing.assert_allclose(array(p), expected, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("case", CASES)
def test_plain_operators_give_the_same_numbers(case):
    shapes = [(3, 2), (), (4,)]
    kernel, a = walk(case, shapes)
    body, b = walk(case, shapes, change=plain)
    for x, y in zip(kernel, body):
        np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-14)
    for own, other in zip(a.state_dict()["state"].values(), b.state_dict()["state"].values()):
        for key in own:
            np.testing.assert_allclose(array(own[key]), array(other[key]), rtol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_device_kernels_give_the_same_numbers(case):
    def on_device(optimizer):
        kernel = _array_kernel(optimizer._operator.rule, update_device_arrays)
        optimizer._launch = lambda ks, lists, group, options: kernel(*lists, **options)

    for dtype in (np.float64, np.complex128):
        expected, _ = walk(case, [(3, 2), (4,)], dtype=dtype)
        found, _ = walk(case, [(3, 2), (4,)], dtype=dtype, change=on_device)
        for x, y in zip(expected, found):
            np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_complex_parameters_are_pairs(case):
    rng = np.random.default_rng(7)
    value = rng.standard_normal((3, 2)) + 1j * rng.standard_normal((3, 2))
    gradients = [rng.standard_normal((3, 2)) + 1j * rng.standard_normal((3, 2)) for _ in range(4)]

    def run(start, grads, as_real):
        p = core.from_numpy(as_real(start).copy()).requires_grad_()
        optimizer = getattr(optim, case["name"])([p], **golden.options(case["kwargs"]))
        for g in grads:
            p.grad = core.from_numpy(as_real(g).copy())
            optimizer.step()
        return array(p)

    pairs = run(value, gradients, lambda a: np.stack([a.real, a.imag], -1))
    whole = run(value, gradients, lambda a: a)
    np.testing.assert_allclose(whole, pairs[..., 0] + 1j * pairs[..., 1], rtol=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shapes", [[(700, 11)], [(3,), (700, 11), (1,), (2, 2)], [(), (0,), (5, 0)], [(1,)] * 9])
def test_blocks_and_packs_change_nothing(monkeypatch, shapes, order):
    case = {"name": "AdamW", "kwargs": ADAM}
    together, _ = walk(case, shapes, order=order)
    monkeypatch.setattr(engine, "SMALL", -1)
    apart, _ = walk(case, shapes, order=order)
    monkeypatch.setattr(engine, "BLOCK", 1 << 6)
    blocks, _ = walk(case, shapes, order=order)
    for a, b, c in zip(together, apart, blocks):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)


def test_parameters_at_different_steps_and_of_different_types():
    a, b = core.ones(3).requires_grad_(), core.ones(2, dtype=core.float64).requires_grad_()
    c = core.ones(3).requires_grad_()
    optimizer = optim.Adam([a, b, c], lr=0.1)
    for step in range(3):
        for p in (a, b, c):
            p.grad = core.ones_like(p).detach() if p is not c or step == 2 else None
        optimizer.step()
    assert [optimizer.state[p]["step"].item() for p in (a, b, c)] == [3.0, 3.0, 1.0]
    np.testing.assert_allclose(array(a), 0.7, rtol=1e-6)
    np.testing.assert_allclose(array(c), 0.9, rtol=1e-6)
    assert b.dtype is core.float64


def test_low_precision_parameters_keep_an_exact_count():
    p = core.ones(4, dtype=core.bfloat16).requires_grad_()
    optimizer = optim.AdamW([p], lr=1e-3)
    for _ in range(300):
        p.grad = core.ones(4, dtype=core.bfloat16)
        optimizer.step()
    own = optimizer.state[p]
    assert own["step"].item() == 300 and own["step"].dtype is core.float32
    assert own["exp_avg"].dtype is core.bfloat16 and p.dtype is core.bfloat16


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam"])
def test_tensor_rates(name):
    def run(lr):
        p = core.ones(3).requires_grad_()
        optimizer = getattr(optim, name)([p], lr=lr)
        for _ in range(3):
            p.grad = core.full((3,), 0.5)
            optimizer.step()
        return array(p)

    np.testing.assert_array_equal(run(core.tensor(0.25)), run(0.25))


@pytest.mark.parametrize("flags", [{"foreach": True}, {"foreach": False}, {"fused": True}, {"capturable": True}])
def test_implementations_are_one(flags):
    case = {"name": "AdamW", "kwargs": {"lr": 0.1}}
    expected, _ = walk(case, [(3, 2), (4,)])
    found, _ = walk({"name": "AdamW", "kwargs": {"lr": 0.1, **flags}}, [(3, 2), (4,)])
    for a, b in zip(expected, found):
        np.testing.assert_array_equal(a, b)


class Seen(modes.TorchDispatchMode):
    def __init__(self):
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.name)
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("case", CASES)
def test_a_step_is_one_operator_call(case):
    params, optimizer = golden.train(LAMELLA, case["name"], case["kwargs"], core.float64)
    for p in params:
        p.grad = core.ones_like(p).detach()
    before = [array(p) for p in params]
    with Seen() as seen:
        optimizer.step()
    assert seen.names == [f"lamella_optim::{optimizer._operator.rule.name}_"]
    assert not any(np.array_equal(array(p), old) for p, old in zip(params, before))


def test_meta_parameters_step():
    p = core.ones(3, device="meta").requires_grad_()
    p.grad = core.ones(3, device="meta")
    optimizer = optim.AdamW([p])
    optimizer.step()
    assert optimizer.state[p]["exp_avg"].device.type == "meta"


def test_schemas_tell_what_is_written():
    schema = str(OPERATORS["adam"].number.schema)
    assert "Tensor(a!)[] params" in schema and "Tensor[] grads" in schema and schema.endswith("-> ()")
    assert len(OPERATORS) == 10


def test_a_step_moves_versions():
    w = core.ones(2).requires_grad_()
    optimizer = optim.SGD([w], lr=0.1)
    loss = (w * w).sum()
    w.grad = core.ones(2)
    version = w._version
    optimizer.step()
    assert w._version == version + 1 and w.requires_grad and w.is_leaf
    with pytest.raises(RuntimeError, match="sgd_"):
        loss.backward()


def test_differentiable_steps_are_recorded():
    rate = core.tensor(0.1, dtype=core.float64).requires_grad_()
    w = core.tensor([1.0, 2.0], dtype=core.float64).requires_grad_()
    p = w.clone()
    optimizer = optim.SGD([p], lr=rate, momentum=0.9, differentiable=True)
    p.grad = core.tensor([3.0, 4.0], dtype=core.float64)
    optimizer.step()
    p.sum().backward()
    assert rate.grad.item() == pytest.approx(-7.0)
    np.testing.assert_allclose(array(w.grad), [1.0, 1.0])


@pytest.mark.parametrize("name", sorted({case["name"] for case in GOLDEN} - {"SGD", "AdamW"}))
def test_differentiable_steps_give_the_same_numbers(name):
    def run(differentiable):
        p = core.tensor([1.0, -2.0], dtype=core.float64).requires_grad_().clone()
        optimizer = getattr(optim, name)([p], lr=0.1, differentiable=differentiable) if differentiable else None
        if optimizer is None:
            p = p.detach().requires_grad_()
            optimizer = getattr(optim, name)([p], lr=0.1)
        p.grad = core.tensor([3.0, 4.0], dtype=core.float64)
        optimizer.step()
        return array(p)

    np.testing.assert_allclose(run(True), run(False), rtol=1e-12)


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_finds_the_minimum(search):
    w = core.tensor([-1.5, 2.0], dtype=core.float64).requires_grad_()
    optimizer = optim.LBFGS([w], lr=1.0 if search else 0.1, max_iter=60 if search else 400, line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        a, b = w[0], w[1]
        loss = (1 - a) ** 2 + 10 * (b - a * a) ** 2
        loss.backward()
        return loss

    first = optimizer.step(closure)
    assert first.item() == pytest.approx(2.5**2 + 10 * 0.25**2)
    np.testing.assert_allclose(array(w), [1.0, 1.0], atol=1e-3)
    state = optimizer.state_dict()["state"][0]
    assert state["func_evals"] >= state["n_iter"] > 3 and len(state["al"]) == 100


def test_lbfgs_errors():
    p, q = core.zeros(1).requires_grad_(), core.zeros(1).requires_grad_()
    with pytest.raises(ValueError, match="per-parameter options"):
        optim.LBFGS([{"params": [p]}, {"params": [q]}])
    optimizer = optim.LBFGS([p], line_search_fn="golden")
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optimizer.step(lambda: _loss(p))


def _loss(p):
    loss = ((p - 1) ** 2).sum()
    loss.backward()
    return loss


@pytest.mark.torch
@pytest.mark.parametrize("case", CASES)
def test_fuzz_over_shapes_against_torch(case):
    torch = pytest.importorskip("torch")
    shapes = [(5, 3), (), (1,), (0,), (2, 0, 3), (3000,), (1, 1, 7)]
    rng = np.random.default_rng(11)
    values = [rng.standard_normal(shape) for shape in shapes]
    ours = [core.from_numpy(v.copy()).requires_grad_() for v in map(np.asarray, values)]
    theirs = [torch.from_numpy(np.asarray(v).copy()).requires_grad_() for v in values]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a = getattr(optim, case["name"])(ours, **golden.options(case["kwargs"]))
        b = getattr(torch.optim, case["name"])(theirs, **golden.options(case["kwargs"]))
        for step in range(6):
            for i, shape in enumerate(shapes):
                g = np.asarray(rng.standard_normal(shape))
                ours[i].grad = core.from_numpy(g.copy()) if (step + i) % 4 else None
                theirs[i].grad = torch.from_numpy(g.copy()) if (step + i) % 4 else None
            a.step()
            b.step()
    for x, y in zip(ours, theirs):
        np.testing.assert_allclose(array(x), y.detach().numpy(), rtol=1e-6, atol=1e-8)


def test_muon_steps_are_nearly_orthogonal():
    p = core.zeros(6, 4).requires_grad_()
    p.grad = core.from_numpy(np.random.default_rng(2).standard_normal((6, 4)).astype(np.float32))
    optim.Muon([p], lr=1.0, weight_decay=0.0).step()
    sizes = np.linalg.svd(array(p), compute_uv=False) / np.sqrt(6 / 4)
    assert sizes.min() > 0.5 and sizes.max() < 1.5
    with pytest.raises(ValueError, match="only supports 2D parameters"):
        optim.Muon([core.zeros(3).requires_grad_()])


def test_adafactor_keeps_rows_and_columns():
    a, b = core.ones(6, 4).requires_grad_(), core.ones(5).requires_grad_()
    optimizer = optim.Adafactor([a, b], lr=0.1)
    for p in (a, b):
        p.grad = core.ones_like(p).detach()
    optimizer.step()
    assert tuple(optimizer.state[a]["row_var"].shape) == (6, 1) and tuple(optimizer.state[a]["col_var"].shape) == (1, 4)
    assert list(optimizer.state[b]) == ["step", "variance"]
    np.testing.assert_allclose(array(a), 0.9, rtol=1e-5)


@pytest.mark.torch
@pytest.mark.parametrize("name", ["Muon", "Adafactor"])
def test_matrix_optimizers_against_torch(name):
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(11)
    value = rng.standard_normal((6, 4))
    ours, theirs = core.from_numpy(value.copy()).requires_grad_(), torch.from_numpy(value.copy()).requires_grad_()
    options = {"lr": 0.1, "weight_decay": 0.1}
    a, b = getattr(optim, name)([ours], **options), getattr(torch.optim, name)([theirs], **options)
    for _ in range(5):
        g = rng.standard_normal((6, 4))
        ours.grad, theirs.grad = core.from_numpy(g.copy()), torch.from_numpy(g.copy())
        a.step()
        b.step()
    np.testing.assert_allclose(array(ours), theirs.detach().numpy(), rtol=2e-2, atol=2e-3)
