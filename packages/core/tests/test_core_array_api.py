"""The namespace of the array API standard: names, signatures, types, errors; what its docstrings show."""

import doctest
import inspect
import subprocess
import sys

import numpy as np
import pytest

from lamella import core
from lamella.core import array_api as xp

NAMES = """
    arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros
    zeros_like astype can_cast finfo iinfo isdtype result_type int8 int16 int32 int64 uint8 uint16 uint32 uint64
    float32 float64 complex64 complex128 bool e inf nan newaxis pi abs acos acosh add asin asinh atan atan2 atanh
    bitwise_and bitwise_left_shift bitwise_invert bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign
    cos cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less
    less_equal log log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply
    negative nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh square sqrt
    subtract tan tanh trunc take take_along_axis __array_namespace_info__ matmul matrix_transpose tensordot vecdot
    broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile
    unstack argmax argmin count_nonzero nonzero searchsorted where unique_all unique_counts unique_inverse
    unique_values argsort sort cumulative_prod cumulative_sum max mean min prod std sum var all any diff linalg fft
""".split()
EXTENSIONS = {
    "linalg": """cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank
        matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm""".split(),
    "fft": """fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift""".split(),
}
#: Of operators and attributes, those of Python's data model are left to the tests of tensors.
ATTRIBUTES = """
    dtype device mT ndim shape size T __abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__
    __dlpack_device__ __eq__ __float__ __floordiv__ __ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__
    __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__ __pow__ __rshift__ __setitem__ __sub__
    __truediv__ __xor__ to_device __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __ipow__ __imod__
    __iand__ __ior__ __ixor__ __ilshift__ __irshift__ __radd__ __rsub__ __rmul__ __rtruediv__
    __rfloordiv__ __rpow__ __rmod__ __rmatmul__ __rand__ __ror__ __rxor__ __rlshift__ __rrshift__
""".split()
#: Functions by the signature that the standard gives them.
SIGNATURES = {
    "(x, /)": """
        abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf
        isnan log log10 log1p log2 logical_not matrix_transpose negative nonzero positive real reciprocal round sign
        signbit sin sinh sqrt square tan tanh trunc unique_all unique_counts unique_inverse unique_values linalg.det
        linalg.eigh linalg.eigvalsh linalg.inv linalg.matrix_transpose linalg.slogdet linalg.svdvals""",
    "(x1, x2, /)": """
        add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal
        floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor matmul
        maximum minimum multiply nextafter not_equal pow remainder subtract linalg.matmul linalg.outer linalg.solve""",
    "(x, /, *, axis=None, keepdims=False)": "all any argmax argmin count_nonzero max mean min",
    "(x, /, *, n=None, axis=-1, norm='backward')": "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft",
    "(x, /, *, s=None, axes=None, norm='backward')": "fft.fftn fft.ifftn fft.rfftn fft.irfftn",
    "(shape, *, dtype=None, device=None)": "empty ones zeros",
    "(x, /, *, dtype=None, device=None)": "empty_like ones_like zeros_like",
    "(x1, x2, /, *, axis=-1)": "vecdot linalg.cross linalg.vecdot",
    "(x, /, *, axis=-1, descending=False, stable=True)": "argsort sort",
    "(arrays, /, *, axis=0)": "concat stack",
    "(x, /, *, axis=None, dtype=None, include_initial=False)": "cumulative_prod cumulative_sum",
    "(x, /, axis)": "expand_dims squeeze",
    "(type, /)": "finfo iinfo",
    "(x, /, *, axis=None, dtype=None, keepdims=False)": "prod sum",
    "(x, /, *, axis=None, correction=0.0, keepdims=False)": "std var",
    "(x1, x2, /, *, axes=2)": "tensordot linalg.tensordot",
    "(x, /, *, k=0)": "tril triu",
    "(x, /, *, rtol=None)": "linalg.matrix_rank linalg.pinv",
    "(n, /, *, d=1.0, dtype=None, device=None)": "fft.fftfreq fft.rfftfreq",
    "(x, /, *, axes=None)": "fft.fftshift fft.ifftshift",
    "(start, /, stop=None, step=1, *, dtype=None, device=None)": "arange",
    "(obj, /, *, dtype=None, device=None, copy=None)": "asarray",
    "(x, dtype, /, *, copy=True, device=None)": "astype",
    "(*arrays)": "broadcast_arrays",
    "(*shapes)": "broadcast_shapes",
    "(x, /, shape)": "broadcast_to",
    "(from_, to, /)": "can_cast",
    "(x, /, min=None, max=None)": "clip",
    "(x, /, *, axis=-1, n=1, prepend=None, append=None)": "diff",
    "(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)": "eye",
    "(x, /, *, axis=None)": "flip",
    "(x, /, *, device=None, copy=None)": "from_dlpack",
    "(shape, fill_value, *, dtype=None, device=None)": "full",
    "(x, /, fill_value, *, dtype=None, device=None)": "full_like",
    "(dtype, kind)": "isdtype",
    "(x1, x2, /, *, invert=False)": "isin",
    "(start, stop, /, num, *, dtype=None, device=None, endpoint=True)": "linspace",
    "(*arrays, indexing='xy')": "meshgrid",
    "(x, source, destination, /)": "moveaxis",
    "(x, /, axes)": "permute_dims",
    "(x, repeats, /, *, axis=None)": "repeat",
    "(x, /, shape, *, copy=None)": "reshape",
    "(*arrays_and_dtypes)": "result_type",
    "(x, /, shift, *, axis=None)": "roll",
    "(x1, x2, /, *, side='left', sorter=None)": "searchsorted",
    "(x, indices, /, *, axis=None)": "take",
    "(x, indices, /, *, axis=-1)": "take_along_axis",
    "(x, repetitions, /)": "tile",
    "(x, /, *, axis=0)": "unstack",
    "(condition, x1, x2, /)": "where",
    "()": "__array_namespace_info__",
    "(x, /, *, upper=False)": "linalg.cholesky",
    "(x, /, *, offset=0)": "linalg.diagonal",
    "(x, /, *, keepdims=False, ord='fro')": "linalg.matrix_norm",
    "(x, n, /)": "linalg.matrix_power",
    "(x, /, *, mode='reduced')": "linalg.qr",
    "(x, /, *, full_matrices=True)": "linalg.svd",
    "(x, /, *, offset=0, dtype=None)": "linalg.trace",
    "(x, /, *, axis=None, keepdims=False, ord=2)": "linalg.vector_norm",
}
INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def functions():
    for where, module in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft)):
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield where + name, getattr(module, name)


