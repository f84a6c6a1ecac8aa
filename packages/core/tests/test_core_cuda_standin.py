"""The stand-in for CuPy: it has what CuPy has, and refuses what CuPy refuses."""

import json
import subprocess
import sys
import threading
from importlib.metadata import packages_distributions, version
from pathlib import Path

import cupy_standin
import ml_dtypes
import numpy as np
import pytest
from cupy_standin.arrays import METHODS, ndarray

MAKE = Path(cupy_standin.__file__).with_name("make_table.py")


def _installed_version():
    found = packages_distributions().get("cupy")
    return version(found[0]) if found else None


def test_the_table_is_the_installed_cupy():
    if _installed_version() != json.loads(MAKE.with_name("cupy_names.json").read_text())["version"]:
        pytest.skip("the CuPy of the table is not installed here")
    assert subprocess.run([sys.executable, str(MAKE), "--check"], timeout=120).returncode == 0


def test_the_array_has_no_names_beside_cupys():
    class Plain:
        """What Python gives every class."""

    ours = {n for n in vars(ndarray) if not n.startswith("_") or n.startswith("__")}
    assert ours <= set(METHODS) | set(vars(Plain))


def test_arithmetic_is_numpys(cupy_on_numpy):
    cp = cupy_on_numpy
    n = np.arange(6, dtype=np.float32).reshape(2, 3)
    a = cp.asarray(n)
    pairs = (a + 1, n + 1), (a.sum(0), n.sum(0)), (cp.exp(a), np.exp(n)), (a @ a.T, n @ n.T), (a[:, 1], n[:, 1])
    for got, want in pairs:
        assert type(got) is ndarray and got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)
    assert a.sum().shape == () and a[1].data.ptr == a.data.ptr + 12
    b = a.astype(ml_dtypes.bfloat16)
    assert cp.exp(b).dtype == b.dtype and (b + a).dtype == np.float32


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda cp, a: np.asarray(a), TypeError),
        (lambda cp, a: a + np.ones(3), TypeError),
        (lambda cp, a: a.__setitem__(0, np.ones(3)), TypeError),
        (lambda cp, a: cp.add(a, a, where=a > 1), TypeError),
        (lambda cp, a: cp.sum(a, initial=1), TypeError),
        (lambda cp, a: a.sum(where=a > 1), TypeError),
        (lambda cp, a: cp.maximum.reduce(a), NotImplementedError),
        (lambda cp, a: cp.spacing(a), AttributeError),
        (lambda cp, a: a.ctypes, AttributeError),
        (lambda cp, a: cp.empty(3, np.longdouble), TypeError),
        (lambda cp, a: cp.empty(3, ml_dtypes.float8_e5m2), TypeError),
        (lambda cp, a: a[a > 1, a > 1], NotImplementedError),
        (lambda cp, a: [1, 2, 3, 4][cp.asarray(1)], TypeError),
        (lambda cp, a: cp.exp([1.0]), TypeError),
    ],
)
def test_what_cupy_refuses_is_refused(cupy_on_numpy, call, error):
    with pytest.raises(error):
        call(cupy_on_numpy, cupy_on_numpy.ones(3))


def test_work_goes_to_the_current_device(cupy_on_numpy):
    cp = cupy_on_numpy
    a = cp.ones(3)
    with cp.cuda.Device(1):
        b = cp.ones(3)
        assert b.device.id == 1 and a.device.id == 0
        with pytest.raises(ValueError, match="current device"):
            a + b


def test_indices_wrap_around_and_memory_is_counted(cupy_on_numpy):
    cp = cupy_on_numpy
    a = cp.arange(3)
    assert a[cp.asarray([1, 3])].tolist() == [1, 0] and cp.take(a, cp.asarray([4])).tolist() == [1]
    pool = cp.get_default_memory_pool()
    before = pool.used_bytes()
    b = cp.empty(1000)
    view = b[10:]
    del b
    assert pool.used_bytes() == before + 8192
    del view
    assert pool.used_bytes() == before


def test_each_thread_has_its_own_current_device_and_stream(cupy_on_numpy):
    cp = cupy_on_numpy
    found = []
    with cp.cuda.Device(1), cp.cuda.Stream() as stream:
        other = threading.Thread(target=lambda: found.append((cp.cuda.Device().id, cp.cuda.get_current_stream())))
        other.start()
        other.join()
        assert cp.cuda.Device().id == 1 and cp.cuda.get_current_stream() == stream
    assert found == [(0, cp.cuda.Stream.null)]
