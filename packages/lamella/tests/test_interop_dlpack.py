"""Memory shared with NumPy and, by DLPack, with anything else; torch and JAX where they are installed."""

import gc
import sys
import warnings

import numpy as np
import pytest

from lamella import torch

REAL = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
ALL = [*REAL, "uint16", "uint32", "uint64", "complex64", "complex128"]
LAYOUTS = {
    "whole": lambda a: a,
    "transposed": lambda a: a.T,
    "steps": lambda a: a[::2, 1::3],
    "one dimension": lambda a: a[1],
    "no dimension": lambda a: a[1, 2, ...],
    "one element": lambda a: a[1:2, 2:3],
    "empty": lambda a: a[:0],
    "new dimension": lambda a: a[:, None],
}


def array(dtype, shape=(4, 6)):
    return np.asarray(np.arange(np.prod(shape)).reshape(shape) % 7).astype(dtype)


# ---------------------------------------------------------------- NumPy


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", [torch.from_numpy, torch.as_tensor, torch.asarray, torch.from_dlpack])
def test_arrays_become_tensors_over_the_same_memory(dtype, layout, way):
    a = LAYOUTS[layout](array(dtype))
    t = way(a)
    assert t.dtype is getattr(torch, dtype) and tuple(t.shape) == a.shape
    if a.size:
        assert t.data_ptr() == a.ctypes.data
        assert [s * a.itemsize for s, n in zip(t.stride(), t.shape, strict=True) if n > 1] == [
            s for s, n in zip(a.strides, a.shape, strict=True) if n > 1]
        a[...] = 1
        assert (t == 1).all()
        t.zero_()
        assert not a.any()


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", [torch.Tensor.numpy, np.asarray, np.from_dlpack], ids=["numpy", "asarray", "dlpack"])
def test_tensors_become_arrays_over_the_same_memory(dtype, layout, way):
    t = LAYOUTS[layout](torch.from_numpy(array(dtype)))
    a = way(t)
    assert a.dtype == np.dtype(dtype) and a.shape == tuple(t.shape)
    if a.size:
        assert t.data_ptr() == a.ctypes.data
        t.fill_(1)
        assert (a == 1).all()
        a[...] = 0
        assert not t.any()


def test_memory_outlives_its_owner():
    for share in (torch.from_numpy, torch.from_dlpack):
        t = share(array("float32", (1000,)))
        gc.collect()
        assert t.sum().item() == array("float32", (1000,)).sum()
    for share in (torch.Tensor.numpy, np.asarray, np.from_dlpack):
        a = share(torch.ones(1000))
        gc.collect()
        assert a.sum() == 1000


@pytest.mark.parametrize("way", [torch.from_numpy, torch.as_tensor, torch.asarray])
def test_read_only_arrays_warn_and_can_be_written(way):
    a = array("float32")
    a.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        t = way(a)
    t[0, 0] = 9
    t.add_(1)
    assert a[0, 0] == 10 and t.data_ptr() == a.ctypes.data
    assert not a.flags.writeable
    copied = torch.tensor(a)  # no warning: it does not share
    assert copied.data_ptr() != a.ctypes.data
    assert torch.as_tensor(a, dtype=torch.float64).dtype is torch.float64
    assert torch.from_dlpack(a).add_(1)[0, 0] == 11


def test_expanded_arrays_stay_unwritable_in_place():
    with pytest.warns(UserWarning, match="not writable"):
        t = torch.from_numpy(np.broadcast_to(np.zeros(3), (2, 3)))
    assert t.stride() == (0, 1)
    overlapping = np.lib.stride_tricks.as_strided(np.zeros(3), (2, 3), (0, 8))
    for x in (t, torch.from_numpy(overlapping), torch.from_dlpack(overlapping), torch.as_tensor(overlapping)):
        with pytest.raises(RuntimeError, match="single memory location"):
            x.add_(1)


def test_bytes():
    with pytest.warns(UserWarning, match="frombuffer: the array is not writable"):
        assert torch.frombuffer(b"abc", dtype=torch.uint8).tolist() == [97, 98, 99]
    own = bytearray(b"abc")
    torch.frombuffer(own, dtype=torch.uint8)[0] = 65
    assert own == b"Abc"


