"""Empty dimensions, overlapping memory, infinities: where arithmetic alone does not say what is right."""

import math

import pytest

from lamella import core

INF = math.inf
T = core.tensor
M = core.ones(2, 2)


def test_an_empty_list_of_dimensions_reduces_nothing_in_any_and_all():
    x = T([[1.0, 0.0], [0.0, 0.0]])
    for reduce in (core.any, core.all):
        assert reduce(x, dim=[]).tolist() == [[True, False], [False, False]]
        assert reduce(x, dim=()).dtype is core.bool
        assert reduce(x.to("meta"), dim=()).shape == (2, 2)
        assert reduce(T(2.0), dim=()).item() is True
    assert core.any(x).item() is True
    assert core.sum(x, dim=()).item() == 1.0


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("shape", [(2, 0), (0, 2), (0, 0)])
def test_softmax_of_nothing(shape, dim):
    for f in (core.softmax, core.log_softmax):
        assert f(core.zeros(shape), dim).shape == shape


@pytest.mark.parametrize("x", [math.nan, INF, -INF])
def test_softmax_of_a_single_element_that_has_none(x):
    for f in (core.softmax, core.log_softmax):
        for value in (T(x), T([x])):
            assert math.isnan(f(value, 0).item())


def test_products_and_places_of_nothing():
    assert core.addbmm(M, core.zeros(0, 2, 0), core.zeros(0, 0, 2)).tolist() == M.tolist()
    assert core.zeros(3, 0).index_put_((T([0, 1]),), core.ones(2, 0), accumulate=True).shape == (3, 0)


def test_the_logarithm_of_gamma_at_minus_infinity():
    assert core.lgamma(T([-INF, INF, -1.0])).tolist() == [INF, INF, INF]
    assert core.mvlgamma(T(-INF), 2).item() == INF


def test_windows_written_into_a_copy_lie_where_they_lie_in_the_input():
    src = T([9.0, 8.0])
    assert core.as_strided_scatter(core.arange(8.0)[::2], src, (2,), (2,)).tolist() == [9, 8, 4, 6]
    assert core.as_strided_scatter(core.arange(8.0)[2:6], src, (2,), (2,), 1).tolist() == [2, 8, 4, 5]
    turned = core.as_strided_scatter(core.arange(6.0).view(2, 3).t(), src, (2,), (2,), 1)
    assert turned.tolist() == [[0, 8], [9, 4], [2, 5]]
    x = core.arange(8.0)
    core.as_strided_scatter(x[2:6], src, (2,), (2,))
    assert x.tolist() == list(range(8))


def test_solved_coefficients_have_the_solutions_batch():
    solution, coefficients = core.triangular_solve(core.ones(3, 2, 1), M)
    assert solution.shape == (3, 2, 1) and coefficients.shape == (3, 2, 2)


def test_offsets_of_diagonals_beyond_the_matrix():
    assert core.zeros(3, 4).diagonal(2**40).shape == core.zeros(3, 4).diagonal(-(2**40)).shape == (0,)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: core.addmm(M, M, M, beta=1j), RuntimeError, "addmm: value cannot be converted to type double"),
        (lambda: core.var(M, 0, correction=1j), RuntimeError, "var: value cannot be converted to type double"),
        (lambda: core.bitwise_not(M), NotImplementedError, "bitwise_not: it is not implemented for this element type"),
        (lambda: core.cross(core.ones(2, 3), core.ones(2, 3).double(), 1), RuntimeError, "linalg.cross: expected scal"),
        (lambda: core.linalg_lu_solve(M, T([1, 2]), M), RuntimeError, "linalg.lu_solve: pivots should be .*int32"),
        (lambda: core.linalg_lu_solve(M, T([1, 3]).int(), M), RuntimeError, "linalg.lu_solve: pivots must be greater"),
        (lambda: core.linalg_lu_solve(M, T([1]).int(), M), RuntimeError, "linalg.lu_solve: expected LU.shape"),
        (lambda: core.linalg_lu_solve(M, T(1).int(), M), IndexError, "linalg.lu_solve: Dimension specified as -1"),
        (lambda: core.lu_unpack(M, T([1, 9]).int()), RuntimeError, "lu_unpack: pivots must be greater"),
        (lambda: core.linalg_pinv(M * math.nan), core.linalg_LinAlgError, "_linalg_pinv: the algorithm failed to"),
        (lambda: core.rot90(M, 1, (0, 7)), IndexError, "rot90: Dimension out of range"),
        (lambda: core.segment_reduce(T(1.0), "sum", lengths=T([1])), RuntimeError, "segment_reduce: lengths must have"),
        (lambda: M.transpose(2**40, 0), IndexError, "transpose: Dimension out of range"),
        (lambda: core.zeros(2, 2).put_(T([0]), core.ones(2)), IndexError, "put_: Expected source and index to have"),
        (lambda: core.index_copy(M, 0, T([0]), M), IndexError, "index_copy_: Number of indices"),
        (lambda: core.index_copy(M, 0, T([0]), core.ones(1, 3)), RuntimeError, "index_copy_: .* same slice shapes"),
        (lambda: M.index_put((T([0, 1]),), core.ones(1, 2, 2)), RuntimeError, "index_put_: shape mismatch: value"),
        (lambda: core.view_as_complex(core.ones(5)[1:].view(2, 2)), RuntimeError, "view_as_complex: .* divisible by 2"),
        (lambda: core.as_strided_scatter(M, core.ones(2), (2,), (0,)), RuntimeError, "as_strided_scatter: unsupported"),
        (lambda: M.repeat(2**40, 1), RuntimeError, "repeat: there is not enough memory"),
    ],
)
def test_refused(call, error, text):
    with pytest.raises(error, match="^" + text) as caught:
        call()
    assert caught.type is error


