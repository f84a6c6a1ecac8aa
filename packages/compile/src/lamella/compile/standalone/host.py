"""The text of the host program: the launch plan, step by step, in C++."""

from __future__ import annotations

import ast
import json
from typing import Any

from ..emit.launch import Launch, Product, with_sizes
from ..runtime.cuda.products import gemm

DRAWS = "lamella_compile::draws"  # seed and offset of the generator (`runtime.cuda.draws`)
_FUNCTIONS = {"max": "larger", "min": "smaller"}
_SIGNS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


def size(value: Any) -> str:
    """A size (an int, or text of a Python expression over symbols) in C++.

    Example:
        >>> size(7), size("s0*4 + s1//2")
        ('7', '((s0 * 4) + floordiv(s1, 2))')
    """
    return str(value) if isinstance(value, int) else _expression(ast.parse(str(value), mode="eval").body)


def _expression(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.UnaryOp):
        return f"(-{_expression(node.operand)})"
    if isinstance(node, ast.BinOp):
        left, right = _expression(node.left), _expression(node.right)
        if isinstance(node.op, ast.FloorDiv):
            return f"floordiv({left}, {right})"
        if isinstance(node.op, ast.Mod):
            return f"mod({left}, {right})"
        return f"({left} {_SIGNS[type(node.op)]} {right})"
    if isinstance(node, ast.Call):
        parts = [_expression(each) for each in node.args]
        name = _FUNCTIONS[node.func.id]  # type: ignore[attr-defined]
        found = parts[0]
        for each in parts[1:]:
            found = f"{name}({found}, {each})"
        return found
    raise ValueError(f"a size that cannot be printed: {ast.dump(node)}")


def text(program: Any) -> str:
    """The whole file."""
    facts, lines = program.facts, [_HEAD.format(name=program.name)]
    kernels = list(dict.fromkeys(step.kernel for kind, step in facts.script if kind == "launch"))
    lines += ['extern "C" {  // the kernels of program.cu: their host sides', *(f"void {name}();" for name in kernels),
              "}", "", "int main(int count, char** words) try {", *_indented(_body(program)),
              "    return good ? 0 : 1;",
              "} catch (const std::exception& error) {", '    std::fprintf(stderr, "%s\\n", error.what());',
              "    return 1;", "}", ""]
    return "\n".join(lines)


_HEAD = """// {name}: reads raw inputs, runs the launch plan, writes raw outputs.
//
//   {name} [--inputs DIR] [--outputs DIR] [--expected DIR] [--weights FILE] [--repeat N]
//
// Files hold the elements alone, row-major. Outputs are compared with files of the same name in DIR of --expected.
#include "support.h"
"""


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _body(program: Any) -> list[str]:
    facts = program.facts
    lines = ["const Options options(count, words);",
             'const std::string inputs = options.text("inputs", "inputs");',
             'const std::string outputs = options.text("outputs", "outputs");',
             'const std::string expected = options.text("expected", "expected");',
             'const std::string weights = options.text("weights", "weights.bin");']
    for name, value in program.symbols.items():
        lines.append(f'const long {name} = options.size("{name}", {value});')
    if DRAWS in program.called:
        lines.append('const long seed = options.size("seed", 0);')
    for n, value in enumerate(program.scalars):
        lines.append(f'const double scalar{n} = options.number("scalar{n}", {value!r});')
    lines += [f"Machine run({len(facts.slots)});",
              "const auto at = [&](int slot, long offset = 0) { return run.slots[slot] + offset; };",
              "bool good = true;", "", "// inputs"]
    for t in program.inputs:
        lines.append(f"const Tensor in_{_name(t)} = {tensor(t)};")
        lines.append(f'run.put({t.slot}, in_{_name(t)}, read_file(inputs + "/{t.name}.bin", in_{_name(t)}.bytes()));')
    lines += ["", "// weights and constants"]
    for t in program.weights:
        lines.append(f"{{ const Tensor t = {tensor(t)}; run.put({t.slot}, t, read_file(weights, t.bytes(), {t.at})); }}"
                     f"  // {t.name}")
    lines += _memory(facts)
    lines += ["", "// the launch plan", "const auto step = [&] {"]
    for kind, each in facts.script:
        lines += _indented(_step(kind, each))
    lines += ["};", *_RUN, "run.finish();", "", "// results", "mkdir(outputs.c_str(), 0755);"]
    for t in program.outputs:
        offset = "" if t.offset == 0 else f" + {size(t.offset)} * {t.width}"
        lines += [f"{{ const Tensor t = {tensor(t)};",
                  f"  const std::vector<char> found = run.get(at({t.slot}){offset}, t);",
                  f'  write_file(outputs + "/{t.name}.bin", found);',
                  f'  good = compare("{t.name}", "{t.dtype}", t.width, found, expected + "/{t.name}.bin") && good; }}']
    return lines


