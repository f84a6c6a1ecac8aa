"""Random programs of loops: the plan, run in its own memory in random order, gives what the loops give one by one."""

import random

import numpy as np
import pytest

from lamella.compile.loops import numpy_run as plain
from lamella.compile.loops.index import Var, lift, product
from lamella.compile.loops.ir import Buffer, Loop, Lowered, Native
from lamella.compile.schedule import join, numpy_run, schedule

SHAPES = [(6,), (4, 6), (2, 4, 6), (8, 6), (6, 4), (2, 24), (48,), (4,), (2, 2, 12), (1, 6), (4, 1)]
SYMBOLIC = lift(Var("s0"))


def count(sizes) -> int:
    """How many elements; the symbol is 6."""
    return int(np.prod([size if isinstance(size, int) else size.evaluate({"s0": 6}) for size in sizes]))


class Maker:
    """Draws loops over buffers that exist."""

    def __init__(self, seed: int, turned: bool = False) -> None:
        self.draw = random.Random(seed)
        self.steps: list[Loop] = []
        self.buffers: list[Buffer] = []
        self.inputs: list[Buffer] = []
        six = SYMBOLIC if seed % 3 == 0 else 6
        self.shapes = [tuple(six if n == 6 else 4 * six if n == 24 else n for n in shape) for shape in SHAPES]
        for n in range(4):
            shape = self.shapes[self.draw.randrange(len(SHAPES))]
            shape = self.shapes[0] if n == 0 else shape
            made = Buffer(f"x{n}", "float64", shape, kind="input", number=n)
            if turned and n:  # memory runs along the first dimension fastest
                made.stride = tuple(product(shape[:k]) for k in range(len(shape)))
            self.inputs.append(made)
        self.indices = Buffer("index", "int64", (6,), kind="input", number=4)
        self.inputs.append(self.indices)
        self.buffers = self.inputs[:4]

    def new(self, shape: tuple[int, ...]) -> Buffer:
        made = Buffer(f"b{len(self.steps)}", "float64", shape)
        self.buffers.append(made)
        return made

    def recent(self) -> Buffer:
        return self.draw.choice(self.buffers[-5:] if self.draw.random() < 0.7 else self.buffers)

    def reader(self, shape: tuple[int, ...]):
        """A way to read some buffer over an iteration space: at the same element, broadcast, transposed, reshaped."""
        fitting = [b for b in self.buffers if b.shape == shape]
        if fitting and self.draw.random() < 0.7:
            b = self.draw.choice(fitting[-3:])
            return lambda ops, i: ops.load(b, b.at(i))
        same = [b for b in self.buffers if product(b.shape) == product(shape) and b.stride == plain_strides(b.shape)]
        if same and self.draw.random() < 0.6:
            b, steps = self.draw.choice(same), plain_strides(shape)
            return lambda ops, i: ops.load(b, sum(k * s for k, s in zip(i, steps, strict=True)))
        turned = [b for b in self.buffers if b.shape == shape[::-1] and len(shape) == 2]
        if turned and self.draw.random() < 0.5:
            b = self.draw.choice(turned)
            return lambda ops, i: ops.load(b, b.at(i[::-1]))
        parts = [b for b in self.buffers if len(b.shape) < len(shape) and b.shape == shape[len(shape) - len(b.shape):]]
        if parts and self.draw.random() < 0.6:
            b = self.draw.choice(parts)
            return lambda ops, i: ops.load(b, b.at(i[len(shape) - len(b.shape):]))
        heads = [b for b in self.buffers if len(b.shape) < len(shape) and b.shape == shape[:len(b.shape)]]
        if heads:
            b = self.draw.choice(heads)
            return lambda ops, i: ops.load(b, b.at(i[:len(b.shape)]))
        b = self.recent()
        return lambda ops, i: ops.load(b, self_index(b, i, shape))

    def pointwise(self) -> None:
        shape = self.recent().shape if self.draw.random() < 0.7 else self.draw.choice(self.shapes)
        a, b, how = self.reader(shape), self.reader(shape), self.draw.choice(["add", "mul", "sub", "maximum", "rows"])

        def body(ops, i):
            if how == "rows" and len(shape) > 1:
                condition = ops.lt(ops.index_value(i[0], "int64"), ops.index_value(i[-1], "int64"))
                return ops.where(condition, a(ops, i), ops.sin(b(ops, i)))
            if how == "rows" and shape:
                inside = ops.lt(ops.index_value(i[0], "int64"), ops.constant(3, "int64"))
                return ops.masked(inside, lambda: a(ops, i), 0.5)
            return ops.tanh(getattr(ops, how if how != "rows" else "add")(a(ops, i), b(ops, i)))

        self.steps.append(Loop(self.new(shape), shape, body))

    def with_axes(self, size: int = 1) -> Buffer:
        return self.draw.choice([b for b in self.buffers if b.shape and count(b.shape[-1:]) >= size])

    def reduction(self) -> None:
        source = self.with_axes()
        shape = source.shape
        axes = [k for k in range(len(shape)) if self.draw.random() < 0.5] or [len(shape) - 1]
        kept = [k for k in range(len(shape)) if k not in axes]
        other = self.reader(shape)
        how = self.draw.choice(["sum", "max", "min", "sum", "argmax"])

        def body(ops, i):
            at = [0] * len(shape)
            for k, each in zip([*kept, *axes], i, strict=True):
                at[k] = each
            value = ops.load(source, source.at(tuple(at)))
            return ops.mul(value, other(ops, tuple(at))) if how != "argmax" else value

        out = self.new(tuple(shape[k] for k in kept))
        out.dtype = "int64" if how == "argmax" else "float64"
        if how == "argmax":
            self.buffers.remove(out)
            self.results = [*getattr(self, "results", []), out]
        self.steps.append(Loop(out, out.shape, body, "reduce", tuple(shape[k] for k in axes), how))

    def norm(self) -> None:
        """A sum of each row, a value of each element, and sums of columns: what layers that normalise do."""
        matrices = [b for b in self.buffers if len(b.shape) == 2]
        if not matrices:
            return
        source = self.draw.choice(matrices)
        rows, columns = source.shape
        total = self.new((rows,))
        self.steps.append(Loop(total, (rows,), lambda ops, i: ops.load(source, source.at(i)), "reduce", (columns,),
                               "sum"))
        other = self.reader(source.shape)

        def body(ops, i):
            return ops.tanh(ops.mul(other(ops, i), ops.add(ops.load(source, source.at(i)), ops.load(total, i[0]))))

        scaled = self.new(source.shape)
        self.steps.append(Loop(scaled, scaled.shape, body))
        for buffer in self.draw.sample([source, scaled], self.draw.randrange(1, 3)):
            self.sum_of_columns(buffer, source, total)

    def sum_of_columns(self, a: Buffer, b: Buffer, per_row: Buffer) -> None:
        rows, columns = a.shape

        def body(ops, i):
            value = ops.mul(ops.load(a, a.at((i[1], i[0]))), ops.load(b, b.at((i[1], i[0]))))
            return ops.add(value, ops.load(per_row, i[1]))

        self.steps.append(Loop(self.new((columns,)), (columns,), body, "reduce", (rows,), "sum"))

    def gather(self) -> None:
        source = self.with_axes(4)
        size = source.shape[-1]
        lead = source.shape[:-1]
        index = self.indices

        def body(ops, i):
            place = ops.indirect(ops.load(index, i[-1]), size)
            return ops.load(source, source.at((*i[:-1], place)))

        shape = (*lead, 4)
        self.steps.append(Loop(self.new(shape), shape, body))

    def scatter(self) -> None:
        target = self.with_axes(4)
        size, index = target.shape[-1], self.indices
        shape = (*target.shape[:-1], 5)

        def body(ops, i):
            return ops.add(ops.load(source, self_index(source, i, shape)), ops.constant(1.0, "float64"))

        source = self.recent()

        def store(ops, i):
            return out.at((*i[:-1], ops.indirect(ops.load(index, i[-1]), size)))

        into = target if self.draw.random() < 0.6 else None
        out = self.new(target.shape)
        self.steps.append(Loop(out, shape, body, "scatter", how="add", store=store, into=into))

    def scan(self) -> None:
        source = self.with_axes()
        axis = self.draw.randrange(len(source.shape))
        ranges = tuple(s for k, s in enumerate(source.shape) if k != axis)

        def body(ops, i):
            return ops.load(source, source.at((*i[:axis], i[-1], *i[axis:-1])))

        out = self.new(source.shape)
        self.steps.append(Loop(out, ranges, body, "scan", (source.shape[axis],), "sum", axis=axis))

    def product(self) -> None:
        left = [b for b in self.buffers if len(b.shape) == 2]
        pairs = [(a, b) for a in left for b in left if a.shape[1] == b.shape[0]]
        if not pairs:
            return
        a, b = self.draw.choice(pairs)
        (m, k), n = a.shape, b.shape[1]
        out = self.new((m, n))
        arguments = [m, n, k, 1.0, a, k, 1, b, n, 1, False, out, n, "nullptr"]
        self.steps.append(Native([out], [a, b], "gemm", arguments, "gemm.h"))

    def program(self) -> Lowered:
        kinds = [self.pointwise] * 6 + [self.reduction] * 3 + [self.product] * 2 + [self.norm] * 2
        kinds += [self.gather, self.scatter, self.scan]
        for _ in range(self.draw.randrange(4, 16)):
            self.draw.choice(kinds)()
        made = [b for b in self.buffers if b.kind == "made"]
        outputs: list[Buffer] = self.draw.sample(made, min(len(made), self.draw.randrange(1, 4)))
        outputs += getattr(self, "results", [])
        mutations = {}
        for number in range(4):
            fitting = [b for b in made if b.shape == self.inputs[number].shape]
            if fitting and self.draw.random() < 0.6:
                mutations[number] = len(outputs)
                outputs.append(self.draw.choice([*fitting, self.inputs[number]]))
        if self.draw.random() < 0.2:
            outputs.append(self.inputs[0])
        return Lowered(self.steps, self.inputs, outputs, mutations, symbols={"s0": (0, 0)})


