"""Samples of normalisation."""

from typing import Any

from lamella.core.samples import S


def _features(name: str, bias: bool) -> S:
    def make(mk: Any) -> Any:
        p = (mk(4), mk(4)) if bias else (mk(4),)
        return [
            ((mk(3, 4), (4,), *p), {}),
            ((mk(2, 3, 4), (3, 4)), {}),
            ((mk(2, 3, 4), (4,)), {"eps": 0.1}),
            ((mk(2, 3, 4), [3, 4], mk(3, 4)), {}),
        ]

    return S(f"nn.functional.{name}", make)


def _batch(mk: Any) -> Any:
    def running() -> tuple[Any, Any]:
        return mk(3, grad=False), mk(3, lo=0.5, hi=2, grad=False)

    return [
        ((mk(4, 3), None, None, mk(3), mk(3)), {"training": True}),
        ((mk(2, 3, 4), *running()), {"training": True, "momentum": 0.5}),
        ((mk(2, 3, 2, 2), None, None, None, mk(3)), {"training": True, "eps": 0.1}),
        ((mk(2, 3, 2, 2), *running(), mk(3), mk(3)), {}),
        ((mk(4, 3), *running()), {}),
    ]


def _instance(mk: Any) -> Any:
    def running() -> tuple[Any, Any]:
        return mk(3, grad=False), mk(3, lo=0.5, hi=2, grad=False)

    return [
        ((mk(2, 3, 4),), {}),
        ((mk(2, 3, 2, 2), *running(), mk(3), mk(3)), {}),
        ((mk(2, 3, 4), *running()), {"use_input_stats": False}),
    ]


SAMPLES = [
    _features("layer_norm", True),
    _features("rms_norm", False),
    S("nn.functional.batch_norm", _batch),
    S("nn.functional.instance_norm", _instance),
    S(
        "nn.functional.group_norm",
        lambda mk: [
            ((mk(2, 4, 3), 2, mk(4), mk(4)), {}),
            ((mk(3, 4), 2), {}),
            ((mk(2, 4, 2, 2), 4, None, mk(4)), {"eps": 0.1}),
            ((mk(2, 4, 2, 2), 1, mk(4)), {}),
        ],
    ),
    S(
        "nn.functional.local_response_norm",
        lambda mk: [((mk(2, 4, 3), 3), {"alpha": 0.5}), ((mk(1, 5, 2, 2), 2), {"beta": 0.5, "k": 2.0})],
    ),
]
