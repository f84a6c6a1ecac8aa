"""vmap's arguments, results, errors and nesting."""

import re
from collections import namedtuple
from functools import partial

import pytest

import lamella.autograd as autograd
from lamella import core
from lamella.autograd import no_grad, vmap
from lamella.autograd.func import grad, jvp, vjp
from lamella.core import arange, ones, randn, tensor, zeros


def test_dimensions_of_inputs_and_outputs():
    x = arange(6.0).reshape(2, 3)
    assert vmap(lambda v: v * 2)(x).tolist() == (x * 2).tolist()
    assert vmap(core.sum, in_dims=1)(x).tolist() == [3.0, 5.0, 7.0]
    assert vmap(core.sum, in_dims=-1)(x).tolist() == [3.0, 5.0, 7.0]
    assert vmap(lambda v: v, out_dims=1)(x).tolist() == x.t().tolist()
    assert vmap(lambda v: v, in_dims=1, out_dims=-1)(x).tolist() == x.tolist()
    assert vmap(lambda a, b: a + b, in_dims=(0, None))(x, ones(3)).tolist() == (x + 1).tolist()
    assert vmap(core.add, in_dims=(0, None))(x, 2.0).tolist() == (x + 2).tolist()


def test_nested_inputs_and_outputs():
    x, y = arange(6.0).reshape(2, 3), arange(3.0)
    f = vmap(lambda d, pair: {"s": d["a"] + d["b"], "p": (pair[0], [pair[1]])},
             in_dims=({"a": 0, "b": None}, (1, None)), out_dims={"s": 1, "p": (0, [None])})
    with pytest.raises(ValueError, match="same size"):
        f({"a": x, "b": y}, (x, 5))
    out = f({"a": x, "b": y}, (x.t(), 5))
    assert out["s"].shape == (3, 2) and out["p"][0].shape == (2, 3) and out["p"][1] == [5]
    point = namedtuple("point", "a b")
    assert vmap(lambda p: p.a * p.b)(point(x, x)).tolist() == (x * x).tolist()
    assert [r.shape for r in vmap(lambda v: [v, v.sum()])(x)] == [(2, 3), (2,)]


def test_outputs_that_are_not_batched():
    x = ones(2, 3)
    assert vmap(lambda v: zeros(4))(x).shape == (2, 4)
    assert vmap(lambda v: 3, out_dims=None)(x) == 3
    assert vmap(lambda v: (v, "text"), out_dims=(0, None))(x)[1] == "text"


def test_keywords_are_not_mapped():
    assert vmap(lambda v, *, k: v + k)(ones(2, 3), k=ones(3)).tolist() == [[2.0] * 3] * 2


def test_it_keeps_name_and_docs():
    def f(v):
        """Text."""
        return v

    assert vmap(f).__name__ == "f" and vmap(f).__doc__ == "Text."
    assert vmap(partial(core.sum, dim=0))(ones(2, 3)).tolist() == [3.0, 3.0]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
def test_chunks(size):
    x = arange(10.0).reshape(5, 2)
    got = vmap(lambda v: (v * v, {"s": v.sum()}), out_dims=(1, 0), chunk_size=size)(x)
    assert got[0].tolist() == (x * x).t().tolist() and got[1]["s"].tolist() == x.sum(1).tolist()


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: vmap(lambda: 1)(), ValueError, "got no inputs"),
    (lambda: vmap(lambda a: 1)(3), ValueError, "We cannot vmap over non-Tensor arguments"),
    (lambda: vmap(lambda a: a, in_dims=None)(ones(2)), ValueError, "expected `in_dims` to be int"),
    (lambda: vmap(lambda a: a, in_dims=[0])(ones(2)), ValueError, "expected `in_dims` to be int"),
    (lambda: vmap(lambda a: a, in_dims=(None,))(ones(2)), ValueError, "at least one input"),
    (lambda: vmap(lambda a: a, in_dims=1)(ones(2)), ValueError, "in_dim=1 for some input"),
    (lambda: vmap(lambda a: a)(tensor(1.0)), ValueError, "dimensionality 0"),
    (lambda: vmap(lambda a: a, in_dims=(1.0,))(ones(2)), ValueError, "integer dimension or None"),
    (lambda: vmap(lambda a, b: a, in_dims=(0,))(ones(2), ones(2)), ValueError, "not compatible with the structure"),
    (lambda: vmap(lambda a, b: a)(ones(2), ones(3)), ValueError, "same size in the mapped dimension"),
    (lambda: vmap(lambda a: 3)(ones(2)), ValueError, "must only return Tensors"),
    (lambda: vmap(lambda a: None)(ones(2)), ValueError, "must only return Tensors"),
    (lambda: vmap(lambda a: a, out_dims=None)(ones(2)), ValueError, "can not return a BatchedTensor"),
    (lambda: vmap(lambda a: a, out_dims=(0, 0))(ones(2)), ValueError, "not compatible with the structure"),
    (lambda: vmap(lambda a: a, out_dims="x")(ones(2)), ValueError, "`out_dims` must be an int, None"),
    (lambda: vmap(lambda a: a, out_dims=2)(ones(2)), IndexError, "out of range"),
    (lambda: vmap(lambda a: a, chunk_size=0), ValueError, "chunk_size should be None or greater than 0"),
    (lambda: vmap(lambda a: a, randomness="no"), RuntimeError, "Only allowed values for randomness"),
    (lambda: vmap(3)(ones(2)), TypeError, "not callable"),
])
def test_errors_of_arguments(make, error, text):
    with pytest.raises(error, match=re.escape(text)):
        make()


