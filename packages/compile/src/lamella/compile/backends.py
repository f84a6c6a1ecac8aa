"""Backends: what turns a captured graph into something that can be called.

A backend is a function ``backend(graph, inputs) -> program``. ``graph`` is raw, as capture left it; ``inputs`` are
sample arrays. A program is called as ``program(arrays, scalars) -> list``: it writes new content into the arrays of
mutated inputs, and returns an array for each of the graph's outputs; those in ``graph.aliases`` are views, or None:
callers make such outputs themselves.

Backends of users have torch's form instead: ``backend(graph_module, example_inputs) -> callable``.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from lamella.dispatch.errors import did_you_mean, message

from .graph.node import Graph, Spec

Program = Callable[[list[Any], Sequence[float]], list[Any]]
Backend = Callable[[Graph, list[Any]], Program]

_native: dict[str, Backend] = {}
_users: dict[str, Any] = {}
_ALIASES = {"inductor": "cpp"}


def register(name: str, backend: Backend) -> None:
    """Add a backend of lamella's own form."""
    _native[name] = backend


def register_backend(compiler_fn: Any = None, name: str | None = None, tags: Sequence[str] = ()) -> Any:
    """Add a backend of torch's form under a name; usable as a decorator.

    Args:
        compiler_fn: ``backend(graph_module, example_inputs) -> callable``; the callable takes the inputs as separate
            arguments and returns a tuple or list of tensors.
        name: the name; by default that of the function.
        tags: accepted.
    """
    if compiler_fn is None:
        return lambda fn: register_backend(fn, name, tags)
    _users[name or compiler_fn.__name__] = compiler_fn
    return compiler_fn


def list_backends(exclude_tags: Sequence[str] = ("debug", "experimental")) -> list[str]:
    """The names of the backends.

    Example:
        >>> "cpp" in list_backends()
        True
    """
    return sorted({*_native, *_users, *_ALIASES} - {"eager", "aot_eager"} | (
        set() if "debug" in exclude_tags else {"eager", "aot_eager"}))


def lookup(backend: Any) -> tuple[str, Any, bool]:
    """(name, backend, whether it has torch's form).

    Raises:
        RuntimeError: there is no backend of that name.
    """
    if callable(backend):
        return getattr(backend, "__name__", type(backend).__name__), backend, True
    name = _ALIASES.get(backend, backend)
    if name in _users:
        return name, _users[name], True
    if name not in _native:
        raise RuntimeError(message("torch.compile", f"there is no backend {backend!r}",
                                   hint=did_you_mean(str(backend), [*_native, *_users, *_ALIASES])))
    return name, _native[name], False


def on_tensors(graph: Graph) -> Callable[[Sequence[Any], Sequence[float]], list[Any]]:
    """What runs a graph by eager operators: called with tensors and numbers, it returns tensors."""
    from .graph.interpret import execute, run

    return functools.partial(execute if graph.functional else run, graph)


def on_arrays(call: Callable[[list[Any], Sequence[float]], Any]) -> Program:
    """A program of a function over tensors (see `on_tensors`)."""
    from lamella.core.tensor import wrap

    from .graph.memory import key_of

    def program(arrays: list[Any], scalars: Sequence[float] = ()) -> list[Any]:
        return [t._a for t in call([wrap(a, key_of(a)) for a in arrays], scalars)]

    return program


def eager(graph: Graph, inputs: list[Any]) -> Program:
    """Run the graph as it was captured, by eager operators."""
    return on_arrays(on_tensors(graph))


def aot_eager(graph: Graph, inputs: list[Any]) -> Program:
    """Run the prepared graph (functional and cleaned up) by eager operators."""
    from .graph.passes import prepare

    return on_arrays(on_tensors(prepare(graph)))


def cpp(graph: Graph, inputs: list[Any]) -> Program:
    """One fused program: C++, or CUDA kernels for tensors on a GPU."""
    from .pipeline import cpp as compile_graph

    return cuda(graph, inputs) if on_gpu(graph) is not None else compile_graph(graph, graph.aliases)


def cuda(graph: Graph, inputs: list[Any]) -> Program:
    """CUDA kernels and what launches them.

    Raises:
        CompileError: the tensors are not on a GPU.
    """
    from .errors import CompileError
    from .pipeline import cuda as compile_graph
    from .runtime.cuda.device import current, stands_in

    where = on_gpu(graph)
    if where is None and not stands_in():
        raise CompileError("prepare", "the backend 'cuda' compiles for tensors on a GPU", hint="x.to('cuda')")
    return compile_graph(graph, graph.aliases, current(where or 0))


def for_gpu(graph: Graph) -> bool:
    """Whether a graph's tensors are on a GPU, or a device is played on the host."""
    device = sys.modules.get("lamella.compile.runtime.cuda.device")  # not loaded: nothing plays one
    return on_gpu(graph) is not None or device is not None and bool(device.stands_in())


def on_gpu(graph: Graph) -> int | None:
    """The number of the GPU that a graph's tensors are on; None where they are on the CPU.

    Raises:
        CompileError: they are on several.
    """
    found = {node.spec.device for node in graph.nodes
             if isinstance(node.spec, Spec) and node.spec.device.type == "cuda"}
    numbers = {device.index or 0 for device in found}
    if len(numbers) > 1:
        from .errors import CompileError

        raise CompileError("prepare", "the tensors of one program are on one GPU", sorted(map(str, found)))
    return numbers.pop() if numbers else None


register("eager", eager)
register("aot_eager", aot_eager)
register("cpp", cpp)
register("cuda", cuda)