def plain_strides(shape):
    return tuple(product(shape[k + 1:]) for k in range(len(shape)))


def self_index(b, i, shape):
    """Some place of a buffer that depends on the index."""
    flat = sum(k * s for k, s in zip(i, plain_strides(shape), strict=True))
    return flat % product(b.shape) if b.shape else 0


def gemm(m, n, k, alpha, a, ars, acs, b, brs, bcs, add, c, crs, bias) -> None:
    c[...] = np.tanh(a @ b)


class Reference(plain.Run):
    """The loops and calls one after the other."""

    def run(self):
        for step in self.program.steps:
            if isinstance(step, Loop):
                self.loop(step)
            else:
                gemm(*[self.array(a) if isinstance(a, Buffer) else self.size(a) for a in step.arguments[:-1]], None)
        return [self.array(out).copy() for out in self.program.outputs]


def check(seed: int) -> None:
    turned = seed % 4 == 1
    program = Maker(seed, turned).program()
    values = np.random.default_rng(seed)
    inputs = [values.standard_normal([count([n]) for n in b.shape]) for b in program.inputs[:4]]
    if turned:
        inputs[1:] = [np.asfortranarray(a) for a in inputs[1:]]
    inputs.append(values.integers(-4, 4, 6))
    expected = Reference(program, inputs, ()).run()
    for fuse in (False, True):
        plan = schedule(program, fuse=fuse)
        for order in (0, 1):
            outputs, after = numpy_run.run(plan, inputs, natives={"gemm": gemm}, seed=order)
            for o, want in enumerate(expected):
                if o not in program.mutations.values():
                    np.testing.assert_allclose(outputs[o], want, rtol=1e-9, atol=1e-9, err_msg=f"output {o}")
            for number, array in enumerate(inputs):
                want = expected[program.mutations[number]] if number in program.mutations else array
                np.testing.assert_allclose(after[number], want, rtol=1e-9, atol=1e-9, err_msg=f"input {number}")


@pytest.mark.parametrize("block", range(6))
def test_random_programs(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if block % 2:
        monkeypatch.setattr(join, "ENOUGH_ROWS", 2)
    for seed in range(block * 20, block * 20 + 20):
        check(seed)
