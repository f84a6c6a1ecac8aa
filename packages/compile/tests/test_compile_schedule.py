"""What becomes one kernel, and where results lie."""

import numpy as np
import pytest

from lamella.compile.loops import numpy_run as plain
from lamella.compile.loops.index import Var, lift
from lamella.compile.loops.ir import Buffer, Extern, Loop, Lowered, Native
from lamella.compile.loops.record import record
from lamella.compile.schedule import Kernel, NativeCall, numpy_run, schedule
from lamella.compile.schedule.plan import pack
from lamella.compile.schedule.report import report


class Program:
    """Builds a program; operands are buffers, read broadcast as NumPy would."""

    def __init__(self) -> None:
        self.steps, self.inputs = [], []

    def input(self, *shape, dtype="float64"):
        n = len(self.inputs)
        self.inputs.append(Buffer(f"x{n}", dtype, shape, kind="input", number=n))
        return self.inputs[-1]

    def buffer(self, shape):
        return Buffer(f"b{len(self.steps)}", "float64", tuple(shape))

    def call(self, name, shape, *operands):
        out = self.buffer(shape)

        def body(ops, i):
            return getattr(ops, name)(*[load(ops, b, i) for b in operands])

        self.steps.append(Loop(out, tuple(shape), body, origins=(name,), where="model.py:3"))
        return out

    def reduce(self, how, source, axis, factor=None):
        kept = [k for k in range(len(source.shape)) if k != axis]
        out = self.buffer(source.shape[k] for k in kept)

        def body(ops, i):
            at = list(i[:-1])
            at.insert(axis, i[-1])
            value = load(ops, source, at)
            return value if factor is None else ops.mul(value, load(ops, factor, at))

        self.steps.append(Loop(out, out.shape, body, "reduce", (source.shape[axis],), how, origins=(how,)))
        return out

    def native(self, source, shape):
        out = self.buffer(shape)
        self.steps.append(Native([out], [source], "work", [out, source], "work.h"))
        return out

    def plan(self, outputs, mutations=None, **kwargs):
        return schedule(Lowered(self.steps, self.inputs, outputs, mutations or {}, **kwargs))

    def check(self, outputs, mutations=None):
        plan = self.plan(outputs, mutations)
        values = np.random.default_rng(0)
        arrays = [values.standard_normal(b.shape) for b in self.inputs]
        expected = plain.run(Lowered(self.steps, self.inputs, outputs, mutations or {}), arrays)
        found, after = numpy_run.run(plan, arrays)
        for o, want in enumerate(expected):
            if o not in (mutations or {}).values():
                np.testing.assert_allclose(found[o], want, rtol=1e-12)
        for n, o in (mutations or {}).items():
            np.testing.assert_allclose(after[n], expected[o], rtol=1e-12)
        return plan


def load(ops, b, i):
    at = i[len(i) - len(b.shape):]
    return ops.load(b, b.at(tuple(0 if s == 1 else k for s, k in zip(b.shape, at, strict=True))))


def column(b):
    """A vector of rows as a column, to be read broadcast."""
    return Buffer(b.name, b.dtype, (*b.shape, 1), kind=b.kind, number=b.number)


def kernels(plan):
    return [s for s in plan.steps if isinstance(s, Kernel)]


def test_a_chain_is_one_kernel_over_one_dimension() -> None:
    p = Program()
    x = p.input(2, 3, 4)
    plan = p.check([p.call("exp", x.shape, p.call("neg", x.shape, x))])
    [k] = plan.steps
    assert [v.size for v in k.parts[0].inner] == [24] and k.outer == () and k.parallel == 1
    assert [m.keep for m in k.members()] == [False, True]
    assert plan.arena == 0


def test_a_bias_keeps_two_dimensions() -> None:
    p = Program()
    x, b = p.input(2, 3, 4), p.input(4)
    [k] = p.check([p.call("tanh", x.shape, p.call("add", x.shape, x, b))]).steps
    assert [v.size for v in k.parts[0].inner] == [6, 4]


