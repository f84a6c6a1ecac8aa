"""One launch for many tensors: equal kernels that do not depend on each other, as those of an optimizer's step.

The launches' grids differ in their first dimension only; in the one launch the second dimension tells the tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from ...loops.index import is_static
from ..launch import Launch, Product
from ..program import wrap
from ..source import Source

#: A kernel may have so many bytes of parameters.
PARAMETERS = 4096
#: Steps that are looked back for a launch of the same kernel.
WINDOW = 400

Extent = Any
Touched = tuple[list[Extent], list[Extent]]


def merge(source: Source, extent: Callable[[int], Extent], overlap: Callable[[Extent, Extent], bool],
          alone: Collection[str] = ()) -> None:
    """Make one launch of those that are equal but for their arguments.

    Args:
        source: of a program; its script and kernels change.
        extent: where a slot's memory lies. overlap: whether two extents may have memory in common.
        alone: kernels that keep a launch of their own.
    """
    batches = Batches(source, extent, overlap, alone)
    for step in source.script:
        batches.add(step)
    script: list[Any] = []
    for batch in batches.all:
        script += batch if len(batch) == 1 else _together(source, [step for _, step in batch])
    source.script = script
    used = {step.kernel for kind, step in script if kind == "launch"}
    source.kernels = {name: text for name, text in source.kernels.items() if name in used}


class Batches:
    """The steps of a program, those together that become one launch.

    Attributes:
        all: lists of steps: of one, or of several launches of one kernel.
    """

    def __init__(self, source: Source, extent: Callable[[int], Extent], overlap: Callable[[Extent, Extent], bool],
                 alone: Collection[str]) -> None:
        self.source, self.extent, self.overlap, self.alone = source, extent, overlap, alone
        self.all: list[list[Any]] = []
        self._last: dict[Any, list[Any]] = {}  # what launches must have in common -> the latest batch of such
        self._touched: dict[int, Touched] = {}

    def add(self, step: Any) -> None:
        """Put a step behind all others, or to launches before that it can be done with."""
        kind, what = step
        if kind == "launch" and what.kernel not in self.alone and simple(what, self.source.kernels[what.kernel]):
            alike = what.kernel, what.block, grid_of(what, self.source.kernels[what.kernel])
            home = self._home(step, self._last.get(alike))
            if home is not None:
                home.append(step)
                return
            self._last[alike] = batch = [step]
            self.all.append(batch)
            return
        self.all.append([step])

    def _home(self, step: Any, batch: list[Any] | None) -> list[Any] | None:
        """The batch, if a step can be done as early as its launches."""
        if batch is None:
            return None
        for earlier in self.all[:-WINDOW - 1:-1]:
            if earlier[0][0] == "extern" or any(self._meet(step, each) for each in earlier):
                return None
            if earlier is batch:
                return batch
        return None

    def _meet(self, a: Any, b: Any) -> bool:
        """Whether one of two steps writes what the other touches."""
        (reads, writes), (others, fills) = self._memory(a), self._memory(b)
        overlap = self.overlap
        return any(overlap(x, y) for x in writes for y in (*others, *fills)) or any(
            overlap(x, y) for x in reads for y in fills)

    def _memory(self, step: Any) -> Touched:
        """What a step reads and what it writes."""
        found = self._touched.get(id(step))
        if found is None:
            what, extent = step[1], self.extent
            if isinstance(what, Product):
                found = [extent(what.a.slot), extent(what.b.slot)], [extent(what.c.slot)]
            else:
                given = zip(what.arguments, parameters_of(self.source.kernels[what.kernel]), strict=True)
                slots = [(extent(a[1]), p.startswith("const ")) for a, p in given if a[0] == "buffer"]
                found = [e for e, c in slots if c], [e for e, c in slots if not c]
            self._touched[id(step)] = found
        return found


def simple(launch: Launch, text: str) -> bool:
    """Whether a kernel leaves the second dimension of the grid alone, and takes no report."""
    own = ("blockIdx.y", "gridDim.y", "mine(", "report", "__shared__")
    return launch.grid[1:] == (1, 1) and launch.shared == 0 and not any(word in text for word in own)


def grid_of(launch: Launch, text: str) -> Any:
    """What launches in one need to have equal: all of the grid, unless the kernel goes on in steps of the grid."""
    return None if "grid_threads()" in text and is_static(launch.grid[0]) else launch.grid


@lru_cache(256)
def parameters_of(text: str) -> list[str]:
    """The parameters of a kernel.

    Example:
        >>> parameters_of('extern "C" __global__ void __launch_bounds__(256) k(const float* x,\\n   long n) {')
        ['const float* x', 'long n']
    """
    head = text[text.index("__global__"):text.index(") {")]
    inside = head[head.index("(", head.index(")") if "__launch_bounds__" in head else 0) + 1:]
    return [" ".join(each.split()) for each in inside.split(",") if each.strip()]


def _together(source: Source, launches: list[Launch]) -> list[Any]:
    """Launches of one kernel as few of another one."""
    kernel = launches[0].kernel
    given = parameters_of(source.kernels[kernel])
    shared = [all(each.arguments[n] == launches[0].arguments[n] for each in launches) for n in range(len(given))]
    own = sum(not s for s in shared)
    most = max((PARAMETERS // 8 - sum(shared)) // max(own, 1), 1)
    made: list[Any] = []
    for start in range(0, len(launches), most):
        part = launches[start:start + most]
        if len(part) == 1:
            made.append(("launch", part[0]))
            continue
        name = f"{kernel}_of_{len(part)}"
        while name in source.kernels and source.kernels[name] != _text(source, kernel, name, given, shared, len(part)):
            name += "_"
        source.kernels[name] = _text(source, kernel, name, given, shared, len(part))
        arguments = [a for a, s in zip(part[0].arguments, shared, strict=True) if s]
        arguments += [a for each in part for a, s in zip(each.arguments, shared, strict=True) if not s]
        titles = " ".join(dict.fromkeys(each.title for each in part))
        blocks = max(each.grid[0] for each in part) if len({each.grid[0] for each in part}) > 1 else part[0].grid[0]
        made.append(("launch", Launch(name, (blocks, len(part), 1), part[0].block, 0, arguments, titles)))
    return made


def _text(source: Source, kernel: str, name: str, given: list[str], shared: list[bool], count: int) -> str:
    """The kernel that does what another one does, for several tensors."""
    text = source.kernels[kernel]
    start = text.index('extern "C"')
    about, body = text[:start], text[text.index(") {") + 4:text.rindex("}")]
    bounds = text[text.index("__launch_bounds__"):]
    bounds = bounds[:bounds.index(")") + 1]
    names = [p.split()[-1] for p in given]
    same = [p for p, s in zip(given, shared, strict=True) if s]
    each = [p for p, s in zip(given, shared, strict=True) if not s]
    parameters = same + [f"{p}_{k}" for k in range(count) for p in each]
    lines = [about + f"// for {count} tensors: blockIdx.y tells which"]
    lines += wrap(f'extern "C" __global__ void {bounds} {name}(', parameters, ") {")
    lines += wrap("    const auto one = [&](", each, ") {")
    lines += ["    " + line if line else line for line in body.rstrip("\n").split("\n")]
    lines += ["    };", "    switch (blockIdx.y) {"]
    for k in range(count):
        words = [f"{n}_{k}" for n, s in zip(names, shared, strict=True) if not s]
        lines += wrap(f"        case {k}: return one(", words, ");")
    return "\n".join([*lines, "    }", "}\n"])
