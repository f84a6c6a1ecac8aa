"""After an error every tensor holds what it held before: all that a call reads and writes is checked before the first
write."""

import math

import numpy as np
import pytest

from lamella import core

T = core.tensor
FAR, LOW = T([0, 7]), T([0, -7])
ROWS = core.ones(2, 4)


def fresh():
    return core.arange(12.0).view(3, 4).clone()


def writes(x):
    return 0 if x._vc is None else x._vc.n


def spread():
    """A tensor whose elements do not fill their memory."""
    return core.arange(24.0).view(3, 8)[:, ::2]


IN_PLACE = {
    "index_put_": lambda x, i: x.index_put_((i,), ROWS),
    "index_put_ adding": lambda x, i: x.index_put_((i,), ROWS, accumulate=True),
    "index_put_ of two": lambda x, i: x.index_put_((T([0, 1]), i), T([5.0, 6.0])),
    "index_put_ of two, adding": lambda x, i: x.index_put_((T([0, 1]), i), T([5.0, 6.0]), accumulate=True),
    "setitem": lambda x, i: x.__setitem__(i, ROWS),
    "setitem of a number": lambda x, i: x.__setitem__((slice(None), i), 5.0),
    "index_add_": lambda x, i: x.index_add_(0, i, ROWS),
    "index_copy_": lambda x, i: x.index_copy_(0, i, ROWS),
    "index_fill_": lambda x, i: x.index_fill_(0, i, 5.0),
    "index_reduce_": lambda x, i: x.index_reduce_(0, i, ROWS, "prod"),
    "index_reduce_ alone": lambda x, i: x.index_reduce_(0, i, ROWS, "amax", include_self=False),
    "scatter_": lambda x, i: x.scatter_(1, i.view(1, 2), ROWS),
    "scatter_ of a number": lambda x, i: x.scatter_(1, i.view(1, 2), 5.0),
    "scatter_ combining": lambda x, i: x.scatter_(1, i.view(1, 2), ROWS, reduce="multiply"),
    "scatter_add_": lambda x, i: x.scatter_add_(1, i.view(1, 2), ROWS),
    "scatter_reduce_": lambda x, i: x.scatter_reduce_(1, i.view(1, 2), ROWS, "amin", include_self=False),
    "put_": lambda x, i: x.put_(i * 10, T([5.0, 6.0])),
    "put_ adding": lambda x, i: x.put_(i * 10, T([5.0, 6.0]), accumulate=True),
}


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("index", [FAR, LOW], ids=["beyond", "before"])
@pytest.mark.parametrize("make", [fresh, spread])
def test_places_outside(name, index, make):
    x, rows = make(), ROWS.clone()
    before, version = x.tolist(), writes(x)
    with pytest.raises((IndexError, RuntimeError)):
        IN_PLACE[name](x, index)
    assert x.tolist() == before and rows.tolist() == ROWS.tolist()
    assert writes(x) == version