class Rows(Program):
    """Values per row are made with a last dimension of 1."""

    def per_row(self, how, source):
        out = self.buffer((*source.shape[:-1], 1))

        def body(ops, i):
            return ops.load(source, source.at((*i[:-2], i[-1])))

        self.steps.append(Loop(out, out.shape, body, "reduce", (source.shape[-1],), how, origins=(how,)))
        return out


def softmax(p, x):
    e = p.call("exp", x.shape, p.call("sub", x.shape, x, p.per_row("max", x)))
    return p.call("div", x.shape, e, p.per_row("sum", e))


def test_softmax_is_one_kernel_of_three_passes() -> None:
    p = Rows()
    x = p.input(6, 5)
    plan = p.check([softmax(p, x)])
    [k] = plan.steps
    assert [v.size for v in k.outer] == [6] and [len(part.members) for part in k.parts] == [1, 3, 1]
    assert [m.keep for m in k.members()] == [False] * 4 + [True]
    assert plan.arena == 0


def test_softmax_forward_and_backward_are_one_kernel() -> None:
    p = Rows()
    x, g = p.input(6, 5), p.input(6, 5)
    y = softmax(p, x)
    total = p.per_row("sum", p.call("mul", y.shape, y, g))
    dx = p.call("mul", y.shape, y, p.call("sub", y.shape, g, total))
    assert len(p.check([y, dx]).steps) == 1


@pytest.mark.parametrize(("rows", "count"), [(6, 2), (32, 1)])
def test_layer_norm_and_its_backward_share_kernels(rows: int, count: int) -> None:
    p = Rows()
    x, w, g, n = p.input(rows, 8), p.input(8), p.input(rows, 8), p.input(1)
    mean = p.call("mul", (rows, 1), p.per_row("sum", x), n)
    d = p.call("sub", x.shape, x, mean)
    rstd = p.call("rsqrt", (rows, 1), p.call("mul", (rows, 1), p.per_row("sum", p.call("mul", x.shape, d, d)), n))
    hat = p.call("mul", x.shape, d, rstd)
    y = p.call("mul", x.shape, hat, w)
    gw = p.call("mul", x.shape, g, w)
    a, b = p.per_row("sum", gw), p.per_row("sum", p.call("mul", x.shape, gw, hat))
    dx = p.call("sub", x.shape, gw, p.call("add", x.shape, a, p.call("mul", x.shape, hat, b)))
    dw = p.reduce("sum", g, 0, x)
    db = p.reduce("sum", g, 0)
    plan = p.check([y, dx, dw, db])
    assert len(plan.steps) == count
    if count == 2:
        assert plan.steps[1].columns and len(plan.steps[1].members()) == 2
    else:
        assert {m.loop.out for m in plan.steps[0].members() if m.across} == {db, dw}


def test_a_gradient_and_its_column_sum_are_one_pass() -> None:
    p = Program()
    g, x = p.input(16, 8), p.input(16, 8)
    d = p.call("mul", g.shape, g, x)
    [k] = p.check([d, p.reduce("sum", d, 0)]).steps
    assert [v.size for v in k.columns] == [16] and [v.size for v in k.parts[0].inner] == [8]
    assert k.parallel == 1


@pytest.mark.parametrize(("size", "count"), [(6, 1), (80, 2)])
def test_a_large_transposed_result_is_not_fused_into_rows(size: int, count: int) -> None:
    p = Rows()
    x, z = p.input(size, size), p.input(size, size)
    y = softmax(p, x)
    turned = p.buffer((size, size))
    p.steps.append(Loop(turned, turned.shape, lambda ops, i: ops.add(ops.load(y, y.at(i[::-1])), ops.load(z, z.at(i))),
                        where="model.py:9"))
    plan = p.plan([turned]) if size > 6 else p.check([turned])
    assert len(plan.steps) == count
    if count == 2:
        assert any("another layout" in r and "model.py:9" in r for r in plan.reasons)


