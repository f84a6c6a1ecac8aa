"""Programs of launches, made by hand and run on the emulated device: arguments, memory, recording, reports, errors."""


import numpy as np
import pytest
from compile_cuda_device import EmulatedDevice

from lamella.compile.emit.launch import Launch, Matrix, Product
from lamella.compile.runtime.cuda import using
from lamella.compile.runtime.cuda.products import gemm
from lamella.compile.runtime.cuda.program import Program
from lamella.compile.runtime.facts import Call, Facts, Ref, Slot, View

TEXT = """
struct Report { int failed; long value, size; };
extern "C" __global__ void __launch_bounds__(256) scaled(const float* x, float* out, double by, long n) {
    long step = (long)gridDim.x * blockDim.x;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += step) out[i] = x[i] * (float)by;
}
extern "C" __global__ void __launch_bounds__(256) added(const float* x, const float* y, float* out, long n) {
    long step = (long)gridDim.x * blockDim.x;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += step) out[i] = x[i] + y[i];
}
extern "C" __global__ void __launch_bounds__(32) taken(const float* x, const long* at, float* out, long n,
                                                                  Report* report) {
    long i = threadIdx.x;
    if (at[i] >= 0 && at[i] < n) out[i] = x[at[i]];
    else if (atomicCAS(&report->failed, 0, 1) == 0) report->value = at[i], report->size = n;
}
"""


def slot(kind, number, shape, dtype="float32"):
    stride = []
    step = 1
    for n in reversed(shape):
        stride.insert(0, step)
        step = f"({step})*({n})" if isinstance(n, str) or isinstance(step, str) else step * n
    return Slot(kind, number, dtype, tuple(shape), tuple(stride))


def launch(kernel, n, *arguments, blocks=2):
    return "launch", Launch(kernel, (blocks, 1, 1), (256, 1, 1), 0, [*arguments, ("size", n)])


def facts(slots, inputs, outputs, script, **more):
    given = {"constants": [], "arena": 0, "layout": [], "symbols": [], **more}
    return Facts(slots, inputs, outputs, len(outputs), script, **given)


def chain(n=1000):
    """(x * s0 + x) in an arena buffer, then doubled by adding."""
    slots = [slot("input", 0, (n,)), slot("arena", 0, (n,)), slot("arena", 4096, (n,)), slot("output", 0, (n,))]
    script = [launch("scaled", n, ("buffer", 0, 0), ("buffer", 1, 0), ("scalar", 0, "float64")),
              launch("added", n, ("buffer", 0, 0), ("buffer", 1, 0), ("buffer", 2, 0)),
              launch("added", n, ("buffer", 2, 0), ("buffer", 2, 0), ("buffer", 3, 0))]
    return facts(slots, 1, [("slot", 3)], script, arena=8192)


def test_launches_fill_in_addresses_sizes_and_numbers():
    program = Program(chain(), TEXT, device=EmulatedDevice())
    x = np.arange(1000, dtype=np.float32)
    (out,) = program([x], [3.0])
    np.testing.assert_array_equal(out, x * 8)
    (other,) = program([x + 1], [1.0])
    np.testing.assert_array_equal(other, (x + 1) * 4)
    np.testing.assert_array_equal(out, x * 8)  # what was handed out stays


def test_runs_that_come_again_are_recorded_and_replayed():
    device = EmulatedDevice()
    program = Program(chain(), TEXT, device=device)
    made = []
    real = device.make

    def make(*layout):  # the same memory each time, as an allocator that caches gives it
        made[:] = made or [real(*layout)]
        return made[0]

    device.make = make
    x = np.ones(1000, np.float32)
    for k in range(4):
        x[...] = k
        (out,) = program([x], [3.0])
        np.testing.assert_array_equal(out, np.full(1000, k * 8.0))
    assert (device.recordings, device.replays) == (1, 3)
    program([x], [1.0])  # another number
    assert device.replays == 3 and device.recordings == 1
    (out,) = program([x], [1.0])
    assert device.recordings == 2
    np.testing.assert_array_equal(out, x * 4)


def test_devices_that_cannot_record_run_on():
    device = EmulatedDevice()
    device.recorded = lambda run: None
    program = Program(chain(), TEXT, device=device)
    x = np.ones(1000, np.float32)
    outs = [program([x], [3.0])[0] for _ in range(3)]
    assert all((out == 8).all() for out in outs) and device.calls.count("scaled") == 3


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_matrices_in_any_order(dtype, turned):
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(dtype) for s in [(3, 4, 5), (3, 5, 6)])
    left = np.ascontiguousarray(a.transpose(0, 2, 1)) if turned[0] else a
    right = np.ascontiguousarray(b.transpose(0, 2, 1)) if turned[1] else b
    strides = (20, 1, 4) if turned[0] else (20, 5, 1), (30, 1, 5) if turned[1] else (30, 6, 1)
    slots = [slot("input", 0, left.shape, dtype), slot("input", 1, right.shape, dtype),
             slot("output", 0, (3, 4, 6), dtype)]
    product = Product(dtype, 3, 4, 6, 5, Matrix(0, 0, strides[0]), Matrix(1, 0, strides[1]), Matrix(2, 0, (24, 6, 1)))
    program = Program(facts(slots, 2, [("slot", 2)], [("product", product)]), "", device=EmulatedDevice())
    np.testing.assert_allclose(program([left, right])[0], a @ b, rtol=1e-2 if dtype == "float16" else 1e-5, atol=1e-3)


