"""What a rule is, and the table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_rules: dict[str, Rule] = {}


@dataclass(frozen=True, slots=True)
class Rule:
    """An optimizer's arithmetic and the form of its operator.

    Attributes:
        name: the operator's name without the trailing underscore.
        states: the lists of tensors that are shaped like the parameters, in the order of ``update``'s ``states``.
        counts: the lists of 0-d tensors, the step count first, in the order of ``scalars``' ``counts``.
        options: the operator's keyword arguments: (type, name).
        scalars: ``scalars(xp, counts, o) -> (k, new counts)``.
        update: ``update(xp, p, g, states, k, o)``.
        light: ``light(o)`` says that a step takes so few operations that gathering small parameters does not pay.
    """

    name: str
    states: tuple[str, ...]
    counts: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    scalars: Callable[[Any, tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], tuple[Any, ...]]]
    update: Callable[[Any, Any, Any, Any, tuple[Any, ...], dict[str, Any]], None]
    light: Callable[[dict[str, Any]], bool]

    def schema(self, tensor_lr: bool = False) -> str:
        """Return the operator's schema; with ``tensor_lr`` the overload that takes the rate as a tensor."""
        letters = iter("abcdefghijklm")
        lists = [f"Tensor({next(letters)}!)[] params", "Tensor[] grads"]
        lists += [f"Tensor({next(letters)}!)[] {name}" for name in (*self.states, *self.counts)]
        options = [f"{'Tensor' if tensor_lr and name == 'lr' else kind} {name}" for kind, name in self.options]
        overload = ".tensor_lr" if tensor_lr else ""
        return f"{self.name}_{overload}({', '.join(lists)}, *, {', '.join(options)}) -> ()"


def rule(name: str, *, states: str = "", counts: str = "state_steps", options: str) -> Callable[[Any], Rule]:
    """Make a Rule of a class with the two functions, and put it into the table.

    Args:
        name: see Rule.
        states: names, separated by spaces.
        counts: names, separated by spaces.
        options: ``"float lr, bool maximize"``.
    """
    pairs = tuple((kind, key) for kind, _, key in (o.strip().partition(" ") for o in options.split(",")))

    def make(functions: Any) -> Rule:
        light = getattr(functions, "light", lambda o: False)
        made = Rule(
            name, tuple(states.split()), tuple(counts.split()), pairs, functions.scalars, functions.update, light
        )
        _rules[name] = made
        return made

    return make


def all_rules() -> dict[str, Rule]:
    """Return every rule by name."""
    from . import adam, adaptive, averaged, descent, signs  # noqa: F401

    return _rules
