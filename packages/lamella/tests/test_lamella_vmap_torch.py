"""vmap beside torch's: the same results or the same classes of errors, case by case."""

import warnings

import pytest

from lamella import torch as ours

theirs = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

#: Expressions over t (the library), F (its nn.functional), vmap, grad and x, y, w, i, m: what the functions below make.
CASES = """
vmap(lambda a: a.sum())(x)
vmap(lambda a: a.sum(0), in_dims=1)(x)
vmap(lambda a: a.sum(), in_dims=2)(x)
vmap(lambda a: a * 2, out_dims=-1)(x)
vmap(lambda a: a * 2, out_dims=5)(x)
vmap(lambda a: (a, {'k': a.sum()}), out_dims=(1, {'k': 0}))(x)
vmap(lambda a: (a, a), out_dims=(1,))(x)
vmap(lambda a: (a, a), out_dims=[0, 1])(x)
vmap(lambda a: [a, a], out_dims=[0, 1])(x)
vmap(lambda a: [a, a], out_dims=(0, 1))(x)
vmap(lambda a: a, out_dims=(1,))(x)
vmap(lambda a: 3)(x)
vmap(lambda a: 3, out_dims=None)(x)
vmap(lambda a: a, out_dims=None)(x)
vmap(lambda a: None)(x)
vmap(lambda a, b: a + b, in_dims=(0, None))(x, y)
vmap(lambda a, b: a + b, in_dims=[0, None])(x, y)
vmap(lambda a, b: a + b, in_dims=(0, 0))(x, 2.0)
vmap(lambda a, b: a + b, in_dims=(0, None))(x, 2.0)
vmap(lambda a, b: a + b, in_dims=(0,))(x, y)
vmap(lambda a, b: a + b)(x, y)
vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0, 'b': None},))({'a': x, 'b': y})
vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0},))({'a': x, 'b': y})
vmap(lambda p: p[0] + p[1], in_dims=((0, None),))((x, y))
vmap(lambda p: p[0] + p[1], in_dims=([0, None],))([x, y])
vmap(lambda p: p[0] + p[1], in_dims=((0, None),))([x, y])
vmap(lambda a: a, in_dims=True)(x)
vmap(lambda a: a, in_dims=None)(x)
vmap(lambda a: a, in_dims=(None,))(x)
vmap(lambda a: a, in_dims='0')(x)
vmap(lambda a: a)(t.tensor(1.0))
vmap(lambda: 1)()
vmap(lambda a: a, chunk_size=0)(x)
vmap(lambda a: a * 2, chunk_size=2)(x)
vmap(lambda a: (a, a.sum()), chunk_size=2, out_dims=(1, 0))(x)
vmap(lambda a: a, randomness='x')(x)
vmap(lambda a: a.sum().item())(x)
vmap(lambda a: a if a.sum() > 0 else -a)(x)
vmap(lambda a: float(a.sum()))(x)
vmap(lambda a: a.tolist())(x)
vmap(lambda a: a.data_ptr())(x)
vmap(lambda a: t.nonzero(a))(x)
vmap(lambda a: a[a > 0])(x)
vmap(lambda a: t.masked_select(a, a > 0))(x)
vmap(lambda a: t.unique(a))(x)
vmap(lambda a: t.zeros(4).add_(a))(x)
vmap(lambda a: t.zeros(3, 4).add_(a))(x)
vmap(lambda a: t.zeros_like(a).add_(a))(x)
vmap(lambda a: a.new_zeros(3, 4).add_(a))(x)
vmap(lambda a: t.add(a, a, out=t.zeros(3, 4)))(x)
vmap(lambda a: t.rand(2))(x)
vmap(lambda a: t.rand(2), randomness='same')(x).shape
vmap(lambda a: t.rand(2), randomness='different')(x).shape
vmap(lambda a: t.randperm(5), randomness='different')(x).shape
vmap(lambda a: t.rand_like(a), randomness='different')(x).shape
vmap(lambda a: t.zeros(2).normal_(), randomness='different')(x).shape
vmap(lambda a: t.zeros(2).normal_(), randomness='same')(x).shape
vmap(lambda a: a.clone().normal_(), randomness='different')(x).shape
vmap(lambda a: F.dropout(a))(x)
vmap(lambda a: F.dropout(a), randomness='different')(x).shape
vmap(lambda a: t.bernoulli(a.sigmoid()), randomness='different')(x).shape
vmap(lambda a: t.bernoulli(a.sigmoid()), randomness='same')(x).shape
vmap(lambda a: t.multinomial(a.exp(), 2), randomness='different')(x).shape
vmap(lambda a, j: a[j])(x, i)
vmap(lambda a, j: a[:, j])(x, i)
vmap(lambda a, j: a[j, j])(x, i)
vmap(lambda a, j: a[j, :, None])(x, i)
vmap(lambda j: x[j])(i)
vmap(lambda j: x[:, j])(i)
vmap(lambda j: x[:, None, j])(i)
vmap(lambda j: x[j, :, j])(i)
vmap(lambda a: a[..., [0, 1]])(x)
vmap(lambda a: a[[0, 1], :, None])(x)
vmap(lambda a, j: a.index_select(0, j.reshape(1)))(x, i)
vmap(lambda a, j: a.gather(1, j.expand(3, 1)))(x, i)
vmap(lambda a, j: a.scatter(1, j.expand(3, 1), 0.0))(x, i)
vmap(lambda a, j: a.index_add(0, j.reshape(1), a[:1]))(x, i)
vmap(lambda a, j: a.take(j))(x, i)
vmap(lambda a: a.softmax(-1))(x)
vmap(lambda a: a.softmax(2))(x)
vmap(lambda a: a.sum(-3))(x)
vmap(lambda a: a.max(0))(x)[1]
vmap(lambda a: a.max())(x)
vmap(lambda a: a.argmax())(x)
vmap(lambda a: a.argmax(0, keepdim=True))(x)
vmap(lambda a: a.median())(x)
vmap(lambda a: a.var())(x)
vmap(lambda a: a.norm())(x)
vmap(lambda a: a.std(0))(x)
vmap(lambda a: a.logsumexp((0, 1)))(x)
vmap(lambda a: a.cumsum(1), in_dims=2)(x)
vmap(lambda a: a.sort(0).values)(x)
vmap(lambda a: a.topk(2).indices)(x)
vmap(lambda a: a.flip(0))(x)
vmap(lambda a: a.roll(1))(x)
vmap(lambda a: a.unfold(1, 2, 1))(x)
vmap(lambda a: a.diagonal())(x)
vmap(lambda a: t.diag_embed(a))(x)
vmap(lambda a: a.tril())(x)
vmap(lambda a: a.reshape(-1))(x)
vmap(lambda a: a.view(12))(x)
vmap(lambda a: a.view(-1), in_dims=2)(x)
vmap(lambda a: a.view(5))(x)
vmap(lambda a: a.expand(2, 3, 4))(x)
vmap(lambda a: a.expand(2, 4))(x)
vmap(lambda a: a.squeeze())(x[:, :1])
vmap(lambda a: a.unsqueeze(3))(x)
vmap(lambda a: a.t())(x)
vmap(lambda a: a.mT)(x)
vmap(lambda a: a.permute(1, 0), in_dims=1)(x)
vmap(lambda a: a.as_strided((2,), (1,), 0))(x)
vmap(lambda a: a.chunk(2))(x)
vmap(lambda a: a.split([1, 2]))(x)
vmap(lambda a: a.unbind(1))(x)
vmap(lambda a: t.cat([a, y]))(x)
vmap(lambda a: t.stack([a, a], 1))(x)
vmap(lambda a: a.repeat(2, 1))(x)
vmap(lambda a: F.pad(a, (1, 2)))(x)
vmap(lambda a: a @ a.T)(x)
vmap(lambda a: a @ y.T)(x)
vmap(lambda a: y @ a.T)(x)
vmap(lambda a: a @ w)(x)
vmap(lambda a: w @ a.T)(x)
vmap(lambda a: a @ t.ones(3))(x)
vmap(t.dot)(x[0], x[1, :, :])
vmap(t.mv, in_dims=(0, None))(x, w)
vmap(lambda a: t.addmm(t.ones(3), a, a.T))(x)
vmap(lambda a: t.einsum('ij,kj->ik', a, a))(x)
vmap(lambda a: t.outer(a[0], a[1]))(x)
vmap(lambda a: t.linalg.inv(a @ a.T + t.eye(3)))(x)
vmap(lambda a: t.linalg.det(a @ a.T + t.eye(3)))(x)
vmap(lambda a: t.linalg.solve(a @ a.T + t.eye(3), t.ones(3)))(x)
vmap(lambda a: t.linalg.svdvals(a))(x)
vmap(lambda a: t.linalg.cholesky(a @ a.T + t.eye(3)))(x)
vmap(lambda a: t.linalg.inv(a[:, :3] * 0))(x)
vmap(lambda a: t.fft.fft(a))(x)
vmap(lambda a: t.where(a > 0, a, 0.0))(x)
vmap(lambda a: a.clamp(min=0))(x)
vmap(lambda a: a + t.ones(2, dtype=t.float32))(t.ones(3, dtype=t.float64)).dtype
vmap(lambda a: a.to(t.float64))(x).dtype
vmap(lambda a: a.masked_fill(a > 0, 1.0))(x)
vmap(lambda a: F.linear(a, y))(x)
vmap(lambda a: F.linear(w, a))(x)
vmap(lambda a: F.layer_norm(a, (4,)))(x)
vmap(lambda a: F.layer_norm(y, (4,), a[0]))(x)
vmap(lambda a: F.batch_norm(a, t.zeros(4), t.ones(4), training=True))(x)
vmap(lambda a: F.batch_norm(a, t.zeros(4), t.ones(4)))(x)
vmap(lambda a: F.group_norm(a, 2))(x)
vmap(lambda a: F.conv1d(a, t.ones(2, 3, 2)))(x)
vmap(lambda a: F.conv1d(t.ones(1, 4, 5), a.T[:, :, None]))(x)
vmap(lambda a: F.max_pool1d(a, 2))(x)
vmap(lambda a: F.avg_pool1d(a, 2))(x)
vmap(lambda a: F.interpolate(a[None], 6))(x)
vmap(lambda a, j: F.cross_entropy(a, j.expand(3)))(x, i)
vmap(lambda a, j: F.nll_loss(a, j.expand(3), reduction='sum'))(x, i)
vmap(lambda a: F.mse_loss(a, y))(x)
vmap(lambda a: F.binary_cross_entropy_with_logits(a, t.ones(3, 4)))(x)
vmap(lambda j: F.embedding(j, y), in_dims=0)(i)
vmap(lambda j: F.one_hot(j, 5))(i)
vmap(lambda j: F.one_hot(j))(i)
vmap(lambda a: F.scaled_dot_product_attention(a, a, a))(x)
vmap(lambda a: F.gelu(a))(x)
vmap(lambda a: F.softplus(a))(x)
vmap(grad(lambda a: a.pow(3).sum()))(x)
vmap(grad(lambda a: a.softmax(0).max()))(x)
vmap(grad(lambda a: F.cross_entropy(a, t.tensor([0, 1, 2]))))(x)
vmap(grad(lambda a: a.prod()))(x)
vmap(grad(grad(lambda a: a.sin())))(w)
vmap(vmap(grad(lambda a: a.sin())))(y)
grad(lambda a: vmap(lambda r: r.norm())(a).sum())(x)
vmap(vmap(t.add, in_dims=(0, None)), in_dims=(None, 0))(w, w)
vmap(lambda a: vmap(lambda r: r * a.sum())(a))(x)
vmap(lambda a: a.sum())(t.zeros(0, 3))
vmap(lambda a: a.requires_grad_())(x)
vmap(lambda a: sum(list(a)))(x)
vmap(lambda a: a * len(a))(x)
vmap(lambda a: a.bool().any())(x)
vmap(lambda a: t.equal(a, a))(x)
vmap(lambda a: t.arange(a))(i)
vmap(lambda a: t.histc(a))(x)
vmap(lambda a: t.bincount(a.reshape(1), minlength=5))(i)
vmap(lambda a: t.searchsorted(w.sort().values, a))(x)
vmap(lambda a: t.cdist(a, y))(x)
vmap(lambda a: t.kron(a, a))(x)
vmap(lambda a: t.cross(a[:, :3], a[:, 1:], 1))(x)
vmap(lambda a: t.trace(a))(x)
vmap(lambda a: t.isin(a, y))(x)
vmap(lambda a: a.fill_(2.0))(x.clone())
vmap(lambda a: a.fill_(a[0, 0]))(x.clone())
vmap(lambda a: a.zero_())(x.clone())
vmap(lambda a: a.t_())(x.clone())
vmap(lambda a: a.unsqueeze_(0))(x.clone())
vmap(lambda a: a.clone().resize_(2))(x).shape
""".strip().splitlines()


