"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from .rule import rule


@rule(
    "asgd",
    states="axs",
    counts="state_steps etas mus",
    options="float lr, float lambd, float alpha, float t0, float weight_decay, bool maximize",
)
class asgd:
    """Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        step, eta, mu = counts[0] + 1, counts[1], counts[2]
        later_eta = o["lr"] / (1 + o["lambd"] * o["lr"] * step) ** o["alpha"]
        later_mu = 1 / xp.biggest(1.0, step - o["t0"])
        return (o["weight_decay"], 1 - o["lambd"] * eta, eta, mu), (step, later_eta, later_mu)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        mean = states[0]
        decay, shrink, eta, mu = k
        if o["maximize"]:
            g = -g
        if o["weight_decay"]:
            g = g + p * decay
        p *= shrink
        p -= g * eta
        t = p - mean
        t *= mu
        mean += t
