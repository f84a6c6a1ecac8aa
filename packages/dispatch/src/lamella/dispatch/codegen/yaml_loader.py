"""YAML with positions: every mapping and list knows its file and line, and every fault names them.

Differences from ``yaml.safe_load``, all to keep operator files free of surprises: a key given twice is an error, only
``true`` and ``false`` are booleans (``on``, ``no`` and ``y`` are strings), anchors work, tags and dates do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import yaml

from ..errors import LamellaError, SchemaError, caret, did_you_mean
from ..schema import Schema, parse as parse_text

_INT = re.compile(r"[-+]?(0|[1-9][0-9_]*)\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?\Z|[-+]?[0-9]+[eE][-+]?[0-9]+\Z|[-+]?\.inf\Z|\.nan\Z"
)

_TAGS = {
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "timestamp", "value", "merge")
} | {"!"}


class YamlError(LamellaError):
    """A fault in a YAML file. ``file`` and ``line`` (1-based) say where."""

    def __init__(self, file: str, line: int, rule: str, *, details: str = "", hint: str | None = None) -> None:
        self.file, self.line, self.rule, self.hint = file, line, rule, hint
        text = f"{file}:{line}: {rule}" if line else f"{file}: {rule}"
        if details:
            text += "\n" + details
        if hint:
            text += "\nhint: " + hint
        super().__init__(text)


class Map(dict[str, Any]):
    """A mapping with its place: ``file``, ``line``, and `line_of` each key."""

    __slots__ = ("file", "line", "lines", "columns")
    file: str
    line: int
    lines: dict[str, int]
    columns: dict[str, int]

    @property
    def where(self) -> str:
        """``file:line`` of the mapping's first key."""
        return f"{self.file}:{self.line}"

    def line_of(self, key: str) -> int:
        """Line of ``key``, or of the mapping where the key is absent."""
        return self.lines.get(key, self.line)

    def fail(self, rule: str, key: str | None = None, *, details: str = "", hint: str | None = None) -> NoReturn:
        """Raise a `YamlError` at ``key``, or at the mapping."""
        line = self.line if key is None else self.line_of(key)
        raise YamlError(self.file, line, rule, details=details, hint=hint)

    def check_keys(self, allowed: Iterable[str], required: Iterable[str] = ()) -> None:
        """Refuse unknown keys (naming the nearest known one) and missing required ones."""
        allowed, required = tuple(allowed), tuple(required)
        for key in self:
            if key not in allowed and key not in required:
                self.fail(f"unknown key {key!r}", key, hint=did_you_mean(key, [*allowed, *required]))
        for key in required:
            if key not in self:
                self.fail(f"key {key!r} is missing", hint=f"keys here: {', '.join(self) or 'none'}")

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = None, *, what: str | None = None) -> Any:
        """Return the value of ``key``, refusing another type than ``kind``; ``default`` where the key is absent."""
        if key not in self:
            return default
        value = self[key]
        accepted = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, accepted) or (isinstance(value, bool) and bool not in accepted):
            names = what or " or ".join(_KINDS.get(each, each.__name__) for each in accepted)
            found = _KINDS.get(type(value), type(value).__name__)
            self.fail(f"{key!r} must be {names}, not {found} ({value!r})", key)
        return value

    def choice(self, key: str, valid: Iterable[str], default: str | None = None) -> Any:
        """Return the string of ``key``, refusing one outside ``valid`` and naming the nearest."""
        value = self.take(key, str, default)
        valid = tuple(valid)
        if value is not None and value not in valid:
            self.fail(f"{value!r} is no value of {key!r}", key, hint=did_you_mean(value, valid, list_all=30))
        return value

    def schema(self, key: str) -> Schema:
        """Parse the schema that ``key`` holds; a fault in it is reported with file, line and caret."""
        text = self.take(key, str)
        if text is None:
            self.fail(f"key {key!r} is missing", hint=f"keys here: {', '.join(self) or 'none'}")
        try:
            return parse_text(text)
        except SchemaError as error:
            rule = str(error).split("\n")[0].removeprefix("schema: ")
            hint = next((line[6:] for line in str(error).split("\n") if line.startswith("hint: ")), None)
            raise YamlError(self.file, self.line_of(key), rule, details=caret(text, error.column), hint=hint) from None


