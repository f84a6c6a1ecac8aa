"""What the optimizers with an operator have in common: collect a group's tensors, make missing state, call once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd.grad_mode import enable_grad, no_grad
from lamella.core.tensor import CPU, Tensor, wrap
from lamella.dispatch.keys import AUTOGRAD_MASK, BACKEND_MASK

from .operators import OPERATORS, StepOperator
from .optimizer import Optimizer
from .rules.engine import SMALL, packed

_LATER_OPTIONS: dict[str, Any] = {
    "amsgrad": False, "nesterov": False, "centered": False, "momentum": 0, "maximize": False, "capturable": False,
    "differentiable": False, "decoupled_weight_decay": False, "foreach": None, "fused": None,
}  # fmt: skip


class GroupOptimizer(Optimizer):
    """Base class of the optimizers whose step is one operator call for each parameter group.

    A subclass names its rule and keys, and defines `_options`, and `_first` where its states do not begin as zeros.

    Attributes:
        _operator: the step operator.
        _keys: the names in ``state[p]`` of the operator's lists after parameters and gradients.
    """

    _operator: StepOperator
    _keys: tuple[str, ...]

    def __init_subclass__(cls, rule: str | None = None, keys: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if rule is not None:
            cls._operator = OPERATORS[rule]
            cls._keys = tuple(keys.split())

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        # Old checkpoints lack options that came later, and hold counts as numbers.
        for group in self.param_groups:
            for key, value in _LATER_OPTIONS.items():
                if key in self.defaults:
                    group.setdefault(key, value)
            for p in group["params"]:
                own = self.state.get(p)
                for key in self._count_keys() if own else ():
                    if key in own and not isinstance(own[key], Tensor):
                        own[key] = count(group, float(own[key]), like=p)

    @classmethod
    def _count_keys(cls) -> tuple[str, ...]:
        counts = cls._operator.rule.counts
        return cls._keys[-len(counts) :] if counts else ()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient.

        Args:
            closure: clears the gradients, computes the loss, calls ``backward()`` and returns the loss.

        Returns:
            What ``closure`` returned; None without one.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._step_group(group)
        return loss

    def _step_group(self, group: dict[str, Any]) -> None:
        state = self.state
        keys = self._used(group)
        params: list[Tensor] = []
        grads: list[Tensor] = []
        kept: list[dict[str, Any]] = []
        fresh: list[Tensor] = []
        ks = 0
        for p in group["params"]:
            g = p.grad  # type: ignore[attr-defined]
            if g is None:
                continue
            own = state[p]
            if not own:
                fresh.append(p)
            params.append(p)
            grads.append(g)
            kept.append(own)
            ks |= p._ks | g._ks
        if fresh:
            self._init_states(fresh, group)
        if params:
            lists = [params, grads]
            lists += [[own[key] for own in kept] if key in keys else [] for key in self._keys]
            self._launch(ks, lists, group, self._options(group))

    def _launch(self, ks: int, lists: list[list[Tensor]], group: dict[str, Any], options: dict[str, Any]) -> None:
        backends = ks & BACKEND_MASK
        if group["differentiable"]:
            self._operator.recorded(lists, options)
        elif backends & (backends - 1):
            self._operator.by_device(lists, options)
        else:
            self._operator(ks, lists, options)

    def _used(self, group: dict[str, Any]) -> tuple[str, ...]:
        """The names of the states that the group's options ask for."""
        return self._keys

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        """The operator's keyword arguments."""
        raise NotImplementedError

    def _init_states(self, params: list[Tensor], group: dict[str, Any]) -> None:
        """Fill ``state[p]`` for parameters that have none."""
        with no_grad():
            for key in self._used(group):
                for p, value in zip(params, self._first(key, params, group)):
                    self.state[p][key] = value

    def _first(self, key: str, params: list[Tensor], group: dict[str, Any]) -> list[Tensor]:
        """The first values of one state: zeros shaped like the parameters, or counts of zero."""
        if key == "step":
            return [count(group, like=p) for p in params]
        return filled_like(params, 0.0)


def filled_like(params: list[Tensor], value: float) -> list[Tensor]:
    """Return new tensors shaped like parameters; those of small ones on the CPU share one array."""
    made: dict[int, Tensor] = {}
    by_type: dict[Any, list[int]] = {}
    for i, p in enumerate(params):
        if p._ks & ~AUTOGRAD_MASK == CPU and p._a.size <= SMALL and not p.is_complex():
            by_type.setdefault(p._a.dtype, []).append(i)
        elif p.is_complex() and value:
            made[i] = core.full_like(p, complex(value, value))
        else:
            made[i] = core.full_like(p, value)
    for dtype, mine in by_type.items():
        made.update(zip(mine, packed(wrap, [params[i]._a.shape for i in mine], dtype, value)))
    return [made[i] for i in range(len(params))]


def count(group: dict[str, Any], value: float = 0.0, like: Tensor | None = None) -> Tensor:
    """Return a 0-d tensor for a count: float32 on the CPU, or on the parameter's device where a graph is captured."""
    dtype = core.float64 if core.get_default_dtype() is core.float64 else core.float32
    device = like.device if like is not None and (group.get("capturable") or group.get("fused")) else None
    return core.full((), value, dtype=dtype, device=device)


def check_options(op: str, lr: Any, **others: Any) -> None:
    """Raise ValueError for options that are negative, or a rate that is a tensor of several elements."""
    if isinstance(lr, Tensor):
        if lr.numel() != 1:
            raise ValueError(f"{op}: Tensor lr must be 1-element (got {lr.numel()})")
        lr = lr.item()  # type: ignore[attr-defined]
    for name, value in (("learning rate", lr), *others.items()):
        if not number(value) >= 0.0:
            raise ValueError(f"{op}: Invalid {name}{'' if ' ' in name or 'value' in name else ' value'}: {value}")


def check_betas(op: str, betas: Any) -> None:
    """Raise ValueError unless all betas are in [0, 1)."""
    for i, beta in enumerate(betas):
        if not 0.0 <= number(beta) < 1.0:
            raise ValueError(f"{op}: Invalid beta parameter at index {i}: {number(beta)}")


def check_modes(
    op: str, lr: Any, *, foreach: Any, fused: Any = None, differentiable: Any = False, capturable: Any = True
) -> None:
    """Raise for combinations of implementations that exclude each other in torch."""
    if isinstance(lr, Tensor) and foreach and not capturable:
        raise ValueError(f"{op}: lr as a Tensor is not supported for capturable=False and foreach=True")
    if fused and differentiable:
        raise RuntimeError(f"{op}: `fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError(f"{op}: `fused` and `foreach` cannot be `True` together.")


def number(value: Any) -> Any:
    """Return a tensor's only element as a Python number; numbers as they are."""
    return value.item() if isinstance(value, Tensor) else value
