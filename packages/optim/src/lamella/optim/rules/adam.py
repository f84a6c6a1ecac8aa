"""Adam and its relatives: running means of the gradient and of its size."""

from __future__ import annotations

from typing import Any

from .rule import rule

_SHARED = "float lr, float beta1, float beta2, float weight_decay, float eps, bool maximize"


def decayed(xp: Any, p: Any, g: Any, decay: Any, shrink: Any, o: dict[str, Any]) -> Any:
    """Apply weight decay to ``p`` (decoupled) or to the gradient, which is returned."""
    if o["maximize"]:
        g = -g
    if o["weight_decay"]:
        if o["decoupled"]:
            p *= shrink
        else:
            g = g + p * decay
    return g


def follow(mean: Any, g: Any, share: Any) -> None:
    """Move a running mean towards ``g`` by ``share`` of the distance."""
    t = g - mean
    t *= share
    mean += t


def follow_square(mean: Any, g: Any, keep: Any, share: Any) -> None:
    """Move a running mean towards the square of ``g``."""
    t = g * g
    t *= share
    mean *= keep
    mean += t


@rule(
    "adam",
    states="exp_avgs exp_avg_sqs max_exp_avg_sqs",
    options=_SHARED + ", bool amsgrad, bool decoupled",
)
class adam:
    """Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015; decoupled decay: Loshchilov and Hutter, 2019;
    amsgrad: Reddi et al., "On the Convergence of Adam and Beyond", 2018."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        step = counts[0] + 1
        beta1, beta2, lr, decay = o["beta1"], o["beta2"], o["lr"], o["weight_decay"]
        size = lr / (1 - beta1**step)
        root = (1 - beta2**step) ** 0.5
        return (decay, 1 - lr * decay, 1 - beta1, beta2, 1 - beta2, root, o["eps"], size), (step,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        mean, square, peak = states
        decay, shrink, share1, keep2, share2, root, eps, size = k
        if o["maximize"] or o["weight_decay"]:
            g = decayed(xp, p, g, decay, shrink, o)
        follow(mean, g, share1)
        follow_square(square, g, keep2, share2)
        if o["amsgrad"]:
            xp.raise_to(peak, square)
            square = peak
        t = xp.sqrt(square)
        t /= root
        t += eps
        t = mean / t
        t *= size
        p -= t


@rule("adamax", states="exp_avgs exp_infs", options=_SHARED)
class adamax:
    """Adam with the infinity norm; Kingma and Ba, 2015, section 7."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        step = counts[0] + 1
        size = o["lr"] / (1 - o["beta1"] ** step)
        return (o["weight_decay"], 1 - o["beta1"], o["beta2"], o["eps"], size), (step,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        mean, norm = states
        decay, share, keep, eps, size = k
        if o["maximize"]:
            g = -g
        if o["weight_decay"]:
            g = g + p * decay
        follow(mean, g, share)
        t = xp.abs(g)
        t += eps
        norm *= keep
        xp.raise_to(norm, t)
        t = mean / norm
        t *= size
        p -= t


@rule(
    "nadam",
    states="exp_avgs exp_avg_sqs",
    counts="state_steps mu_products",
    options=_SHARED + ", float momentum_decay, bool decoupled",
)
class nadam:
    """Dozat, "Incorporating Nesterov Momentum into Adam", 2016."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        step = counts[0] + 1
        lr, decay, beta1, beta2 = o["lr"], o["weight_decay"], o["beta1"], o["beta2"]
        mu = beta1 * (1 - 0.5 * 0.96 ** (step * o["momentum_decay"]))
        mu_next = beta1 * (1 - 0.5 * 0.96 ** ((step + 1) * o["momentum_decay"]))
        product = counts[1] * mu
        now = lr * (1 - mu) / (1 - product)
        ahead = lr * mu_next / (1 - product * mu_next)
        k = (decay, 1 - lr * decay, 1 - beta1, beta2, 1 - beta2, 1 - beta2**step, o["eps"], now, ahead)
        return k, (step, product)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        mean, square = states
        decay, shrink, share1, keep2, share2, whole, eps, now, ahead = k
        if o["maximize"] or o["weight_decay"]:
            g = decayed(xp, p, g, decay, shrink, o)
        follow(mean, g, share1)
        follow_square(square, g, keep2, share2)
        norm = xp.sqrt(square / whole)
        norm += eps
        t = g / norm
        t *= now
        p -= t
        t = mean / norm
        t *= ahead
        p -= t


@rule("radam", states="exp_avgs exp_avg_sqs", options=_SHARED + ", bool decoupled")
class radam:
    """Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond", 2020."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        step = counts[0] + 1
        lr, decay, beta1, beta2 = o["lr"], o["weight_decay"], o["beta1"], o["beta2"]
        whole = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / whole
        # Up to a length of 5 the variance is unknown, and the step is that of plain momentum.
        known = length > 5.0
        safe = xp.select(known, length, 6.0)
        rectified = ((safe - 4) * (safe - 2) * longest / ((longest - 4) * (longest - 2) * safe)) ** 0.5
        adaptive = xp.select(known, rectified * whole**0.5, 0.0)
        plain = xp.select(known, 0.0, 1.0)
        size = lr / (1 - beta1**step)
        return (decay, 1 - lr * decay, 1 - beta1, beta2, 1 - beta2, o["eps"], adaptive, plain, size), (step,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        mean, square = states
        decay, shrink, share1, keep2, share2, eps, adaptive, plain, size = k
        if o["maximize"] or o["weight_decay"]:
            g = decayed(xp, p, g, decay, shrink, o)
        follow(mean, g, share1)
        follow_square(square, g, keep2, share2)
        t = xp.sqrt(square)
        t += eps
        t = adaptive / t
        t += plain
        t *= mean
        t *= size
        p -= t
