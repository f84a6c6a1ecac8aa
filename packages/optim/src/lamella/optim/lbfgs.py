"""L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd.grad_mode import enable_grad, no_grad
from lamella.core.tensor import Tensor

from .grouped import check_options, number
from .line_search import Trial, strong_wolfe
from .optimizer import Optimizer, ParamsT


class LBFGS(Optimizer):
    """L-BFGS: quasi-Newton steps from the last gradients and moves. For full batches; a step makes many evaluations.

    Source: Liu and Nocedal, "On the limited memory BFGS method for large scale optimization", 1989.

    Args:
        params: tensors, one dict, or pairs of name and tensor; one parameter group only.
        lr: the step length, or the first one that the line search tries.
        max_iter: moves in one ``step``.
        max_eval: evaluations of the closure in one ``step``; 5/4 of ``max_iter`` where None.
        tolerance_grad: stop where no element of the gradient is larger.
        tolerance_change: stop where parameters or loss change by less.
        history_size: gradients that are kept.
        line_search_fn: "strong_wolfe", or None for a fixed step length.

    Raises:
        ValueError: a negative ``lr``, or several parameter groups.
        RuntimeError: an unknown line search.

    Example:
        >>> from lamella.core import tensor
        >>> w = tensor([3.0], requires_grad=True)
        >>> optimizer = LBFGS([w], line_search_fn="strong_wolfe")
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = ((w - 1) * (w - 1)).sum()
        ...     loss.backward()
        ...     return loss
        >>> _ = optimizer.step(closure)
        >>> w
        tensor([1.], requires_grad=True)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ):
        check_options("LBFGS", lr)
        defaults = {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError(
                "LBFGS: LBFGS doesn't support per-parameter options (parameter groups) "
                f"(got {len(self.param_groups)} groups)"
            )

    # ------------------------------------------------------------------ parameters as one vector

    def _params(self) -> list[Tensor]:
        return self.param_groups[0]["params"]

    def _flat_grad(self) -> Tensor:
        parts = []
        for p in self._params():
            g = p.grad  # type: ignore[attr-defined]
            g = core.zeros_like(p) if g is None else g
            if g.is_complex():
                g = core.view_as_real(g)
            parts.append(g.reshape(-1))
        return core.cat(parts)

    def _move(self, t: float, d: Tensor) -> None:
        at = 0
        for p in self._params():
            real = core.view_as_real(p) if p.is_complex() else p
            count = real.numel()
            real.add_(d[at : at + count].reshape(real.shape), alpha=t)  # type: ignore[attr-defined, union-attr]
            at += count

    # ------------------------------------------------------------------ the step

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Move up to ``max_iter`` times.

        Args:
            closure: clears the gradients, computes the loss, calls ``backward()`` and returns the loss.

        Returns:
            The loss before the first move.
        """
        with no_grad():
            return self._minimize(enable_grad()(closure))

    def _minimize(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        state = self.state[self._params()[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        here = Trial(0.0, float(first_loss), self._flat_grad(), 0.0)
        evaluations = 1
        state["func_evals"] += 1
        if _largest(here.grad) <= group["tolerance_grad"]:
            return first_loss
        for i in range(group["max_iter"]):
            state["n_iter"] += 1
            d = self._direction(state, here.grad, group["history_size"])
            before = here
            state["prev_flat_grad"], state["prev_loss"] = here.grad.clone(), here.loss
            lr = float(number(group["lr"]))
            t = min(1.0, 1.0 / float(here.grad.abs().sum())) * lr if state["n_iter"] == 1 else lr
            state["t"] = t
            here.slope = float(here.grad.dot(d))
            if here.slope > -group["tolerance_change"]:
                break
            last = i + 1 == group["max_iter"]
            here, made = self._advance(closure, here, t, d, last, group["max_eval"] - evaluations)
            state["t"] = here.t
            evaluations += made
            state["func_evals"] += made
            if last or evaluations >= group["max_eval"] or self._converged(here, before, d):
                break
        return first_loss

    def _advance(
        self, closure: Callable[[], Any], here: Trial, t: float, d: Tensor, last: bool, limit: int
    ) -> tuple[Trial, int]:
        """Move along ``d``; return the new point and the number of evaluations."""
        group = self.param_groups[0]
        if group["line_search_fn"] is None:
            self._move(t, d)
            if last:
                # Where the closure is a random batch the loss there would be of no use.
                return Trial(t, here.loss, here.grad, 0.0), 0
            return Trial(t, float(closure()), self._flat_grad(), 0.0), 1
        name = group["line_search_fn"]
        if name != "strong_wolfe":
            raise RuntimeError(f"LBFGS: only 'strong_wolfe' is supported (got line_search_fn={name!r})")
        start = [p.clone() for p in self._params()]  # type: ignore[attr-defined]

        def evaluate(t: float) -> Trial:
            self._move(t, d)
            loss, grad = float(closure()), self._flat_grad()
            for p, value in zip(self._params(), start):
                p.copy_(value)  # type: ignore[attr-defined]
            return Trial(t, loss, grad, float(grad.dot(d)))  # type: ignore[attr-defined]

        origin = Trial(0.0, here.loss, here.grad, here.slope)
        found, made = strong_wolfe(evaluate, origin, t, _largest(d), group["tolerance_change"], limit)
        self._move(found.t, d)
        return found, made

    def _converged(self, here: Trial, before: Trial, d: Tensor) -> bool:
        group = self.param_groups[0]
        return (
            _largest(here.grad) <= group["tolerance_grad"]
            or _largest(d) * abs(here.t) <= group["tolerance_change"]
            or abs(here.loss - before.loss) < group["tolerance_change"]
        )

    def _direction(self, state: dict[str, Any], grad: Tensor, size: int) -> Tensor:
        """Return the quasi-Newton direction, after remembering the last move."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0, d=grad.neg())  # type: ignore[attr-defined]
            return state["d"]
        y = grad - state["prev_flat_grad"]  # type: ignore[operator]
        s = state["d"] * state["t"]
        ys = float(y.dot(s))
        if ys > 1e-10:
            if len(state["old_dirs"]) == size:
                for key in ("old_dirs", "old_stps", "ro"):
                    state[key].pop(0)
            state["old_dirs"].append(y)
            state["old_stps"].append(s)
            state["ro"].append(1.0 / ys)
            state["H_diag"] = ys / float(y.dot(y))
        history = list(zip(state["old_dirs"], state["old_stps"], map(number, state["ro"])))
        q = grad.neg()  # type: ignore[attr-defined]
        shares = []
        for dy, ds, rho in reversed(history):
            share = float(ds.dot(q)) * rho
            q.add_(dy, alpha=-share)
            shares.append(share)
        state["al"] = [*reversed(shares), *[None] * (size - len(shares))]
        q.mul_(float(number(state["H_diag"])))
        for (dy, ds, rho), share in zip(history, reversed(shares)):
            q.add_(ds, alpha=share - float(dy.dot(q)) * rho)
        state["d"] = q
        return q


def _largest(a: Any) -> float:
    return float(a.abs().max()) if a.numel() else 0.0
