"""What operators accept and refuse: numbers for tensors, element types, NumPy's names, out=, edges of their ranges."""

import math

import numpy as np
import pytest

from lamella import core

pytest.importorskip("lamella.autograd")

INF, NAN = math.inf, math.nan


def t(*values, dtype=None):
    return core.tensor(list(values), dtype=dtype)


@pytest.mark.parametrize(
    "name", ["maximum", "hypot", "atan2", "nextafter", "logical_and", "gcd", "logaddexp", "igamma"]
)
def test_two_tensors_are_needed(name):
    f, x = getattr(core, name), core.ones(2)
    for args in ((x, 2.0), (2.0, x), (2.0, 2.0)):
        with pytest.raises(TypeError, match="must be Tensor"):
            f(*args)


@pytest.mark.parametrize("name", ["eq", "lt", "fmod", "copysign"])
def test_a_number_stands_second_only(name):
    f, x = getattr(core, name), core.ones(2)
    assert f(x, 2.0).shape == (2,)
    with pytest.raises(TypeError):
        f(2.0, x)


def test_numbers_stand_on_both_sides():
    x = t(3, 5)
    assert core.remainder(7, x).tolist() == [1, 2]
    assert core.sub(10, x).tolist() == [7, 5]
    assert core.bitwise_or(4, x).tolist() == [7, 5]
    assert core.special_xlog1py(0.0, core.ones(2)).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
def test_reflected_operators_take_tensors(name):
    a, b = t(2.0, 3.0), t(4.0, 2.0)
    assert getattr(a, f"__r{name}__")(b).tolist() == getattr(b, f"__{name}__")(a).tolist()


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("neg", "bool_"),
        ("floor", "complex64"),
        ("maximum", "complex64"),
        ("bitwise_and", "float32"),
        ("lgamma", "complex64"),
        ("nextafter", "int64"),
        ("gcd", "float32"),
        ("relu", "bool_"),
        ("frac", "int64"),
    ],
)
def test_element_types_without_meaning_are_refused(name, dtype):
    x = core.ones(2).to(getattr(core.dtypes, dtype))
    args = (x, x) if name in ("maximum", "bitwise_and", "nextafter", "gcd") else (x,)
    for call in (getattr(core, name), lambda *a: getattr(core, name)(*(y.to("meta") for y in a))):
        with pytest.raises(NotImplementedError, match=f"{name}: it is not implemented for"):
            call(*args)


@pytest.mark.parametrize("d", [core.float16, core.bfloat16])
def test_sixteen_bit_types_are_computed_in_float32(d):
    x = core.linspace(-2, 2, 33).to(d)
    for name in ("exp", "sigmoid", "tanh", "erf", "cumsum", "softmax", "sum", "mean", "var", "logsumexp"):
        args = (0,) if name in ("cumsum", "softmax", "logsumexp") else ()
        want = getattr(x.float(), name)(*args) if name != "sigmoid" else x.float().sigmoid()
        got = getattr(x, name)(*args)
        assert got.dtype is d
        assert np.allclose(got.float().numpy(), want.to(d).float().numpy(), rtol=0.02, atol=0.02)
    assert (x + x * 0.1).dtype is d
    assert (x == 0.1).dtype is core.bool
    assert core.tensor([0.1], dtype=d).eq(0.1).item()


