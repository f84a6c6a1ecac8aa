"""Types, devices, promotion, creation, versions, mixed devices."""

import itertools
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

from lamella import core
from lamella.core import dtypes as dt
from lamella.core.tensor import bump, wrap
from lamella.dispatch.keys import DispatchKey, keyset
from lamella.dispatch.state import state

# Frozen from torch 2.13: promote_types over (bool, uint8, int8, int32, int64, float16, bfloat16, float32, float64,
# complex64).
SOME = ("bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")
PROMOTED = """
bool uint8 int8 int32 int64 float16 bfloat16 float32 float64 complex64
uint8 uint8 int16 int32 int64 float16 bfloat16 float32 float64 complex64
int8 int16 int8 int32 int64 float16 bfloat16 float32 float64 complex64
int32 int32 int32 int32 int64 float16 bfloat16 float32 float64 complex64
int64 int64 int64 int64 int64 float16 bfloat16 float32 float64 complex64
float16 float16 float16 float16 float16 float16 float32 float32 float64 complex64
bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 float32 bfloat16 float32 float64 complex64
float32 float32 float32 float32 float32 float32 float32 float32 float64 complex64
float64 float64 float64 float64 float64 float64 float64 float64 float64 complex128
complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex128 complex64
"""


def test_promote_types():
    rows = [line.split() for line in PROMOTED.strip().splitlines()]
    for (i, a), (j, b) in itertools.product(enumerate(SOME), enumerate(SOME)):
        assert core.promote_types(dt.BY_NAME[a], dt.BY_NAME[b]).name == rows[i][j], (a, b)


def test_promotion_of_unsigned_needs_a_common_type():
    with pytest.raises(RuntimeError, match="there is no common type"):
        core.promote_types(core.uint16, core.int16)


@pytest.mark.parametrize(
    ("make", "want"),
    [
        (lambda: core.ones(2, dtype=core.int64) + 1.5, "float32"),
        (lambda: core.ones(2, dtype=core.float16) + 1.5, "float16"),
        (lambda: core.ones(2, dtype=core.float32) + core.tensor(1.0, dtype=core.float64), "float32"),
        (lambda: core.ones((), dtype=core.float32) + core.tensor(1.0, dtype=core.float64), "float64"),
        (lambda: core.ones(2, dtype=core.int8) + core.tensor(1000), "int8"),
        (lambda: core.ones(2, dtype=core.int32) + core.tensor(1.0, dtype=core.float64), "float64"),
        (lambda: core.ones(2, dtype=core.bool) + True, "bool"),
        (lambda: core.ones(2, dtype=core.bool) + 1, "int64"),
        (lambda: core.ones(2) + 1j, "complex64"),
        (lambda: core.ones(2, dtype=core.float64) * 1j, "complex128"),
        (lambda: core.ones(2, dtype=core.int64) / 2, "float32"),
        (lambda: core.ones(2, dtype=core.uint8) - 1, "uint8"),
        (lambda: core.ones(2, dtype=core.int64).sum(), "int64"),
        (lambda: core.ones(2, dtype=core.bool).sum(), "int64"),
    ],
)
def test_ranks_of_operands(make, want):
    assert make().dtype.name == want


def test_integers_wrap_around():
    assert (core.tensor([250], dtype=core.uint8) + 10).tolist() == [4]
    assert (core.zeros(1, dtype=core.uint8) - 1).tolist() == [255]


@pytest.mark.torch
def test_result_type_against_torch():
    torch = pytest.importorskip("torch")
    values = [True, 1, 1.5, 1j]
    for a, b in itertools.product(SOME, SOME):
        for na, nb in itertools.product((0, 1), (0, 1)):
            if {a, b} == {"float16", "complex64"}:
                continue  # may be complex32 in torch, which does not exist here
            ta, tb = (torch.ones((2,) * n, dtype=getattr(torch, x)) for n, x in ((na, a), (nb, b)))
            la, lb = (core.ones((2,) * n, dtype=dt.BY_NAME[x]) for n, x in ((na, a), (nb, b)))
            assert repr(core.result_type(la, lb)) == repr(torch.result_type(ta, tb)), (a, na, b, nb)
        for v in values[:3] if a == "float16" else values:  # torch's complex32 does not exist here
            ta, la = torch.ones(2, dtype=getattr(torch, a)), core.ones(2, dtype=dt.BY_NAME[a])
            assert repr(core.result_type(la, v)) == repr(torch.result_type(ta, v)), (a, v)


