"""What a `Native` of a GPU's program consists of: launches of kernels that templates write, products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .ir import Buffer

#: Element types in CUDA C++ (in memory).
TYPES = {"float32": "float", "float64": "double", "float16": "float16", "bfloat16": "bfloat16", "int64": "long",
         "int32": "int", "int16": "short", "int8": "signed char", "uint8": "unsigned char", "bool": "bool"}


@dataclass(eq=False, slots=True)
class DeviceKernel:
    """One launch of a kernel whose body a template wrote. Kernels with equal parameters, body and block are one.

    Attributes:
        stem: what to call the kernel; not as a function that the body calls.
        header: declares what the body calls ("cuda/attention.cuh").
        parameters: (type, name, what is passed: a `Buffer` (a pointer to its first element, its offset included), an
            int, an Expr, or a float).
        body: lines over the parameters' names.
        grid: blocks along x, y and z (ints or Expr). block: threads. shared: bytes of dynamic shared memory.
        about: lines of its comment: memory moved, operations.
        flat: whether it looks at the first dimension of the grid only.
    """

    stem: str
    header: str
    parameters: list[tuple[str, str, Any]]
    body: list[str]
    grid: tuple[Any, Any, Any]
    block: tuple[int, int, int]
    shared: Any = 0
    about: tuple[str, ...] = ()
    flat: bool = False

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for launches of the same kernel."""
        return tuple((t, n) for t, n, _ in self.parameters), tuple(self.body), self.block

    def text(self, name: str) -> list[str]:
        """The kernel as CUDA C++.

        Args:
            name: what it is called.
        """
        threads = self.block[0] * self.block[1] * self.block[2]
        head = f'extern "C" __global__ void __launch_bounds__({threads}) {name}('
        lines, line = [], head
        for n, (kind, word, _) in enumerate(self.parameters):
            piece = f"{kind} {word}" + (", " if n + 1 < len(self.parameters) else ") {")
            if len(line) + len(piece) > 116:
                lines.append(line.rstrip())
                line = "        "
            line += piece
        return [*lines, line, *(f"    {each}" for each in self.body), "}"]


Steps = tuple[Any, Any, Any]


@dataclass(eq=False, slots=True)
class DeviceProduct:
    """``c = alpha * a @ b + beta * c`` for a batch of matrices, by the device's library.

    Attributes:
        dtype: of the elements of a and b. out: of those of c (float32 for operands of half precision, or their own).
        batch, m, n, k: a is (m, k), b is (k, n), c is (m, n).
        a, b, c: where the first element lies (a `Buffer`, its offset included; its shape does not count).
        steps_a, steps_b, steps_c: steps in elements along batch, rows and columns. c's columns have a step of 1; of
            the last two steps of a and of b one is 1.
        alpha, beta: numbers; beta is 0 or 1.
    """

    dtype: str
    out: str
    batch: Any
    m: Any
    n: Any
    k: Any
    a: Buffer
    b: Buffer
    c: Buffer
    steps_a: Steps
    steps_b: Steps
    steps_c: Steps
    alpha: float = 1.0
    beta: float = 0.0


def pointer(buffer: Buffer, name: str, written: bool = False) -> tuple[str, str, Any]:
    """The parameter for a buffer."""
    return f"{'' if written else 'const '}{TYPES[buffer.dtype]}* __restrict__", name, buffer


def blocks(steps: Any, each: int) -> Any:
    """How many blocks of ``each`` steps cover ``steps``."""
    return -(-steps // each) if isinstance(steps, int) else (steps + (each - 1)) // each


def sizes(values: Sequence[tuple[str, Any]]) -> tuple[list[tuple[str, str, Any]], dict[str, str]]:
    """Sizes in a body: numbers stand as they are, symbolic ones become parameters.

    Args:
        values: (name, size) pairs.

    Returns:
        The parameters, and for each name what stands for it in the body.
    """
    parameters, words = [], {}
    for name, value in values:
        if isinstance(value, bool):
            words[name] = "true" if value else "false"
        elif isinstance(value, int):
            words[name] = str(value)
        else:
            parameters.append(("long", name, value))
            words[name] = name
    return parameters, words