class Seq(list[Any]):
    """A list with its place: ``file``, ``line``, and the line of each item in ``lines``."""

    __slots__ = ("file", "line", "lines")
    file: str
    line: int
    lines: list[int]

    def fail(self, rule: str, index: int | None = None, *, hint: str | None = None) -> NoReturn:
        """Raise a `YamlError` at item ``index``, or at the list."""
        raise YamlError(self.file, self.line if index is None else self.lines[index], rule, hint=hint)

    def maps(self, what: str = "entry") -> Iterator[Map]:
        """Iterate over the items, refusing one that is no mapping."""
        for index, item in enumerate(self):
            if not isinstance(item, Map):
                found = _KINDS.get(type(item), type(item).__name__)
                self.fail(f"each {what} must be a mapping, not {found} ({item!r})", index, hint="write `- key: value`")
            yield item


_KINDS: dict[type, str] = {
    Map: "a mapping",
    dict: "a mapping",
    Seq: "a list",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    type(None): "nothing",
}


def load(path: str | Path, *, name: str | None = None) -> Any:
    """Load a file.

    Args:
        path: the file.
        name: how messages call it; the path as given where None.

    Returns:
        `Map`, `Seq` or a scalar; an empty `Seq` for an empty file.

    Raises:
        YamlError: not YAML, a key twice, or no such file.
    """
    path = Path(path)
    shown = name or str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise YamlError(shown, 0, f"cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise YamlError(shown, line, "is not UTF-8") from None
    return loads(text, shown)


def loads(text: str, name: str = "<string>") -> Any:
    """Load YAML from a string; ``name`` is how messages call it.

    Example:
        >>> data = loads("- func: relu(Tensor self) -> Tensor", "ops.yaml")
        >>> data[0]["func"], data[0].where
        ('relu(Tensor self) -> Tensor', 'ops.yaml:1')
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        lines = text.splitlines()
        details = caret(lines[line - 1], mark.column) if mark and 0 < line <= len(lines) else ""
        hint = "quote the value" if "mapping values" in (error.problem or "") else None
        rule = f"not YAML ({error.problem or error.context})"
        raise YamlError(name, line, rule, details=details, hint=hint) from None
    except yaml.YAMLError as error:
        raise YamlError(name, 0, f"not YAML ({' '.join(str(error).split())})") from None
    return _empty(name, 1) if node is None else _build(node, name, ())


def _empty(file: str, line: int) -> Seq:
    found = Seq()
    found.file, found.line, found.lines = file, line, []
    return found


def _build(node: yaml.Node, file: str, outer: tuple[yaml.Node, ...]) -> Any:
    line = node.start_mark.line + 1
    if node in outer:
        raise YamlError(file, line, "an anchor contains itself")
    if len(outer) > 50:
        raise YamlError(file, line, "is nested more than 50 deep")
    if isinstance(node, yaml.SequenceNode):
        items = _empty(file, line)
        for child in node.value:
            items.lines.append(child.start_mark.line + 1)
            items.append(_build(child, file, (*outer, node)))
        return items
    if isinstance(node, yaml.MappingNode):
        return _build_map(node, file, line, outer)
    return _scalar(node, file, line)


def _build_map(node: yaml.MappingNode, file: str, line: int, outer: tuple[yaml.Node, ...]) -> Map:
    found = Map()
    found.file, found.line, found.lines, found.columns = file, line, {}, {}
    for key_node, value_node in node.value:
        at = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise YamlError(file, at, "a key must be a string")
        key = key_node.value
        if key in found:
            raise YamlError(file, at, f"key {key!r} is given twice (first in line {found.lines[key]})")
        found.lines[key] = at
        found.columns[key] = value_node.start_mark.column
        found[key] = _build(value_node, file, (*outer, node))
    return found


def _scalar(node: yaml.Node, file: str, line: int) -> Any:
    text = node.value
    if node.tag not in _TAGS:
        raise YamlError(file, line, f"tags are not allowed ({node.tag.replace('tag:yaml.org,2002:', '!!')})")
    if getattr(node, "style", None) in ("'", '"', "|", ">"):
        return text
    if text in ("", "null", "~"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if _INT.match(text):
        return int(text.replace("_", ""), 0)
    if _FLOAT.match(text):
        return float(text.replace(".inf", "inf").replace(".nan", "nan"))
    return text


def unique(entries: Iterable[tuple[str, Map]], what: str = "name") -> dict[str, Map]:
    """Collect ``(name, entry)`` pairs, refusing a name that comes twice and giving both places.

    Raises:
        YamlError: at the second entry, naming the first.
    """
    found: dict[str, Map] = {}
    for name, entry in entries:
        if name in found:
            first = found[name]
            entry.fail(f"{what} {name!r} is declared twice", hint=f"first declared at {first.where}")
        found[name] = entry
    return found
