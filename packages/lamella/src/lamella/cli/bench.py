"""`lamella bench`: what one call costs in lamella, NumPy and torch, measured side by side on 4x4 tensors."""

from __future__ import annotations

import argparse
import gc
import json
import sys
import timeit
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

#: case -> the share of torch's time that lamella is to stay below.
TARGETS = {"a + b": 0.7, "a + b, with grad": 0.6, "view": 0.8, "t()": 0.8, "a[1]": 1.0, "sum": 1.2, "softmax": 1.6,
           "ten adds and backward, per add": 0.4, "Linear, loss, backward, AdamW": 0.35}

#: case -> (statement for lamella and torch, statement for NumPy or None, operations in one statement)
CASES: dict[str, tuple[str, str | None, int]] = {
    "a + b": ("a + b", "a + b", 1),
    "a + b, with grad": ("g + b", None, 1),
    "a * 2.0": ("a * 2.0", "a * two", 1),
    "a @ b": ("a @ b", "a @ b", 1),
    "view": ("a.view(16)", "a.reshape(16)", 1),
    "t()": ("a.t()", "a.T", 1),
    "a[1]": ("a[1]", "a[1]", 1),
    "sum": ("a.sum()", "a.sum()", 1),
    "softmax": ("a.softmax(1)", "softmax(a)", 1),
    "F.linear": ("linear(a, w, v)", "a @ w.T + v", 1),
    "ten adds and backward, per add": ("chain(g, b, seed)", None, 10),
    "Linear, loss, backward, AdamW": ("step()", None, 1),
}


def _training_step(torch: Any) -> Callable[[], None]:
    torch.manual_seed(0)
    model, x = torch.nn.Linear(10, 1), torch.randn(32, 10)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step() -> None:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()

    return step


def _chain(g: Any, b: Any, seed: Any) -> None:
    y = g + b
    y = y + b
    y = y + b
    y = y + b
    y = y + b
    y = y + b
    y = y + b
    y = y + b
    y = y + b
    y = y + b
    y.backward(seed)


def _or_failing(make: Callable[[], Any]) -> Any:
    """What `make` gives; where it fails, a function that fails so: then one case is without a time, not all."""
    try:
        return make()
    except Exception as e:
        error = e

    def fail(*args: Any) -> None:
        raise error

    return fail


def _torch_names(torch: Any) -> dict[str, Any]:
    """What the statements use, in lamella's or torch's version."""
    torch.manual_seed(0)
    return {"a": torch.randn(4, 4), "b": torch.randn(4, 4), "g": torch.randn(4, 4, requires_grad=True),
            "w": torch.randn(4, 4), "v": torch.randn(4), "seed": torch.ones(4, 4), "chain": _chain,
            "linear": _or_failing(lambda: torch.nn.functional.linear),
            "step": _or_failing(lambda: _training_step(torch))}


