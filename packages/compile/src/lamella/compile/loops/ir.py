"""Loops: what a fused program computes, as bodies over an ``ops`` handler.

Lowering turns a functional graph into a list of `Loop`, `Native` and `Extern` over `Buffer`. A loop's body is a
closure ``body(ops, index) -> value``: analyses and printers of code are handlers that are passed as ``ops``.

Element types are names: float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 bool.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from .index import contiguous, product

Size = Any  # int | index.Expr
Index = tuple[Any, ...]
_BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "int16": 2}


def itemsize(dtype: str) -> int:
    """Bytes of one element of a type."""
    return _BYTES.get(dtype, 1)


@dataclass(eq=False, slots=True)
class Buffer:
    """Memory that holds one tensor.

    Attributes:
        name: an identifier, unique in the program.
        dtype: the name of the element type.
        shape, stride, offset: in elements; made buffers are row-major unless lowering says otherwise.
        kind: "input" (given by the caller), "constant" (``data`` holds an array), or "made".
        number: of an input: which.
        base: of a view: the buffer whose memory it lies in (never itself a view); offset counts from that buffer's
            first element. Views occur only as arguments of `Native` and `Extern` (pointer of ``root`` plus offset);
            bodies load from roots, and ``ins``, ``outs`` and ``Loop.out`` hold roots.
    """

    name: str
    dtype: str
    shape: tuple[Size, ...]
    stride: tuple[Size, ...] = ()
    offset: Size = 0
    kind: str = "made"
    number: int = -1
    data: Any = None
    base: Buffer | None = None

    def __post_init__(self) -> None:
        if not self.stride:
            self.stride = contiguous(self.shape)

    def at(self, index: Index) -> Any:
        """The flat index of an element."""
        total: Any = self.offset
        for i, step in zip(index, self.stride, strict=True):
            total = total + i * step
        return total

    @property
    def root(self) -> Buffer:
        """The buffer that has the memory: of a view its base, else itself."""
        return self.base or self

    @property
    def numel(self) -> Size:
        """The number of elements."""
        return product(self.shape)

    def __repr__(self) -> str:
        return f"{self.name}: {self.dtype}{list(self.shape)}"


class Ops(Protocol):
    """What bodies may call. Values carry their element type (``value.dtype``); both operands of an arithmetic
    operation have the same one, which is also the result's; comparisons give bool.

    load(buffer, index) reads at a flat index (an int or Expr).
    constant(number, dtype); index_value(expr, dtype) makes a value of an index; scalar(k, dtype) reads the k-th
    run-time scalar of the program (a float64 or int64).
    to(value, dtype) converts as C does (bool by != 0; float to int truncates).
    Unary: neg abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan tanh sinh cosh asin acos atan
    asinh acosh atanh erf erfc erfinv lgamma digamma sigmoid floor ceil trunc round (half to even) sign isnan isinf
    logical_not (of a bool) bitwise_not.
    Binary: add sub mul div (true) floordiv mod (Python's signs) fmod pow maximum minimum (NaN wins) fmax fmin atan2
    hypot copysign nextafter eq ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
    shift_left shift_right.
    where(condition, a, b).
    uniform(seed, offset, place): on a GPU, a float64 in [0, 1) that depends on nothing but these three int64.
    indirect(value, size, wrap=True) makes an index (an Expr) of an integer value: negative ones count from the end
    (without wrap they are errors); outside [-size, size) the program stops with an IndexError that names the loop.
    masked(condition, body, other): ``body()`` where condition holds, else ``other`` (a Python number): nothing that
    body loads is touched elsewhere. condition is a value of dtype bool.
    """

    def load(self, buffer: Buffer, index: Any) -> Any: ...


Body = Callable[[Any, Index], Any]


@dataclass(eq=False, slots=True)
class Loop:
    """One loop nest that fills one buffer.

    Attributes:
        out: what it fills.
        ranges: the sizes it runs over; for a reduction, those that are kept.
        reduced: the sizes it reduces over; () where it reduces nothing.
        kind: "pointwise", "reduce", "scan" (``reduced`` is one size; each step stores; its index joins the ranges at
            position ``axis``) or "scatter" (in order, one thread; several steps may meet at one place).
        body: ``body(ops, (*ranges' index, *reduced index)) -> value`` in out's type (for sums in the type to sum in).
        how: of a reduction: sum prod max min any all argmax argmin (first winner; NaN wins; index over ``reduced``
            flattened); of a scan: sum prod; of a scatter: "set" or "add".
        store: ``store(ops, index) -> flat index``; None is row-major by out's strides.
        into: of a scatter: the buffer whose content out starts as, or None where it starts as zeros.
        origins: names of the graph's nodes. where: the user's line.
    """

    out: Buffer
    ranges: tuple[Size, ...]
    body: Body
    kind: str = "pointwise"
    reduced: tuple[Size, ...] = ()
    how: str = ""
    store: Callable[[Any, Index], Any] | None = None
    into: Buffer | None = None
    axis: int = 0
    origins: tuple[str, ...] = ()
    where: str = ""


@dataclass(eq=False, slots=True)
class Native:
    """A call of a function in the C++ headers (matrix product, convolution, recurrent loop ...).

    Attributes:
        outs: buffers it fills. ins: buffers it reads.
        function: its name in namespace lamella. arguments: in order: Buffer (passed as a pointer to its first element,
            offset included), int, Expr, float, bool, or str (printed as it stands, e.g. a type).
        header: which header declares it ("gemm.h").
        flops: of one call, for reports.
        calls: of a GPU's program: the kernels and products that do it, in order (see `loops.device`); the function's
            name and arguments then only tell what it is.
    """

    outs: list[Buffer]
    ins: list[Buffer]
    function: str
    arguments: list[Any]
    header: str
    flops: Any = 0
    origins: tuple[str, ...] = ()
    where: str = ""
    calls: list[Any] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Extern:
    """A call of the operator's eager kernel from Python: for operators that are not lowered.

    Attributes:
        op: the overload. args, kwargs: nested; tensors are Buffers.
        outs: what its results are copied to (None where a result is no tensor or is not used).
        ins: the buffers among the arguments.
        why: the reason it was not lowered.
    """

    op: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outs: list[Buffer | None]
    ins: list[Buffer]
    why: str = ""
    origins: tuple[str, ...] = ()
    where: str = ""


@dataclass(slots=True)
class Lowered:
    """A whole program before scheduling.

    Attributes:
        steps: in an order that runs.
        inputs: buffers of the graph's inputs, in order (also those that nothing reads).
        outputs: what each output of the graph is: a Buffer, or a number or None that is returned as it is.
        mutations, aliases: as in `Graph`.
        symbols: symbolic sizes: name -> (input number, dimension); run-time scalars: name -> ("scalar", which).
    """

    steps: list[Any]
    inputs: list[Buffer]
    outputs: list[Any]
    mutations: dict[int, int] = field(default_factory=dict)
    aliases: dict[int, Any] = field(default_factory=dict)
    symbols: dict[str, Any] = field(default_factory=dict)
