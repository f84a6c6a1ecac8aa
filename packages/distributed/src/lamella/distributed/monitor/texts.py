"""What went wrong, in few lines: the rule, what each rank does, and a hint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from lamella.dispatch.errors import MAX_LINES, message

if TYPE_CHECKING:
    from .ledger import Disagreement, Ledger

WAITS = "waits in "


def ranks_text(ranks: Iterable[int]) -> str:
    """Ranks for people.

    Example:
        >>> ranks_text([2]), ranks_text([0, 2]), ranks_text(range(12))
        ('rank 2', 'ranks 0, 2', 'ranks 0-11')
    """
    members = sorted(ranks)
    parts: list[str] = []
    at = 0
    while at < len(members):
        end = at
        while end + 1 < len(members) and members[end + 1] == members[end] + 1:
            end += 1
        if end - at >= 3:
            parts.append(f"{members[at]}-{members[end]}")
        else:
            parts += [str(r) for r in members[at : end + 1]]
        at = end + 1
    return ("rank " if len(members) == 1 else "ranks ") + ", ".join(parts)


def ranks_do(ranks: Iterable[int], one: str, several: str) -> str:
    """Ranks and what they do, a verb of one or of several.

    Example:
        >>> ranks_do([2], "has", "have"), ranks_do([0, 2], "has", "have")
        ('rank 2 has', 'ranks 0, 2 have')
    """
    members = list(ranks)
    return f"{ranks_text(members)} {one if len(members) == 1 else several}"


def compose(rule: str, values: str = "", details: Iterable[str] = (), hint: str | None = None) -> str:
    """A text without the operation's name before it."""
    return message("", rule, values, details=details, hint=hint)[2:]


def states_text(states: Mapping[int, str]) -> tuple[str, list[str]]:
    """What ranks do: words for a pair of brackets where all do the same, else lines.

    Example:
        >>> states_text({0: "waits in barrier #1", 1: "waits in barrier #1"})
        ('ranks 0, 1 wait in barrier #1', [])
    """
    groups: dict[str, list[int]] = {}
    for rank, state in sorted(states.items()):
        groups.setdefault(state, []).append(rank)
    lines = []
    for state, ranks in groups.items():
        if state.startswith(WAITS):
            lines.append(f"{ranks_do(ranks, 'waits', 'wait')} in {state[len(WAITS):]}")
        else:
            lines.append(f"{ranks_text(ranks)}: {state}")
    if len(lines) == 1 and next(iter(groups)).startswith(WAITS):
        return lines[0], []
    return "", ["  " + line for line in lines]


def died(ranks: Iterable[int], states: Mapping[int, str]) -> str:
    """Ranks whose connection was lost."""
    ranks = sorted(ranks)
    values, details = states_text(states)
    hint = f"the output of {ranks_text(ranks)} or the system's log (memory) may tell why"
    return compose(f"{ranks_text(ranks)} died", values or "connection lost", details, hint)


def failed(rank: int, error: str, states: Mapping[int, str]) -> str:
    """A rank that told its exception."""
    values, details = states_text(states)
    return compose(f"rank {rank} {error}", values, details, f"the traceback of rank {rank} tells more")


def numbered(entry: str, number: int, group: str) -> str:
    """A collective in words, with its number in the group.

    Example:
        >>> numbered("all_reduce f32[3] SUM", 17, "default")
        "all_reduce #17 f32[3] SUM of group 'default'"
    """
    op, _, rest = entry.partition(" ")
    return f"{op} #{number} {rest}".rstrip() + f" of group '{group}'"


def at_step(step: int) -> str:
    """A training step, where there are steps."""
    return f", step {step}" if step else ""


def different(number: int, group: str, step: int, told: Mapping[str, list[int]], others: Iterable[str] = (),
              hint: str = "") -> str:
    """Ranks that called different things in one collective.

    Args:
        number, group, step: which collective.
        told: what was called -> the ranks that did.
        others: lines about other ranks.
        hint: the end of the hint.
    """
    details = [f"  {ranks_text(ranks)}: {what}" for what, ranks in sorted(told.items(), key=lambda item: min(item[1]))]
    rule = f"ranks disagree in collective #{number} of group '{group}'{at_step(step)}"
    return compose(rule, details=[*details, *others],
                   hint="all ranks of a group must call the same, in the same order" + hint)


