"""Views, parts, joining and conversions."""

import numpy as np
import pytest

from lamella import core
from lamella.core import dtypes as dt
from lamella.core.layouts import channels_last, contiguous_format

X = np.arange(24.0).reshape(2, 3, 4)


def x():
    return core.tensor(X.copy())


VIEWS = [
    (lambda t: t.view(4, 6), X.reshape(4, 6)),
    (lambda t: t.view((-1,)), X.reshape(-1)),
    (lambda t: t.view(size=(6, 4)), X.reshape(6, 4)),
    (lambda t: t.reshape(3, -1), X.reshape(3, -1)),
    (lambda t: t.flatten(1), X.reshape(2, 12)),
    (lambda t: t.unflatten(2, (2, -1)), X.reshape(2, 3, 2, 2)),
    (lambda t: t.unsqueeze(1), X[:, None]),
    (lambda t: t.unsqueeze(-1), X[..., None]),
    (lambda t: t[:1].squeeze(0), X[0]),
    (lambda t: t[:1, :, :1].squeeze(), X[0, :, 0]),
    (lambda t: t[:1, :, :1].squeeze((0, 2)), X[0, :, 0]),
    (lambda t: t.transpose(0, -1), X.swapaxes(0, 2)),
    (lambda t: t.permute(2, 0, 1), X.transpose(2, 0, 1)),
    (lambda t: t.permute(dims=(2, 0, 1)), X.transpose(2, 0, 1)),
    (lambda t: t.movedim((0, 1), (2, 0)), np.moveaxis(X, (0, 1), (2, 0))),
    (lambda t: t[0].t(), X[0].T),
    (lambda t: t[0].T, X[0].T),
    (lambda t: t.mT, X.swapaxes(1, 2)),
    (lambda t: t.narrow(1, 1, 2), X[:, 1:3]),
    (lambda t: t.select(2, -1), X[..., -1]),
    (lambda t: t.diagonal(1, 1, 2), X.diagonal(1, 1, 2)),
    (lambda t: t.unfold(2, 2, 1), np.lib.stride_tricks.sliding_window_view(X, 2, 2)),
    (lambda t: t.as_strided((2, 2), (1, 2), 3), np.array([[3.0, 5], [4, 6]])),
    (lambda t: t[:, :1].expand(2, 3, 4), np.broadcast_to(X[:, :1], (2, 3, 4))),
    (lambda t: t.expand(2, -1, -1, -1), np.broadcast_to(X, (2, 2, 3, 4))),
    (lambda t: t.unbind(1)[2], X[:, 2]),
    (lambda t: t.split(2, 2)[1], X[..., 2:]),
    (lambda t: t.split([1, 2], 1)[1], X[:, 1:]),
    (lambda t: t.chunk(3, 2)[1], X[..., 2:]),
    (lambda t: t.tensor_split((1, 3), 2)[1], X[..., 1:3]),
]


@pytest.mark.parametrize("call, want", VIEWS)
def test_views_share_memory(call, want):
    t = x()
    v = call(t)
    assert v.shape == want.shape and np.array_equal(v.numpy(), want)
    assert np.may_share_memory(v._a, t._a)
    assert v._base is t and v._vc is t._vc
    v0 = v[(0,) * v.dim()]
    if v.is_contiguous():
        v0.fill_(-5.0)
        assert (t == -5).sum() == 1


