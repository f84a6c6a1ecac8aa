"""A whole plan as one CUDA file: every distinct kernel once, and the launches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...loops.index import Var, lift
from ...loops.ir import Buffer, Extern, Loop, itemsize
from ...schedule.plan import Kernel, Member, NativeCall, Part, Plan
from .. import program
from ..launch import Launch, Matrix, Product
from ..loops import title
from ..program import overlap, wrap
from ..source import Source
from .expressions import RESERVED
from .kernels import Printed, Printer
from .many import merge


class Program(program.Program):
    """Prints a plan.

    Attributes:
        checks: whether kernels check indices that they read from memory.
    """

    reserved = RESERVED

    def __init__(self, plan: Plan, checks: bool = False) -> None:
        super().__init__(plan)
        self.checks = checks
        self.source = Source("")
        self.headers = {"cuda/loops.cuh": None}
        self.source.kernels = self.functions
        self.own: dict[Any, str] = {}  # kernels that templates wrote
        self.alone: set[str] = set()  # those of them that use more than one dimension of the grid

    def print(self) -> Source:
        """The source."""
        source = self.source
        for step in self.plan.steps:
            if isinstance(step, Kernel):
                self.launch(step)
            elif isinstance(step, NativeCall):
                self.native(step)
            elif isinstance(step, Extern):
                source.script.append(("extern", step))
        buffers = self.plan.buffers
        merge(source, lambda slot: self.extent(buffers[slot]), self.may_overlap, self.alone)
        self.functions = source.kernels
        source.text = "\n".join(self.file())
        return source

    def may_overlap(self, a: Any, b: Any) -> bool:
        """Whether two extents may have memory in common; of an arena that is laid out at run time, those may that are
        not in use at once."""
        if a[0] == b[0] == "slot" and a[1] != b[1]:
            one, two = self.plan.slots[a[1]], self.plan.slots[b[1]]
            return one.last < two.first or two.last < one.first
        return overlap(a, b)

    # -- kernels ----------------------------------------------------------------------------------------------------

    def launch(self, kernel: Kernel) -> None:
        """Add the launch of a kernel; of a scatter, first that of what its buffer starts as."""
        for member in kernel.members():
            if member.loop.kind == "scatter":
                self.start(kernel, member.loop)
        name, printed = self.kernel(kernel)
        arguments = [self.argument(a) for a in printed.arguments]
        if printed.checks:
            arguments.append(("report",))
        what = " ".join(dict.fromkeys(title(m.loop) for m in kernel.members()))
        self.source.script.append(("launch", Launch(name, printed.grid, printed.block, 0, arguments, what)))

    def start(self, kernel: Kernel, loop: Loop) -> None:
        """Fill a scatter's buffer with zeros, or with what it starts as."""
        out, into = loop.out, loop.into
        if into is not None and self.extent(out) == self.extent(into):
            return

        def body(ops: Any, index: tuple[Any, ...]) -> Any:
            return ops.constant(0, out.dtype) if into is None else ops.load(into, index[0])

        var = Var("i0", out.numel)
        begun = Loop(out, (out.numel,), body, store=lambda ops, index: index[0], origins=loop.origins, where=loop.where)
        name = f"{kernel.name}_{'zeros' if into is None else 'copy'}"
        self.launch(Kernel(name, (), [Part((var,), [Member(begun, (lift(var),))])], work=out.numel))

    def printed(self, kernel: Kernel) -> Printed:
        printed = Printer(kernel, self.aliases, self.readings, self.titles, self.checks).print()
        if any("philox_" in line for line in printed.body):
            self.headers["cuda/philox.cuh"] = None
        return printed

    def head(self, name: str, printed: Printed) -> list[str]:
        parameters = [*printed.parameters, *(["Report* __restrict__ report"] if printed.checks else [])]
        threads = printed.block[0] * printed.block[1] * printed.block[2]
        return wrap(f'extern "C" __global__ void __launch_bounds__({threads}) {name}(', parameters, ") {")

    def argument(self, argument: tuple[Any, ...]) -> tuple[Any, ...]:
        """What is passed for a parameter."""
        kind, what, *base = argument
        if kind == "buffer":
            return "buffer", self.slots[what], base[0] * itemsize(what.dtype)
        if kind == "symbol":
            return "size", lift(Var(what))
        return (kind, what, "float64") if kind == "scalar" else (kind, what)

    # -- what templates wrote -----------------------------------------------------------------------------------------

    def native(self, call: NativeCall) -> None:
        """Add the launches and products of a call."""
        native = call.native
        what = " at ".join(filter(None, [", ".join(native.origins), native.where]))
        for each in native.calls:
            if hasattr(each, "parameters"):
                self.template(each, what)
            else:
                self.product(each, what)

    def template(self, call: Any, what: str) -> None:
        """Add the launch of a kernel whose body a template wrote."""
        if call.header:
            self.headers[call.header] = None
        fixed = [f"const {kind} {name} = {value!r};" for kind, name, value in call.parameters
                 if isinstance(value, float)]
        if fixed:
            taken = [each for each in call.parameters if not isinstance(each[2], float)]
            call = replace(call, parameters=taken, body=[*fixed, *call.body])
        name = self.own.get(call.key)
        if name is None:
            name = self.own[call.key] = self.names.new(call.stem)
            about = [f"// {each}" for each in (what, *call.about) if each]
            if not call.flat:
                self.alone.add(name)
            self.functions[name] = "\n".join([*about, *call.text(name), ""])
        arguments = [self.passed(value) for _, _, value in call.parameters]
        self.source.script.append(("launch", Launch(name, call.grid, call.block, call.shared, arguments, what)))

    def passed(self, value: Any) -> tuple[Any, ...]:
        """An argument of a template's kernel."""
        if isinstance(value, Buffer):
            return self.memory_of(value)
        return "size", value

    def memory_of(self, buffer: Buffer) -> tuple[str, int, Any]:
        """A pointer to a buffer's first element."""
        return "buffer", self.slots[buffer.root], buffer.offset * itemsize(buffer.dtype)

    def product(self, call: Any, what: str) -> None:
        """Add a product of matrices."""
        operands: list[Any] = []
        for name in "abc":
            _, slot, offset = self.memory_of(getattr(call, name))
            operands.append(Matrix(slot, offset, getattr(call, f"steps_{name}")))
        out = call.out if call.out != call.dtype else ""
        a, b, c = operands
        self.source.script.append(("product", Product(
            call.dtype, call.batch, call.m, call.n, call.k, a, b, c, call.alpha, call.beta, what, out)))



