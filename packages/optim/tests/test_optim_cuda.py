"""Optimizers on a GPU, on the stand-in for CuPy: their kernels' text is built by g++ and gives the CPU's numbers."""

import shutil

import numpy as np
import pytest

from lamella import optim
from lamella.core import bfloat16, float16, float32, float64, tensor
from lamella.optim.rules import all_rules
from lamella.optim.rules.engine import ArrayMath

pytestmark = [
    pytest.mark.usefixtures("cupy_on_numpy"),
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]
TOLERANCES = {float64: 1e-12, float32: 1e-5, bfloat16: 5e-2, float16: 1e-2}
CASES = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01, "dampening": 0}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "maximize": True}),
    ("Adam", {"amsgrad": True, "weight_decay": 0.1}),
    ("Adam", {"lr": 0.01, "capturable": True}),
    ("Adam", {"lr": tensor(0.01), "fused": True}),
    ("AdamW", {}),
    ("Adagrad", {"lr_decay": 0.1}),
    ("Adadelta", {}),
    ("RMSprop", {"momentum": 0.9, "centered": True}),
    ("NAdam", {}),
    ("RAdam", {}),
    ("Adamax", {}),
    ("ASGD", {}),
    ("Rprop", {}),
    ("Rprop", {"step_sizes": (1e-6, float("inf"))}),
]


def trained(name, options, dtype, devices, shapes=((4, 3), (5,), ()), layout=lambda t: t):
    """Parameters after five steps, the third of them from a state that was saved and loaded."""
    params = []
    for i, device in enumerate(devices):
        start = np.random.default_rng(i).standard_normal(shapes[i % len(shapes)])
        params.append(layout(tensor(start).to(dtype).to(device)).detach().requires_grad_())
    optimizer = getattr(optim, name)(params, **options)
    for step in range(5):
        if step == 2:
            kept = optimizer.state_dict()
            optimizer = getattr(optim, name)(params, **options)
            optimizer.load_state_dict(kept)
        optimizer.zero_grad()
        for p in params:
            (p * p * 1.5 + p).sum().backward()
        optimizer.step()
    assert [p.device.type for p in params] == [d.partition(":")[0] for d in devices]
    return [p.detach().cpu().double().numpy() for p in params]


@pytest.mark.parametrize("name, options", CASES, ids=[f"{i}-{n}" for i, (n, _) in enumerate(CASES)])
def test_steps(name, options):
    for dtype, tolerance in TOLERANCES.items():
        want = trained(name, options, dtype, ["cpu"] * 4)
        for devices in (["cuda"] * 4, ["cuda:1", "cuda:0", "cuda:1", "cuda:1"]):
            for a, b in zip(want, trained(name, options, dtype, devices), strict=True):
                np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance)


def test_large_and_strided_and_empty_parameters():
    shapes = ((40000, 2), (0, 3), (7, 5))
    for layout in (lambda t: t, lambda t: t.t() if t.ndim == 2 else t):
        options = {"lr": 0.01}
        want = trained("AdamW", options, float32, ["cpu"] * 3, shapes, layout)
        got = trained("AdamW", options, float32, ["cuda"] * 3, shapes, layout)
        for a, b in zip(want, got, strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-6)


def test_complex_parameters():
    results = []
    for device in ("cpu", "cuda:1"):
        rng = np.random.default_rng(0)
        w = tensor(rng.standard_normal(4) + 1j * rng.standard_normal(4)).to(device).requires_grad_()
        optimizer = optim.Adam([w], lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            (w * w.conj()).real.sum().backward()
            optimizer.step()
        results.append(w.detach().cpu().numpy())
    np.testing.assert_allclose(*results, rtol=1e-12)


def test_optimizers_without_a_rule():
    for name, options in (("LBFGS", {"lr": 0.01}), ("Adafactor", {}), ("Muon", {})):
        if not hasattr(optim, name):
            continue
        results = []
        for device in ("cpu", "cuda"):
            w = tensor(np.random.default_rng(0).standard_normal((4, 3))).to(device).requires_grad_()
            optimizer = getattr(optim, name)([w], **options)

            def closure(w=w, optimizer=optimizer):
                optimizer.zero_grad()
                loss = (w * w + w).sum()
                loss.backward()
                return loss

            for _ in range(3):
                optimizer.step(closure)
            results.append(w.detach().cpu().numpy())
        np.testing.assert_allclose(*results, rtol=1e-9)


def test_one_launch_for_all_parameters(monkeypatch):
    import cupy

    launches = []
    run = cupy.RawKernel.__call__

    def noted(self, *args, **kwargs):
        launches.append(self.name)
        run(self, *args, **kwargs)

    monkeypatch.setattr(cupy.RawKernel, "__call__", noted)
    trained("Adam", {}, float32, ["cuda"] * 6)
    assert launches == ["lamella_adam_float32"] * 5


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_nvrtc_takes_the_kernels(arch):
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc")
    from lamella.optim.cuda.kernels import TYPES, text

    for rule in all_rules().values():
        o = {name: kind == "bool" or 0.5 for kind, name in rule.options} | {"is_first_step": False}
        k, _ = rule.scalars(ArrayMath, (1.0,) * len(rule.counts), o)
        for dtype in TYPES:
            name, code = text(rule, (True,) * (2 + len(rule.states)), len(k), dtype, o)
            _, program = nvrtc.nvrtcCreateProgram(code.encode(), name.encode(), 0, [], [])
            (error,) = nvrtc.nvrtcCompileProgram(program, 2, [f"--gpu-architecture={arch}".encode(), b"--std=c++17"])
            assert int(error) == 0, code


def test_statements_are_the_rules_arithmetic():
    from lamella.optim.cuda.trace import statements

    rule = all_rules()["adam"]
    o = {"maximize": False, "weight_decay": 0.0, "decoupled": False, "amsgrad": False, "lr": 0.1, "beta1": 0.9,
         "beta2": 0.99, "eps": 1e-8}  # fmt: skip
    k, _ = rule.scalars(ArrayMath, (0.0,), o)
    lines, written = statements(rule, (True, True, True, True, False), len(k), o)
    assert written == [0, 2, 3] and lines[0] == "T v0 = x1 - x2;" and lines[-1].startswith("x0 -= v")