SHAPES = {
    "copy_": lambda x: x.copy_(core.ones(5)),
    "add_": lambda x: x.add_(core.ones(5)),
    "add_ of more": lambda x: x.add_(core.ones(2, 3, 4)),
    "add_ of a complex": lambda x: x.add_(core.ones(3, 4) + 1j),
    "addcmul_": lambda x: x.addcmul_(core.ones(3, 4), core.ones(5)),
    "addcmul_ of more": lambda x: x.addcmul_(core.ones(2, 3, 4), core.ones(4)),
    "lerp_": lambda x: x.lerp_(core.ones(2, 3, 4), 0.5),
    "clamp_": lambda x: x.clamp_(core.ones(5)),
    "pow_": lambda x: x.pow_(1j),
    "div_": lambda x: x.long().div_(2),
    "where": lambda x: core.where(x > 3, x, core.ones(5)),
    "masked_fill_": lambda x: x.masked_fill_(core.ones(5, dtype=core.bool), 1.0),
    "masked_fill_ of a vector": lambda x: x.masked_fill_(x > 3, core.ones(2)),
    "masked_scatter_": lambda x: x.masked_scatter_(x > 3, core.ones(2)),
    "index_put_": lambda x: x.index_put_((T([0, 1]),), core.ones(3, 4)),
    "index_put_ of a type": lambda x: x.index_put_((T([0, 1]),), core.ones(2, 4).double()),
    "index_put_ adding": lambda x: x.index_put_((T([0, 1]),), core.ones(3, 4), accumulate=True),
    "index_add_": lambda x: x.index_add_(0, T([0, 1]), core.ones(2, 5)),
    "index_copy_": lambda x: x.index_copy_(0, T([0, 1]), core.ones(3, 4)),
    "scatter_": lambda x: x.scatter_(1, T([[0, 1]]), core.ones(1, 1)),
    "scatter_ of a type": lambda x: x.scatter_(1, T([[0, 1]]), core.ones(3, 4).double()),
    "scatter_ how": lambda x: x.scatter_reduce_(1, T([[0, 1]]), core.ones(3, 4), "most"),
    "put_": lambda x: x.put_(T([0, 1]), core.ones(3)),
    "fill_": lambda x: x.fill_(core.ones(2)),
    "fill_ of a complex": lambda x: x.fill_(1j),
    "fill_diagonal_": lambda x: x.fill_diagonal_("a"),
    "addmm_": lambda x: x.addmm_(core.ones(3, 2), core.ones(3, 4)),
    "addmv_": lambda x: x.addmv_(core.ones(3, 4), core.ones(5)),
    "baddbmm_": lambda x: x.view(1, 3, 4).baddbmm_(core.ones(1, 3, 2), core.ones(1, 3, 4)),
    "resize_": lambda x: x.resize_(-1, 2),
    "set_": lambda x: x.set_(core.ones(3).double()),
    "cumsum_": lambda x: x.cumsum_(5),
    "renorm_": lambda x: x.renorm_(2, 5, 1.0),
    "tril_": lambda x: x[0].tril_(),
    "normal_": lambda x: x.normal_(0, -1),
    "uniform_": lambda x: x.uniform_(1, 0),
    "bernoulli_": lambda x: x.bernoulli_(2.0),
    "geometric_": lambda x: x.geometric_(2.0),
    "exponential_": lambda x: x.exponential_(-1.0),
    "random_": lambda x: x.random_(3, 3),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("make", [fresh, spread])
def test_operands_that_do_not_fit(name, make):
    x = make()
    before, shape, version = x.tolist(), x.shape, writes(x)
    with pytest.raises((RuntimeError, IndexError, TypeError, ValueError)):
        SHAPES[name](x)
    assert x.tolist() == before and x.shape == shape and writes(x) == version


@pytest.mark.parametrize("name", [n for n in SHAPES if "where" not in n and n not in ("div_", "resize_", "set_")])
def test_expanded_targets(name):
    """Elements that share memory are not written, not even those before the error."""
    base = core.arange(4.0)
    with pytest.raises((RuntimeError, IndexError, TypeError, ValueError)):
        SHAPES[name](base.expand(3, 4))
    for write in (core.Tensor.exp_, core.Tensor.neg_, lambda x: x.add_(1), lambda x: x.copy_(core.ones(3, 4))):
        with pytest.raises(RuntimeError, match="single memory location|read-only"):
            write(base.expand(3, 4))
    assert base.tolist() == [0, 1, 2, 3]


def test_memory_that_is_read_only():
    a = np.arange(4.0)
    a.setflags(write=False)
    with pytest.warns(UserWarning, match="not writable"):
        x = core.from_numpy(a)
    assert x.tolist() == a.tolist() == [0, 1, 2, 3]


SEVERAL = {
    "max": lambda x, out: core.max(x, 1, out=out),
    "min": lambda x, out: core.min(x, 1, out=out),
    "median": lambda x, out: core.median(x, 1, out=out),
    "mode": lambda x, out: core.mode(x, 1, out=out),
    "sort": lambda x, out: core.sort(x, 1, out=out),
    "topk": lambda x, out: core.topk(x, 2, 1, out=out),
    "kthvalue": lambda x, out: core.kthvalue(x, 2, 1, out=out),
    "cummax": lambda x, out: core.cummax(x, 1, out=out),
    "aminmax": lambda x, out: core.aminmax(x, dim=1, out=out),
    "frexp": lambda x, out: core.frexp(x, out=out),
    "qr": lambda x, out: core.linalg_qr(x, out=out),
    "slogdet": lambda x, out: core.linalg_slogdet(x[:, :3], out=out),
    "eigh": lambda x, out: core.linalg_eigh(x[:, :3], out=out),
    "svd": lambda x, out: core.linalg_svd(x, out=out),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_results_are_written_together_or_not_at_all(name):
    n = 3 if name == "svd" else 2
    made = SEVERAL[name](fresh(), None)
    outs = tuple([core.full(r.shape, 7, dtype=r.dtype) for r in made])
    last = made[-1]
    # The last can't be written: it is of a type that nothing is cast to, or its elements share memory.
    shared = core.zeros(1, dtype=last.dtype).expand(*last.shape) if last.ndim else core.zeros((), dtype=core.int8)
    for bad in (core.zeros(last.shape, dtype=core.bool), shared):
        with pytest.raises(RuntimeError):
            SEVERAL[name](fresh(), (*outs[: n - 1], bad))
        assert all((o == 7).all() for o in outs)


def test_out_keeps_its_elements_after_an_error():
    out = core.full((3, 4), 7)
    for call in (
        lambda: core.add(fresh(), core.ones(5), out=out),
        lambda: core.add(fresh(), 1j, out=out),
        lambda: core.gather(fresh(), 1, FAR.view(1, 2), out=out),
        lambda: core.index_select(fresh(), 0, FAR, out=out),
        lambda: core.take(fresh(), FAR * 10, out=out),
        lambda: core.cat([fresh(), core.ones(5)], out=out),
        lambda: core.mm(fresh(), fresh(), out=out),
        lambda: core.sum(fresh(), 5, out=out),
        lambda: core.exp(fresh(), out=out),  # floats into integers
        lambda: core.cumsum(fresh(), 1, dtype=core.complex64, out=out),
    ):
        with pytest.raises((RuntimeError, IndexError)):
            call()
        assert (out == 7).all() and out.shape == (3, 4)
    assert math.isclose(core.sum(out).item(), 84)
