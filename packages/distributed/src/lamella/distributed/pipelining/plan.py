"""From what each rank computes to what it computes, sends and receives.

The steps of all ranks are parts of one order of everything that happens. So transports that carry messages between two
ranks in the order in which they are begun, and make a rank wait for the other side (NCCL), cannot block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lamella.dispatch.errors import message

__all__ = ["Action", "with_messages"]


class Action(NamedTuple):
    """One microbatch through one stage: forward ("F") or back ("B"), or a message of it.

    Attributes:
        stage_index: the stage.
        computation_type: "F" or "B"; for messages "SEND_F", "RECV_F", "SEND_B" or "RECV_B": what the stage sends when
            it has computed, or receives before it computes.
        microbatch_index: the microbatch.
    """

    stage_index: int
    computation_type: str
    microbatch_index: int

    def __repr__(self) -> str:
        return f"{self.stage_index}{self.computation_type}{self.microbatch_index}"


def with_messages(orders: Mapping[int, Sequence[Action]], ranks: Mapping[int, int]) -> dict[int, list[Action]]:
    """Put messages between computations.

    Args:
        orders: what each rank computes.
        ranks: stage -> rank.

    Returns:
        All the steps of each rank.

    Raises:
        RuntimeError: the ranks wait for each other.

    Example:
        >>> orders = {0: [Action(0, "F", 0), Action(0, "B", 0)], 1: [Action(1, "F", 0), Action(1, "B", 0)]}
        >>> with_messages(orders, {0: 0, 1: 1})
        {0: [0F0, 0SEND_F0, 0RECV_B0, 0B0], 1: [1RECV_F0, 1F0, 1B0, 1SEND_B0]}
    """
    last = max(ranks)
    left = {rank: list(reversed(order)) for rank, order in orders.items()}
    steps: dict[int, list[Action]] = {rank: [] for rank in orders}
    there: set[tuple[int, str, int]] = set()  # computations whose input has come
    while any(left.values()):
        moved = False
        for rank, todo in left.items():
            if not todo:
                continue
            stage, kind, mb = todo[-1]
            needs = stage > 0 if kind == "F" else stage < last
            if needs and (stage, kind, mb) not in there:
                continue
            moved = True
            steps[rank].append(todo.pop())
            to = stage + 1 if kind == "F" else stage - 1
            if not 0 <= to <= last:
                continue
            there.add((to, kind, mb))
            if ranks[to] != rank:
                steps[rank].append(Action(stage, f"SEND_{kind}", mb))
                steps[ranks[to]].append(Action(to, f"RECV_{kind}", mb))
        if not moved:
            stuck = {rank: todo[-1] for rank, todo in left.items() if todo}
            raise RuntimeError(message("pipelining", "the schedule's ranks wait for each other", str(stuck)))
    return steps