FUNCTIONS = dict(functions())


def test_every_name_is_there():
    assert [n for n in NAMES if not hasattr(xp, n) or n not in xp.__all__] == []
    for extension, names in EXTENSIONS.items():
        module = getattr(xp, extension)
        assert [n for n in names if not hasattr(module, n) or n not in module.__all__] == []
    assert [n for n in ATTRIBUTES if not hasattr(core.Tensor, n)] == []
    assert xp.__array_api_version__ == "2024.12"
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (np.e, np.pi, np.inf, None) and xp.nan != xp.nan


def test_nothing_is_exported_that_the_standard_lacks():
    later = {"isin", "broadcast_shapes"}  # of the revision after this one
    assert set(xp.__all__) - set(NAMES) - later == {"__array_api_version__"}
    assert xp.diag(xp.diag(xp.asarray([1, 2]), k=1), k=1).tolist() == [1, 2]  # SciPy's RBFInterpolator calls it


def parameters(fn):
    return [(p.name, p.kind, p.default) for p in inspect.signature(fn).parameters.values()]


def test_signatures_are_the_standards():
    found = {}
    for name, fn in FUNCTIONS.items():
        signature = inspect.signature(fn)
        bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        found[name] = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    assert found == {name: signature for signature, names in SIGNATURES.items() for name in names.split()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_are_those_of_array_api_strict(name):
    strict = pytest.importorskip("array_api_strict")
    theirs = strict
    for part in name.split("."):
        theirs = getattr(theirs, part)
    ours = parameters(FUNCTIONS[name])
    wanted = parameters(theirs)
    assert [p[:2] for p in ours] == [p[:2] for p in wanted]
    for (parameter, _, default), (_, _, other) in zip(ours, wanted):
        # Its defaults for "not given" are objects of its own; these say None.
        assert default == other or type(other).__module__.startswith("array_api_strict"), parameter


def test_every_name_of_array_api_strict_is_there():
    strict = pytest.importorskip("array_api_strict")
    own = {"ArrayAPIStrictFlags", "Device", "__version__", "get_array_api_strict_flags", "reset_array_api_strict_flags",
           "set_array_api_strict_flags"}
    assert [n for n in strict.__all__ if n not in own and not hasattr(xp, n)] == []
    assert [n for m in ("linalg", "fft") for n in getattr(strict, m).__all__ if not hasattr(getattr(xp, m), n)] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_and_example(name):
    doc = FUNCTIONS[name].__doc__
    assert doc and doc.strip()
    space = {"np": np, **{n: getattr(xp, n) for n in xp.__all__}}
    for extension in EXTENSIONS:
        space.update({n: getattr(getattr(xp, extension), n) for n in EXTENSIONS[extension]})
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(doctest.DocTestParser().get_doctest(doc, space, name, None, 0), out=report.append)
    assert runner.failures == 0, "".join(report)


# ---------------------------------------------------------------- the namespace and the array object


def test_tensors_give_the_namespace():
    x = core.ones(2)
    assert x.__array_namespace__() is xp
    for version in ("2021.12", "2022.12", "2023.12", "2024.12", None):
        assert x.__array_namespace__(api_version=version) is xp
    with pytest.raises(ValueError, match="2030.12"):
        x.__array_namespace__(api_version="2030.12")


def test_the_namespace_is_loaded_when_it_is_asked_for():
    script = "import sys; from lamella import core; x = core.ones(1)\n"
    script += "assert 'lamella.core.array_api' not in sys.modules\nassert x.__array_namespace__().ones(1) == x\n"
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_attributes():
    x = xp.reshape(xp.arange(6), (2, 3))
    assert x.mT.shape == x.T.shape == (3, 2)
    assert x.device == core.device("cpu") and x.ndim == 2 and x.dtype is xp.int64
    assert x.to_device("cpu") is x and x.to_device(x.device, stream=None) is x
    assert x.to_device("meta").device.type == "meta"
    with pytest.raises(ValueError, match="streams"):
        x.to_device("cpu", stream=1)
    assert x.__dlpack_device__() == (1, 0)
    assert core.roll(xp.arange(3), 1, None).tolist() == [2, 0, 1]  # array-api-compat calls torch's so
    assert xp.asarray([1 + 2j], dtype=xp.complex128).view(float).tolist() == [1.0, 2.0]
    assert np.from_dlpack(x).tolist() == x.tolist()
    assert xp.from_dlpack(np.arange(3.0)).tolist() == [0.0, 1.0, 2.0]
    assert complex(xp.asarray(1 + 2j)) == 1 + 2j and [5, 6][xp.asarray(1)] == 6 and float(xp.asarray(2.5)) == 2.5
    with pytest.raises(TypeError):
        xp.asarray(1.0).__index__()


def test_operators_on_the_right_and_in_place():
    x = xp.asarray([4, 6])
    assert [(10 - x).tolist(), (12 // x).tolist(), (2**x).tolist(), (7 % x).tolist(), (12 / x).tolist()] == [
        [6, 4], [3, 2], [16, 64], [3, 1], [3.0, 2.0]]
    assert [(5 & x).tolist(), (1 | x).tolist(), (1 ^ x).tolist(), (1 << x).tolist(), (64 >> x).tolist()] == [
        [4, 4], [5, 7], [5, 7], [16, 64], [4, 1]]
    for op, other, want in (("__iadd__", 1, [5, 7]), ("__isub__", 1, [4, 6]), ("__imul__", 2, [8, 12]),
                            ("__ifloordiv__", 2, [4, 6]), ("__imod__", 4, [0, 2]), ("__ior__", 5, [5, 7]),
                            ("__iand__", 6, [4, 6]), ("__ixor__", 2, [6, 4]), ("__ilshift__", 1, [12, 8]),
                            ("__irshift__", 2, [3, 2]), ("__ipow__", 2, [9, 4])):
        assert getattr(x, op)(other) is x and x.tolist() == want, op
    y = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    y @= y
    assert y.tolist() == [[7.0, 10.0], [15.0, 22.0]]
    y /= 2
    assert y.tolist() == [[3.5, 5.0], [7.5, 11.0]]


def test_information():
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert info.default_device() == core.device("cpu") and info.devices() == [core.device("cpu")]
    defaults = info.default_dtypes()
    assert defaults == info.default_dtypes(device=core.device("cpu"))
    assert defaults == {"real floating": xp.float32, "complex floating": xp.complex64, "integral": xp.int64,
                        "indexing": xp.int64}
    assert set(info.dtypes()) == {"bool", *INTEGERS, *FLOATS, *COMPLEX}
    assert list(info.dtypes(kind="real floating")) == FLOATS
    assert set(info.dtypes(kind=("unsigned integer", "bool"))) == {"bool", "uint8", "uint16", "uint32", "uint64"}
    assert info.dtypes(kind="bool")["bool"] is xp.bool
    with pytest.raises(TypeError):
        info.dtypes(device=1.5)
    core.set_default_dtype(core.float64)
    try:
        assert info.default_dtypes()["complex floating"] is xp.complex128
        assert xp.zeros(1).dtype is xp.linspace(0, 1, 2).dtype is xp.float64
    finally:
        core.set_default_dtype(core.float32)


# ---------------------------------------------------------------- types


def test_promotion_within_a_kind_is_numpys():
    for names in (INTEGERS, [*FLOATS, *COMPLEX], ["bool"]):
        for a in names:
            for b in names:
                want = np.promote_types(a, b)
                if names is INTEGERS and want.kind == "f":
                    with pytest.raises(TypeError):
                        xp.result_type(getattr(xp, a), getattr(xp, b))
                    continue
                x, y = xp.ones(2, dtype=getattr(xp, a)), xp.ones((), dtype=getattr(xp, b))
                assert xp.result_type(x, y).name == xp.result_type(x.dtype, y.dtype).name == want.name
                assert xp.multiply(x, y).dtype.name == xp.where(x == y, x, y).dtype.name == want.name
                assert xp.can_cast(x, y.dtype) == (want.name == b)


def test_python_numbers_are_weak():
    cases = [("int8", 1, "int8"), ("uint64", 3, "uint64"), ("float32", 1, "float32"), ("float32", 1.5, "float32"),
             ("float32", 1j, "complex64"), ("float64", 1j, "complex128"), ("complex64", 1.5, "complex64"),
             ("bool", True, "bool"), ("int8", 1.5, "float32"), ("int8", True, "int8")]
    for name, number, want in cases:
        x = xp.ones(2, dtype=getattr(xp, name))
        assert xp.result_type(x, number).name == xp.result_type(number, x.dtype).name == want
        if name != "bool":
            assert xp.add(x, number).dtype.name == xp.subtract(number, x).dtype.name == want
    assert xp.result_type(1, 2.0) is xp.float32 and xp.result_type(xp.float64, np.float32(1)) is xp.float64
    for bad in ((), ("a",), (np.ones(1),)):
        with pytest.raises(TypeError):
            xp.result_type(*bad)
    with pytest.raises(TypeError):
        xp.add(1, 2)


def test_casting_and_kinds():
    x = xp.asarray([1.5, -2.5], dtype=xp.float64)
    assert xp.astype(x, xp.float64) is not x and xp.astype(x, xp.float64, copy=False) is x
    assert xp.astype(x, xp.int32).tolist() == [1, -2] and xp.astype(x, xp.bool).tolist() == [True, True]
    assert xp.astype(x, xp.float32, device=core.device("meta")).is_meta
    with pytest.raises(TypeError, match="real"):
        xp.astype(xp.asarray([1j]), xp.float32)
    kinds = {"bool": ["bool"], "signed integer": INTEGERS[:4], "unsigned integer": INTEGERS[4:], "integral": INTEGERS,
             "real floating": FLOATS, "complex floating": COMPLEX, "numeric": [*INTEGERS, *FLOATS, *COMPLEX]}
    for kind, names in kinds.items():
        for name in ["bool", *INTEGERS, *FLOATS, *COMPLEX]:
            assert xp.isdtype(getattr(xp, name), kind) == (name in names)
    assert xp.isdtype(core.bfloat16, "real floating") and not xp.isdtype(xp.int8, (xp.int16, xp.bool))
    with pytest.raises(ValueError, match="numeric"):
        xp.isdtype(xp.int8, "number")
    for bad in ((int, "bool"), (xp.int8, 3)):
        with pytest.raises(TypeError):
            xp.isdtype(*bad)
    assert not xp.can_cast(xp.uint64, xp.int64)
    with pytest.raises(TypeError):
        xp.can_cast("int8", xp.int8)


def test_limits():
    for name in FLOATS:
        ours, theirs = xp.finfo(getattr(xp, name)), np.finfo(name)
        for field in ("bits", "eps", "max", "min", "smallest_normal"):
            value = getattr(ours, field)
            assert value == getattr(theirs, field) and type(value) in (int, float)
        assert ours.dtype is getattr(xp, name)
    assert xp.finfo(xp.ones(1, dtype=xp.complex64)).dtype is xp.float32
    for name in INTEGERS:
        ours, theirs = xp.iinfo(getattr(xp, name)), np.iinfo(name)
        assert (ours.bits, ours.max, ours.min, ours.dtype.name) == (theirs.bits, theirs.max, theirs.min, name)
    for fn, bad in ((xp.finfo, xp.int8), (xp.iinfo, xp.float32), (xp.finfo, "float32")):
        with pytest.raises(TypeError):
            fn(bad)


# ---------------------------------------------------------------- what must be refused


@pytest.mark.parametrize("call, error", [
    (lambda: xp.asarray([1, 2], copy=False), ValueError),
    (lambda: xp.asarray(xp.ones(2), dtype=xp.float64, copy=False), ValueError),
    (lambda: xp.asarray(np.ones(2)[::-1], copy=False), ValueError),
    (lambda: xp.asarray(["a"]), (TypeError, ValueError)),
    (lambda: xp.asarray(np.array(["a"])), TypeError),
    (lambda: xp.broadcast_to(xp.ones(2), (3,)), ValueError),
    (lambda: xp.broadcast_to(xp.ones((2, 3)), (3,)), ValueError),
    (lambda: xp.broadcast_arrays(xp.ones(2), xp.ones(3)), ValueError),
    (lambda: xp.broadcast_shapes((2,), (3,)), ValueError),
    (lambda: xp.concat([xp.ones((0,)), xp.ones((2, 2))]), ValueError),
    (lambda: xp.expand_dims(xp.ones(2), axis=2), IndexError),
    (lambda: xp.expand_dims(xp.ones(2), axis=(0, 0)), ValueError),
    (lambda: xp.squeeze(xp.ones((2, 1)), axis=0), ValueError),
    (lambda: xp.reshape(xp.ones((2, 3)).mT, (6,), copy=False), ValueError),
    (lambda: xp.meshgrid(xp.ones((2, 2))), ValueError),
    (lambda: xp.meshgrid(xp.ones(2), indexing="yx"), ValueError),
    (lambda: xp.take(xp.ones((2, 2)), xp.asarray([0])), ValueError),
    (lambda: xp.take(xp.ones(2), xp.asarray([0]), axis=1), IndexError),
    (lambda: xp.cumulative_sum(xp.ones((2, 2))), ValueError),
    (lambda: xp.nonzero(xp.asarray(1)), ValueError),
    (lambda: xp.searchsorted(xp.ones(2), xp.ones(2), side="up"), ValueError),
    (lambda: xp.matrix_transpose(xp.ones(2)), ValueError),
    (lambda: xp.vecdot(xp.ones(2), xp.ones(3)), ValueError),
    (lambda: xp.linalg.qr(xp.ones((2, 2)), mode="raw"), ValueError),
    (lambda: xp.linalg.inv(xp.zeros((2, 2))), RuntimeError),
    (lambda: xp.max(xp.zeros((0,))), (IndexError, RuntimeError)),
    (lambda: xp.sum(xp.ones(2), axis=1), IndexError),
    (lambda: xp.sin(1.0), TypeError),
    (lambda: xp.add(xp.ones(2), np.ones(2)), TypeError),
])
def test_refusals(call, error):
    with pytest.raises(error):
        call()