@pytest.mark.parametrize(
    ("a", "text"),
    [
        (np.arange(6.0)[::-1], "stride is negative"),
        (np.arange(6.0).reshape(2, 3)[:, ::-1], "stride is negative"),
        (np.zeros(2, ">f4"), "byte order is not native"),
        (np.zeros(2, [("a", "i1"), ("b", "f4")])["b"], "not multiples of the element's size"),
    ],
)
def test_layouts_that_tensors_lack(a, text):
    with pytest.raises(ValueError, match=text):
        torch.from_numpy(a)
    for copying in (torch.tensor, torch.as_tensor, torch.asarray):
        t = copying(a)
        assert t.is_contiguous() and t.tolist() == a.tolist()
    with pytest.raises(ValueError, match="a copy is needed"):
        torch.asarray(a, copy=False)


def test_types_that_tensors_lack():
    for a in (np.array(["a"]), np.array([None]), np.zeros(2, "datetime64[s]")):
        with pytest.raises(TypeError, match="can't convert"):
            torch.from_numpy(a)
    with pytest.raises(TypeError, match="cannot hold"):
        torch.from_numpy(np.zeros(2, np.longdouble))
    with pytest.raises(TypeError, match="expected np.ndarray"):
        torch.from_numpy([1.0])
    for a in (np.array(["a"]), np.zeros(2, "datetime64[s]"), np.zeros(2, ">f4")):
        with pytest.raises(BufferError):
            torch.from_dlpack(a)


def test_bfloat16_over_numpy():
    import ml_dtypes

    a = np.arange(4).astype(ml_dtypes.bfloat16)
    for way in (torch.from_numpy, torch.as_tensor):
        t = way(a)
        assert t.dtype is torch.bfloat16 and t.data_ptr() == a.ctypes.data
    with pytest.raises(TypeError, match="BFloat16"):
        t.numpy()
    a.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        t = torch.from_numpy(a)
    t.add_(1)
    assert a.astype(float).tolist() == [1, 2, 3, 4]


def test_numpys_functions():
    x = torch.tensor([0.5, 1.0])
    assert type(np.sin(x)) is torch.Tensor and torch.allclose(np.sin(x), x.sin())
    assert np.add(x, np.ones(2, "float32")).tolist() == [1.5, 2.0]
    assert np.stack([x, x]).shape == (2, 2) and np.concatenate([x, x]).shape == (4,)
    assert np.allclose(x, [0.5, 1.0])
    assert (np.float64(2) * x).dtype is torch.float32
    assert np.arange(3.0)[torch.tensor([2, 0])].tolist() == [2, 0]
    assert np.array([x, x]).shape == (2, 2)
    with pytest.raises(RuntimeError, match=r"requires grad.\n?.*detach"):
        np.asarray(torch.ones(1, requires_grad=True))
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(x, dtype="float64", copy=False)
    assert np.array(x, copy=True).ctypes.data != x.data_ptr()


# ---------------------------------------------------------------- the protocol


def capsule_name(capsule):
    return repr(capsule).split('"')[1]


def test_capsules_and_versions():
    t = torch.ones(2)
    assert capsule_name(t.__dlpack__()) == "dltensor"
    assert capsule_name(t.__dlpack__(max_version=None)) == "dltensor"
    assert capsule_name(t.__dlpack__(max_version=(0, 8))) == "dltensor"
    assert capsule_name(t.__dlpack__(max_version=(1, 0))) == "dltensor_versioned"
    assert capsule_name(torch.utils.dlpack.to_dlpack(t)) == "dltensor"
    assert t.__dlpack_device__() == (1, 0)
    for options in ({}, {"stream": None}, {"stream": -1}, {"dl_device": (1, 0)}, {"copy": False}):
        torch.from_dlpack(t.__dlpack__(**options)).fill_(7)
        assert t.tolist() == [7, 7]
        t.fill_(1)
    torch.from_dlpack(t.__dlpack__(copy=True, max_version=(1, 0))).fill_(7)
    assert t.tolist() == [1, 1]


