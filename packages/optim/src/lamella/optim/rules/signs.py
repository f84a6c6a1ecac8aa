"""Steps from the signs of gradients."""

from __future__ import annotations

from typing import Any

from .rule import rule


@rule(
    "rprop",
    states="prevs step_sizes",
    options="float etaminus, float etaplus, float step_size_min, float step_size_max, bool maximize",
)
class rprop:
    """Riedmiller and Braun, "A direct adaptive method for faster backpropagation learning: RPROP", 1993."""

    @staticmethod
    def scalars(xp: Any, counts: tuple[Any, ...], o: dict[str, Any]) -> Any:
        return (o["etaminus"], o["etaplus"], 0.0), (counts[0] + 1,)

    @staticmethod
    def update(xp: Any, p: Any, g: Any, states: Any, k: Any, o: dict[str, Any]) -> None:
        previous, size = states
        less, more, zero = k
        if o["maximize"]:
            g = -g
        turn = g * previous
        xp.assign(size, xp.where(turn > 0, size * more, xp.where(turn < 0, size * less, size)))
        xp.clip(size, o["step_size_min"], o["step_size_max"])
        # After a change of sign the step is taken back: no move now, and the next one counts as a first one.
        g = xp.where(turn < 0, zero, g)
        p -= xp.sign(g) * size
        xp.assign(previous, g)
