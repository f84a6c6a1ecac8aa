"""Operators of other packages: from one YAML file to a module, its stub and a table.

The YAML::

    namespace: geo                    # operators are geo::area, ops.geo.area
    operators:
    - func: area(Tensor xy, *, float scale=1.0) -> Tensor
      doc: The area of each polygon.  # docstring of the generated function
      kernels:                        # dispatch key: module:function, called with the operator's arguments
        CPU: geo.kernels:area
      fake: geo.shapes:area           # the result on tensors without data
      backward: geo.gradients:area_backward
      setup_context: geo.gradients:area_setup
      differentiable: true            # false: a gradient makes no sense
      tags: [pointwise]

The modules named here are imported when an operator is first called, not when the generated module is.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import did_you_mean
from ..keys import DispatchKey
from ..library import _OTHER_NAMES
from ..schema import Argument, Schema
from .writer import Writer, environment, header
from .yaml_loader import Map, Seq, YamlError, load

KEYS = ("func", "doc", "kernels", "fake", "backward", "setup_context", "differentiable", "tags")
_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*\Z")
_PYTHON_TYPES = {
    "Tensor": "Tensor",
    "Scalar": "int | float | complex | bool",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "complex": "complex",
}


@dataclass
class Declared:
    """One operator of the file, as templates see it."""

    schema: Schema
    where: str
    place: str
    doc: str
    kernels: dict[str, str]
    fake: str | None = None
    backward: str | None = None
    setup_context: str | None = None
    differentiable: bool = True
    tags: tuple[str, ...] = ()
    function: str = field(init=False)

    def __post_init__(self) -> None:
        name = self.schema.base_name
        if self.schema.overload_name:
            name += "_" + self.schema.overload_name
        self.function = _python_name(name)

    @property
    def source(self) -> str:
        """The schema without namespace."""
        return str(self.schema)

    def signature(self, *, typed: bool = False) -> str:
        """The parameter list of the generated function."""
        parts: list[str] = []
        star = False
        for argument in self.schema.arguments:
            if argument.kwarg_only and not star:
                star = True
                parts.append("*")
            parts.append(_parameter(argument, typed))
        return ", ".join(parts)

    def call(self) -> str:
        """The arguments, as the operator takes them."""
        parts = []
        for argument in self.schema.arguments:
            name = _python_name(argument.name)
            if not argument.kwarg_only:
                parts.append(name)
            elif name == argument.name:
                parts.append(f"{name}={name}")
            else:
                parts.append(f"**{{{argument.name!r}: {name}}}")
        return ", ".join(parts)

    def keys(self) -> str:
        """The expression for the key set of a call that needs no check of values: all arguments are tensors."""
        parts = []
        if not all(argument.type.is_tensor_like for argument in self.schema.arguments):
            return ""
        for argument in self.schema.arguments:
            name = _python_name(argument.name)
            if argument.type.is_tensor and argument.type.is_optional:
                parts.append(f"(0 if {name} is None else {name}._ks)")
            elif argument.type.is_tensor:
                parts.append(f"{name}._ks")
            elif argument.type.is_tensor_like:
                parts.append(f"_keys_in({name})")
        return " | ".join(parts)

    def returns(self) -> str:
        """The return annotation for the stub."""
        types = [_annotation(r.type) for r in self.schema.returns]
        if len(types) == 1:
            return types[0]
        return f"tuple[{', '.join(types)}]" if types else "None"

    def keys_with_kernels(self) -> str:
        """For the table."""
        names = list(self.kernels) + (["Meta"] if self.fake else []) + (["Autograd"] if self.backward else [])
        return ", ".join(names)


def _python_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def _annotation(type_: Any) -> str:
    if type_.is_optional:
        return f"{_annotation(type_.required)} | None"
    if type_.is_list:
        inner = _annotation(type_.elem)
        return f"Sequence[{inner}]" if type_.size is None else f"{inner} | Sequence[{inner}]"
    return _PYTHON_TYPES.get(type_.base, "Any")


def _parameter(argument: Argument, typed: bool) -> str:
    text = _python_name(argument.name)
    if typed:
        text += f": {_annotation(argument.type)}"
    if not argument.has_default_value():
        return text
    value = argument.default_value
    shown = repr(tuple(value)) if isinstance(value, list) else repr(value)
    return f"{text} = {'...' if typed else shown}" if typed else f"{text}={shown}"


def read(path: Path, name: str | None = None) -> tuple[str, list[Declared]]:
    """Read and check a file.

    Returns:
        The namespace and its operators.

    Raises:
        YamlError: with file and line, and the nearest known word where one is misspelled.
    """
    shown = name or str(path)
    top = load(path, name=shown)
    if not isinstance(top, Map):
        hint = "the file starts with `namespace:` and `operators:`"
        raise YamlError(shown, getattr(top, "line", 1), "must be a mapping at the top", hint=hint)
    top.check_keys(("namespace", "operators"), ("namespace", "operators"))
    namespace = top.take("namespace", str)
    if not namespace.isidentifier():
        top.fail(f"the namespace must be an identifier, not {namespace!r}", "namespace")
    if namespace in ("aten", "prim"):
        top.fail(f"the namespace {namespace!r} is lamella's own", "namespace", hint="choose the name of your package")
    rows = top.take("operators", Seq)
    found: dict[str, Declared] = {}
    functions: dict[str, Declared] = {}
    for row in rows.maps("operator"):
        declared = _row(row, namespace)
        full = declared.schema.full_name
        if full in found:
            row.fail(f"operator {full!r} is declared twice", "func", hint=f"first declared at {found[full].where}")
        if declared.function in functions:
            other = functions[declared.function]
            rule = f"{full!r} and {other.schema.full_name!r} would both be the function {declared.function!r}"
            row.fail(rule, "func", hint=f"the other one is declared at {other.where}")
        found[full] = functions[declared.function] = declared
    return namespace, list(found.values())


def _row(row: Map, namespace: str) -> Declared:
    row.check_keys(KEYS, ("func",))
    schema = row.schema("func")
    if schema.namespace:
        row.fail(
            f"the schema names a namespace, {schema.namespace!r}", "func", hint=f"it is {namespace!r} for the file"
        )
    places = {key: _place(row, key) for key in ("fake", "backward", "setup_context")}
    kernels = _kernels(row, places["fake"])
    if places["setup_context"] and not places["backward"]:
        row.fail("setup_context without backward", "setup_context", hint="name the function that computes gradients")
    if places["backward"] and (schema.is_mutable or schema.is_view):
        row.fail("a gradient needs an operator that writes nothing and returns no views", "backward")
    differentiable = row.take("differentiable", bool, True)
    if places["backward"] and not differentiable:
        row.fail("backward, but differentiable: false", "backward")
    doc = row.take("doc", str, f"``{namespace}::{schema.full_name}``.")
    tags = row.take("tags", Seq, ())
    for tag in tags:
        if not isinstance(tag, str):
            row.fail(f"a tag must be a string, not {tag!r}", "tags")
    return Declared(
        schema,
        row.where,
        f"{Path(row.file).name}:{row.line}",
        doc.strip(),
        kernels,
        **places,
        differentiable=differentiable,
        tags=tuple(tags),
    )


def _place(row: Map, key: str) -> str | None:
    text = row.take(key, str)
    if text is not None and not _PLACE.match(text):
        row.fail(f"{key!r} must read module:function, not {text!r}", key, hint="for example mypackage.kernels:area")
    return text


def _kernels(row: Map, fake: str | None) -> dict[str, str]:
    table = row.take("kernels", Map, None)
    if table is None:
        return {}
    found: dict[str, str] = {}
    for key in table:
        if key not in DispatchKey.__members__ and key not in _OTHER_NAMES:
            table.fail(f"unknown dispatch key {key!r}", key, hint=did_you_mean(key, DispatchKey.__members__))
        name = _OTHER_NAMES.get(key, key)
        if name in found or (name == "Meta" and fake):
            table.fail(f"a second kernel for {name}", key)
        found[name] = _place(table, key) or ""
        if not found[name]:
            table.fail(f"the kernel for {key} is missing", key, hint="for example mypackage.kernels:area")
    return found


def generate(
    path: str | Path, writer: Writer, *, command: str, root: Path | None = None, name: str | None = None
) -> None:
    """Write the module, stub and table of one YAML file into ``writer``'s folder."""
    path = Path(path)
    namespace, operators = read(path, name)
    env = environment(Path(__file__).parent / "templates", docstring=_docstring)
    context = {"namespace": namespace, "operators": operators, "source": path.name}
    top = header([path], command, root=root)
    stem = _python_name(re.sub(r"\W", "_", path.stem))
    writer.write(f"{stem}.py", top + env.get_template("external.py.j2").render(context))
    writer.write(f"{stem}.pyi", top + env.get_template("external.pyi.j2").render(context))
    note = header([path], command, root=root, comment="").strip().replace("\n", "")
    writer.write(f"{stem}.md", f"<!-- {note} -->\n" + env.get_template("external.md.j2").render(context))


def _docstring(text: str, indent: int = 4) -> str:
    """A docstring literal: quotes and backslashes kept apart from the code around them."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    pad = " " * indent
    lines = safe.split("\n")
    body = "\n".join([lines[0], *(pad + line if line.strip() else "" for line in lines[1:])])
    if body.endswith('"'):
        body += " "
    return f'"""{body}"""' if len(lines) == 1 else f'"""{body}\n{pad}"""'
