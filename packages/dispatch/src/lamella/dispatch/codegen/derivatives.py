"""From derivative formulas to nodes and Autograd kernels.

Formulas are Python expressions. They are parsed to find out what must be kept for backward: a tensor that the formula
reads, or only its shape or type.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import did_you_mean
from .model import Op
from .render import environment_for_code, tidy
from .writer import Writer, header
from .yaml_loader import Map, load

_FACTS = ("shape", "dtype", "ndim", "device", "_geometry")
_BUILTINS = {
    "len",
    "tuple",
    "list",
    "range",
    "zip",
    "isinstance",
    "int",
    "float",
    "bool",
    "enumerate",
    "None",
    "True",
    "False",
}
_SETTINGS = ("name", "node", "inplace", "outputs")


def node_name(op: Op) -> str:
    """Torch's name for an operator's node: ``log_softmax`` -> ``LogSoftmaxBackward0``."""
    words = "".join(w[:1].upper() + w[1:] for w in op.name.strip("_").split("_"))
    return re.sub(r"(\d)([a-z])", lambda m: m[1] + m[2].upper(), words) + "Backward0"


@dataclass
class Formula:
    """One expression and the arguments it is for."""

    targets: list[str]
    source: str
    names: set[str] = field(default_factory=set)

    @property
    def is_tuple(self) -> bool:
        return len(self.targets) > 1


@dataclass
class Saved:
    """Something a node keeps. kind: tensor, output, list, value, or fact (``other.shape`` as ``other_shape``)."""

    name: str
    kind: str
    source: str
    users: set[int] = field(default_factory=set)
    optional: bool = False
    number: bool = False
    nr: int = 0

    @property
    def slot(self) -> str:
        return f"{self.name}_"


class Derivative:
    """All that the template needs for one operator."""

    def __init__(self, row: Map, op: Op, functions: set[str]) -> None:
        self.op, self.row = op, row
        self.node = row.get("node") or node_name(op)
        self.cls = self.node  # its Python name, where torch gives several operators the same node name
        self.formulas: list[Formula] = []
        self.saved: dict[str, Saved] = {}
        self.used: set[str] = set()
        self.edges = self._edges(row)
        self.elementwise = op.kind == "elementwise" and len(op.tensors) > 1
        self._outputs(row)
        for key, text in row.items():
            if key not in _SETTINGS:
                self._add(row, key, str(text), functions)
        self.edge_params = [next(p for p in op.params if p.name == e) for e in self.edges]

    def _edges(self, row: Map) -> list[str]:
        named = [n.strip() for key in row if key not in _SETTINGS for n in key.split(",")]
        for name in named:
            if name not in [p.name for p in self.op.params if p.is_tensor or p.is_tensor_list]:
                row.fail(
                    f"{self.op.full} has no tensor argument '{name}'",
                    next(k for k in row if name in k),
                    hint="arguments: " + ", ".join(p.name for p in self.op.params),
                )
        return [p.name for p in self.op.params if p.name in named]

    def _outputs(self, row: Map) -> None:
        names = self.op.returns
        chosen = row.get("outputs") or names
        for c in chosen:
            if c not in names:
                row.fail(f"{self.op.full} has no result '{c}'", "outputs", hint="results: " + ", ".join(names))
        self.outputs = [(i, n) for i, n in enumerate(names) if n in chosen]
        self.multi = self.op.return_kind == "list" or len(self.outputs) > 1

    def _add(self, row: Map, key: str, text: str, functions: set[str]) -> None:
        targets = [n.strip() for n in key.split(",")]
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError as e:
            row.fail(f"the formula for '{key}' of {self.op.full} is not an expression: {e.msg}", key)
        formula = Formula(targets, text)
        index = len(self.formulas)
        self.formulas.append(formula)
        local = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        local |= {a.arg for n in ast.walk(tree) if isinstance(n, ast.Lambda) for a in n.args.args}
        new = _Facts(self, index, functions, local).visit(tree)
        formula.source = ast.unparse(new)

    def keep(self, name: str, kind: str, source: str, user: int, **more: Any) -> None:
        s = self.saved.setdefault(name, Saved(name, kind, source, **more))
        s.users.add(user)

    # ---------------------------------------------------------------- for the template

    @property
    def tensors(self) -> list[Saved]:
        return [s for s in self.saved.values() if s.kind == "tensor"]

    @property
    def results(self) -> list[Saved]:
        return [s for s in self.saved.values() if s.kind == "output"]

    @property
    def values(self) -> list[Saved]:
        return [s for s in self.saved.values() if s.kind in ("value", "fact", "list")]

    @property
    def plain(self) -> str:
        """The node class of the plain case: equal types and default arguments, so that neither is kept."""
        return f"{self.cls}Plain"

    def default_of(self, saved: Saved) -> str | None:
        """The value in the plain case of something that has a default."""
        if not self.op.defaults_test:
            return None
        return next((p.default for p in self.op.kwonly if p.py == saved.name), None)

    def slots(self, plain: bool = False) -> list[str]:
        names = []
        for s in self.saved.values():
            if plain and self.default_of(s):
                continue
            names.append(s.slot)
            if s.kind in ("tensor", "output"):
                names.append(f"{s.name}_v")
        if self.elementwise:
            names += [f"{e}_s" for e in self.edges] + [f"{e}_d" for e in self.edges if not plain]
        return names

    def edge_number(self, name: str) -> int:
        return self.edges.index(name)

    def wanted(self, saved: Saved) -> str | None:
        """The condition for keeping something, or None where every formula needs it."""
        if len(saved.users) == len(self.formulas) or any(self.formulas[u].is_tuple for u in saved.users):
            return None
        numbers = sorted(self.edge_number(self.formulas[u].targets[0]) for u in saved.users)
        lists = [self.edge_params[n].is_tensor_list for n in numbers]
        if any(lists):
            return None
        return " or ".join(f"e{n} is not None" for n in numbers)

    @property
    def in_place(self) -> bool:
        """Whether the operator writes to ``self``."""
        return any(p.name == "self" for p in self.op.mutates)

    @property
    def fusible(self) -> bool:
        """Whether the plain case is one ufunc call on two operands, both differentiable."""
        op = self.op
        return bool(
            op.kind == "elementwise"
            and op.ufunc
            and len(op.tensors) == 2
            and len(self.edges) == 2
            and not self.in_place
            and self.edges == [t.name for t in op.tensors]
        )

    @property
    def saves(self) -> bool:
        return any(s.kind in ("tensor", "output") for s in self.saved.values())

    @property
    def dtype_may_change(self) -> bool:
        return any(p.type.startswith("ScalarType") for p in self.op.params)


def id_of(n: Any) -> str:
    return n.id if isinstance(n, ast.Name) else ""


class _Facts(ast.NodeTransformer):
    """Replaces ``other.shape`` by the kept fact and notes every other name."""

    def __init__(self, d: Derivative, index: int, functions: set[str], local: set[str]) -> None:
        self.d, self.index, self.functions, self.local = d, index, functions, local
        self.params = {p.name: p for p in d.op.params}
        self.outs = {n: i for i, n in enumerate(d.op.returns)}
        if len(d.op.returns) > 1:
            self.outs |= {f"result{i}": i for i in range(len(d.op.returns))}

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        name = id_of(node.value)
        p = self.params.get(name)
        if p is not None and p.is_tensor and node.attr in _FACTS:
            kept = f"{p.py}_{node.attr}"
            self.d.keep(
                kept,
                "fact",
                f"{p.py}.{node.attr}",
                self.index,
                optional=p.is_optional,
                number=self.d.op.kind == "elementwise",
            )
            return ast.copy_location(ast.Name(kept, ast.Load()), node)
        if p is not None and p.is_tensor_list and node.attr in _FACTS:
            kept = f"{p.py}_{node.attr}"
            self.d.keep(kept, "fact", f"tuple([t.{node.attr} for t in {p.py}])", self.index)
            return ast.copy_location(ast.Name(kept, ast.Load()), node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        name = node.id
        if name in self.local or name in ("grad", "grads", "needs"):
            return node
        p = self.params.get(name)
        if p is not None:
            kind = "tensor" if p.is_tensor else "list" if p.is_tensor_list else "value"
            self.d.keep(p.py, kind, p.py, self.index, optional=p.is_optional, number=self.d.op.kind == "elementwise")
            return ast.copy_location(ast.Name(p.py, node.ctx), node)
        if name in self.outs:
            self.d.keep(name, "output", name, self.index, nr=self.outs[name])
            return node
        if name in _BUILTINS and name not in self.functions:
            return node
        self.d.used.add(name)
        return node


def helper_names(folder: Path) -> dict[str, str]:
    """Functions defined at the top of ``formulas*.py`` -> module stem."""
    found = {}
    for path in sorted(folder.glob("formulas*.py")):
        for n in ast.parse(path.read_text()).body:
            if isinstance(n, ast.FunctionDef):
                found[n.name] = path.stem
    return found


def public_names(ops_folder: Path) -> dict[str, str]:
    """Public functions and in-place forms that a package's YAML declares -> family."""
    found: dict[str, str] = {}
    for path in sorted(ops_folder.glob("*.yaml")):
        for row in load(path).maps("an operator"):
            name = str(row["func"]).partition("(")[0].partition(".")[0]
            if row.get("function") is not False:
                for n in [name, *(row.get("alias") or [])]:
                    found[n] = path.stem
            symbol = str(row["func"]).partition("(")[0].replace(".", "_")
            found["op_" + symbol] = path.stem
    return found


