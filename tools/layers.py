#!/usr/bin/env python3
"""Check that imports between the packages run downwards only.

    python tools/layers.py

Every `import` in every package is read from the source, also inside functions and under TYPE_CHECKING. A package may
import itself and what is below it; nothing but the façade may import the façade. Exit status 1 names each arrow that
runs the other way.
"""
from __future__ import annotations

import ast
import pathlib
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent

#: part of the namespace -> the parts that it may import besides itself
BELOW: dict[str, set[str]] = {
    "dispatch": set(),
    "core": {"dispatch"},
    "autograd": {"dispatch", "core"},
    "nn": {"dispatch", "core", "autograd"},
    "optim": {"dispatch", "core", "autograd"},
    "distributed": {"dispatch", "core", "autograd"},
    "compile": {"dispatch", "core"},
    "interop": {"dispatch", "core", "autograd", "nn"},
    "torch": {"dispatch", "core", "autograd", "nn", "optim", "distributed", "compile", "interop", "cli"},
    "cli": {"dispatch", "core", "autograd", "nn", "optim", "distributed", "compile", "interop", "torch"},
}
#: (file below packages/, part) -> why this one arrow may run against the rule
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("nn/src/lamella/nn/module_hooks.py", "compile"): "Module.compile() needs the compiler, where it is",
    ("distributed/src/lamella/distributed/layers.py", "nn"): "wrappers of modules are modules, where there are any",
    ("distributed/src/lamella/distributed/layers.py", "optim"): "wrappers of optimizers are optimizers, where they are",
    ("compile/src/lamella/compile/layers.py", "autograd"): "the compiler traces derivatives, where they are",
    ("compile/src/lamella/compile/layers.py", "optim"): "the compiler takes optimizers' steps apart, where they are",
    ("compile/src/lamella/compile/layers.py", "nn"): "a stored program names operators of layers, where they are",
    ("compile/src/lamella/compile/aot_function.py", "autograd"): "a compiled backward is a node of autograd's graph",
}


def imported(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """(line, absolute dotted name) of every import in a file that lies in `package`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join(parts[: len(parts) - node.level + 1] + ([base] if base else []))
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value


def files() -> Iterator[tuple[pathlib.Path, str, str]]:
    """(file, part, dotted package) of all the packages' sources."""
    for path in sorted(ROOT.glob("packages/*/src/lamella/**/*.py")):
        below = path.relative_to(next(p for p in path.parents if p.name == "src"))
        yield path, below.parts[1], ".".join(below.parent.parts)


def violations() -> list[str]:
    """One line for each arrow that runs the wrong way."""
    found = []
    for path, part, package in files():
        shown = str(path.relative_to(ROOT))
        if part not in BELOW:
            found.append(f"{shown}: lamella.{part} is not in the table of layers (tools/layers.py)")
            continue
        for line, name in imported(ast.parse(path.read_text("utf-8"), str(path)), package):
            parts = name.split(".")
            if parts[0] != "lamella" or len(parts) < 2 or parts[1] == part or parts[1] in BELOW[part]:
                continue
            if (shown.removeprefix("packages/"), parts[1]) not in EXCEPTIONS:
                found.append(f"{shown}:{line}: lamella.{part} imports lamella.{parts[1]}")
    found += [f"{p.relative_to(ROOT)}: the namespace must have no __init__.py"
              for p in ROOT.glob("packages/*/src/lamella/__init__.py")]
    return found


def main() -> int:
    found = violations()
    for line in found:
        print(line)
    outcome = f"{len(found)} wrong arrows" if found else "all arrows run down"
    print(f"layers: {sum(1 for _ in files())} files, {outcome}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