def test_products_of_single_rows_have_a_leading_dimension_that_cublas_takes():
    a, b, c = Matrix(0, 0, (0, 0, 1)), Matrix(1, 0, (0, 1, 0)), Matrix(2, 0, (0, 0, 1))
    call = gemm(Product("float32", 1, 1, 1, 7, a, b, c))
    assert min(call.steps) >= 1 and call.steps[1] >= 7


def test_symbolic_sizes_lay_the_arena_out_anew():
    slots = [slot("input", 0, ("s0", 8)), slot("arena", 0, ("s0", 8)), slot("output", 0, ("s0", 8))]
    n = "s0*8"
    script = [launch("scaled", n, ("buffer", 0, 0), ("buffer", 1, 0), ("scalar", 0, "float64")),
              ("launch", Launch("added", ("s0", 1, 1), (256, 1, 1), 0,
                                [("buffer", 0, 0), ("buffer", 1, 0), ("buffer", 2, 0), ("size", n)]))]
    program = Program(facts(slots, 1, [("slot", 2)], script, layout=[("s0*32", 0, 1, [1])], symbols=[("s0", 0, 0)]),
                      TEXT, device=EmulatedDevice())
    for rows in (3, 5, 3, 100):
        x = np.random.default_rng(rows).standard_normal((rows, 8)).astype(np.float32)
        np.testing.assert_allclose(program([x], [2.0])[0], x * 3, rtol=1e-6)


def test_eager_calls_between_launches():
    slots = [slot("input", 0, (1000,)), slot("extern", 0, (1000,)), slot("output", 0, (1000,))]
    script = [("call", Call("aten::neg", (Ref(0),), {}, [1])),
              launch("scaled", 1000, ("buffer", 1, 0), ("buffer", 2, 0), ("scalar", 0, "float64"))]
    program = Program(facts(slots, 1, [("slot", 2)], script), TEXT, device=EmulatedDevice())
    x = np.arange(1000, dtype=np.float32)
    np.testing.assert_array_equal(program([x], [2.0])[0], x * -2)


def test_views_of_inputs_and_outputs():
    slots = [slot("input", 0, (4, 4)), slot("output", 0, (16,))]
    outputs = [("slot", 1), ("view", View("input", 0, "float32", (4,), (4,), 1)), ("value", 7),
               ("view", View("output", 0, "float32", (2, 8), (8, 1), 0))]
    script = [launch("scaled", 16, ("buffer", 0, 0), ("buffer", 1, 0), ("scalar", 0, "float64"))]
    x = np.arange(16, dtype=np.float32).reshape(4, 4)
    out, column, seven, rows = Program(facts(slots, 1, outputs, script), TEXT, device=EmulatedDevice())([x], [1.0])
    assert np.shares_memory(column, x) and column.tolist() == [1, 5, 9, 13] and seven == 7
    assert np.shares_memory(rows, out) and rows.shape == (2, 8)
    skipped = Program(facts(slots, 1, outputs, script), TEXT, (1,), EmulatedDevice())([x], [1.0])
    assert skipped[1] is None


def test_checks_report_the_first_index_that_is_out_of_range():
    slots = [slot("input", 0, (8,)), slot("input", 1, (32,), "int64"), slot("output", 0, (32,))]
    step = Launch("taken", (1, 1, 1), (32, 1, 1), 0,
                  [("buffer", 0, 0), ("buffer", 1, 0), ("buffer", 2, 0), ("size", 8), ("report",)], "embedding")
    program = Program(facts(slots, 2, [("slot", 2)], [("launch", step)]), TEXT, device=EmulatedDevice())
    x, at = np.arange(8, dtype=np.float32), np.arange(32) % 8
    np.testing.assert_array_equal(program([x, at])[0], x[at])
    at[5] = 12
    with pytest.raises(IndexError, match=r"embedding: index out of range \(index=12, size=8\)"):
        program([x, at])
    at[5] = 0
    np.testing.assert_array_equal(program([x, at])[0], x[at])  # the report is cleared


def test_wrong_number_of_arrays():
    with pytest.raises(TypeError, match=r"takes 1 arrays \(got 2\)"):
        Program(chain(), TEXT, device=EmulatedDevice())([np.ones(1000, np.float32)] * 2)


def test_launches_of_nothing_are_left_out():
    slots = [slot("input", 0, (0,)), slot("output", 0, (0,))]
    script = [launch("scaled", 0, ("buffer", 0, 0), ("buffer", 1, 0), ("scalar", 0, "float64"), blocks=0)]
    device = EmulatedDevice()
    (out,) = Program(facts(slots, 1, [("slot", 1)], script), TEXT, device=device)([np.ones(0, np.float32)], [1.0])
    assert out.shape == (0,) and not device.calls


def test_a_device_is_used_inside_a_with_block_only():
    from lamella.compile.runtime.cuda.device import current, stands_in

    with using(EmulatedDevice()) as device:
        assert current() is device and stands_in()
    assert not stands_in()
