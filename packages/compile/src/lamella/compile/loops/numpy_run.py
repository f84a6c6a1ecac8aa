"""Running a lowered program with NumPy, a whole loop at a time: the reference that lowering is tested against.

Slow and plain: each loop's body is recorded and its operations are done on arrays over the whole grid of its index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .index import Expr, FloorDiv, Mod, Var, substitute
from .ir import Buffer, Extern, Loop, Lowered
from .record import Op, Recorded, record, variables


def run(program: Lowered, inputs: Sequence[np.ndarray], scalars: Sequence[float] = ()) -> list[Any]:
    """Run a program.

    Args:
        program: without `Native` steps.
        inputs: arrays, laid out as the program's input buffers say; they are not written to.
        scalars: the run-time scalars.

    Returns:
        The outputs, None where one only aliases another.

    Raises:
        IndexError: an index read from memory is out of range, or a load lies outside of its buffer.
        TypeError: a step that needs compiled code.
    """
    return Run(program, inputs, scalars).run()


def dtype_of(name: str) -> np.dtype:
    """The NumPy type of an element type's name."""
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


class Run:
    """A program, and the memory of its buffers."""

    def __init__(self, program: Lowered, inputs: Sequence[np.ndarray], scalars: Sequence[float]) -> None:
        self.program, self.scalars = program, list(scalars)
        self.sizes: dict[Any, Any] = {}
        for name, (of, k) in program.symbols.items():
            self.sizes[Var(name)] = scalars[k] if of == "scalar" else inputs[of].shape[k]
        self.memory: dict[Buffer, np.ndarray] = {}
        for buffer, array in zip(program.inputs, inputs, strict=True):
            self.memory[buffer] = memory_of(array)

    def size(self, value: Any) -> int:
        return int(substitute(value, self.sizes))

    def sizes_of(self, values: Sequence[Any]) -> tuple[int, ...]:
        return tuple(self.size(v) for v in values)

    def flat(self, buffer: Buffer) -> np.ndarray:
        """The memory of a root."""
        found = self.memory.get(buffer)
        if found is None:
            if buffer.kind == "constant":
                found = memory_of(np.asarray(buffer.data))
            else:
                found = np.zeros(int(np.prod(self.sizes_of(buffer.shape), dtype=np.int64)), dtype_of(buffer.dtype))
            self.memory[buffer] = found
        return found

    def array(self, buffer: Buffer) -> np.ndarray:
        """A buffer, or a view of one, as an array."""
        flat = self.flat(buffer.root)
        shape, step = self.sizes_of(buffer.shape), flat.itemsize
        strides = [s * step for s in self.sizes_of(buffer.stride)]
        if 0 in shape:
            return np.zeros(shape, flat.dtype)
        memory = flat.view(np.uint8) if flat.size else b""
        return np.ndarray(shape, flat.dtype, memory, self.size(buffer.offset) * step, strides)

    def run(self) -> list[Any]:
        for step in self.program.steps:
            if isinstance(step, Loop):
                self.loop(step)
            elif isinstance(step, Extern):
                self.extern(step)
            else:
                raise TypeError(f"numpy_run: a step needs compiled code ({step.function})")
        return [self.array(out).copy() if isinstance(out, Buffer) else out for out in self.program.outputs]

    # ------------------------------------------------------------------ eager calls

    def extern(self, step: Extern) -> None:
        from lamella.core.tensor import wrap
        from lamella.dispatch.keys import AUTOGRAD_MASK
        from lamella.dispatch.state import state

        from ..graph.interpret import functional_call

        def convert(arg: Any) -> Any:
            if isinstance(arg, Buffer):
                return wrap(self.array(arg).copy())
            if isinstance(arg, (list, tuple)):
                return type(arg)([convert(each) for each in arg])
            return substitute(arg, self.sizes)

        args, kwargs = [convert(a) for a in step.args], {k: convert(v) for k, v in step.kwargs.items()}
        with state.masks(exclude=AUTOGRAD_MASK):
            mutates = step.op.schema.is_mutable
            result = functional_call(step.op, args, kwargs) if mutates else step.op(*args, **kwargs)
        results = result if isinstance(result, (list, tuple)) else [result]
        for out, value in zip(step.outs, results, strict=True):
            if out is not None:
                self.array(out)[...] = value._a

    # ------------------------------------------------------------------ loops

    def loop(self, loop: Loop) -> None:
        index = variables(loop)
        recorded = record(loop, index)
        grid = self.sizes_of([v.size for v in index])
        env: dict[Var, Any] = dict(self.sizes)
        for axis, var in enumerate(index):
            shape = [1] * len(grid)
            shape[axis] = grid[axis]
            env[var] = np.arange(grid[axis], dtype=np.int64).reshape(shape)
        values = Body(self, recorded, env, grid)
        result = np.broadcast_to(values.result(), grid)
        out = self.flat(loop.out)
        if loop.kind == "scatter":
            self.scatter(loop, values, result, out, grid)
        elif loop.kind == "scan":
            total = (np.cumsum if loop.how == "sum" else np.cumprod)(result, -1, dtype=result.dtype)
            self.array(loop.out)[...] = np.moveaxis(total, -1, loop.axis).astype(out.dtype)
        elif loop.kind == "reduce":
            n = len(loop.reduced)
            lead = grid[:len(grid) - n]
            flat = result.reshape(*lead, int(np.prod(grid[len(lead):], dtype=np.int64)))
            total = reduced(flat, loop.how)
            self.array(loop.out)[...] = np.asarray(total).astype(out.dtype)
        elif recorded.store is None:
            self.array(loop.out)[...] = result.astype(out.dtype)
        else:
            place = np.broadcast_to(values.evaluate(recorded.store), grid)
            out[place.reshape(-1)] = result.reshape(-1).astype(out.dtype)

    def scatter(self, loop: Loop, values: Body, result: Any, out: np.ndarray, grid: tuple[int, ...]) -> None:
        place = np.broadcast_to(values.evaluate(values.recorded.store), grid).reshape(-1)
        if loop.into is None:
            out[...] = 0
        else:
            out[...] = self.flat(loop.into)
        source = result.reshape(-1).astype(out.dtype)
        if loop.how == "add":
            np.add.at(out, place, source)
        else:
            for k, value in zip(place.tolist(), source, strict=True):
                out[k] = value


