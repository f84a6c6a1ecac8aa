"""A compiled forward inside an eager program: its backward is compiled ahead of time.

The joint graph of forward and backward is cut in two (`graph.partition`), both parts become programs, and a call leaves
one node in autograd's graph that keeps what the backward needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lamella.core.meta import meta_array
from lamella.core.tensor import CPU, CUDA, Tensor, bump, wrap
from lamella.dispatch.registry import find

from . import layers
from .backends import for_gpu, on_gpu
from .errors import CompileError
from .graph.infer import hints
from .graph.interpret import resolve, symbol_values, view_of
from .graph.joint import Joint
from .graph.node import Alias, Graph
from .graph.partition import Parts, partition
from .graph.passes import prepare
from .loops.index import substitute

Backend = Callable[[Graph, list[Any]], Any]


def differentiable(graph: Graph, joint: Joint, arrays: list[Any], backend: Backend) -> Call:
    """Compile a joint graph.

    Args:
        graph: raw, with tangents as last inputs and gradients as last outputs.
        joint: which they are.
        arrays: samples of the inputs without the tangents.
        backend: makes a program of a functional graph.

    Returns:
        ``call(tensors, scalars) -> list`` of the call's own outputs, which take part in autograd.

    Raises:
        CompileError: there is no such forward and backward.
    """
    prepared = prepare(graph, apart=range(joint.first, len(graph.outputs)))
    parts = partition(prepared, joint, for_gpu(prepared))
    backward = backend(parts.backward, _samples(parts.backward)) if parts.wanted else None
    return Call(parts, backend(parts.forward, arrays), backward)


def _samples(graph: Graph) -> list[Any]:
    """Arrays without memory that fit a graph's inputs."""
    numbers = hints(graph)
    specs = [node.spec for node in graph.inputs]
    return [meta_array(tuple([substitute(n, numbers) for n in spec.shape]), spec.dtype) for spec in specs]


class Call:
    """A compiled forward and backward.

    Attributes:
        parts: the graphs.
        targets: numbers of the inputs that have a gradient.
        kernels, reasons: what the programs say of themselves.
    """

    def __init__(self, parts: Parts, forward: Any, backward: Any) -> None:
        self.parts, self._forward, self._backward = parts, forward, backward
        graph = parts.forward
        self.aliases = {n: a for n, a in graph.aliases.items() if n < parts.count}
        self.made = [n for n in range(parts.count) if n not in self.aliases]
        self.made += sorted({a.of for a in self.aliases.values() if a.kind == "output" and a.of not in self.made})
        self.written = sorted(graph.mutations)
        self.targets = [at for at, _ in parts.wanted]
        self.numbers = [number for _, number in parts.wanted]
        self.repeated = [number in self.numbers[:i] for i, number in enumerate(self.numbers)]
        self.like = [n.spec.dtype.np for n in parts.backward.inputs[len(parts.kept):]]
        self.from_input = [kind == "input" for kind, _ in parts.kept]
        self.connect = layers.connect() if parts.carriers else None
        self.kernels, self.reasons = self._told("kernels"), self._told("reasons")
        self.key, self.xp = CPU, np
        if on_gpu(graph) is not None:
            import cupy

            self.key, self.xp = CUDA, cupy

    def _told(self, name: str) -> list[str]:
        """What both programs say of themselves, and what is kept between them."""
        found = []
        for part, program in (("forward", self._forward), ("backward", self._backward)):
            found += [f"{part} {line}" for line in getattr(program, name, ())]
        if name == "kernels" and found:
            inputs = sum(self.from_input)
            found.append(f"kept for the backward: {inputs} inputs, {len(self.from_input) - inputs} other tensors of "
                         f"{self.parts.bytes_kept} bytes")
        return found

    def __call__(self, tensors: Sequence[Tensor], scalars: Sequence[float] = ()) -> list[Any]:
        """Run the forward.

        Args:
            tensors: the inputs.
            scalars: run-time numbers.

        Returns:
            The outputs; those that are views of inputs or of each other are made by autograd's own views.
        """
        outs = self._forward([t._a for t in tensors], scalars)
        for number in self.written:
            bump(tensors[number], "compiled")
        found: dict[int, Any] = {n: wrap(outs[n], self.key) for n in self.made}
        if self.connect is not None:
            self.connect(self, tensors, found, outs, scalars)
        if self.aliases:
            sizes = symbol_values(self.parts.forward, tensors)
            for number, alias in self.aliases.items():
                base = tensors[alias.of] if alias.kind == "input" else found[alias.of]
                if base._ag is not None and number not in self.parts.history:
                    base = base.detach()
                found[number] = _view(base, alias, sizes)
        return [found[n] for n in range(self.parts.count)]

    def backward(self, kept: Sequence[Tensor], grads: Sequence[Any], shapes: Sequence[Any],
                 scalars: Sequence[float]) -> tuple[Any, ...]:
        """The gradients of the targets.

        Args:
            kept: what the parts say. grads: the gradients of the outputs, None for zeros.
            shapes: those of the outputs. scalars: as in the forward.
        """
        arrays = [t._a if own else _row_major(t._a) for own, t in zip(self.from_input, kept, strict=True)]
        for i, g in enumerate(grads):
            arrays.append(self.xp.zeros(shapes[i], self.like[i]) if g is None else _row_major(g._a))
        outs = self._backward(arrays, scalars)
        return tuple([wrap(outs[n].copy() if again else outs[n], self.key)
                      for n, again in zip(self.numbers, self.repeated, strict=True)])


def _row_major(a: Any) -> Any:
    return a if a.flags.c_contiguous else a.copy(order="C")


def _view(base: Tensor, alias: Alias, sizes: Any) -> Any:
    """A view that autograd knows."""
    spec = alias.spec
    shape, stride, offset = resolve((spec.shape, spec.stride, spec.offset), {}, sizes)
    start, dtype = base.storage_offset(), base.dtype
    if dtype is spec.dtype:
        return base.as_strided(shape, stride, start + offset)
    if dtype.is_complex and spec.dtype is dtype.to_real():
        return _call("aten::view_as_real", base).as_strided(shape, stride, 2 * start + offset)
    if spec.dtype.is_complex and dtype is spec.dtype.to_real():
        pairs = base.as_strided((*shape, 2), (*(2 * s for s in stride), 1), start + 2 * offset)
        return _call("aten::view_as_complex", pairs)
    return view_of(base, alias, sizes)  # bits under another name have no gradient


def _call(name: str, *args: Any) -> Any:
    op = find(name)
    if op is None:
        raise CompileError("aot", f"the operator {name} is not there")
    return op(*args)


__all__ = ["Call", "differentiable"]