def test_integers_divide_and_round_like_torch():
    assert (t(7, -7) // 2).tolist() == [3, -4]
    assert core.div(t(7, -7), 2, rounding_mode="trunc").tolist() == [3, -3]
    assert (t(2, 3) ** t(-1, 2)).tolist() == [0, 9]
    with pytest.raises(RuntimeError, match="negative integer powers"):
        t(2) ** -1
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        t(1) // 0


@pytest.mark.parametrize("n", [3, 700])
def test_remainders_at_the_edges(n):
    x = core.tensor([3.5, -3.5, INF] + [0.25] * (n - 3))
    assert (x % INF).tolist()[:2] == [3.5, INF]
    assert (x // INF).tolist()[:2] == [0.0, -1.0]
    assert all(math.isnan(v) for v in (x % 0.0).tolist())
    assert (x // 0.0).tolist()[:3] == [INF, -INF, INF]
    assert core.fmod(x, 2.0).tolist()[:2] == [1.5, -1.5]
    big = core.full((n,), 1e30)
    assert np.array_equal((big % 3.0).numpy(), np.remainder(big.numpy(), np.float32(3)))


def test_running_sums_agree_with_additions_in_turn():
    rng = np.random.default_rng(0)
    for shape, dim in (((3, 1000), 1), ((2, 700, 200), 1), ((1003,), 0), ((5, 300, 1), 1)):
        a = rng.standard_normal(shape)
        assert np.allclose(core.tensor(a).cumsum(dim).numpy(), a.cumsum(dim))
    x = core.ones(600)
    x[300] = INF
    assert x.cumsum(0)[299].item() == 300 and x.cumsum(0)[300].item() == INF
    assert core.arange(1000).cumsum(0)[-1].item() == 499500


def test_products_and_extremes_of_many_elements():
    a = np.random.default_rng(1).uniform(0.9, 1.1, (7, 333))
    assert np.allclose(core.tensor(a).prod(1).numpy(), a.prod(1))
    assert np.allclose(core.tensor(a).prod().item(), a.prod())
    b = a.copy()
    b[3, 5] = NAN
    found = core.tensor(b).max(0)
    assert found.indices.tolist() == [3 if j == 5 else int(i) for j, i in enumerate(a.argmax(0))]
    assert core.tensor(a).median(1)[0].tolist() == np.sort(a, 1)[:, 166].tolist()


def test_float32_erf_is_accurate():
    from scipy.special import erf

    x = core.linspace(-6, 6, 2001)
    assert np.abs(core.erf(x).numpy() - erf(x.numpy().astype(float))).max() < 3e-7


def test_numpy_spells_dim_as_axis():
    x = core.arange(6).reshape(2, 3)
    assert core.cumsum(x, axis=1).tolist() == x.cumsum(1).tolist()
    assert x.amax(axis=0, keepdims=True).shape == (1, 3)
    assert core.argmax(x, axis=1).tolist() == [2, 2]
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        core.cumsum(x, axes=1)
    with pytest.raises(TypeError, match="missing required argument 'dim'"):
        core.cumsum(x)


def test_some_results_need_out_of_their_own_type():
    x = core.ones(3, 3)
    with pytest.raises(RuntimeError, match="expected out tensor to have dtype float32"):
        core.mm(x, x, out=core.empty(3, 3, dtype=core.float64))
    assert core.sum(x, 0, out=core.empty(3, dtype=core.float64)).tolist() == [3.0, 3.0, 3.0]


def test_matrices_that_cannot_be_solved():
    singular = core.zeros(2, 2, 2)
    with pytest.raises(core.linalg_LinAlgError, match="Batch element 0.*diagonal element 1 is zero"):
        core.linalg_inv(singular)
    assert core.linalg_inv_ex(singular).info.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="positive-definite"):
        core.linalg_cholesky(-core.eye(2))
    with pytest.raises(RuntimeError, match="square"):
        core.det(core.ones(2, 3))
    with pytest.raises(RuntimeError, match="at least 2 dimensions"):
        core.linalg_svd(core.ones(2))
    with pytest.raises(RuntimeError, match="floating point"):
        core.inverse(core.eye(2, dtype=core.int64))


def test_decompositions_reproduce_their_matrices():
    a = core.tensor(np.random.default_rng(2).standard_normal((2, 4, 3)))
    q, r = core.linalg_qr(a)
    u, s, vh = core.linalg_svd(a, full_matrices=False)
    p, low, up = core.linalg_lu(a)
    for product in (q @ r, (u * s.unsqueeze(-2)) @ vh, p @ low @ up, a @ core.linalg_pinv(a) @ a):
        assert core.allclose(product, a)
    h = a.mT @ a
    values, vectors = core.linalg_eigh(h)
    assert core.allclose((vectors * values.unsqueeze(-2)) @ vectors.mT, h)
    assert core.allclose(core.linalg_cholesky(h) @ core.linalg_cholesky(h).mT, h)


def test_fourier_transforms_invert_each_other():
    x = core.tensor(np.random.default_rng(3).standard_normal((2, 6, 5)))
    assert core.allclose(core.fft_ifftn(core.fft_fftn(x)).real, x)
    for norm in (None, "ortho", "forward"):
        assert core.allclose(core.fft_irfft(core.fft_rfft(x, norm=norm), 5, norm=norm), x)
    with pytest.raises(RuntimeError, match="invalid normalization mode"):
        core.fft_fft(x, norm="loud")
    with pytest.raises(RuntimeError, match="invalid number of data points"):
        core.fft_fft(x, n=0)
    signal = core.tensor(np.random.default_rng(4).standard_normal(64))
    window = core.hann_window(16, dtype=core.float64)
    spectrum = core.stft(signal, 16, window=window, return_complex=True)
    assert core.allclose(core.istft(spectrum, 16, window=window, length=64), signal)


def test_masked_reductions_leave_elements_out():
    x, mask = t(1.0, 2.0, 4.0), t(True, False, True)
    assert core.masked_sum(x, mask=mask).item() == 5
    assert core.masked_mean(x, mask=mask).item() == 2.5
    assert core.masked_argmax(-x, mask=mask).item() == 0
    assert core.masked_softmax(x, 0, mask=mask).tolist()[1] == 0
    with pytest.raises(ValueError, match="floating point or complex"):
        core.masked_mean(t(1, 2))


def test_statistics_refuse_weights_that_do_not_fit():
    x = core.ones(2, 3)
    with pytest.raises(RuntimeError, match="same numel"):
        core.cov(x, fweights=t(1, 2))
    with pytest.raises(RuntimeError, match="integral"):
        core.cov(x, fweights=t(1.0, 2.0, 3.0))
    with pytest.raises(RuntimeError, match="negative"):
        core.cov(x, aweights=t(1.0, -2.0, 3.0))
    assert core.cov(t(1, 2, 4), fweights=t(1, 1, 0)).item() == 0.5