def _numpy_names(np: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)

    def softmax(a: Any) -> Any:
        e = np.exp(a - a.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    a, b, w = (rng.standard_normal((4, 4), dtype=np.float32) for _ in range(3))
    return {"a": a, "b": b, "w": w, "v": a[0].copy(), "two": np.float32(2), "softmax": softmax}


@dataclass
class Row:
    """One case: the best time of each library, in nanoseconds per operation."""

    name: str
    best: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """lamella's share of torch's time."""
        if "lamella" not in self.best or "torch" not in self.best:
            return None
        return self.best["lamella"] / self.best["torch"]


def _libraries(torch_too: bool) -> dict[str, Callable[[], dict[str, Any]]]:
    import importlib.util

    import numpy

    from lamella import torch as ours

    found: dict[str, Callable[[], dict[str, Any]]] = {
        "lamella": lambda: _torch_names(ours), "NumPy": lambda: _numpy_names(numpy)}
    if torch_too and importlib.util.find_spec("torch") is not None:
        theirs: Any = importlib.import_module("torch")
        if not theirs.__name__.startswith("lamella"):
            # Sixteen numbers give its threads nothing to do, and on a busy machine waking them costs it milliseconds.
            theirs.set_num_threads(1)
            found["torch"] = lambda: _torch_names(theirs)
    return found


def turns(
    timers: dict[str, tuple[timeit.Timer, int]], repeats: int, seconds: float = float("inf")
) -> dict[str, float]:
    """The best time of each library in nanoseconds per run of its statement: turn by turn, so all see one machine.

    Args:
        timers: library -> its statement, and how often it runs in one turn.
        repeats: how many turns.
        seconds: stop when this has passed, but after two turns at the earliest.
    """
    best: dict[str, float] = {}
    end = perf_counter() + seconds
    for turn in range(repeats):
        if turn > 1 and perf_counter() > end:
            break
        for library, (timer, number) in timers.items():
            took = timer.timeit(number) / number * 1e9
            best[library] = min(took, best.get(library, took))
    return best


def measure(only: Sequence[str] = (), repeats: int = 30, seconds: float = 0.004, torch_too: bool = True) -> list[Row]:
    """Time every case in every library, turn by turn, and keep the best of each.

    Args:
        only: names of cases (default: all).
        repeats: how many turns.
        seconds: how long one library's turn at one case takes, about.
        torch_too: measure torch where it is installed.

    Returns:
        A row per case.
    """
    spaces = {name: make() for name, make in _libraries(torch_too).items()}
    rows = []
    for case, (statement, numpy_statement, operations) in CASES.items():
        if only and case not in only:
            continue
        row = Row(case)
        timers: dict[str, tuple[timeit.Timer, int]] = {}
        for library, names in spaces.items():
            text = numpy_statement if library == "NumPy" else statement
            if text is None:
                continue
            timer = timeit.Timer(text, globals=names)
            try:
                once = min(timer.repeat(3, 5)) / 5
            except Exception as e:  # a library that cannot do a case has no time in it
                row.failed[library] = f"{type(e).__name__}: {e}".splitlines()[0]
                continue
            timers[library] = timer, max(1, int(seconds / max(once, 1e-8)))
        took = turns(timers, repeats)
        row.best.update({library: best / operations for library, best in took.items()})
        rows.append(row)
        gc.collect()
    return rows


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines of text: the first column to the left, the others to the right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip()
            for line in lines]


def table(rows: Sequence[Row]) -> str:
    """The rows as text: nanoseconds, lamella's share of torch's time, and the share it is to stay below."""
    libraries = [name for name in ("lamella", "NumPy", "torch") if any(name in r.best for r in rows)]
    head = ["ns per call, 4x4 float32", *libraries]
    with_torch = "torch" in libraries
    if with_torch:
        head += ["of torch", "target", ""]
    lines = [head]
    for row in rows:
        cells = [row.name, *(f"{row.best[x]:.0f}" if x in row.best else "-" for x in libraries)]
        if with_torch:
            target = TARGETS.get(row.name)
            cells.append("-" if row.ratio is None else f"{row.ratio:.2f}")
            cells.append("" if target is None else f"{target:g}")
            cells.append("" if target is None or row.ratio is None else "met" if row.ratio <= target else "missed")
        lines.append(cells)
    text = aligned(lines)
    text += [f"{row.name}: {library}: {why}" for row in rows for library, why in row.failed.items()]
    return "\n".join(text)


def main(argv: Sequence[str] | None = None) -> int:
    """The command: measure and print."""
    parser = argparse.ArgumentParser(prog="lamella bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="CASE", help="these cases alone: " + "; ".join(CASES))
    parser.add_argument("--repeats", type=int, default=30, help="turns of each library at each case (default 30)")
    parser.add_argument("--no-torch", action="store_true", help="leave torch out")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    unknown = [c for c in args.only if c not in CASES]
    if unknown or args.repeats < 1:
        what = f"there is no case {unknown[0]!r}" if unknown else f"--repeats must be positive (got {args.repeats})"
        print(f"lamella bench: {what}", file=sys.stderr)
        return 2
    rows = measure(args.only, args.repeats, torch_too=not args.no_torch)
    if args.json:
        print(json.dumps([{"case": r.name, "ns": r.best, "failed": r.failed, "target": TARGETS.get(r.name)}
                          for r in rows], indent=1))
    else:
        print(table(rows))
    return 0
