"""What dropout draws, made inside the kernels that read it: the numbers of eager calls on a GPU.

Draw k of a program gives element i, in row-major order, the uniform number ``philox(seed, offset + k, i)``
(`cuda/philox.cuh`). Seed and offset come from the generator once a call; they lie in memory on the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch import registry

from ...graph.clean import is_random
from ...loops.index import flattened
from ...loops.ir import Buffer, Extern
from ...loops.record import computing
from ...lower.registry import Unsupported, lowering
from ...lower.values import Value
from ...runtime.cuda.draws import NAME

_NOISE = "aten::_dropout_noise"


def draw(lo: Any, node: Any) -> tuple[Buffer, int]:
    """The memory with seed and offset, and the number of the node's draw from there.

    One call takes all draws of a program where nothing else draws in between.
    """
    found = lo.notes.get(node)
    if found is not None:
        return found  # type: ignore[no-any-return]
    drawing = [n for n in lo.graph.nodes if n.kind == "call" and is_random(n.op)]
    together = drawing if all(map(_plain, drawing)) else [node]
    state = lo.new_buffer("int64", (2,))
    lo.add_step(Extern(registry.find(NAME), (len(together),), {}, [state], [], "draws of the kernels that follow"))
    for k, each in enumerate(together):
        lo.notes[each] = state, k
    return lo.notes[node]  # type: ignore[no-any-return]


def _plain(node: Any) -> bool:
    return node.op.name == _NOISE and node.kwargs.get("generator") is None and not node.whole


def factors(dtype: str, p: float, scaled: bool) -> tuple[float, float]:
    """(probability to stay, the factor then)."""
    keep = 1.0 - p
    if not scaled:
        return keep, 1.0
    kind: Any = np.float64 if dtype == "float64" else np.float32
    made: Any = 1 / kind(keep)
    if dtype in ("float16", "bfloat16"):
        from ...loops.numpy_run import dtype_of

        made = made.astype(dtype_of(dtype))
    return keep, float(made)


@lowering(_NOISE, target="cuda")
def dropout_noise(lo: Any, node: Any, a: Value, size: Any, p: float, scaled: bool, *, generator: Any = None) -> Value:
    shape, dtype = tuple(node.spec.shape), node.spec.dtype.name
    if generator is not None or not isinstance(p, (int, float)) or not 0 <= p <= 1 or scaled and p == 1:
        raise Unsupported("a generator of its own, or a probability that is not known")
    if dtype not in ("float32", "float64", "float16", "bfloat16"):
        raise Unsupported(f"an element type that it is not written for: {dtype}")
    state, k = draw(lo, node)
    keep, factor = factors(dtype, float(p), scaled)
    order = _order(node, size)
    work = computing(dtype)

    def noise(ops: Any, i: Any) -> Any:
        at = flattened([i[d] for d in order], [shape[d] for d in order])
        offset = ops.add(ops.load(state, 1), ops.constant(k, "int64"))
        drawn = ops.uniform(ops.load(state, 0), offset, ops.index_value(at, "int64"))
        stays = ops.lt(drawn, ops.constant(keep, "float64"))
        return ops.where(stays, ops.constant(factor, work), ops.constant(0.0, work))

    made = Value(shape, dtype, noise, cost=6, reads=frozenset((state,)))
    users = lo.graph.users()[node]
    if order == list(range(len(shape))) and node not in lo.graph.outputs and all(
            n.kind == "call" and n.op.name in ("aten::_attention", "aten::_attention_backward") for n in users):
        made.cost = 0  # never in memory: those who read it draw themselves
    return made


def drawn(lo: Any, node: Any, value: Value | None) -> tuple[Buffer, int, float, float] | None:
    """Noise that has no memory and is drawn in row-major order: (seed and offset, which draw, probability, factor)."""
    if value is None or value.buffer is not None or value.cost or node not in lo.notes:
        return None
    _, _, p, scaled = node.args
    return (*lo.notes[node], *factors(value.dtype, float(p), scaled))


def _order(node: Any, size: Any) -> list[int]:
    """Dimensions in the order in which elements get their numbers: as the input lies in memory."""
    spec = node.args[0].spec
    plain = list(range(len(node.spec.shape)))
    steps = tuple(spec.stride)
    if size is not None or 0 in steps or not all(isinstance(s, int) for s in steps):
        return plain
    return sorted(plain, key=lambda d: -steps[d] if spec.shape[d] != 1 else 0) if not _row_major(spec) else plain


def _row_major(spec: Any) -> bool:
    step = 1
    for n, s in reversed(list(zip(spec.shape, spec.stride, strict=True))):
        if n != 1 and s != step:
            return False
        step *= n
    return True
