"""What a program of CUDA kernels does, step by step, as plain data: the launch plan.

Sizes are ints, or an `Expr` over symbolic sizes (as everywhere; ``lamella.compile.runtime.facts.size`` makes text of
them). Memory is named by slots: the numbers of ``Plan.buffers``. Steps run in order on one stream.

`Source.script` holds ``("launch", Launch)``, ``("product", Product)`` and ``("extern", Extern)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

Size = Any  # int | Expr
Grid = tuple[Size, Size, Size]

#: The most bytes of shared memory that a kernel may have without asking for more.
SHARED = 48 * 1024


@dataclass(slots=True)
class Launch:
    """One kernel on the device.

    Attributes:
        kernel: the name of an ``extern "C" __global__`` function of the source.
        grid: how many blocks. block: how many threads each has. shared: bytes of dynamic shared memory of a block.
        arguments: in the order of the kernel's parameters. Each is

            - ``("buffer", slot, offset)``: a pointer to the slot's memory, ``offset`` bytes (a size) after its start;
            - ``("size", size)``: an integer of 64 bits;
            - ``("scalar", k, dtype)``: the k-th run-time scalar of the call, as a C ``double`` (dtype "float64");
            - ``("report",)``: a pointer to the launch's own ``Report`` of ``lamella/cuda/loops.cuh``, zeros at first.
        title: what it is, for errors: operators and the user's line.

        A launch whose grid has a size of 0 is left out.
    """

    kernel: str
    grid: Grid
    block: tuple[int, int, int]
    shared: Size = 0
    arguments: list[tuple[Any, ...]] = field(default_factory=list)
    title: str = ""


@dataclass(slots=True)
class Matrix:
    """An operand of a product: a batch of matrices in the memory of a slot.

    Attributes:
        slot: whose memory. offset: bytes to the first element.
        strides: steps in elements: (batch, row, column). A step of 0 along the batch is one matrix for all.
    """

    slot: int
    offset: Size
    strides: tuple[Size, Size, Size]


@dataclass(slots=True)
class Product:
    """``c = alpha * a @ b + beta * c`` for a batch of matrices: cuBLAS's gemm, strided and batched.

    Attributes:
        dtype: the element type of a and b, and of c ("float32", "float64", "float16", "bfloat16").
        batch, m, n, k: a is m x k, b is k x n, c is m x n.
        a, b, c: where they lie. c's columns have a step of 1, and of a's and b's last two steps one is 1 (or their
            size is): what cuBLAS takes without a copy.
        alpha, beta: numbers.
        title: what it is, for errors.
        out: the element type of c where it is not a's: "float32" for operands of half precision; else "".
    """

    dtype: str
    batch: Size
    m: Size
    n: Size
    k: Size
    a: Matrix
    b: Matrix
    c: Matrix
    alpha: float = 1.0
    beta: float = 0.0
    title: str = ""
    out: str = ""


def sizes_in(step: Launch | Product) -> Iterator[Size]:
    """All sizes of a step, in a fixed order."""
    if isinstance(step, Launch):
        yield from step.grid
        yield step.shared
        for kind, *values in step.arguments:
            if kind in ("buffer", "size"):
                yield values[-1]
        return
    yield from (step.batch, step.m, step.n, step.k)
    for matrix in (step.a, step.b, step.c):
        yield matrix.offset
        yield from matrix.strides


def with_sizes(step: Any, sizes: Any) -> Any:
    """The step with each size replaced by what ``sizes`` makes of it: text for storage, a number for a call.

    Example:
        >>> with_sizes(Launch("k", (4, 1, 1), (256, 1, 1), 0, [("size", 7)]), str).arguments
        [('size', '7')]
    """
    if isinstance(step, Launch):
        arguments = [(kind, *values[:-1], sizes(values[-1])) if kind in ("buffer", "size") else (kind, *values)
                     for kind, *values in step.arguments]
        first, second, third = (sizes(n) for n in step.grid)
        return replace(step, grid=(first, second, third), shared=sizes(step.shared), arguments=arguments)
    changed: dict[str, Any] = {name: sizes(getattr(step, name)) for name in ("batch", "m", "n", "k")}
    for name in ("a", "b", "c"):
        matrix: Matrix = getattr(step, name)
        one, two, three = (sizes(n) for n in matrix.strides)
        changed[name] = Matrix(matrix.slot, sizes(matrix.offset), (one, two, three))
    return replace(step, **changed)


def as_json(step: Launch | Product) -> dict[str, Any]:
    """A step whose sizes are numbers or text as what JSON can hold."""
    found: dict[str, Any] = {"step": type(step).__name__.lower()}
    for each in fields(step):
        value = getattr(step, each.name)
        if isinstance(value, Matrix):
            value = {"slot": value.slot, "offset": value.offset, "strides": list(value.strides)}
        found[each.name] = [list(a) if isinstance(a, tuple) else a for a in value] if isinstance(
            value, (list, tuple)) else value
    return found


def from_json(data: dict[str, Any]) -> Launch | Product:
    """The step that `as_json` stored."""
    given = {name: value for name, value in data.items() if name != "step"}
    if data["step"] == "launch":
        given["arguments"] = [tuple(a) for a in given["arguments"]]
        return Launch(**{**given, "grid": tuple(given["grid"]), "block": tuple(given["block"])})
    for name in ("a", "b", "c"):
        matrix = given[name]
        given[name] = Matrix(matrix["slot"], matrix["offset"], tuple(matrix["strides"]))
    return Product(**given)
