"""Core on a GPU, shown by a stand-in for CuPy: every operator in every type, memory, devices, files and errors."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

from lamella import core
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor
from lamella.core.testing import check_backend, leaves, map_tensors

pytestmark = pytest.mark.usefixtures("cupy_on_numpy")
#: Equal elements are told apart by places that any order of them may give.
_TIES = {"kthvalue"}


def test_every_operator_gives_what_the_cpu_gives():
    assert check_backend("cuda") == {}


def _outcome(fn, args, kwargs):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fn(*args, **kwargs)
    except Exception as e:  # noqa: BLE001 - the class of the error is what is compared
        return e


def _host(t):
    a = t.detach().cpu()._a
    return a.astype(np.float32) if a.dtype.kind == "V" else a


@pytest.mark.parametrize(
    ("name", "tol"),
    [("float32", 1e-5), ("bfloat16", 2e-2), ("float16", 2e-3), ("complex64", 1e-5), ("int64", 1e-5), ("int32", 1e-5),
     ("uint8", 1e-5)],
)
def test_every_operator_in_other_types(name, tol):
    """The same values, shapes, types and strides as on the CPU, or an error of the same class."""
    d = getattr(core, name)

    def converted(t):
        if t.dtype is core.float64:
            return t.to(d) if d.category >= 2 else (t * 4).to(d)
        return t.to(core.complex64) if t.dtype is core.complex128 else t

    wrong = []
    for sample in all_samples():
        fn = resolve(sample.name)
        for i, (args, kwargs) in enumerate(sample.make(False)):
            args, kwargs = map_tensors(converted, args), map_tensors(converted, kwargs)
            want = _outcome(fn, args, kwargs)
            got = _outcome(fn, map_tensors(lambda t: t.cuda(), args), map_tensors(lambda t: t.cuda(), kwargs))
            if isinstance(want, Exception) or isinstance(got, Exception):
                if type(want) is not type(got):
                    wrong.append(f"{sample.name}, sample {i}: {want!r} | {got!r}")
                continue
            for x, y in zip(leaves(want), leaves(got), strict=True):
                if not isinstance(x, Tensor):
                    continue
                same = x.shape == y.shape and x.dtype is y.dtype and y.is_cuda
                if same and not sample.random and sample.name not in _TIES:
                    same = np.allclose(_host(y), _host(x), rtol=tol, atol=tol, equal_nan=True)
                if not same or x.stride() != y.stride() and not sample.name.endswith(("solve", "solve_triangular")):
                    wrong.append(f"{sample.name}, sample {i}: {x!r} {x.stride()} | {y!r} {y.stride()}")
    assert not wrong


# ---------------------------------------------------------------- devices


def test_tensors_are_where_they_were_asked_for():
    x = core.ones(2, device="cuda")
    assert x.is_cuda and str(x.device) == "cuda:0" and str((x + 1).device) == "cuda:0"
    y = core.tensor([1, 2], device="cuda:1")
    assert str(y.device) == "cuda:1" and (y * 2).tolist() == [2, 4] and str((y * 2).device) == "cuda:1"
    assert str(core.zeros_like(y).device) == str(y.new_zeros(3).device) == "cuda:1"
    with core.device("cuda:1"):
        assert str(core.arange(3).device) == "cuda:1"
    assert x.cpu().device.type == "cpu" and x.cuda() is x and x.to("cuda:0") is x
    assert repr(y) == "tensor([1, 2], device='cuda:1')"


def test_strides_survive_the_way_to_a_gpu_and_back():
    x = core.arange(24.0).reshape(2, 3, 4).transpose(0, 2)
    assert x.cuda().stride() == x.stride() == x.cuda().cpu().stride() == x.cuda().clone().stride()
    assert x.cuda().contiguous().stride() == (6, 2, 1)


def test_copies_between_gpus():
    a = core.arange(6.0, device="cuda:1").reshape(2, 3).t()
    b = a.to("cuda:0")
    assert str(b.device) == "cuda:0" and b.tolist() == a.tolist()
    c = core.zeros(3, 2, device="cuda:0")
    assert c.copy_(a) is c and c.tolist() == a.tolist() and str(c.device) == "cuda:0"


def test_numbers_on_the_cpu_join_tensors_on_a_gpu():
    x = core.ones(2, device="cuda:1")
    assert (x + core.tensor(1.0)).tolist() == (core.tensor(1.0) + x).tolist() == [2.0, 2.0]
    assert core.where(x > 0, core.tensor(3.0), x).tolist() == [3.0, 3.0]
    assert core.arange(3, device="cuda")[core.tensor([2, 0])].tolist() == [2, 0]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: core.ones(2, device="cuda") + core.ones(2), RuntimeError, ["cpu and cuda:0", "f32[2] cpu"]),
        (lambda: core.ones(2, device="cuda:1") + core.ones(2, device="cuda:0"), RuntimeError,
         ["cuda:1 and cuda:0", "f32[2] cuda:0"]),
        (lambda: core.tensor(1.0).add_(core.tensor(1.0, device="cuda")), RuntimeError, ["cpu and cuda:0"]),
        (lambda: core.ones(2, device="cuda").numpy(), TypeError, ["can't convert cuda:0", "Tensor.cpu()"]),
        (lambda: np.asarray(core.ones(2, device="cuda")), TypeError, ["can't convert cuda:0"]),
        (lambda: core.ones(2, device="cuda:7"), RuntimeError, ["invalid device ordinal", "2 GPUs"]),
        (lambda: core.ones(2, device="cuda").expand(3, 2).add_(1), RuntimeError, ["single memory location"]),
        (lambda: core.ones(2, device="cuda").expand(3, 2).exp_(), RuntimeError, ["single memory location"]),
        (lambda: core.ones(2, device="cuda").to(core.float8_e4m3fn), RuntimeError, ["float8_e4m3fn", "on a GPU"]),
        (lambda: core.add(core.ones(2, device="cuda"), 1, out=core.zeros(2)), RuntimeError, ["f32[2] cpu"]),
        (lambda: core.ones(2, device="cuda") + core.ones(3, device="cuda"), RuntimeError, ["must match the size"]),
        (lambda: core.ones(2).__cuda_array_interface__, AttributeError, ["non-CUDA tensor"]),
    ],
)  # fmt: skip
def test_errors(call, error, words):
    with pytest.raises(error) as e:
        call()
    for word in words:
        assert word in str(e.value)


def test_singular_matrices_are_found():
    a = core.zeros(2, 3, 3, device="cuda")
    a[0] = core.eye(3, device="cuda")
    for call in (core.linalg_inv, lambda a: core.linalg_solve(a, a), core.linalg_cholesky):
        with pytest.raises(RuntimeError):
            call(a)
    assert core.linalg_inv_ex(a)[1].tolist() == [0, 1]


def test_places_are_checked_when_that_is_asked_for():
    from lamella.dispatch.config import settings

    x, far = core.arange(3, device="cuda"), core.tensor([5], device="cuda")
    assert x[far].tolist() == [2]  # wraps around
    with settings.using(cuda_checks=True):
        for call in (lambda: x[far], lambda: x.index_select(0, far), lambda: x.gather(0, far),
                     lambda: x.index_put_((far,), core.tensor([1], device="cuda"), accumulate=True)):  # fmt: skip
            with pytest.raises((IndexError, RuntimeError), match="5"):
                call()


# ---------------------------------------------------------------- memory


def test_views_share_memory():
    x = core.arange(6.0, device="cuda").view(2, 3)
    row = x[1]
    assert row.storage_offset() == 3 and row.data_ptr() == x.data_ptr() + 12
    assert row.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    assert x.as_strided((2,), (1,), 2).tolist() == [2.0, 3.0] and x.untyped_storage().nbytes() == 24
    row.zero_()
    assert x.tolist() == [[0, 1, 2], [0, 0, 0]]
    assert x.expand(2, 2, 3).stride() == (0, 3, 1) and x.t().diagonal().tolist() == [0.0, 0.0]
    assert core.empty_strided((2, 2), (1, 2), device="cuda").stride() == (1, 2)


def test_resizing_keeps_elements():
    x = core.arange(3, device="cuda")
    assert x.resize_(2).tolist() == [0, 1] and x.resize_(5)[:3].tolist() == [0, 1, 2]
    assert core.empty(0, dtype=core.int64, device="cuda").set_(x).shape == (5,) and x.set_().shape == (0,)


def test_results_go_where_out_says():
    x, out = core.ones(2, device="cuda:1"), core.zeros(2, device="cuda:1")
    assert core.add(x, 1, out=out) is out and out.tolist() == [2.0, 2.0]


def test_files_keep_the_device_and_what_shares_memory():
    x = core.arange(4.0, device="cuda:1")
    f = io.BytesIO()
    core.save({"x": x, "tail": x[1:], "host": core.ones(1)}, f)
    f.seek(0)
    got = core.load(f)
    assert str(got["x"].device) == "cuda:1" and got["tail"].tolist() == [1, 2, 3] and got["host"].is_cpu
    got["x"].zero_()
    assert got["tail"].tolist() == [0, 0, 0]
    f.seek(0)
    assert core.load(f, map_location="cpu")["x"].is_cpu
    f.seek(0)
    assert str(core.load(f, map_location={"cuda:1": "cuda:0"})["x"].device) == "cuda:0"
    for same in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert str(same.device) == "cuda:1" and same.tolist() == x.tolist()


def test_other_libraries_on_the_same_gpu(cupy_on_numpy):
    a = cupy_on_numpy.arange(3.0)
    for t in (core.as_tensor(a), core.from_dlpack(a)):
        assert t.is_cuda and t.tolist() == [0.0, 1.0, 2.0]
    shared = core.as_tensor(a)
    shared[0] = 7.0
    assert float(a[0]) == 7.0
    apart = core.tensor(a)
    apart[0] = 1.0
    assert float(a[0]) == 7.0 and apart.is_cuda
    assert shared.__cuda_array_interface__["data"][0] == shared.data_ptr()
    assert shared.__dlpack_device__() == (2, 0)


def test_python_numbers_and_lists():
    x = core.tensor([1.5], device="cuda", dtype=core.bfloat16)
    assert x.item() == 1.5 and bool(x) and f"{core.tensor(2.0, device='cuda'):.1f}" == "2.0"
    assert core.tensor([core.tensor(1.0, device="cuda"), 2.0]).tolist() == [1.0, 2.0]
    assert [t.item() for t in core.arange(2, device="cuda")] == [0, 1]
    assert core.allclose(x, x) and core.equal(x, x)


# ---------------------------------------------------------------- without a GPU


def test_nothing_is_loaded_before_it_is_asked_for():
    program = (
        "import sys, lamella.core as core; core.ones(2) + 1; from lamella.core import cuda; "
        "assert not cuda.available(); assert 'cupy' not in sys.modules\n"
        "try: core.ones(2, device='cuda')\n"
        "except RuntimeError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    if "AssertionError" in done.stderr:
        pytest.skip("there is a GPU on this machine")
    assert "driver" in done.stdout and "hint:" in done.stdout


# ---------------------------------------------------------------- products, pinned memory


@pytest.mark.parametrize("d", [core.float16, core.bfloat16])
def test_products_of_16_bit_numbers(d):
    """Every layout that cuBLAS takes as it is, and some that it does not."""
    rng = np.random.default_rng(0)

    def made(*shape):
        return core.tensor(rng.uniform(-1, 1, shape)).to(d)

    pairs = [
        (made(3, 4), made(4, 5)), (made(4, 3).t(), made(4, 5)), (made(3, 4), made(5, 4).t()),
        (made(4, 3).t(), made(5, 4).t()), (made(2, 3, 4), made(2, 4, 5)), (made(2, 3, 4), made(4, 5)),
        (made(2, 1, 3, 4), made(6, 4, 5)), (made(4, 2, 3).permute(1, 2, 0), made(2, 4, 5)),
        (made(3, 8)[:, ::2], made(4, 5)), (made(4), made(4)), (made(3, 4), made(4)), (made(4), made(4, 5)),
        (made(1, 4), made(4, 1)), (made(3, 0), made(0, 2)),
        (made(1, 4).expand(3, 4), made(4, 5)), (made(2, 4).t()[:1].t(), made(1, 3)),
    ]  # fmt: skip
    for a, b in pairs:
        want, got = core.matmul(a, b), core.matmul(a.cuda(), b.cuda())
        assert got.dtype is d and got.shape == want.shape and got.is_contiguous()
        np.testing.assert_allclose(_host(got.float()), _host(want.float()), atol=2e-2)
    bias = made(3, 5)
    np.testing.assert_allclose(
        _host(core.addmm(bias.cuda(), pairs[0][0].cuda(), pairs[0][1].cuda(), beta=0.5).float()),
        _host(core.addmm(bias, *pairs[0], beta=0.5).float()), atol=3e-2)  # fmt: skip


def test_pinned_memory():
    x = core.arange(6.0).reshape(2, 3).t()
    p = x.pin_memory()
    assert p.is_pinned() and not x.is_pinned() and p.tolist() == x.tolist() and p.stride() == x.stride()
    assert p.pin_memory() is p and p.cuda(non_blocking=True).tolist() == x.tolist()
    back = core.empty(3, 2).pin_memory()
    assert back.copy_(x.cuda(), non_blocking=True).tolist() == x.tolist()
    with pytest.raises(RuntimeError, match="only dense CPU tensors"):
        x.cuda().pin_memory()


def test_in_place_with_operands_that_repeat():
    for d in (core.int64, core.bfloat16, core.float32):
        x = core.arange(6, device="cuda").reshape(2, 3).to(d)
        x.mul_(core.tensor([2], device="cuda", dtype=d).expand(2, 3))
        assert x.tolist() == [[0, 2, 4], [6, 8, 10]]
        x.add_(x.clone()).neg_()
        assert x.tolist() == [[0, -4, -8], [-12, -16, -20]]


def test_writing_what_is_read_is_refused():
    x = core.arange(6, device="cuda")
    with pytest.raises(RuntimeError, match="single memory location"):
        x[1:].add_(x[:-1])
    with pytest.raises(RuntimeError, match="single memory location"):
        x.index_add_(0, x[:3], x[3:])
    with pytest.raises(RuntimeError, match="single memory location"):
        core.cat([x[:3], x[:3]], out=x)


def test_indices_and_values_on_other_devices():
    x, i = core.arange(3.0), core.tensor([0, 2], device="cuda")
    with pytest.raises(RuntimeError, match="indices should be either on cpu"):
        x[i]
    with pytest.raises(RuntimeError, match="indices should be either on cpu"):
        x[i] = 1.0
    y = x.cuda()
    y[core.tensor([0, 2])] = core.tensor(5.0)
    assert y.tolist() == [5.0, 1.0, 5.0]
    with pytest.raises(RuntimeError, match="cuda:0 and cpu"):
        y[i] = core.ones(2)


def test_draws_into_expanded_tensors_are_refused():
    with pytest.raises(RuntimeError, match="single memory location"):
        core.ones(1, device="cuda").expand(3).uniform_()
