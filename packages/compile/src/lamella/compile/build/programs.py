"""Whole programs in the cache: the key of a graph, and what is stored under it.

A warm start reads C++ text and facts from here and skips everything between the prepared graph and the build.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import dataclass, field
from functools import cache as once
from pathlib import Path
from typing import Any

import numpy as np

from lamella.dispatch import logs
from lamella.dispatch.config import settings

from ..graph.node import Alias, Graph, Node, Spec
from ..loops.index import Atom, Expr
from . import cache

log = logs.get("cache")
_PLAIN = (int, float, complex, bool, str, type(None))
_NAMED = ("dtype", "device", "layout", "memory_format")  # classes whose instances are told apart by what they print


@dataclass(slots=True)
class Stored:
    """A program but for its library.

    Attributes:
        text: C++ or CUDA. facts: `runtime.Facts`. kernels: one line for each. reasons: why neighbours were not fused.
        groups: the kernel of each call of the decomposed graph, by name.
    """

    text: str
    facts: Any
    kernels: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)


class _Unknown(Exception):
    """The graph holds something without a content that can be compared."""


def key(graph: Graph, target: str = "cpp") -> str | None:
    """The key of a prepared graph for a target; None where it cannot be told from others (it holds a generator)."""
    from . import compilers  # noqa: F401 - it declares settings that are part of the key

    number = {node: n for n, node in enumerate(graph.nodes)}
    state = hashlib.sha256()

    def put(text: str) -> None:
        state.update(text.encode())
        state.update(b"\n")

    try:
        for node in graph.nodes:
            put(f"{node.kind} {_plain(node.args, number)} {_plain(node.kwargs, number)} {_plain(node.spec, number)}")
            put(node.where)  # what is stored names the user's lines
            if node.kind == "constant":
                state.update(_content(node.op))
            elif node.kind == "call":
                put(node.op.name)
            elif node.kind == "scalar":
                put(str(node.op))  # which of the run-time numbers
        put(_plain((graph.mutations, graph.aliases, graph.symbols, graph.returned, graph.functional), number))
    except _Unknown as what:
        log("not kept: %s", what)
        return None
    put(f"{target} {settings.compile_key()!r}")
    put(code())
    return state.hexdigest()[:40]


def load(name: str) -> Stored | None:
    """The stored program, or None."""
    data = cache.read(name, ".program")
    if data is None:
        return None
    try:
        found = pickle.loads(data)  # noqa: S301 - our own file, beside the libraries that are run
    except Exception as error:  # noqa: BLE001 - whatever an old or damaged file does
        log("unreadable program %s: %s", name, error)
        return None
    return found if isinstance(found, Stored) else None


def store(name: str, program: Stored) -> None:
    """Keep a program, if it is plain data."""
    try:
        data = pickle.dumps(program, protocol=5)
    except Exception as error:  # noqa: BLE001 - arguments of operators may be anything
        log("not kept: %s", error)
        return
    cache.write(name, ".program", data)


def _plain(value: Any, number: dict[Node, int]) -> str:
    if isinstance(value, Node):
        return f"%{number[value]}"
    if type(value) in _PLAIN or isinstance(value, (Expr, Atom)):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({','.join([_plain(each, number) for each in value])})"
    if isinstance(value, dict):
        return "{" + ",".join(f"{k!r}={_plain(each, number)}" for k, each in value.items()) + "}"
    if isinstance(value, Spec):
        return (f"{_plain(value.shape, number)}{_plain(value.stride, number)}{_plain(value.offset, number)}"
                f"{value.dtype.name}{value.device}")
    if isinstance(value, Alias):
        return f"{value.kind}{value.of}{_plain(value.spec, number)}"
    if type(value).__name__ in _NAMED:
        return f"{type(value).__name__}:{value}"
    raise _Unknown(f"{type(value).__name__} {value!r}")


def _content(value: Any) -> bytes:
    array = getattr(value, "_a", value)
    if not isinstance(array, np.ndarray):
        raise _Unknown(repr(value))
    return f"{array.dtype.str}{array.shape}{array.strides}".encode() + np.ascontiguousarray(array).tobytes()


@once
def code() -> str:
    """A mark of the compiler's own code, and of the packages whose operators it takes apart."""
    home = Path(__file__).resolve().parent.parent
    folders = [str(home)]
    for name in ("core", "nn", "optim"):
        folders += [str(path) for path in _package(name)]
    state = hashlib.sha256()
    for folder in folders:
        for path in sorted(_files(folder)):
            stat = os.stat(path)
            state.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return state.hexdigest()[:20]


def _package(name: str) -> list[Path]:
    import importlib.util

    spec = importlib.util.find_spec(f"lamella.{name}")
    return [] if spec is None or spec.origin is None else [Path(spec.origin).parent]


def _files(folder: str) -> list[str]:
    found: list[str] = []
    with os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                if not each.name.startswith(("_", ".")):
                    found += _files(each.path)
            elif each.name.endswith((".py", ".h", ".cuh", ".cpp", ".yaml")):
                found.append(each.path)
    return found
