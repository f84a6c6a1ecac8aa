"""Initialisers give torch's numbers: the first four and the sum, after manual_seed(3), as torch 2.13 printed them."""

from __future__ import annotations

import pytest

from lamella import core, nn

CASES = [
    ("uniform_", (3, 2), {}, [0.004264, 0.105569, 0.285842, 0.026955], 0.95436),
    ("uniform_", (3, 2), {"a": -2.0, "b": 5.0}, [-1.970155, -1.261014, 0.000897, -1.811316], -5.31947),
    ("normal_", (5, 4), {"mean": 1.0, "std": 2.0}, [0.846711, 1.719763, -0.564034, 1.143055], 37.79612),
    ("trunc_normal_", (5, 4), {}, [-0.076644, 0.359882, -0.782017, 0.071528], 6.34022),
    ("trunc_normal_", (5, 4), {"std": 0.02}, [-0.001533, 0.007198, -0.01564, 0.001431], 0.17796),
    ("trunc_normal_", (5, 4), {"mean": 1.0, "a": 1.0, "b": 1.5}, [1.002132, 1.052785, 1.142921, 1.013477], 24.55729),
    ("trunc_normal_", (4, 5), {"a": 2.0, "b": 4.0, "mean": 1.5}, [2.224746, 2.579545, 3.230247, 3.155137], 53.64977),
    ("xavier_uniform_", (3, 4), {"gain": 1.5}, [-1.376888, -1.095515, -0.594814, -1.313864], -2.2144),
    ("xavier_normal_", (3, 4, 2), {}, [-0.028969, 0.136022, -0.295575, 0.027035], 1.29119),
    ("kaiming_uniform_", (3, 4), {"a": 0.5}, [-1.086104, -0.864154, -0.469196, -1.03639], -1.74674),
    ("kaiming_normal_", (3, 4, 2, 2), {"mode": "fan_out", "nonlinearity": "relu"},
     [-0.03129, 0.146921, -0.319257, 0.029201], 3.87838),
    ("orthogonal_", (3, 5), {"gain": 2.0}, [1.558571, 0.339224, 0.172641, -1.190777], 2.30094),
    ("orthogonal_", (5, 2, 1), {}, [0.477587, 0.238656, 0.052902, -0.295148], -0.03224),
    ("sparse_", (4, 3), {"sparsity": 0.3}, [0.0, 0.0, 0.0, -0.006137], 0.00162),
    ("eye_", (2, 3), {}, [1.0, 0.0, 0.0, 0.0], 2.0),
    ("dirac_", (4, 2, 3), {"groups": 2}, [0.0, 1.0, 0.0, 0.0], 4.0),
    ("constant_", (2, 2), {"val": 3.0}, [3.0, 3.0, 3.0, 3.0], 12.0),
    ("ones_", (2,), {}, [1.0, 1.0], 2.0),
    ("zeros_", (2,), {}, [0.0, 0.0], 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "shape", "kwargs", "first", "total"), CASES)
def test_numbers_are_torchs(name, shape, kwargs, first, total):
    core.manual_seed(3)
    t = nn.Parameter(core.empty(shape))
    assert getattr(nn.init, name)(t, **kwargs) is t
    flat = t.detach().flatten().tolist()
    assert flat[:4] == pytest.approx(first, rel=1e-4, abs=2e-6)
    assert sum(flat) == pytest.approx(total, rel=1e-4, abs=2e-5)
    assert t.is_leaf and t.requires_grad


@pytest.mark.parametrize("name", ["uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "kaiming_normal_"])
def test_generator(name):
    a, b = (getattr(nn.init, name)(core.empty(3, 3), generator=core.Generator().manual_seed(5)) for _ in range(2))
    assert a.tolist() == b.tolist()


def test_gain():
    gain = nn.init.calculate_gain
    assert gain("linear") == gain("sigmoid") == gain("conv_transpose3d") == 1
    assert gain("tanh") == 5 / 3
    assert gain("leaky_relu", 0.2) == pytest.approx(1.3867504)
    with pytest.raises(ValueError, match="not a valid number"):
        gain("leaky_relu", True)
    with pytest.raises(ValueError, match="Unsupported nonlinearity swish"):
        gain("swish")


def test_bad_arguments():
    init = nn.init
    for call, words in (
        (lambda: init.xavier_uniform_(core.zeros(3)), "fewer than 2 dimensions"),
        (lambda: init.kaiming_uniform_(core.zeros(3, 3), mode="fan"), "Mode fan not supported"),
        (lambda: init.eye_(core.zeros(3)), "2 dimensions"),
        (lambda: init.dirac_(core.zeros(3, 3)), "3, 4, or 5"),
        (lambda: init.dirac_(core.zeros(3, 3, 3), 2), "divisible by groups"),
        (lambda: init.orthogonal_(core.zeros(3)), "2 or more"),
        (lambda: init.sparse_(core.zeros(3), 0.1), "2 dimensions"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_warnings():
    with pytest.warns(UserWarning, match="zero-element"):
        nn.init.kaiming_uniform_(core.zeros(0, 3))
    with pytest.warns(UserWarning, match="2 std"):
        nn.init.trunc_normal_(core.zeros(3), mean=10.0, a=6.0, b=7.0)
    with pytest.warns(FutureWarning, match="nn.init.uniform is now deprecated in favor of nn.init.uniform_"):
        nn.init.uniform(core.zeros(3))


def test_meta_tensors_stay():
    for name in ("trunc_normal_", "orthogonal_", "normal_", "kaiming_uniform_", "eye_"):
        t = core.empty(3, 3, device="meta")
        assert getattr(nn.init, name)(t) is t