@pytest.mark.parametrize(("f", "text"), [
    (lambda v: v.sum().item(), "calling .item()"),
    (lambda v: float(v.sum()), "calling .item()"),
    (lambda v: v if v.sum() > 0 else -v, "data-dependent control flow"),
    (lambda v: v.tolist(), "Cannot access data pointer"),
    (lambda v: v.numpy(), "Cannot access data pointer"),
    (lambda v: v.data_ptr(), "Cannot access data pointer"),
    (lambda v: v.nonzero(), "dynamic shape"),
    (lambda v: v[v > 0], "dynamic shape"),
    (lambda v: core.masked_select(v, v > 0), "dynamic shape"),
    (lambda v: core.unique(v), "dynamic shape"),
    (lambda v: zeros(3).add_(v), "inplace arithmetic"),
    (lambda v: zeros(3).copy_(v), "inplace arithmetic"),
    (lambda v: zeros(3).index_add_(0, arange(3), v), "inplace arithmetic"),
    (lambda v: core.add(v, v, out=zeros(3)), "inplace arithmetic"),
    (lambda v: v.requires_grad_(), "requires_grad_"),
    (lambda v: core.equal(v, v), "data-dependent control flow"),
    (lambda v: v.resize_(9), "cannot grow"),
    (lambda v: v.expand(2, 4), "expand"),
    (lambda v: v.view(2), "view"),
])
def test_what_a_batched_tensor_refuses(f, text):
    with pytest.raises(RuntimeError, match=re.escape(text)):
        vmap(f)(ones(2, 3))


def test_dimension_errors_count_logical_dimensions():
    for f in (lambda v: v.sum(1), lambda v: v.sum(-2), lambda v: v.transpose(0, 1), lambda v: v.unsqueeze(2),
              lambda v: v.softmax(1), lambda v: v.select(1, 0), lambda v: core.cat([v, v], 1)):
        with pytest.raises(IndexError, match="out of range"):
            vmap(f)(ones(2, 3))


def test_printing_and_metadata():
    seen = []

    def f(v):
        seen.append((repr(v), v.shape, v.stride(), v.ndim, v.dtype, v.numel(), len(v), str(v.device)))
        return v

    vmap(f, in_dims=1)(arange(6).reshape(2, 3))
    assert seen[0] == ("BatchedTensor(lvl=1, bdim=1, value=\n    tensor([[0, 1, 2],\n            [3, 4, 5]])\n)", (2,),
                       (3,), 1, core.int64, 2, 2, "cpu")


def test_escaped_tensors_are_refused():
    kept = []
    vmap(lambda v: kept.append(v) or v)(ones(2))
    with pytest.raises(RuntimeError, match="escaped"):
        kept[0] + 1
    assert "BatchedTensor" in repr(kept[0])


def test_in_place():
    x = arange(6.0).reshape(2, 3)

    def f(v, other):
        v.add_(other)
        v[0] = 7
        v[1:].mul_(2)
        v.t_()
        return v

    y = x.clone()
    vmap(f)(y, ones(2, 3))
    assert y.tolist() == [[7.0, 4.0, 6.0], [7.0, 10.0, 12.0]]
    z = x.clone()
    vmap(lambda v, other: v.add_(other), in_dims=(1, 0))(z, arange(3.0))
    assert z.tolist() == [[0.0, 2.0, 4.0], [3.0, 5.0, 7.0]]
    vmap(lambda v, i: v.index_fill_(0, i, 1.0))(z, tensor([[0], [2]]))
    assert z.tolist() == [[1.0, 2.0, 4.0], [3.0, 5.0, 1.0]]


def test_tensors_made_like_batched_ones():
    x = arange(6.0).reshape(2, 3)
    for f in (lambda v: core.zeros_like(v).add_(v), lambda v: v.new_zeros(3).add_(v),
              lambda v: core.empty_like(v).copy_(v), lambda v: v.new_full((3,), 0.0).add_(v),
              lambda v: core.full_like(v, 0).add_(v)):
        assert vmap(f)(x).tolist() == x.tolist()


