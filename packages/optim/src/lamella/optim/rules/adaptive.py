"""Steps divided by the size that gradients have had: Adagrad, Adadelta, RMSprop."""

from __future__ import annotations

from typing import Any

from .adam import follow, follow_square
from .rule import rule


@rule(
    "rmsprop",
    states="square_avgs grad_avgs momentum_buffers",
    options="float lr, float alpha, float eps, float weight_decay, float momentum, bool centered, bool maximize",
)
class rmsprop:
    """Hinton, "Neural Networks for Machine Learning", lecture 6, 2012; centred: Graves, 2013."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        alpha = o["alpha"]
        return (o["weight_decay"], alpha, 1 - alpha, o["eps"], o["momentum"], o["lr"]), (counts[0] + 1,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        square, mean, buffer = states
        decay, keep, share, eps, momentum, lr = k
        if o["maximize"]:
            g = -g
        if o["weight_decay"]:
            g = g + p * decay
        follow_square(square, g, keep, share)
        if o["centered"]:
            follow(mean, g, share)
            t = xp.sqrt(square - mean * mean)
        else:
            t = xp.sqrt(square)
        t += eps
        t = g / t
        if o["momentum"]:
            buffer *= momentum
            buffer += t
            t = buffer * lr
        else:
            t *= lr
        p -= t


@rule(
    "adagrad",
    states="state_sums",
    options="float lr, float lr_decay, float weight_decay, float eps, bool maximize",
)
class adagrad:
    """Duchi, Hazan and Singer, "Adaptive Subgradient Methods", 2011."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        return (o["weight_decay"], o["eps"], o["lr"] / (1 + counts[0] * o["lr_decay"])), (counts[0] + 1,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        total = states[0]
        decay, eps, lr = k
        if o["maximize"]:
            g = -g
        if o["weight_decay"]:
            g = g + p * decay
        total += g * g
        t = xp.sqrt(total)
        t += eps
        t = g / t
        t *= lr
        p -= t


@rule(
    "adadelta",
    states="square_avgs acc_deltas",
    options="float lr, float rho, float eps, float weight_decay, bool maximize",
)
class adadelta:
    """Zeiler, "ADADELTA: An Adaptive Learning Rate Method", 2012."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        return (o["weight_decay"], o["rho"], 1 - o["rho"], o["eps"], o["lr"]), (counts[0] + 1,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        square, moved = states
        decay, keep, share, eps, lr = k
        if o["maximize"]:
            g = -g
        if o["weight_decay"]:
            g = g + p * decay
        follow_square(square, g, keep, share)
        t = xp.sqrt(moved + eps)
        t /= xp.sqrt(square + eps)
        t *= g
        follow_square(moved, t, keep, share)
        t *= lr
        p -= t