ERRORS = [
    (lambda t: t.view(5, -1), RuntimeError, r"view: shape '\[5, -1\]' is invalid for input of size 24"),
    (lambda t: t.view(2, -2), RuntimeError, "invalid shape dimension -2"),
    (lambda t: t.view(-1, -1), RuntimeError, "only one dimension can be inferred"),
    (lambda t: t.view(0, -1), RuntimeError, "can be any value"),
    (lambda t: t.view(), TypeError, "missing argument 'size'"),
    (lambda t: t.transpose(0, 1).view(24), RuntimeError, r"not compatible.*\n?.*reshape"),
    (lambda t: t.reshape(7, -1), RuntimeError, "reshape: shape"),
    (lambda t: t.permute(0, 1), RuntimeError, r"input.dim\(\) = 3 is not equal to len\(dims\) = 2"),
    (lambda t: t.permute(0, 0, 1), RuntimeError, "dim 0 appears multiple times"),
    (lambda t: t.permute(0, 1, 5), IndexError, "Dimension out of range"),
    (lambda t: t.unsqueeze(5), IndexError, r"range of \[-4, 3\], but got 5"),
    (lambda t: t.t(), RuntimeError, "<= 2 dimensions"),
    (
        lambda t: t.expand(3, 3, 4),
        RuntimeError,
        r"expanded size of the tensor \(3\) must match the existing size \(2\)",
    ),
    (lambda t: t.expand(3, 4), RuntimeError, "number of sizes provided"),
    (lambda t: t.expand(-1, 2, 3, 4), RuntimeError, "isn't allowed in a leading"),
    (lambda t: t.narrow(1, 2, 2), RuntimeError, r"start \(2\) \+ length \(2\) exceeds dimension size \(3\)"),
    (lambda t: t.select(1, 3), IndexError, "index 3 out of range"),
    (lambda t: t.split([1, 1], 1), RuntimeError, "sum exactly to 3"),
    (lambda t: t.split(-1), RuntimeError, "non-negative"),
    (lambda t: t.chunk(0), RuntimeError, "greater than 0"),
    (lambda t: t.unfold(2, 5, 1), RuntimeError, "maximum size for tensor at dimension 2 is 4 but size is 5"),
    (lambda t: t.as_strided((25,), (1,)), RuntimeError, "out of bounds for storage of size 192"),
    (lambda t: t.as_strided((2,), (-1,)), RuntimeError, "Negative strides"),
    (lambda t: t.imag, RuntimeError, "non-complex"),
    (lambda t: t.diagonal(0, 1, 1), RuntimeError, "cannot be identical"),
    (lambda t: core.cat([]), ValueError, "non-empty"),
    (lambda t: core.cat([t, t[0]]), RuntimeError, "same number of dimensions: got 3 and 2"),
    (lambda t: core.cat([t, t[:, :1]]), RuntimeError, "Expected size 3 but got size 1 for tensor number 1"),
    (lambda t: core.cat([t, 1]), TypeError, "element 1 is int"),
    (lambda t: core.cat([t[0, 0, 0]]), RuntimeError, "zero-dimensional tensor"),
    (lambda t: core.stack([t, t[0]]), RuntimeError, "equal size"),
    (lambda t: core.stack([]), RuntimeError, "non-empty TensorList"),
    (lambda t: t.repeat(2), RuntimeError, "repeat dims"),
    (lambda t: t.flip(0, 0), RuntimeError, "multiple times"),
    (lambda t: t[0, 0].tril(), RuntimeError, "at least 2 dimensions"),
    (lambda t: t.to(foo=1), TypeError, "unexpected keyword argument 'foo'"),
    (lambda t: t.to("meta").to("cpu"), NotImplementedError, "no data"),
    (lambda t: t.to("meta").item(), RuntimeError, "meta tensors"),
    (lambda t: t.item(), RuntimeError, "a Tensor with 24 elements cannot be converted to Scalar"),
    (lambda t: bool(t), RuntimeError, "more than one value is ambiguous"),
    (lambda t: "a" in t, RuntimeError, "only supports Tensor or scalar"),
    (lambda t: t.copy_(core.ones(3)), RuntimeError, r"must match the existing size \(3\) at non-singleton dimension 2"),
    (lambda t: t.fill_(1j), RuntimeError, "without overflow"),
    (lambda t: t.long().fill_(1e30), RuntimeError, "without overflow"),
]


@pytest.mark.parametrize("call, kind, text", ERRORS)
def test_errors(call, kind, text):
    with pytest.raises(kind, match=text) as e:
        call(x())
    assert type(e.value) is kind and len(str(e.value).splitlines()) <= 6


def test_as_strided_stays_inside_memory():
    t = x()
    assert t[1].as_strided((2,), (1,)).tolist() == [12.0, 13.0]
    assert t[1].as_strided((2,), (1,), 0).tolist() == [0.0, 1.0]
    with pytest.raises(RuntimeError, match="out of bounds"):
        t[1].as_strided((2, 2), (23, 1))


def test_expanded_tensors_refuse_partial_writes():
    base = core.zeros(3, 1)
    wide = base.expand(3, 2)
    assert wide.stride() == (1, 0)
    for write in (lambda: wide.copy_(core.ones(3, 2)), lambda: wide.add_(1), lambda: wide.mul_(2.0)):
        with pytest.raises(RuntimeError, match="single memory location"):
            write()
    wide.fill_(4.0)  # one value may go to elements that share memory
    assert base.tolist() == [[4.0], [4.0], [4.0]]
    wide[:, 0] = 7  # a part without repetition is an ordinary view
    assert base.tolist() == [[7.0], [7.0], [7.0]]
    assert core.zeros(3).expand(1, 3).add_(1).tolist() == [[1.0, 1.0, 1.0]]


