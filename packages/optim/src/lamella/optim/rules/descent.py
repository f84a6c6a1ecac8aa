"""Gradient descent with and without momentum."""

from __future__ import annotations

from typing import Any

from .rule import rule


@rule(
    "sgd",
    states="momentum_buffers",
    counts="",
    options="float lr, float momentum, float dampening, float weight_decay, bool nesterov, bool maximize, "
    "bool is_first_step",
)
class sgd:
    """Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        return (o["lr"], o["momentum"], 1 - o["dampening"], o["weight_decay"]), ()

    @staticmethod
    def light(o: dict[str, Any]) -> bool:
        return not o["momentum"]

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        lr, momentum, share, decay = k
        if o["maximize"]:
            g = -g
        if o["weight_decay"]:
            g = g + p * decay
        buffer = states[0]
        if buffer is not None:
            if o["is_first_step"]:
                xp.assign(buffer, g)
            else:
                buffer *= momentum
                buffer += g * share if o["dampening"] else g
            g = g + buffer * momentum if o["nesterov"] else buffer
        p -= g * lr
