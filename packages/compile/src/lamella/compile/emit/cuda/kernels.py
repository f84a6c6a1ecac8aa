"""A fused kernel in CUDA, and how it is launched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from ...errors import CompileError
from ...loops.device import blocks
from ...loops.index import Expr, Var, is_static, lift, product, upper
from ...loops.ir import Buffer, itemsize
from ...loops.record import Recorded, computing, kept, record
from ...schedule.plan import Kernel, Member, Part
from .. import kernels
from ..kernels import canonical
from ..launch import SHARED
from ..loops import reads_of
from ..reading import Readings
from ..ssa import Access
from .columns import Columns
from .expressions import REGISTER, RESERVED, widest
from .loops import ALONE, WARP, block, same_thread

#: Threads of a block.
THREADS = 256
#: A grid has at most so many blocks where its threads can take several steps.
BLOCKS = 4096
#: Rows up to this length are one thread's, and up to that one a warp's.
SHORT, NARROW = 8, 512
#: Rows of a running sum that are a thread's each, where neighbouring rows lie together.
MANY = 1 << 16
#: Rows longer than these get blocks of 512 and of 1024 threads.
LONG, LONGEST = 4096, 16384
#: Blocks that share the places of a scatter where several values may meet at one; blocks that list their own places
#: first, and from how many steps on they do.
OWNERS, MOST_OWNERS, LISTED = 32, 1024, 128
#: Threads of a block that hold a row: up to the first where each holds several packs; elements that one thread holds.
FEW_THREADS, MOST_THREADS, HELD = 512, 1024, 16
MOST = 1 << 30  # indices below it are ints


@dataclass(eq=False, slots=True)
class Printed(kernels.Printed):
    """A kernel in CUDA.

    Attributes:
        grid, block: as in `Launch`.
    """

    grid: tuple[Any, Any, Any]
    block: tuple[int, int, int]


class Printer(kernels.Printer):
    """Prints one kernel."""

    restrict = "__restrict__"

    def __init__(self, kernel: Kernel, aliases: Callable[[list[Buffer], set[Buffer]], set[Buffer]],
                 readings: Readings, titles: dict[Buffer, str], reports: bool = False) -> None:
        super().__init__(kernel, aliases, readings)
        self.function: Columns = Columns(self.written, self.shared, reports)
        self.function.titles = titles
        self.grid: tuple[Any, Any, Any] = (1, 1, 1)
        self.block = (THREADS, 1, 1)
        self.widths: dict[Part, int] = {}
        self.bodies = {m: record(m.loop, m.index) for m in self.kernel.members()}
        self.function.whole = "int" if self.small([*self.read, *self.written]) else "long"

    def small(self, buffers: list[Buffer]) -> bool:
        """Whether all indices are small numbers."""
        kernel = self.kernel
        steps = [product([v.size for v in (*kernel.outer, *kernel.columns, *p.inner)]) for p in kernel.parts]
        reach = [extent(b) for b in buffers]
        return all(is_static(n) and n < MOST for n in steps + reach)

    def print(self) -> Printed:
        """The function."""
        f, kernel = self.function, self.kernel
        kinds = {m.loop.kind for m in kernel.members()}
        if "scatter" in kinds:
            self.scatter()
        elif "scan" in kinds:
            self.scan()
        elif kernel.columns:
            self.columns()
        elif kinds == {"pointwise"} and len(kernel.parts) == 1:
            self.pointwise()
        else:
            self.rows()
        body = f.text()
        parameters, arguments = self.signature(body)
        head = f"{self.block} {f.whole}"
        return Printed(kernel.name, parameters, body, arguments, f.checks,
                       canonical(f.names.ever - RESERVED, [head, *parameters], body), self.grid, self.block)

    # -- each element by itself ---------------------------------------------------------------------------------------

    def pointwise(self) -> None:
        """One loop over all elements, shared by all threads of the grid."""
        f, kernel = self.function, self.kernel
        [part] = kernel.parts
        variables = (*kernel.outer, *part.inner)
        if not variables:
            f.part(part)
            self.block = (1, 1, 1)
            return
        width = self.width(part)
        if len(variables) == 1 and is_static(variables[0].size):
            self.name_size(variables[0])
        f.over(variables, "grid_thread()", "grid_threads()", width)
        f.bodies(part, {}, width)
        f.leave()
        steps = product([v.size for v in variables])
        self.grid = (covering(steps, THREADS * width, BLOCKS), 1, 1)

    def width(self, part: Part) -> int:
        """How many elements along its last variable a thread does at once."""
        if not part.inner:
            return 1
        f, bodies = self.function, [self.bodies[m] for m in part.members]
        stores = [(m.loop.out, stored(self.bodies[m], m)) for m in part.members
                  if (m.keep or m.loop.out in f.rows) and m.loop.kind == "pointwise"]
        return widest(bodies, stores, part.inner[-1], set(f.rows))

    # -- rows -------------------------------------------------------------------------------------------------------

    def rows(self) -> None:
        """A block, a warp or a thread for each step of the outer variables."""
        f, kernel = self.function, self.kernel
        count = product([v.size for v in kernel.outer])
        lengths = [product([v.size for v in p.inner]) for p in kernel.parts]
        known = [n for n in lengths if is_static(n)]
        longest = max(known) if len(known) == len(lengths) else LONG
        threads = 0 if self.named_sizes() else self.single_step()
        if longest <= SHORT and not (is_static(count) and count == 1):
            f.team = ALONE
            f.over(kernel.outer, "grid_thread()", "grid_threads()")
            self.grid = (covering(count, THREADS, BLOCKS), 1, 1)
        elif threads == 32 or not threads and longest <= NARROW and not self.size_names:
            self.warps(count)
        else:
            threads = threads or (THREADS if longest <= LONG else 512 if longest <= LONGEST else 1024)
            f.team, self.block, self.grid = block(threads), (threads, 1, 1), (count, 1, 1)
            if kernel.outer:
                f.declared_all(kernel.outer, "blockIdx.x")
        if f.single:
            self.hold()
        else:
            self.shared_rows()
        self.parts()
        if f.team is ALONE:
            f.leave()

    def named_sizes(self) -> bool:
        """Make sizes parameters where a block does a few loops, as of an optimizer's step: such kernels are often equal
        but for sizes."""
        kernel = self.kernel
        if kernel.outer or any(m.loop.kind == "reduce" for m in kernel.members()):
            return False
        if any(len(p.inner) > 1 or not is_static(v.size) for p in kernel.parts for v in p.inner):
            return False
        for v in (v for p in kernel.parts for v in p.inner):
            self.name_size(v)
        return True

    def single_step(self) -> int:
        """How many threads do all elements of a row in one step each, so that they hold what they load; 0: none."""
        f, parts = self.function, [p for p in self.kernel.parts if p.inner]
        inner = {p.inner for p in parts}
        if len(inner) != 1 or len(parts[0].inner) != 1 or not is_static(parts[0].inner[0].size):
            return 0
        width, size = min(self.width(p) for p in parts), parts[0].inner[0].size
        threads = size // width
        if threads > FEW_THREADS and width > 1:  # several packs each
            most = [w for w in (2 * width, 4 * width) if size % (32 * w) == 0 and w <= HELD]
            width = next((w for w in most if size // w <= FEW_THREADS), width)
            threads = size // width
        if size % width or threads % 32 or threads > MOST_THREADS:
            return 0
        f.single, self.widths = True, dict.fromkeys(parts, width)
        return int(threads)

    def hold(self) -> None:
        """Declare the element that each thread does, and registers for values that a later part reads."""
        f, kernel = self.function, self.kernel
        part = next(p for p in kernel.parts if p.inner)
        [var], width = part.inner, self.widths[part]
        f.declared(var, f"{width} * {f.team.first}" if width > 1 else f.team.first)
        for n, each in enumerate(kernel.parts if width > 1 else ()):
            later = {(op.buffer, op.index) for p in kernel.parts[n + 1:] for m in p.members
                     for op in self.bodies[m].loads()}
            for m in each.members if each.inner else ():
                place = (m.loop.out, stored(self.bodies[m], m))
                if m.loop.kind == "pointwise" and place in later:
                    name = f.names.new(f"{f.title_of(m.loop.out)}_held")
                    f.line(f"{REGISTER[computing(m.loop.out.dtype)]} {name}[{width}];")
                    f.registers[place] = name

    def warps(self, count: Any) -> None:
        """A warp for each row."""
        f, outer = self.function, self.kernel.outer
        f.team = WARP
        teams = 4
        if is_static(count) and count < teams:
            teams = count
        self.block, self.grid = (32 * teams, 1, 1), (covering(count, teams), 1, 1)
        if outer:
            name = f.names.new("row")
            f.line(f"const {f.whole} {name} = grid_warp();")
            if not (is_static(count) and count % teams == 0):
                f.line(f"if ({name} >= ", Access(None, f.index(count)), ") return;")
            f.apart(outer, name)

    def shared_rows(self) -> None:
        """Rows of shared memory for values that a later part reads and that have no memory."""
        f, kernel = self.function, self.kernel
        taken, teams = 0, self.block[0] // 32 if f.team is WARP else 1
        for out, length in self.scratch():
            taken += length * itemsize(computing(out.dtype)) * teams if is_static(length) else SHARED + 1
            if taken > SHARED and f.team is not ALONE:
                raise CompileError("emit", f"{kernel.name}: rows that do not fit into shared memory ({length})")
            f.row(out, length, teams, self.inside)

    def parts(self) -> None:
        """The parts in order, with barriers where a thread needs what others did."""
        f = self.function
        done: list[tuple[Part, int]] = []
        for part in self.kernel.parts:
            width = 1 if f.team is ALONE else self.widths.get(part) or self.width(part)
            if f.team.barrier and any(self.meet(earlier, (part, width)) for earlier in done):
                f.line(f.team.barrier)
                done = []
            done.append((part, width))
            f.part(part, width)

    def meet(self, earlier: tuple[Part, int], later: tuple[Part, int]) -> bool:
        """Whether a thread reads in a part what another one wrote in an earlier part, or the reverse."""
        f, (one, first), (two, second) = self.function, earlier, later
        for m in one.members:
            wrote = stored(self.bodies[m], m) if m.loop.kind != "reduce" and (m.keep or m.loop.out in f.rows) else None
            for n in two.members:
                own = (one.inner, two.inner, (first, second))
                for op in self.bodies[n].loads():
                    if op.buffer is m.loop.out and wrote is not None and one.inner and not (
                            same_thread(wrote, op.index, *own)):
                        return True
                if n.keep and n.loop.out in self.shared and n.loop.kind != "reduce" and two.inner:
                    into = stored(self.bodies[n], n)
                    if any(op.buffer in self.shared and not same_thread(op.index, into, *own)
                           and self.aliases([op.buffer, n.loop.out], {n.loop.out}) for op in self.bodies[m].loads()):
                        return True
        return False

    # -- columns ------------------------------------------------------------------------------------------------------

    def columns(self) -> None:
        """Blocks of two dimensions: neighbours along the kept elements, and rows shared by the second dimension."""
        f, kernel = self.function, self.kernel
        [part] = kernel.parts
        *inner, last = part.inner
        wide = 32
        while wide > 4 and is_static(last.size) and last.size <= wide // 2:
            wide //= 2
        self.block = (wide, THREADS // wide, 1)
        tiles = covering(last.size, wide)
        outside = (*kernel.outer, *inner)
        self.grid = (product([v.size for v in outside]) * tiles, 1, 1)
        f.columns(part, kernel.columns, outside, tiles, self.block)

    # -- in order ---------------------------------------------------------------------------------------------------

    def scan(self) -> None:
        """Running sums: a block for each row, or a thread where rows are short or neighbours keep other rows."""
        f, kernel = self.function, self.kernel
        [member] = kernel.members()
        [var] = kernel.parts[0].inner
        count = product([v.size for v in kernel.outer])
        step = lift(stored(self.bodies[member], member)).coefficient(var)
        alone = is_static(var.size) and var.size <= 4 * SHORT or step != 1 and is_static(count) and count >= MANY
        if alone and kernel.outer:
            self.grid = (covering(count, THREADS, BLOCKS), 1, 1)
            f.over(kernel.outer, "grid_thread()", "grid_threads()")
            f.scan_alone(member, var)
            f.leave()
            return
        self.grid = (count, 1, 1)
        if kernel.outer:
            f.declared_all(kernel.outer, "blockIdx.x")
        f.scan_rows(member, var, THREADS)

    def scatter(self) -> None:
        """Stores at places that are read from memory. What may meet at one place is one thread's, in order."""
        f, kernel = self.function, self.kernel
        [part] = kernel.parts
        [member] = part.members
        variables = (*kernel.outer, *part.inner)
        alone = independent(stored(self.bodies[member], member), variables)
        rest = [v for v in variables if v not in alone]
        steps, own = product([v.size for v in alone]), product([v.size for v in rest])
        if is_static(own) and own >= LISTED and is_static(steps) and steps <= MANY and self.lists(member, alone):
            owners = min(MOST_OWNERS, 1 << max(own // 8, 1).bit_length() - 1)
            self.grid = (owners, 1, 1)
            f.scatter_listed(member, alone, rest, owners, THREADS)
            return
        owners = 1 if not rest or is_static(own) and own < LISTED else OWNERS
        self.block = (THREADS, 1, 1) if alone else (1, 1, 1)
        self.grid = (covering(steps, THREADS, BLOCKS), owners, 1)
        if alone:
            f.over(alone, "grid_thread()", "grid_threads()")
        for var in rest:
            f.over([var], "0", "1")
        f.scatter_owned(member, alone, owners)
        for _ in range(len(rest) + bool(alone)):
            f.leave()

    def lists(self, member: Member, alone: list[Var]) -> bool:
        """Whether the places that are read from memory do not depend on some variables."""
        used = [op for each in self.bodies[member].indirects.values() for op in reads_of(each)]
        exprs = [op.index for op in used if isinstance(op.index, Expr)]
        return not any(v in e.vars() for e in exprs for v in alone)


def independent(flat: Any, variables: Sequence[Var]) -> list[Var]:
    """The variables whose value a place tells: threads that differ in them never meet.

    A place is a sum of terms. Where all larger terms are multiples of more than what all smaller ones add up to, it
    tells both apart.
    """
    terms: list[tuple[int, int, Any]] = []  # step, largest value, variable or what else
    for monomial, c in lift(flat).terms.items():
        if not monomial:
            continue
        [atom] = monomial if len(monomial) == 1 else [None]
        most = upper(lift(atom)) if atom is not None else None
        if most is None or not is_static(most) or c < 0:
            return []
        terms.append((c, c * most, atom))
    terms.sort(key=lambda t: t[0])
    found = []
    for n, (c, most, atom) in enumerate(terms):
        below = sum(t[1] for t in terms[:n])
        above = gcd(*(t[0] for t in terms[n + 1:]))
        if isinstance(atom, Var) and gcd(c, above) > below and (not above or above > below + most):
            found.append(atom)
    return [v for v in variables if v in found or v.size == 1]


def covering(steps: Any, each: int, most: int = 0) -> Any:
    """How many blocks cover some steps."""
    count = blocks(steps, each)
    return min(count, most) if most and is_static(count) else count


def extent(buffer: Buffer) -> Any:
    """How far a buffer's elements reach: far where that is not known."""
    if not all(is_static(n) for n in (*buffer.shape, *buffer.stride, buffer.offset)):
        return MOST
    return buffer.offset + sum(max(n - 1, 0) * abs(s) for n, s in zip(buffer.shape, buffer.stride, strict=True)) + 1


def stored(body: Recorded, member: Any) -> Any:
    """The flat index that a member stores to."""
    if body.store is not None:
        return body.store
    return member.loop.out.at(kept(member.loop, member.index))
