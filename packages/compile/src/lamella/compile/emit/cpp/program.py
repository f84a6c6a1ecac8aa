"""A whole plan as one C++ file: every distinct kernel once, then the segments that call them."""

from __future__ import annotations

from typing import Any

from ...loops.index import Expr, is_static
from ...loops.ir import Buffer, Extern
from ...schedule.epilogue import chunk
from ...schedule.plan import Kernel, NativeCall, Plan
from .. import program
from ..program import wrap
from ..source import Source
from ..ssa import Names
from .apart import apart
from .expressions import MEMORY, RESERVED, Function
from .kernels import PARALLEL_WORK, Printed, Printer


class Program(program.Program):
    """Prints a plan."""

    reserved = RESERVED

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.headers = dict.fromkeys(("report.h", "types.h", "math.h", "loops.h"))

    def print(self) -> Source:
        """The source."""
        source = Source("")
        run: list[Any] = []
        segments: list[str] = []
        for step in [*self.plan.steps, None]:
            if isinstance(step, (Kernel, NativeCall)):
                run.append(step)
                continue
            if run:
                name = f"segment{len(source.segments)}"
                segments.append(self.segment(name, run))
                source.segments.append(name)
                source.script.append(("segment", name))
                run = []
            if isinstance(step, Extern):
                source.script.append(("extern", step))
        source.text = "\n".join([*self.file(), "using namespace lamella;\n", *segments])
        return source

    # -- kernels ----------------------------------------------------------------------------------------------------

    def printed(self, kernel: Kernel) -> Printed:
        return Printer(kernel, self.aliases, self.readings, self.titles).print()

    def head(self, name: str, printed: Printed) -> list[str]:
        split = ["long first", "long last"] if printed.split is not None else []
        report = ["Report* report"] if printed.checks else []
        return wrap(f"KERNEL {name}(", [*printed.parameters, *split, *report], ") {")

    # -- segments ---------------------------------------------------------------------------------------------------

    def segment(self, name: str, steps: list[Any]) -> str:
        """The entry that runs some steps."""
        segment = Segment(self)
        for step in steps:
            if isinstance(step, Kernel):
                segment.kernel(step)
            else:
                segment.native(step)
        return segment.text(name)


class Segment:
    """The text of one entry."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names(RESERVED | {"n", "begin", "end"})
        self.pointers: dict[Buffer, str] = {}
        self.symbols: dict[str, None] = dict.fromkeys(program.plan.symbols)
        for symbol in self.symbols:
            self.names.take(symbol)
        self.lines: list[str] = []
        self.printer = Function(set(), set())

    def kernel(self, kernel: Kernel) -> None:
        """Call a kernel, or the functions that it was taken apart into."""
        for each in apart(kernel, self.program.readings, self.program.memory):
            self.call(each)

    def call(self, kernel: Kernel) -> None:
        """Call the function that does a kernel."""
        name, printed = self.program.kernel(kernel)
        arguments = [self.argument(a) for a in printed.arguments]
        report = ["report"] if printed.checks else []
        if printed.split is None:
            self.lines += wrap(f"program::{name}(", [*arguments, *report], ");")
        else:
            steps = self.size(printed.split)
            parallel = not kernel.sequential and not (is_static(printed.work) and printed.work < PARALLEL_WORK)
            if parallel and printed.split != 1:
                work = self.size(printed.work)
                self.lines.append(f"share({steps}, {work}, [&](long first, long last) {{")
                call = wrap(f"program::{name}(", [*arguments, "first", "last", *report], ");")
                self.lines += ["    " + line for line in call]
                self.lines.append("});")
            else:
                self.lines += wrap(f"program::{name}(", [*arguments, "0", steps, *report], ");")
        if printed.checks:
            self.lines.append("if (report->kernel) return 1;")

    def argument(self, argument: tuple[Any, ...]) -> str:
        """What is passed for a parameter."""
        kind, what, *base = argument
        if kind == "buffer":
            text = self.pointer(what)
            return f"{text} + {base[0]}" if base[0] > 0 else f"{text} - {-base[0]}" if base[0] else text
        if kind == "scalar":
            return f"scalars[{what}]"
        return self.size(what) if kind == "size" else what

    def size(self, value: Any) -> str:
        """An integer expression over the symbols."""
        return self.printer.index_text(value) if isinstance(value, Expr) else str(value)

    def pointer(self, buffer: Buffer) -> str:
        """The name of a buffer's pointer in this segment."""
        name = self.pointers.get(buffer)
        if name is None:
            name = self.pointers[buffer] = self.names.new(self.program.titles.get(buffer) or buffer.name)
        return name

    def native(self, call: NativeCall) -> None:
        """Call a function of the headers, then the kernels on its result."""
        native = call.native
        self.program.headers[native.header] = None
        arguments = [self.plain(a) for a in native.arguments]
        if native.where or native.origins:
            self.lines.append(f"// {' '.join(native.origins)} {native.where}".rstrip())
        if not call.epilogue:
            self.lines += wrap(f"lamella::{native.function}(", arguments, ");")
            return
        self.lines += wrap(f"lamella::{native.function}_then(", arguments, ", range([&](long first, long end) {")
        for kernel in call.epilogue:
            self.lines += ["    " + line for line in self.range_of(kernel, native.outs[0])]
        self.lines.append("}));")

    def range_of(self, kernel: Kernel, out: Buffer) -> list[str]:
        """The call of an epilogue's kernel for elements ``first`` to ``end`` of a call's result."""
        name, printed = self.program.kernel(kernel)
        arguments = [self.argument(a) for a in printed.arguments]
        each = chunk(kernel, out)
        places = ["first", "end"] if each == 1 else [f"first / ({self.size(each)})", f"end / ({self.size(each)})"]
        return wrap(f"program::{name}(", [*arguments, *places], ");")

    def plain(self, value: Any) -> str:
        """An argument of a native call."""
        if isinstance(value, Buffer):
            offset = value.offset
            return self.pointer(value.root) + (f" + {self.size(offset)}" if offset != 0 else "")
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return repr(value)
        return value if isinstance(value, str) else self.size(value)

    def text(self, name: str) -> str:
        """The whole entry."""
        head = [f'extern "C" int {name}(char** bufs, const long* symbols, const double* scalars, Report* report) {{']
        for n, symbol in enumerate(self.symbols):
            head.append(f"    const long {symbol} = symbols[{n}];")
        for buffer, pointer in self.pointers.items():
            slot = self.program.slots.get(buffer)
            if slot is None:  # a number between the functions of one kernel
                head.append(f"    {MEMORY[buffer.dtype]} {pointer}[1];")
                continue
            head.append(f"    auto {pointer} = reinterpret_cast<{MEMORY[buffer.dtype]}*>(bufs[{slot}]);")
        return "\n".join([*head, *("    " + line for line in self.lines), "    return 0;", "}\n"])