def memory_of(array: np.ndarray) -> np.ndarray:
    """The elements in memory from the array's first to its last one, as one dimension."""
    if 0 in array.shape:
        return np.zeros(0, array.dtype)
    span = 1 + sum((n - 1) * s // array.itemsize for n, s in zip(array.shape, array.strides, strict=True))
    return np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,)).copy()


def reduced(flat: Any, how: str) -> Any:
    """A reduction over the last dimension."""
    if how == "sum":
        return flat.sum(-1, dtype=flat.dtype)
    if how == "prod":
        return flat.prod(-1, dtype=flat.dtype)
    if how in ("max", "min"):
        return (np.maximum if how == "max" else np.minimum).reduce(flat, -1)
    return getattr(flat, how)(-1)


class Body:
    """The operations of a recorded body over a grid."""

    def __init__(self, run: Run, recorded: Recorded, env: dict[Var, Any], grid: tuple[int, ...]) -> None:
        self.run, self.recorded, self.env, self.grid = run, recorded, env, grid
        self.done: dict[Op, Any] = {}

    def result(self) -> Any:
        with np.errstate(all="ignore"):
            for op in self.recorded.ops:
                self.done[op] = self.value(op, [self.done[a] for a in op.args])
        return self.done[self.recorded.result]

    def evaluate(self, expr: Any) -> Any:
        """An index expression over the grid."""
        if not isinstance(expr, Expr):
            return np.int64(expr)
        total: Any = np.int64(0)
        for monomial, c in expr.terms.items():
            product: Any = np.int64(c)
            for atom in monomial:
                product = product * self.atom(atom)
            total = total + product
        return total

    def atom(self, atom: Any) -> Any:
        if isinstance(atom, (FloorDiv, Mod)):
            a, b = self.evaluate(atom.a), self.evaluate(atom.b)
            return a // b if isinstance(atom, FloorDiv) else a % b
        return self.env[atom]

    def active(self, op: Op) -> Any:
        """Where an operation counts: True, or a mask."""
        mask: Any = True
        region = op.region
        while region is not None:
            mask = mask & self.done[region.condition]
            region = region.parent
        return mask

    def inside(self, op: Op, index: Any, low: int, high: int, what: str) -> Any:
        bad = ((index < low) | (index >= high)) & self.active(op)
        if np.size(bad) and np.any(np.broadcast_to(bad, np.broadcast_shapes(np.shape(bad), self.grid))):
            raise IndexError(f"numpy_run: {what} is out of range ({op}; {high} elements)")
        return np.clip(index, max(low, -high), max(high - 1, 0))

    def value(self, op: Op, args: list[Any]) -> Any:
        kind = dtype_of(op.dtype)
        if op.name == "load":
            memory = self.run.flat(op.buffer)  # type: ignore[arg-type]
            if not memory.size:
                return np.zeros(self.grid if 0 in self.grid else (1,) * len(self.grid), kind)
            at = self.inside(op, self.evaluate(op.index), 0, memory.size, "a load")
            return memory[at].astype(kind)
        if op.name == "constant":
            return np.asarray(op.value).astype(kind) if op.dtype != "bool" else np.bool_(op.value)
        if op.name == "index":
            return np.asarray(self.evaluate(op.index)).astype(kind)
        if op.name == "scalar":
            return np.asarray(self.run.scalars[op.value], kind)
        if op.name == "to":
            with np.errstate(all="ignore"):
                return args[0].astype(dtype_of(op.value)).astype(kind)
        if op.name == "indirect":
            size = self.evaluate(op.value)
            low = -int(size) if op.index else 0
            at = self.inside(op, args[0].astype(np.int64), low, int(size), "an index")
            self.env[op.var] = np.where(at < 0, at + size, at)  # type: ignore[index]
            return at
        if op.name == "masked":
            return np.where(args[0], args[1], np.asarray(op.value).astype(kind))
        if op.name == "where":
            return np.where(*args)
        return np.asarray(_FUNCTIONS[op.name](*args)).astype(kind)