def test_index_by_a_batched_number():
    x = arange(6.0).reshape(2, 3)
    assert vmap(lambda v, i: v[i])(x, tensor([2, 0])).tolist() == [2.0, 3.0]
    assert vmap(lambda i: x[1, i])(tensor([2, 0])).tolist() == [5.0, 3.0]

    def put(v, i):
        v = v.clone()
        v[i] = 9.0
        return v

    assert vmap(put)(x, tensor([2, 0])).tolist() == [[0.0, 1.0, 9.0], [9.0, 4.0, 5.0]]
    masked = vmap(lambda v: v.clone().masked_fill_(v > 2, 0.0))(x)
    assert masked.tolist() == [[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]

    def put_masked(v):
        v = v.clone()
        v[v > 2] = -1
        return v

    assert vmap(put_masked)(x).tolist() == [[0.0, 1.0, 2.0], [-1.0, -1.0, -1.0]]


def test_types_count_logical_dimensions():
    numbers = ones(3, dtype=core.float64)
    assert vmap(lambda s: s + ones(2))(numbers).dtype is core.float32
    assert vmap(lambda s: s + ones(2, dtype=core.int64))(numbers).dtype is core.float64
    assert vmap(lambda s: s + 1)(tensor([1, 2])).dtype is core.int64


def test_empty_batches():
    assert vmap(lambda v: v.sum())(zeros(0, 3)).shape == (0,)
    assert vmap(lambda v: v @ ones(3, 4))(zeros(0, 3)).shape == (0, 4)
    assert vmap(core.median)(zeros(0, 3)).shape == (0,)


# -- nesting ---------------------------------------------------------------------------------------------------------


def test_vmap_of_vmap():
    a, b = randn(2, 5), randn(3, 5)
    got = vmap(vmap(core.dot, in_dims=(None, 0)), in_dims=(0, None))(a, b)
    assert core.allclose(got, a @ b.t())
    x = randn(2, 3, 4)
    assert core.allclose(vmap(vmap(lambda v: v.softmax(0)), in_dims=1)(x), x.transpose(0, 1).softmax(-1))
    got = vmap(lambda row: vmap(lambda c: row * c)(arange(2.0)))(x)
    assert got.shape == (2, 2, 3, 4) and core.allclose(got[:, 1], x)


def test_vmap_of_grad_and_grad_of_vmap():
    w, x = randn(4), randn(3, 4)

    def f(w, v):
        return ((w * v).sin()).sum()

    wanted = core.stack([(w * v).cos() * v for v in x])
    assert core.allclose(vmap(grad(f), in_dims=(None, 0))(w, x), wanted)
    assert core.allclose(grad(lambda w: vmap(f, in_dims=(None, 0))(w, x).sum())(w), wanted.sum(0))
    second = vmap(grad(lambda w, v: grad(f)(w, v).sum()), in_dims=(None, 0))(w, x)
    assert core.allclose(second, core.stack([-(w * v).sin() * v * v for v in x]))
    leaf = w.clone().requires_grad_()
    vmap(f, in_dims=(None, 0))(leaf, x).sum().backward()
    assert core.allclose(leaf.grad, wanted.sum(0))


def test_vmap_of_jvp_and_vjp():
    x, t = randn(3, 4), randn(3, 4)
    out, tangent = vmap(lambda x, t: jvp(lambda v: v.exp().cumsum(0), (x,), (t,)))(x, t)
    assert core.allclose(out, x.exp().cumsum(1)) and core.allclose(tangent, (x.exp() * t).cumsum(1))
    _, pull = vjp(lambda v: v.sin(), x[0])
    rows = vmap(lambda g: pull(g)[0])(core.eye(4))
    assert core.allclose(rows, core.diag(x[0].cos()))
    primal, moved = jvp(vmap(core.sin), (x,), (t,))
    assert core.allclose(primal, x.sin()) and core.allclose(moved, x.cos() * t)


def test_in_place_under_grad():
    def f(v):
        y = v * 1
        y[0] = y[1] * 2
        y.mul_(y.detach().clone())
        return y.sum()

    x = randn(3, 4)
    wanted = core.stack([autograd.grad(f(v), v)[0] for v in [r.clone().requires_grad_() for r in x]])
    assert core.allclose(vmap(grad(f))(x), wanted)
    leaf = x.clone().requires_grad_()
    assert core.allclose(autograd.grad(vmap(f)(leaf).sum(), leaf)[0], wanted)


def test_grad_modes():
    x = randn(3, 4, requires_grad=True)
    with no_grad():
        assert not vmap(lambda v: v * 2)(x).requires_grad
    assert vmap(lambda v: v * 2)(x).requires_grad
    assert not vmap(lambda v: v.detach())(x).requires_grad


def test_operators_that_run_once_per_example_are_counted_and_logged(caplog):
    from lamella.autograd.transforms.batching import fallback
    from lamella.dispatch import logs

    before = fallback.counts.get("aten::median", 0)
    with logs.using(vmap=True), caplog.at_level("INFO", logger="lamella.vmap"):
        assert vmap(core.median)(arange(6.0).reshape(2, 3)).tolist() == [1.0, 4.0]
    assert fallback.counts["aten::median"] == before + 1
    assert caplog.messages in ([], ["vmap: aten::median runs once per example (2)"])