def disagreement(found: Disagreement, ledger: Ledger, states: Mapping[int, str]) -> str:
    """Ranks that called different things, or that have left too early."""
    group = found.group
    told = {ledger.text(h): ranks for h, ranks in found.place.told.items()}
    if found.left:
        return _left_early(found, told, at_step(found.step), states)
    came = {r for ranks in told.values() for r in ranks}
    others = states_text({r: state for r, state in states.items() if r in group.ranks and r not in came})[1]
    refused = found.number in group.refused
    hint = "" if refused else "; LAMELLA_DISTRIBUTED_DEBUG=detail finds the line"
    return different(found.number, group.name, found.step, told, others, hint)


def _left_early(found: Disagreement, told: Mapping[str, list[int]], step: str, states: Mapping[int, str]) -> str:
    group, least = found.group, found.number - 1
    counts = {r: group.told[r] for r in group.ranks if group.told[r] > least}
    rule = f"{ranks_do(found.left, 'has', 'have')} left after {least} collectives of group '{group.name}'"
    what = ", ".join(told) or "more"
    called = "; ".join(f"{ranks_text([r])} called {n}" for r, n in sorted(counts.items())[:4])
    details = [f"  {ranks_text(counts)}: #{found.number} is {what}{step}", *states_text(
        {r: s for r, s in states.items() if r not in found.left and r not in counts and r in group.ranks})[1]]
    hint = "with uneven data use Join (torch.distributed.algorithms.join) or drop the last batches"
    return compose(rule, called, details, hint)


def left_before(gone: Iterable[int], what: str, states: Mapping[int, str]) -> str:
    """Ranks that have left although others wait for them."""
    gone = sorted(gone)
    values, details = states_text({r: state for r, state in states.items() if r not in gone})
    hint = "all ranks must call the same functions in the same order"
    return compose(f"{ranks_text(gone)} left before {what}", values, details, hint)


def contradiction(name: str, members: Mapping[int, tuple[int, ...]]) -> str:
    """Ranks that made a group of one name with other members."""
    told: dict[tuple[int, ...], list[int]] = {}
    for rank, ranks in sorted(members.items()):
        told.setdefault(ranks, []).append(rank)
    details = [f"  {ranks_text(who)}: {list(ranks)}" for ranks, who in told.items()]
    hint = "new_group must be called on all ranks, in the same order and with the same ranks"
    return compose(f"ranks disagree about the members of group '{name}'", details=details, hint=hint)


def with_own(failure: str, rank: int, waiting: str) -> str:
    """The text of a failure with what this rank waits in, where it was made before that was known.

    Example:
        >>> print(with_own("rank 0 died\\n  rank 1: now at train.py:3\\nhint: look", 1, "barrier #2 of group 'g'"))
        rank 0 died
          rank 1 waits in barrier #2 of group 'g'
        hint: look
    """
    lines = [line for line in failure.split("\n") if not line.startswith(f"  rank {rank}: ")]
    at = len(lines) - 1 if lines[-1].startswith("hint: ") else len(lines)
    lines.insert(at, f"  rank {rank} {WAITS}{waiting}")
    if len(lines) > MAX_LINES:
        del lines[at - 1]
    return "\n".join(lines)


def late(elapsed: float, states: Mapping[int, str]) -> str:
    """A time-out."""
    values, details = states_text(states)
    hint = "a rank that only needs longer: init_process_group(timeout=...) raises the limit"
    return compose(f"not finished after {elapsed:.3g} s", values, details, hint)


def broken(why: str, states: Mapping[int, str]) -> str:
    """A collective that its backend could not carry out."""
    values, details = states_text(states)
    return compose(why, values, details)


def never_joined(missing: Iterable[int], lost: Iterable[int], size: int, seconds: float | None) -> str:
    """Ranks that did not join, or joined and died before all were there.

    Args:
        missing, lost: those ranks.
        size: how many there should be.
        seconds: how long the others have waited; None where they do not go on since a process has ended.
    """
    missing, lost = sorted(missing), sorted(lost)
    there = sorted(set(range(size)) - set(missing) - set(lost))
    joined = f"{ranks_text(there)} did" if there else ""
    died = f"{ranks_text(lost)} died"
    hint = "every rank must call init_process_group; the output of those that did not may tell why"
    if not missing:
        return compose(f"{died} before all ranks had joined", hint=f"the output of {ranks_text(lost)} may tell why")
    if lost or seconds is None:
        rule = f"{died if lost else 'a process ended'} before all ranks had joined"
        return compose(rule, f"{ranks_do(missing, 'has', 'have')} not; {joined}".removesuffix("; "), hint=hint)
    return compose(f"{ranks_text(missing)} of {size} did not join within {seconds:.3g} s", joined, hint=hint)