def _uniform(seed: Any, offset: Any, place: Any) -> Any:
    """Philox 4x32 with 10 rounds: the first 53 bits."""
    seed, offset, place = (np.asarray(x).astype(np.int64).view(np.uint64) for x in (seed, offset, place))
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b, c, d, first, second = (place & low, place >> half, offset & low, offset >> half, seed & low, seed >> half)
    for _ in range(10):
        left, right = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b, c, d = (right >> half) ^ b ^ first, right & low, (left >> half) ^ d ^ second, left & low
        first, second = (first + np.uint64(0x9E3779B9)) & low, (second + np.uint64(0xBB67AE85)) & low
    return ((b << half | a) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _special(name: str) -> Any:
    def call(*args: Any) -> Any:
        import scipy.special

        return getattr(scipy.special, name)(*args)

    return call


_FUNCTIONS: dict[str, Any] = {name: getattr(np, name) for name in (
    "abs exp exp2 expm1 log log2 log10 log1p sqrt sin cos tan tanh sinh cosh floor ceil trunc sign isnan isinf "
    "logical_not logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor maximum minimum fmax fmin "
    "hypot copysign nextafter fmod add multiply").split()}
_FUNCTIONS |= {
    "uniform": lambda *words: _uniform(*words),
    "neg": np.negative, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide, "mod": np.remainder,
    "pow": np.power, "atan2": np.arctan2, "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
    "gt": np.greater, "ge": np.greater_equal, "bitwise_not": np.invert, "shift_left": np.left_shift,
    "shift_right": np.right_shift, "round": np.rint, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "reciprocal": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "digamma": _special("psi"),
    "lgamma": lambda x: np.where(x == -np.inf, np.inf, _special("gammaln")(x)),
    "floordiv": lambda a, b: np.where((b == 0) & (a.dtype.kind == "f"), a / b, np.floor_divide(a, b)),
} | {name: _special(name) for name in ("erf", "erfc", "erfinv")}
