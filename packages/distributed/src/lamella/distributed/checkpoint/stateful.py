"""Stateful: what can be saved and loaded as an object."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, runtime_checkable

__all__ = ["Stateful", "StatefulT"]


@runtime_checkable
class Stateful(Protocol):
    """An object with ``state_dict()`` and ``load_state_dict(state_dict)``, such as a module or an optimizer.

    `save` asks it for its state; `load` asks for its state, loads into that, and hands it back.
    """

    def state_dict(self) -> dict[str, Any]:
        """The object's state. It is also called when a checkpoint is loaded, which fills what it returns."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state."""
        ...


StatefulT = TypeVar("StatefulT", bound=Stateful)


def states_of(state_dict: dict[str, Any]) -> dict[str, Any]:
    """The state dict with the states of its stateful objects in their places."""
    return {k: v.state_dict() if isinstance(v, Stateful) else v for k, v in state_dict.items()}