def test_a_large_transpose_is_done_in_tiles() -> None:
    p = Program()
    x = p.input(128, 256)
    out = p.buffer((256, 128))
    p.steps.append(Loop(out, out.shape, lambda ops, i: ops.neg(ops.load(x, x.at(i[::-1])))))
    [k] = p.check([out]).steps
    assert [v.size for v in k.parts[0].inner] == [16, 8, 16, 16] and k.parallel == 4


def test_a_shifted_reader_is_not_fused() -> None:
    p = Program()
    x = p.input(24)
    y = p.call("exp", x.shape, x)
    out = p.buffer((23,))
    p.steps.append(Loop(out, (23,), lambda ops, i: ops.sub(ops.load(y, y.at(i) + 1), ops.load(y, y.at(i)))))
    plan = p.check([out])
    assert len(plan.steps) == 2 and any("b0 (exp) -> b1" in r for r in plan.reasons)


def test_dimensions_that_an_index_divides_are_taken_apart() -> None:
    p = Program()
    x = p.input(4, 3, 8)
    out = p.buffer((3, 32))
    p.steps.append(Loop(out, (3, 32), lambda ops, i: ops.load(x, (i[1] // 8) * 24 + i[0] * 8 + i[1] % 8)))
    [k] = p.check([out]).steps
    assert [v.size for v in k.parts[0].inner] == [3, 4, 8]
    [load] = record(k.members()[0].loop, k.members()[0].index).loads()
    assert "//" not in str(load.index)


@pytest.mark.parametrize("axis", [0, 1])
def test_places_of_extreme_values_are_found_in_rows(axis: int) -> None:
    p = Program()
    x = p.input(5, 4)
    best, place = p.reduce("max", x, axis), p.reduce("argmax", x, axis)
    place.dtype = "int64"
    plan = p.check([best, place])
    assert len(plan.steps) == 1 and not plan.steps[0].columns


def test_batch_norm_reduces_over_rows_that_are_apart() -> None:
    p = Program()
    x = p.input(2, 3, 4)
    total = p.buffer((3,))
    p.steps.append(Loop(total, (3,), lambda ops, i: ops.load(x, x.at((i[1], i[0], i[2]))), "reduce", (2, 4), "sum"))
    y = p.buffer((2, 3, 4))
    p.steps.append(Loop(y, y.shape, lambda ops, i: ops.sub(ops.load(x, x.at(i)), ops.load(total, i[1]))))
    [k] = p.check([y]).steps
    assert [v.size for v in k.outer] == [3] and [v.size for v in k.parts[0].inner] == [2, 4]


def test_a_large_sum_is_taken_apart() -> None:
    p = Program()
    x = p.input(512, 256)
    out = p.buffer(())
    p.steps.append(Loop(out, (), lambda ops, i: ops.load(x, x.at(i)), "reduce", (512, 256), "sum"))
    first, second = p.check([out]).steps
    assert first.parallel == 1 and second.outer == ()


# ------------------------------------------------------------------ memory


def test_new_content_is_written_in_place() -> None:
    p = Program()
    w, g = p.input(8), p.input(8)
    new = p.call("sub", w.shape, w, g)
    plan = p.check([new], {0: 0})
    assert plan.places[new].kind == "input" and plan.places[new].number == 0 and plan.arena == 0


def test_other_reads_of_old_content_come_first() -> None:
    p = Program()
    w, g = p.input(8), p.input(8)
    new = p.call("sub", w.shape, w, g)
    other = p.buffer((8,))
    p.steps.append(Loop(other, (8,), lambda ops, i: ops.load(w, 7 - i[0])))
    plan = p.check([other, new], {0: 1})
    assert plan.places[new].kind == "input"
    assert [k.members()[0].loop.out for k in kernels(plan)] == [other, new]


def test_a_swap_needs_a_copy() -> None:
    p = Program()
    a, b = p.input(8), p.input(8)
    plan = p.check([b, a], {0: 0, 1: 1})
    assert len(plan.steps) == 3


def test_a_reversed_self_is_copied() -> None:
    p = Program()
    w = p.input(8)
    new = p.buffer((8,))
    p.steps.append(Loop(new, (8,), lambda ops, i: ops.load(w, 7 - i[0])))
    plan = p.check([new], {0: 0})
    assert plan.places[new].kind != "input" and len(plan.steps) == 2


def test_outputs_that_are_one_value_get_memory_each() -> None:
    p = Program()
    x = p.input(8)
    y = p.call("exp", x.shape, x)
    plan = p.check([y, y, x])
    assert len({id(b) for b in plan.outputs}) == 3
    assert all(plan.places[b].kind == "output" for b in plan.outputs)


def test_a_result_takes_the_place_of_what_dies() -> None:
    p = Program()
    x = p.input(64)
    a = p.native(x, (64,))
    b = p.call("exp", a.shape, a)
    c = p.native(b, (64,))
    plan = p.plan([c])
    assert plan.places[a] == plan.places[b] and plan.arena == 512


def test_places_in_use_at_once_do_not_overlap() -> None:
    values = np.random.default_rng(0)
    spans = []
    for _ in range(200):
        first = int(values.integers(0, 50))
        spans.append((int(values.integers(1, 5000)), first, first + int(values.integers(0, 10))))
    total, offsets = pack(spans)
    for n, (size, first, last) in enumerate(spans):
        assert offsets[n] % 64 == 0 and offsets[n] + size <= total
        for m in range(n):
            other, f, t = spans[m]
            if f <= last and first <= t:
                assert offsets[n] + size <= offsets[m] or offsets[m] + other <= offsets[n]
    busy = max(sum(s for s, f, t in spans if f <= k <= t) for k in range(60))
    assert total < busy * 1.2 + 64 * 200


def test_dead_loops_go_and_eager_calls_stay_in_order() -> None:
    p = Program()
    x = p.input(8)
    p.call("exp", x.shape, x)
    noise, more = p.buffer((8,)), Buffer("more", "float64", (8,))
    y = p.call("mul", x.shape, noise, more)
    p.steps.insert(1, Extern("first", (), {}, [noise], []))
    p.steps.insert(2, Extern("second", (), {}, [more], []))
    plan = p.plan([y])
    assert [s.op if isinstance(s, Extern) else "kernel" for s in plan.steps] == ["first", "second", "kernel"]
    assert plan.places[noise].kind == "extern"


def test_an_update_runs_where_its_gradient_is_made() -> None:
    p = Program()
    w, x = p.input(64), p.input(64)
    grad = p.native(x, (64,))
    rest = p.native(x, (64,))
    last = p.native(rest, (64,))
    new = p.call("sub", w.shape, w, grad)
    plan = p.plan([last, new], {0: 1})
    names = [s.native.outs[0] if isinstance(s, NativeCall) else s.members()[0].loop.out for s in plan.steps]
    assert names.index(new) == names.index(grad) + 1


# ------------------------------------------------------------------ calls


class Products(Rows):
    def product(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        out = self.buffer((m, n))
        arguments = [m, n, k, 1.0, a, k, 1, b, n, 1, False, out, n, "nullptr"]
        self.steps.append(Native([out], [a, b], "gemm", arguments, "gemm.h"))
        return out


def test_pointwise_and_rows_become_the_epilogue_of_a_product() -> None:
    p = Products()
    x, w, v = p.input(6, 4), p.input(4, 5), p.input(5, 3)
    h = p.call("tanh", (6, 5), p.product(x, w))
    y = softmax(p, p.product(h, v))
    first, second = p.plan([y]).steps
    assert [[len(k.members()) for k in c.epilogue] for c in (first, second)] == [[1], [5]]


def test_an_update_becomes_the_epilogue_of_its_gradients_product() -> None:
    p = Products()
    x, g, w = p.input(4, 6), p.input(6, 5), p.input(4, 5)
    new = p.call("sub", w.shape, w, p.product(x, g))
    plan = p.plan([new], {2: 0})
    [call] = plan.steps
    assert len(call.epilogue) == 1 and plan.places[new].kind == "input"


def test_an_operand_is_not_overwritten_while_the_call_runs() -> None:
    p = Products()
    x, w = p.input(4, 4), p.input(4, 4)
    new = p.call("sub", w.shape, w, p.product(x, w))
    plan = p.plan([new], {1: 0})
    call, update = plan.steps
    assert not call.epilogue and plan.places[new].kind == "input"


def test_a_sum_across_rows_is_complete_after_the_kernel() -> None:
    p = Rows()
    x = p.input(32, 8)
    y = softmax(p, x)
    total = p.reduce("sum", y, 0)
    z = p.call("mul", y.shape, y, total)
    first, second = p.check([z]).steps
    assert [m.loop.out for m in first.members() if m.across] == [total]
    assert [m.loop.out for m in second.members()] == [z]


def test_a_sum_over_columns_runs_after_the_product() -> None:
    p = Products()
    x, w = p.input(6, 4), p.input(4, 5)
    y = p.product(x, w)
    plan = p.plan([p.reduce("sum", y, 0), p.call("exp", y.shape, y)])
    assert [type(s) for s in plan.steps] == [NativeCall, Kernel] and not plan.steps[0].epilogue


# ------------------------------------------------------------------ symbols


def test_symbolic_rows_fuse_and_lay_out_at_run_time() -> None:
    size = lift(Var("s0"))
    x = Buffer("x", "float64", (size, 4), kind="input", number=0)
    a, b, c = (Buffer(n, "float64", (size, 4)) for n in "abc")
    steps = [Loop(a, a.shape, lambda ops, i: ops.exp(ops.load(x, x.at(i)))),
             Loop(b, b.shape, lambda ops, i: ops.neg(ops.load(a, a.at(i)))),
             Native([c], [b], "work", [c, b], "work.h")]
    plan = schedule(Lowered(steps, [x], [c], symbols={"s0": (0, 0)}))
    kernel, call = plan.steps
    assert [str(v.size) for v in kernel.parts[0].inner] == ["4*s0"]
    assert plan.layout({"s0": 3}) == (128, {b: 0}) and plan.places[b].number is None
    found, _ = numpy_run.run(plan, [np.ones((3, 4))], natives={"work": lambda out, src: np.copyto(out, src)})
    np.testing.assert_allclose(found[0], -np.exp(np.ones((3, 4))))


def test_symbolic_softmax() -> None:
    size = lift(Var("s0"))
    p = Rows()
    p.inputs.append(Buffer("x0", "float64", (size, 5), kind="input", number=0))
    y = softmax(p, p.inputs[0])
    program = Lowered(p.steps, p.inputs, [y], symbols={"s0": (0, 0)})
    plan = schedule(program)
    assert len(plan.steps) == 1
    array = np.random.default_rng(0).standard_normal((7, 5))
    np.testing.assert_allclose(numpy_run.run(plan, [array])[0][0], plain.run(program, [array])[0])


@pytest.mark.parametrize("count", [40])
def test_the_report_names_lines_bytes_and_operations(count: int) -> None:
    p = Rows()
    x = p.input(count, 8)
    y = softmax(p, x)
    plan = p.plan([p.native(y, (count, 8))])
    first, second = report(plan)
    assert first.where == ["model.py:3"] and first.reads == count * 64 and first.writes == count * 64
    assert first.flops > 0 and "softmax" not in first.name and second.form == "call"
