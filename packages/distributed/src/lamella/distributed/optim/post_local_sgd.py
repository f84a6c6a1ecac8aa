"""PostLocalSGDOptimizer: local steps, and now and then the mean of all ranks' parameters."""

from __future__ import annotations

import warnings
from typing import Any

from ..layers import Optimizer

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(Optimizer):
    """An optimizer whose parameters are averaged over the ranks after some of its steps.

    Source: Lin, Stich, Patel, Jaggi: "Don't use large mini-batches, use local SGD" (2020).

    Args:
        optim: makes the steps.
        averager: ``average_parameters(params)`` is called after each step and averages when it is time; ``step``
            counts.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.distributed.layers import optim
        >>> class Never:
        ...     step = 0
        ...     def average_parameters(self, params):
        ...         self.step += 1
        >>> w = ones(2, requires_grad=True)
        >>> optimizer = PostLocalSGDOptimizer(optim.SGD([w], lr=0.5), Never())
        >>> w.sum().backward()
        >>> optimizer.step()
        >>> w.tolist(), optimizer.state_dict()["step"]
        ([0.5, 0.5], 1)
    """

    def __init__(self, optim: Optimizer, averager: Any) -> None:
        self._make_hooks()
        self.optim = optim
        self.defaults = optim.defaults
        self.param_groups = optim.param_groups
        self.averager = averager

    @property
    def state(self) -> Any:  # type: ignore[override]
        """The optimizer's state."""
        return self.optim.state

    def __repr__(self) -> str:
        return repr(self.optim)

    def state_dict(self) -> dict[str, Any]:
        """The optimizer's state, and how many steps the averager has counted (``"step"``)."""
        found = self.optim.state_dict()
        found["step"] = self.averager.step
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state; the averager counts from 0, with a warning, where it does not say how far it was."""
        self.optim.load_state_dict(state_dict)
        self.param_groups = self.optim.param_groups
        if "step" not in state_dict:
            warnings.warn("Loaded state dict does not contain a step counter for an averager. Setting step counter to "
                          "0.", stacklevel=2)
        self.averager.step = state_dict.get("step", 0)

    def step(self, closure: Any = None) -> Any:
        """Make a step, and average the parameters if it is time."""
        loss = self.optim.step() if closure is None else self.optim.step(closure)
        self.averager.average_parameters(params=self.param_groups)
        return loss

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters."""
        self.optim.add_param_group(param_group)