@pytest.mark.parametrize("version", [None, (1, 0)])
@pytest.mark.parametrize("dtype", [*ALL, "bfloat16"])
def test_capsules_of_every_type(dtype, version):
    t = torch.arange(6).to(getattr(torch, dtype)).reshape(2, 3).T
    back = torch.from_dlpack(t.__dlpack__(max_version=version))
    assert back.dtype is t.dtype and back.stride() == t.stride() and back.data_ptr() == t.data_ptr()
    back.fill_(1)
    assert (t == 1).all()


def test_a_capsule_is_read_once():
    capsule = torch.ones(2).__dlpack__()
    torch.from_dlpack(capsule)
    with pytest.raises(RuntimeError, match="holds no tensor any more"):
        torch.from_dlpack(capsule)


def test_from_dlpack_of_tensors():
    t = torch.ones(2)
    torch.from_dlpack(t)[0] = 5
    assert t.tolist() == [5, 1]
    assert torch.from_dlpack(t, copy=True).data_ptr() != t.data_ptr()
    assert torch.from_dlpack(t, device="cpu", copy=False).data_ptr() == t.data_ptr()
    assert torch.from_dlpack(t, device="meta").is_meta
    with pytest.raises(ValueError, match="cannot move to meta without copying"):
        torch.from_dlpack(np.zeros(2), device="meta", copy=False)
    assert torch.from_dlpack(np.arange(3.0)[::-1], copy=True).tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="stride is negative"):
        torch.from_dlpack(np.arange(3.0)[::-1])


def test_refusals():
    x = torch.ones(2, requires_grad=True)
    for read in (torch.Tensor.__dlpack__, np.from_dlpack, torch.from_dlpack):
        for t in (x, x * 2):
            with pytest.raises(BufferError, match="requires? grad"):
                read(t)
    t = torch.ones(2)
    with pytest.raises(BufferError, match="no memory"):
        torch.empty(2, device="meta").__dlpack__()
    with pytest.raises(ValueError, match="no DLPack device for meta"):
        torch.empty(2, device="meta").__dlpack_device__()
    with pytest.raises(BufferError):
        t.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="stream must be None or -1"):
        t.__dlpack__(stream=1)
    with pytest.raises(TypeError, match="stream must be an int"):
        t.__dlpack__(stream="s")
    for x in (3, [1, 2], "a"):
        with pytest.raises(RuntimeError, match="an object with __dlpack__"):
            torch.from_dlpack(x)


class Old:
    """An exporter from before versions: no keyword but `stream`."""

    def __init__(self, a):
        self.a = a

    def __dlpack__(self, stream=None):
        return self.a.__dlpack__()

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


def test_exporters_from_before_versions():
    a = np.zeros(3)
    torch.from_dlpack(Old(a)).fill_(2)
    assert a.tolist() == [2, 2, 2]
    assert torch.from_dlpack(Old(torch.ones(2, dtype=torch.bfloat16))).dtype is torch.bfloat16


class Elsewhere:
    def __dlpack__(self, **_):
        return np.zeros(2).__dlpack__()

    def __dlpack_device__(self):
        return (2, 0)


def test_exporters_on_other_devices():
    with pytest.raises(BufferError, match="only memory of the CPU"):
        torch.from_dlpack(Elsewhere())


def test_memory_is_let_go():
    for dtype in (torch.float32, torch.bfloat16):
        t = torch.ones(3, dtype=dtype)
        before = sys.getrefcount(t._a)
        for version in (None, (1, 0)):
            for _ in range(20):
                t.__dlpack__(max_version=version)  # nobody reads this one
                torch.from_dlpack(t.__dlpack__(max_version=version)).add_(1)
        gc.collect()
        assert sys.getrefcount(t._a) <= before + 2
    a = np.ones(3)
    before = sys.getrefcount(a)
    for _ in range(20):
        torch.from_dlpack(Old(a)).add_(1)
        torch.from_dlpack(a)
        torch.from_numpy(a)
    gc.collect()
    assert sys.getrefcount(a) <= before + 2