_RUN = """step();
if (const long repeat = options.size("repeat", 0)) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin, run.stream);
    for (long n = 0; n < repeat; ++n) step();
    cudaEventRecord(end, run.stream);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    std::printf("%g ms for one run\\n", milliseconds / repeat);
}""".splitlines()


def _name(t: Any) -> str:
    return t.name.replace(".", "_")


def tensor(t: Any) -> str:
    """A tensor's layout in C++."""
    shape, stride = ", ".join(map(size, t.shape)), ", ".join(map(size, t.stride))
    return f"{{{{{shape}}}, {{{stride}}}, {t.width}}}"


def _memory(facts: Any) -> list[str]:
    """The arena (for sizes that vary: a block for each part of it), and memory for outputs."""
    from ..runtime.memory import numpy_dtype

    lines = ["", "// memory"]
    if facts.symbols:
        for n, (count, _, _, slots) in enumerate(facts.layout):
            lines.append(f"char* const part{n} = run.allocate({size(count)});")
            lines += [f"run.slots[{slot}] = part{n};" for slot in slots]
    elif facts.arena:
        lines.append(f"char* const arena = run.allocate({facts.arena});")
        lines += [f"run.slots[{n}] = arena + {slot.number};" for n, slot in enumerate(facts.slots)
                  if slot.kind == "arena"]
    for n, slot in enumerate(facts.slots):
        if slot.kind == "output":
            shape, stride = ", ".join(map(size, slot.shape)), ", ".join(map(size, slot.stride))
            width = numpy_dtype(slot.dtype).itemsize
            lines.append(f"run.slots[{n}] = run.allocate(Tensor{{{{{shape}}}, {{{stride}}}, {width}}}.extent());")
        elif slot.kind == "arena" and slot.offset != 0:
            lines.append(f"run.slots[{n}] += {size(slot.offset)} * {numpy_dtype(slot.dtype).itemsize};")
    return lines


def _step(kind: str, step: Any) -> list[str]:
    if kind == "call" and step.op == DRAWS:
        return [f"run.draws({step.outs[0]}, seed, {step.args[0]});"]
    if kind == "call":
        return [f'throw std::runtime_error("{step.op} is an eager call: only Python can do it");']
    printed = with_sizes(step, size)
    return _launch(printed) if isinstance(printed, Launch) else _product(printed)


def _launch(step: Launch) -> list[str]:
    grid, block = ", ".join(map(str, step.grid)), ", ".join(map(str, step.block))
    arguments = [_argument(a if a[0] != "report" else (*a, step.title or step.kernel)) for a in step.arguments]
    lines = [f"// {step.title}"] if step.title else []
    start = f'run.launch("{step.kernel}", (const void*){step.kernel}, dim3({grid}), dim3({block}), {step.shared}'
    return [*lines, *([start + ",", *_wrapped(arguments)] if arguments else [start + ");"])]


def _argument(argument: tuple[Any, ...]) -> str:
    kind, *what = argument
    if kind == "buffer":
        return f"at({what[0]})" if what[1] == "0" else f"at({what[0]}, {what[1]})"
    if kind == "size":
        return f"long({what[0]})"
    if kind == "scalar":
        types = {"float64": "double", "int64": "long", "float32": "float", "int32": "int"}
        return f"{types[what[1]]}(scalar{what[0]})"
    return f"run.report({json.dumps(what[0])})"


def _wrapped(arguments: list[str]) -> list[str]:
    lines, line = [], "          "
    for n, each in enumerate(arguments):
        piece = each + (", " if n + 1 < len(arguments) else ");")
        if len(line) + len(piece) > 116:
            lines.append(line.rstrip())
            line = "          "
        line += piece
    return [*lines, line]


def _product(step: Product) -> list[str]:
    call = gemm(step, _leading)
    numbers = [*call.ops, *call.sizes, *call.steps, *call.batch, call.count, call.element, call.out, call.compute]
    lines = [f"// {step.title}"] if step.title else []
    places = [_argument(("buffer", m.slot, m.offset)) for m in (step.a, step.b, step.c)]
    return [*lines, f"run.product({{{', '.join(map(str, numbers))}}}, {step.alpha!r}, {step.beta!r},",
            *_wrapped(places)]


def _leading(step: str, count: str, length: str) -> str:
    """`runtime.cuda.products.leading` in C++."""
    if step.isdigit() and count.isdigit() and length.isdigit():
        return str(max(int(step) if int(count) > 1 else 0, int(length), 1))
    return f"larger({count} > 1 ? {step} : 0, larger({length}, 1))"