@pytest.mark.parametrize("name", "abs neg floor ceil round trunc frac sign sgn tril triu".split())
def test_out_of_exactly_the_results_type(name):
    for d in (core.float64, core.float16, core.complex64):
        out = core.zeros(2, 2, dtype=d)
        with pytest.raises(RuntimeError, match=f"{name}: expected out tensor to have dtype float32"):
            getattr(core, name)(M, out=out)
        assert not out.any()
    for flag in ("signbit", "isposinf", "isneginf"):
        with pytest.raises(RuntimeError, match="expected out tensor to have dtype bool"):
            getattr(core, flag)(M, out=core.zeros(2, 2))
    for plain in ("relu", "positive"):
        with pytest.raises(TypeError):
            getattr(core, plain)(M, out=core.zeros(2, 2))


def test_bits_of_floats():
    with pytest.raises(TypeError, match="^~: it is only implemented on integer and bool"):
        M.__invert__()
    assert (~T([0, -1])).tolist() == [-1, 0] and (~T(True)).item() is False


def test_products_along_nothing():
    assert core.inner(core.zeros(2, 0), core.zeros(4, 0)).tolist() == [[0.0] * 4] * 2
    assert core.inner(core.zeros(0, 3), core.zeros(4, 3)).shape == (0, 4)


#: What works along a dimension, on a tensor whose dimensions lie in memory the other way round.
ALONG = {
    "softmax": lambda x: x.softmax(-1),
    "log_softmax": lambda x: x.log_softmax(-1),
    "cumsum": lambda x: x.cumsum(-1),
    "cumprod": lambda x: x.cumprod(0),
    "logcumsumexp": lambda x: x.logcumsumexp(0),
    "cummax": lambda x: x.cummax(0)[0],
    "sum": lambda x: x.sum(1),
    "mean": lambda x: x.mean(0),
    "var": lambda x: x.var(1),
    "prod": lambda x: x.prod(1),
    "amax": lambda x: x.amax(1),
    "norm": lambda x: x.norm(dim=1),
    "cat": lambda x: core.cat([x, x]),
    "hstack": lambda x: core.hstack([x, x]),
    "roll": lambda x: x.roll(1, 0),
    "gather": lambda x: x.gather(0, core.zeros(x.shape[::-1], dtype=core.int64).permute(2, 1, 0)),
    "ravel": lambda x: core.ravel(x[0, 0]),
    "diag_embed": lambda x: core.diag_embed(x, 1, 0, 2),
    "cross": lambda x: core.cross(x, x, 2),
}


@pytest.mark.parametrize("name", ALONG)
@pytest.mark.parametrize("size", [3, 30])
def test_results_lie_in_the_order_of_their_dimensions(name, size):
    x = core.linspace(0, 1, 3 * size * size).reshape(3, size, size).permute(2, 1, 0)
    r = ALONG[name](x)
    assert not x.is_contiguous() and r.is_contiguous() and r.view(-1).shape == (r.numel(),)
    assert core.allclose(r, ALONG[name](x.contiguous()))


def test_flags_are_not_subtracted():
    x, flags = core.ones(2), core.ones(2, dtype=core.bool)
    for call in (
        lambda: x - flags,
        lambda: flags - x,
        lambda: 1 - flags,
        lambda: x - True,
        lambda: core.rsub(x, flags),
        lambda: x.sub_(flags),
        lambda: x.long() - flags,
        lambda: x.half() - flags,
    ):
        with pytest.raises(RuntimeError, match="it is not implemented for bool tensors"):
            call()
    assert x.tolist() == [1, 1] and (x + flags).tolist() == [2, 2]


def test_what_has_no_order_is_not_ordered():
    z, flags = M + 0j, core.ones(2, 3, dtype=core.bool)
    for call in (
        lambda: z.cummax(0), lambda: z.mode(0), lambda: core.searchsorted(z[0], z[0]), lambda: z.median(),
        lambda: z.sort(), lambda: z.topk(1), lambda: z.kthvalue(1), lambda: z.max(), lambda: z.amax(0),
        lambda: flags.median(), lambda: flags.nanmedian(0), lambda: flags.kthvalue(1), lambda: flags.topk(1),
        lambda: flags.index_reduce(0, T([0]), flags[:1], "prod"),
    ):  # fmt: skip
        with pytest.raises(RuntimeError, match="not implemented for|complex"):
            call()


def test_a_dimension_in_a_tensor():
    """By name a tensor without dimensions is a dimension, by position the other operand."""
    x = T([[1.0, 5.0], [3.0, 2.0]])
    assert x.max(dim=T(1)).values.tolist() == [5.0, 3.0] and x.min(dim=T(0)).indices.tolist() == [0, 1]
    assert x.max(T(2.0)).tolist() == core.max(x, other=T(2.0)).tolist() == [[2.0, 5.0], [3.0, 2.0]]
    assert core.max(input=x, dim=1, keepdim=True)[0].shape == x.max(1, True)[0].shape == (2, 1)
    with pytest.raises(TypeError, match="max: got multiple values"):
        x.max(1, dim=0)


def test_numbers_that_a_type_cannot_hold():
    x, flags = T([5, 6], dtype=core.int8), T([True, False])
    for call in (
        lambda: core.where(flags, x, 300),
        lambda: x.masked_fill(flags, 300),
        lambda: x.index_fill(0, T([0]), 300),
        lambda: core.full_like(x, 300),
        lambda: x.__setitem__(0, 300),
        lambda: x.fill_(300),
        lambda: T(300, dtype=core.int8),
    ):
        with pytest.raises(RuntimeError, match="overflow"):
            call()
    assert x.tolist() == [5, 6] and (x + 300).dtype is core.int8