def test_strides_of_new_dimensions():
    t = x()
    assert t.unsqueeze(0).stride() == (24, 12, 4, 1)
    assert t[None].stride() == (24, 12, 4, 1)
    assert core.tensor(1.0)[None].stride() == (1,)


def test_repeat_has_memory_of_its_own():
    t = x()
    r = t.repeat(2, 1, 1, 1)
    r.add_(1)
    assert t.numpy()[0, 0, 0] == 0 and r.stride() == (24, 12, 4, 1)


def test_view_dtype():
    t = core.tensor([1.0, 2.0])
    assert t.view(dt.int32).tolist() == [0x3F800000, 0x40000000]
    assert t.view(dt.uint8).shape == (8,)
    assert core.tensor([1 + 2j]).view(dt.float32).tolist() == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="divisible by 2"):
        core.zeros(3).view(dt.float64)


def test_complex_parts_are_views():
    c = core.tensor([[1 + 2j, 3 - 1j]])
    c.real.zero_()
    c.imag = 5
    assert c.tolist() == [[5j, 5j]]
    assert core.view_as_real(c).shape == (1, 2, 2)
    assert core.view_as_complex(core.tensor([[1.0, 2.0]])).tolist() == [1 + 2j]


def test_memory_formats():
    t = core.zeros(2, 3, 4, 5)
    last = t.contiguous(memory_format=channels_last)
    assert last.stride() == (60, 1, 15, 3) and last.is_contiguous(memory_format=channels_last)
    assert last.clone().stride() == last.stride()
    assert last.clone(memory_format=contiguous_format).stride() == (60, 20, 5, 1)
    assert t.transpose(0, 1).contiguous().is_contiguous()
    assert t.contiguous() is t


def test_cat_promotes_and_skips_empty():
    t = core.tensor([1, 2])
    assert core.cat([t, core.tensor([0.5])]).dtype is dt.float32
    assert core.cat([core.tensor([]), core.zeros(2, 3)]).shape == (2, 3)
    out = core.empty(0, dtype=dt.int64)
    assert core.cat([t, t], out=out) is out and out.tolist() == [1, 2, 1, 2]
    with pytest.raises(RuntimeError, match="single memory location"):
        core.cat([t, t], out=t)


def test_conversions_keep_what_need_not_change():
    t = x()
    assert t.to(dt.float64) is t and t.to("cpu") is t and t.double() is t
    assert t.to(dt.float64, copy=True) is not t
    assert t.to("cpu", dt.int32).dtype is dt.int32 and t.to(core.zeros(1)).dtype is dt.float32
    assert t.type() == "torch.DoubleTensor" and t.type("torch.FloatTensor").dtype is dt.float32
    assert t.bool().sum() == 23 and t.bfloat16().dtype is dt.bfloat16


def test_inplace_views_and_resize():
    t = x()
    assert t.transpose_(0, 2) is t and t.shape == (4, 3, 2)
    assert t.unsqueeze_(0).squeeze_(0).shape == (4, 3, 2)
    r = core.arange(6)
    assert r.resize_(2, 2).tolist() == [[0, 1], [2, 3]]
    assert r.resize_(8).tolist()[:6] == [0, 1, 2, 3, 4, 5]


def test_interop_shares_memory():
    t = x()
    t.numpy()[0, 0, 0] = 9
    assert t[0, 0, 0].item() == 9
    assert np.may_share_memory(np.asarray(t), t._a) and np.may_share_memory(np.from_dlpack(t), t._a)
    a = np.arange(3.0)
    core.from_dlpack(a)[0] = 5
    assert a[0] == 5
    assert t.untyped_storage().data_ptr() == t[1].untyped_storage().data_ptr()


def test_python_numbers():
    assert int(core.tensor(2.7)) == 2 and float(core.tensor([2])) == 2.0 and complex(core.tensor(1j)) == 1j
    assert [10, 20, 30][core.tensor(1)] == 20
    assert core.tensor([1.5], dtype=dt.bfloat16).tolist() == [1.5]
    assert [t.item() for t in core.tensor([1, 2])] == [1, 2]
    with pytest.raises(ValueError, match="only one element"):
        float(x())
    with pytest.raises(TypeError, match="0-d"):
        iter(core.tensor(1))


def test_meta_views():
    m = x().to("meta")
    assert (
        m.view(4, 6).stride() == (6, 1) and m[0, 1:].shape == (2, 4) and m.expand(5, 2, 3, 4).stride() == (0, 12, 4, 1)
    )
    assert core.cat([m, m], 1).shape == (2, 6, 4) and m[[0, 1]].shape == (2, 3, 4)
    assert core.stack([m, m], -1).shape == (2, 3, 4, 2)