# ---------------------------------------------------------------- torch and JAX


@pytest.mark.torch
@pytest.mark.parametrize("dtype", [*ALL, "bfloat16"])
@pytest.mark.parametrize("layout", ["whole", "transposed", "steps", "no dimension", "empty", "new dimension"])
def test_with_torch(dtype, layout):
    real = pytest.importorskip("torch")
    mine = LAYOUTS[layout](torch.arange(24).reshape(4, 6).to(getattr(torch, dtype)))
    theirs = real.from_dlpack(mine)
    assert str(theirs.dtype) == str(mine.dtype) and tuple(theirs.shape) == tuple(mine.shape)
    theirs.fill_(1)
    assert (mine == 1).all()
    theirs = LAYOUTS[layout](real.arange(24).reshape(4, 6).to(getattr(real, dtype)))
    for source in (theirs, real.utils.dlpack.to_dlpack(theirs)):
        mine = torch.from_dlpack(source)
        assert str(theirs.dtype) == str(mine.dtype) and tuple(mine.shape) == tuple(theirs.shape)
        if mine.numel():
            assert mine.data_ptr() == theirs.data_ptr() and (mine.numel() == 1 or mine.stride() == theirs.stride())
        mine.fill_(1)
        assert bool((theirs == 1).all())
        theirs.zero_()
        assert not mine.any()


@pytest.mark.torch
def test_torch_refuses_the_same():
    real = pytest.importorskip("torch")
    for lib in (real, torch):
        with pytest.raises(BufferError, match="require"):
            np.from_dlpack(lib.ones(2, requires_grad=True))
        with pytest.raises(BufferError):
            lib.ones(2, device="meta").__dlpack__()
        with pytest.raises(TypeError):
            lib.ones(2).__dlpack__(stream="s")
        with pytest.raises(RuntimeError):
            lib.from_dlpack(3)
        capsule = lib.ones(2).__dlpack__()
        lib.from_dlpack(capsule)
        with pytest.raises(RuntimeError):
            lib.from_dlpack(capsule)
        for a in (np.arange(3.0)[::-1], np.zeros(2, ">f4")):
            with pytest.raises(ValueError):
                lib.from_numpy(a)
    with pytest.raises(BufferError, match="require"):
        torch.from_dlpack(real.ones(2, requires_grad=True))
    with pytest.raises(BufferError, match="require"):
        real.from_dlpack(torch.ones(2, requires_grad=True))


@pytest.mark.torch
def test_a_step_shared_with_torch():
    """A weight that both libraries hold: one computes the gradient, the other updates."""
    real = pytest.importorskip("torch")
    mine = torch.tensor([3.0, -2.0], requires_grad=True)
    theirs = real.from_dlpack(mine.detach()).requires_grad_()
    (mine.square().sum() / 2).backward()
    theirs.grad = real.from_dlpack(mine.grad)
    real.optim.SGD([theirs], lr=0.5).step()
    assert mine.tolist() == [1.5, -1.0]


@pytest.mark.parametrize("dtype", [d for d in (*ALL, "bfloat16") if d.strip("uintfloacmpex") not in ("64", "128")
                                   or d == "complex64"])
def test_with_jax(dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jax = pytest.importorskip("jax")
    mine = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    theirs = jax.dlpack.from_dlpack(mine)
    assert str(theirs.dtype) == dtype and theirs.shape == (2, 3)
    assert np.array_equal(np.asarray(theirs).astype("complex64"), mine.to(torch.complex64).numpy())
    theirs = jax.numpy.arange(6).reshape(2, 3).astype(dtype)
    mine = torch.from_dlpack(theirs)
    assert mine.dtype is getattr(torch, dtype)
    assert mine.data_ptr() == theirs.unsafe_buffer_pointer()
    assert torch.from_dlpack(theirs, copy=True).data_ptr() != theirs.unsafe_buffer_pointer()
    if dtype != "bfloat16":
        assert np.array_equal(jax.numpy.asarray(torch.from_dlpack(theirs).numpy()), theirs)