def test_default_dtype():
    assert core.get_default_dtype() is core.float32
    core.set_default_dtype(core.float64)
    try:
        assert core.tensor(1.5).dtype is core.float64
        assert (core.ones(2, dtype=core.int64) / 2).dtype is core.float64
    finally:
        core.set_default_dtype(core.float32)
    with pytest.raises(TypeError, match="only floating-point types"):
        core.set_default_dtype(core.int64)


def test_dtype_facts():
    assert (core.finfo(core.float32).eps, core.iinfo(core.int16).max) == (2.0**-23, 32767)
    assert core.finfo(core.bfloat16).max == pytest.approx(3.3895e38, rel=1e-4)
    assert repr(core.bfloat16) == "torch.bfloat16"
    assert pickle.loads(pickle.dumps(core.float32)) is core.float32
    with pytest.raises(TypeError, match="finfo: it needs a floating-point type"):
        core.finfo(core.int8)


def test_device():
    assert str(core.device("cuda:1")) == "cuda:1"
    assert core.device("cpu") == core.device(core.device("cpu"))
    assert repr(core.device("cuda", 0)) == "device(type='cuda', index=0)"
    for bad in ("cup", "cpu:x", "cuda:01"):
        with pytest.raises(RuntimeError, match="^device: "):
            core.device(bad)
    with core.device("meta"):
        assert core.ones(2).is_meta
    assert core.ones(2).is_cpu


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: core.ones(2, 3) + core.ones(4), RuntimeError, r"add: the size of tensor a \(3\) must match"),
        (lambda: core.ones(2) + "x", TypeError, "unsupported operand"),
        (lambda: core.add(core.ones(2), "x"), TypeError, "add: argument 'other' must be Tensor or a number, not str"),
        (lambda: core.maximum(1, 2), TypeError, "Tensor"),
        (lambda: core.exp("x"), TypeError, "exp: argument 'input' must be Tensor, not str"),
        (lambda: core.zeros(-1), RuntimeError, "negative dimension -1"),
        (lambda: core.zeros(2, colour=1), TypeError, "unexpected keyword argument 'colour'"),
        (lambda: core.tensor([[1, 2], [3]]), ValueError, "expected sequence of length 2"),
        (lambda: core.tensor("a"), TypeError, "invalid data type 'str'"),
        (lambda: core.tensor(300, dtype=core.uint8), RuntimeError, "without overflow"),
        (lambda: core.arange(0, 3, 0), RuntimeError, "step must be nonzero"),
        (lambda: core.ones(2).sum(3), IndexError, r"Dimension out of range \(expected to be in range of \[-1, 0\]"),
        (lambda: core.ones(2, 2).sum((0, 0)), RuntimeError, "appears multiple times"),
        (lambda: core.ones(2, dtype=core.int64).mean(), RuntimeError, "floating point"),
        (lambda: core.ones(2, 3) @ core.ones(2, 3), RuntimeError, r"cannot be multiplied \(2x3 and 2x3\)"),
        (lambda: core.ones(2).view(3), RuntimeError, "invalid for input of size 2"),
        (lambda: core.ones(2, dtype=core.int64).add_(1.5), RuntimeError, "can't be cast"),
        (lambda: core.ones(3).add_(core.ones(2, 3)), RuntimeError, "doesn't match the broadcast shape"),
        (lambda: core.ones(3).expand(2, 3).add_(1), RuntimeError, "single memory location"),
        (lambda: core.ones(2, device="meta") + core.ones(2), RuntimeError, "at least two devices, cpu and meta"),
        (lambda: core.ones(2, device="meta").item(), RuntimeError, "meta"),
        (lambda: core.from_numpy([1]), TypeError, "expected np.ndarray"),
        (lambda: core.from_numpy(np.zeros(3)[::-1]), ValueError, "stride is negative"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_refused_write_changes_nothing():
    x = core.arange(3)
    before = x.clone()
    for bad in (lambda: x.add_(0.5), lambda: x.mul_(core.ones(2, 3, dtype=core.int64)), lambda: x.div_(2)):
        with pytest.raises(RuntimeError):
            bad()
    assert core.equal(x, before) and (x._vc is None or x._vc.n == 0)


def test_versions_are_shared_with_views():
    x = core.zeros(4)
    v = x.view(2, 2)[0]
    v.add_(1)
    assert x._vc is v._vc and x._vc.n == 1 and x._vc.writer == "add_"
    assert x.tolist() == [1, 1, 0, 0]
    bump(x, "fill_")
    assert v._vc.n == 2


def test_scalars_on_the_cpu_may_join_meta():
    assert (core.ones(2, device="meta") * core.tensor(2.0)).is_meta


def test_zero_dimensional_results_are_arrays():
    for t in (
        core.ones(()) + 1,
        core.ones(3).sum(),
        core.ones(2, 2).max(),
        core.ones(3)[0],
        core.ones(3).dot(core.ones(3)),
    ):
        assert type(t._a) is np.ndarray and t.shape == ()


def test_masks_are_a_threads_own():
    seen = []
    with state.masks(exclude=keyset("AutogradCPU")):
        assert state.affected & keyset("AutogradCPU")
        other = threading.Thread(target=lambda: seen.append(state.apply(keyset("AutogradCPU", "CPU"))))
        other.start()
        other.join()
        assert state.apply(keyset("AutogradCPU", "CPU")) == keyset("CPU")
    assert seen == [keyset("AutogradCPU", "CPU")] and state.affected == 0


def test_every_key_says_why_it_sits_there():
    assert all(len(k.why.split()) > 5 for k in DispatchKey)


def test_subclasses_keep_their_type():
    class Named(core.Tensor):
        pass

    x = core.creation.as_subclass(core.ones(2), Named)
    assert type(x + 1) is Named and type(x.sum()) is Named
    assert isinstance(core.ones(2) * x, Named)


def test_wrap_shares_memory():
    a = np.zeros(2)
    t = wrap(a)
    t.add_(1)
    assert a.tolist() == [1, 1]


def test_sums_along_outer_dimensions_keep_their_digits():
    x = core.full((4096 * 64, 2), 0.1)
    exact = float(np.float32(0.1)) * 4096 * 64
    assert x.sum(0).tolist() == pytest.approx([exact] * 2, rel=5e-6)
    assert x.mean(0).tolist() == pytest.approx([0.1] * 2, rel=5e-6)
    odd = core.full((5, 1000, 3), 0.1)[:, :777]
    assert odd.sum(1).flatten().tolist() == pytest.approx([77.7] * 15, rel=1e-6)
    assert core.full((1 << 22,), 0.1).sum().item() == pytest.approx(float(np.float32(0.1)) * (1 << 22), rel=1e-6)


def test_infinities_do_not_warn_in_any_thread():
    code = """
import threading
from lamella import core
def work():
    core.tensor([1e38]) * 1e38
    core.tensor([1.0]) / 0
    core.tensor([-1.0]).log()
work()
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_storage_is_found_behind_numpys_own_wrappers():
    base = np.arange(6.0)
    windows = np.lib.stride_tricks.sliding_window_view(base[1:], 2)
    strided = np.lib.stride_tricks.as_strided(base[2:], (2,), (8,))
    for view, offset in ((windows, 1), (strided, 2)):
        t = wrap(view)
        assert t.untyped_storage() == wrap(base).untyped_storage() and t.storage_offset() == offset


@pytest.mark.parametrize("make", [core.scalar_tensor, core.tensor, lambda v, dtype: core.full((), v, dtype=dtype)])
def test_numbers_become_integers_as_torch_has_it(make):
    assert make(-5, dtype=core.uint8).item() == 251 and make(2.7, dtype=core.int32).item() == 2
    for value, dtype in ((300, core.uint8), (-256, core.uint8), (-1.5, core.uint8), (1e10, core.int32)):
        with pytest.raises(RuntimeError, match="overflow"):
            make(value, dtype=dtype)
    with pytest.raises(RuntimeError, match="overflow"):
        make(float("nan"), dtype=core.int32)


def test_arithmetic_of_numbers_alone():
    assert core.add(7, 2).dtype is core.int64 and core.mul(7.5, 2).dtype is core.float32
    assert core.div(7, 2).item() == 3.5 and core.floor_divide(7, 2).item() == 3 and core.sub(2, 7.5).item() == -5.5
    with pytest.raises(TypeError, match="Tensor"):
        core.maximum(1, 2)


def test_a_class_makes_new_tensors_that_are_like_its_own():
    class Held(core.Tensor):
        def _made_like(self, op, make, shape, options):
            return op, make(self.shape if shape is None else shape, **options).shape, options["dtype"]

    t = core.ones(2, 3).as_subclass(Held)
    assert core.zeros_like(t) == ("zeros", (2, 3), core.float32)
    assert core.full_like(t, 2, dtype=core.int64) == ("full", (2, 3), core.int64)
    assert core.randint_like(t, 5) == ("randint", (2, 3), core.float32)
    assert t.new_ones(4) == ("ones", (4,), core.float32) and t.new_full((1,), 3.0)[:2] == ("full", (1,))
    assert t.new_empty_strided((2, 2), (1, 2))[0] == "empty"
