"""Samples of activations, away from their kinks."""

from typing import Any

from lamella.core.samples import S


def _one(name: str, *options: Any, lo: float = -2, hi: float = 2, **more: Any) -> S:
    calls = options or ((),)

    def make(mk: Any) -> Any:
        rows = []
        for o in calls:
            args, kwargs = (o, {}) if isinstance(o, tuple) else ((), o)
            rows += [((mk(3, 4, lo=lo, hi=hi), *args), dict(kwargs)), ((mk(lo=lo, hi=hi), *args), dict(kwargs))]
        return rows

    return S(f"nn.functional.{name}", make, **more)


SAMPLES = [
    _one("relu"),
    _one("relu6", lo=-9, hi=9),
    _one("hardtanh", (), (-0.3, 0.4)),
    _one("threshold", (0.1, 20.0)),
    _one("elu", (), (0.5,)),
    _one("selu"),
    _one("celu", (), (2.0,)),
    _one("leaky_relu", (), (0.3,)),
    _one("gelu"),
    _one("gelu", {"approximate": "tanh"}),
    _one("silu"),
    _one("mish"),
    _one("hardsigmoid", lo=-5, hi=5),
    _one("hardswish", lo=-5, hi=5),
    _one("softplus", (), (2.0, 3.0)),
    _one("logsigmoid"),
    _one("hardshrink"),
    _one("softshrink", (), (0.2,)),
    _one("tanhshrink"),
    _one("softsign"),
    _one("tanh"),
    _one("sigmoid"),
    _one("rrelu", (0.1, 0.4)),
    S("nn.functional.prelu", lambda mk: [((mk(2, 3, 2), mk(3)), {}), ((mk(4), mk(1)), {}), ((mk(), mk()), {})]),
    S("nn.functional.glu", lambda mk: [((mk(4, 6),), {}), ((mk(4, 6), 0), {})]),
    S("nn.functional.softmax", lambda mk: [((mk(3, 4), -1), {}), ((mk(3, 4), 0), {})]),
    S("nn.functional.softmin", lambda mk: [((mk(3, 4), -1), {})]),
    S("nn.functional.log_softmax", lambda mk: [((mk(3, 4), 1), {})]),
    S("nn.functional.normalize", lambda mk: [((mk(3, 4),), {}), ((mk(3, 4),), {"p": 3.0, "dim": 0})]),
]