def names(lib):
    import numpy as np

    rng = np.random.default_rng(0)

    def make(*shape):
        return lib.from_numpy(rng.uniform(-1, 1, shape).astype(np.float32))

    return {"t": lib, "F": lib.nn.functional, "vmap": lib.vmap, "grad": lib.func.grad, "x": make(3, 3, 4),
            "y": make(3, 4), "w": make(4), "i": lib.tensor([0, 2, 1])}


def outcome(lib, text):
    """What a case gives: nested lists and shapes, or the class of its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(eval(text, names(lib)))  # noqa: S307 - the cases above
        except Exception as e:  # noqa: BLE001 - the class is what is compared
            return type(e).__name__.lstrip("_")


def plain(value):
    if hasattr(value, "detach"):
        return tuple(value.shape), str(value.dtype).rpartition(".")[2], value.detach().double().reshape(-1).tolist()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return str(value)


def agree(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        return a[:2] == b[:2] and b[2] == pytest.approx(a[2], rel=1e-4, abs=1e-5, nan_ok=True)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(agree(a[k], b[k]) for k in a)
    return a == b


@pytest.mark.parametrize("text", CASES)
def test_case(text):
    wanted, found = outcome(theirs, text), outcome(ours, text)
    assert agree(wanted, found), f"torch: {wanted}\nlamella: {found}"