def read_derivatives(path: Path, label: str, ops: list[Op], functions: set[str]) -> list[Derivative]:
    """The checked rows of a derivatives file, in-place forms included."""
    by_name = {op.full: op for op in ops}
    found: list[Derivative] = []
    seen: dict[str, Map] = {}
    for row in load(path, name=label).maps("a derivative"):
        name = row.take("name", str)
        if name is None:
            row.fail("'name' is missing")
        if name not in by_name:
            row.fail(f"there is no operator {name}", "name", hint=did_you_mean(name, by_name))
        if name in seen:
            row.fail(f"{name} has two derivatives", "name", hint=f"first at {seen[name].where}")
        seen[name] = row
        op = by_name[name]
        made = Derivative(row, op, functions)
        if any(d.node == made.node for d in found):
            made.cls = f"{made.node}_{op.symbol}"
        found.append(made)
        if row.get("inplace") is not False:
            for other in ops:
                if other.inplace_of is op:
                    twin = Derivative(row, op, functions)
                    twin.op, twin.cls = other, made.cls
                    found.append(twin)
    return found


def render_derivatives(
    path: Path,
    ops: list[Op],
    package: str,
    writer: Writer,
    *,
    root: Path,
    command: str,
    ops_package: str = "lamella.core",
) -> None:
    """Write ``_gen/<family>.py`` (``<family>_autograd.py`` beside operators of the same package)."""
    own = package == ops_package
    home = path.parent.parent
    autograd = root / "packages" / "autograd" / "src" / "lamella" / "autograd"
    # Where a formula's names come from, the nearest first; everything else is a function of core.
    places = [
        {n: f"{package}.{m}" for n, m in helper_names(home).items()},
        {n: f"{package}._gen.{m}" for n, m in (public_names(home / "ops") if own else {}).items()},
        {n: f"lamella.autograd.{m}" for n, m in (helper_names(autograd) if home != autograd else {}).items()},
    ]
    functions = set().union(*places) | {"sum", "abs", "max", "min", "all", "any", "round", "pow"}
    label = str(path.relative_to(root)) if path.is_relative_to(root) else path.name
    found = read_derivatives(path, label, ops, functions)
    imports: dict[str, set[str]] = {}
    for name in {n for d in found for n in d.used}:
        module = next((p[name] for p in places if name in p), "lamella.core.functions")
        imports.setdefault(module, set()).add(name)
    cpu = f"{ops_package}._gen.{path.stem}_cpu" if any(d.fusible for d in found) else None
    text = (
        environment_for_code()
        .get_template("autograd.py.j2")
        .render(derivatives=found, cpu=cpu, imports={m: sorted(ns) for m, ns in sorted(imports.items())})
    )
    writer.write(
        f"{path.stem}_autograd.py" if own else f"{path.stem}.py", header([path], command, root=root) + tidy(text)
    )
