"""nn.utils: clipping, vectors, sequences, parametrisations, functional calls."""

from __future__ import annotations

import copy
import math
import pickle

import pytest

from lamella import core, nn
from lamella.nn.utils import parametrizations, parametrize, rnn, stateless


def params(*grads):
    out = []
    for g in grads:
        p = nn.Parameter(core.zeros(len(g)))
        p.grad = core.tensor(g)
        out.append(p)
    return out


def test_clip_grad_norm():
    ps = params([3.0, 0.0], [4.0])
    ps.append(nn.Parameter(core.zeros(2)))
    total = nn.utils.clip_grad_norm_(ps, 1.0)
    assert total.item() == pytest.approx(5)
    assert ps[0].grad.tolist() == pytest.approx([0.6, 0.0], rel=1e-5)
    assert nn.utils.clip_grad_norm_(ps, 10.0).item() == pytest.approx(1, rel=1e-5)
    assert nn.utils.clip_grad_norm_(params([3.0, -7.0]), 1.0, norm_type=math.inf).item() == 7
    assert nn.utils.clip_grad_norm_(params([3.0, -7.0]), 1.0, norm_type=1, foreach=True).item() == 10
    assert nn.utils.clip_grad_norm_(iter(params([1.0])), 1.0).item() == 1
    assert nn.utils.clip_grad_norm_([], 1.0).item() == 0
    with pytest.raises(RuntimeError, match="non-finite"):
        nn.utils.clip_grad_norm_(params([math.nan]), 1.0, error_if_nonfinite=True)
    with pytest.warns(UserWarning, match="empty generator"):
        nn.utils.clip_grad_norm_((p for p in ()), 1.0)


def test_clip_grad_value():
    ps = params([3.0, -0.5], [-4.0])
    nn.utils.clip_grad_value_(ps, 1.0)
    assert ps[0].grad.tolist() == [1.0, -0.5] and ps[1].grad.tolist() == [-1.0]


def test_vectors():
    m = nn.Linear(2, 2)
    vec = nn.utils.parameters_to_vector(m.parameters())
    assert vec.shape == (6,)
    nn.utils.vector_to_parameters(core.arange(6.0), m.parameters())
    assert m.weight.tolist() == [[0, 1], [2, 3]] and m.bias.tolist() == [4, 5]
    with pytest.raises(RuntimeError, match="too short"):
        nn.utils.vector_to_parameters(core.zeros(3), m.parameters())
    with pytest.raises(TypeError, match="expected torch.Tensor"):
        nn.utils.vector_to_parameters([1], m.parameters())


def test_pad_sequence():
    seqs = [core.tensor([1, 2]), core.tensor([3])]
    assert rnn.pad_sequence(seqs, batch_first=True, padding_value=9).tolist() == [[1, 2], [3, 9]]
    assert rnn.pad_sequence(seqs).tolist() == [[1, 3], [2, 0]]
    assert rnn.pad_sequence(seqs, True, padding_side="left").tolist() == [[1, 2], [0, 3]]
    back = rnn.unpad_sequence(rnn.pad_sequence(seqs), core.tensor([2, 1]))
    assert [s.tolist() for s in back] == [[1, 2], [3]]
    for bad in ([], 3, [core.zeros(())]):
        with pytest.raises((RuntimeError, IndexError)):
            rnn.pad_sequence(bad)


def test_packing():
    x = core.tensor([[1, 2, 0], [3, 0, 0], [4, 5, 6]])
    packed = rnn.pack_padded_sequence(x, core.tensor([2, 1, 3]), True, enforce_sorted=False)
    assert packed.data.tolist() == [4, 1, 3, 5, 2, 6] and packed.batch_sizes.tolist() == [3, 2, 1]
    assert packed.sorted_indices.tolist() == [2, 0, 1] and packed.unsorted_indices.tolist() == [1, 2, 0]
    padded, lengths = rnn.pad_packed_sequence(packed, True, padding_value=-1)
    assert padded.tolist() == [[1, 2, -1], [3, -1, -1], [4, 5, 6]] and lengths.tolist() == [2, 1, 3]
    assert rnn.pad_packed_sequence(packed, total_length=5)[0].shape == (5, 3)
    assert packed.double().data.dtype == core.float64 and packed.cpu() is packed
    data, sizes, *_ = packed
    assert data is packed.data and sizes is packed.batch_sizes
    assert [s.tolist() for s in rnn.unpack_sequence(rnn.pack_sequence([core.tensor([1, 2]), core.tensor([3])]))] == [
        [1, 2], [3]]
    for lengths_, words in (([1, 2, 3], "sorted"), ([3, 2], "batch_size"), ([3, 2, 0], "greater than 0"),
                            ([4, 2, 1], "padded size")):
        with pytest.raises(RuntimeError, match=words):
            rnn.pack_padded_sequence(x, lengths_, True)
    with pytest.raises(ValueError, match="total_length"):
        rnn.pad_packed_sequence(packed, total_length=2)


class Double(nn.Module):
    def forward(self, x):
        return 2 * x

    def right_inverse(self, x):
        return x / 2


def test_parametrize():
    m = nn.Linear(2, 2)
    weight, before = m.weight, m.weight.detach().clone()
    parametrize.register_parametrization(m, "weight", Double())
    assert m.weight.tolist() == before.tolist() and m.parametrizations.weight.original is weight
    assert list(m.state_dict()) == ["bias", "parametrizations.weight.original"]
    assert parametrize.is_parametrized(m, "weight") and not parametrize.is_parametrized(m, "bias")
    assert parametrize.type_before_parametrizations(m) is nn.Linear and isinstance(m, nn.Linear)
    m(core.ones(1, 2)).sum().backward()
    assert weight.grad.tolist() == [[2, 2], [2, 2]]
    m.weight = core.ones(2, 2)
    assert weight.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    with parametrize.cached():
        assert m.weight is m.weight
    assert m.weight is not m.weight
    other = copy.deepcopy(m)
    parametrize.register_parametrization(m, "weight", Double())
    assert m.weight.tolist() == [[1, 1], [1, 1]] and len(m.parametrizations.weight) == 2
    parametrize.remove_parametrizations(m, "weight")
    assert type(m) is nn.Linear and m.weight is weight and weight.tolist() == [[1, 1], [1, 1]]
    assert other.weight.tolist() == [[1, 1], [1, 1]]
    with pytest.raises(RuntimeError, match="state_dict"):
        pickle.dumps(other)


def test_parametrize_is_checked():
    class Narrow(nn.Module):
        def forward(self, x):
            return x[:1]

    with pytest.raises(ValueError, match="shape"):
        parametrize.register_parametrization(nn.Linear(2, 2), "weight", Narrow())
    assert parametrize.register_parametrization(nn.Linear(2, 2), "weight", Narrow(), unsafe=True).weight.shape == (1, 2)
    with pytest.raises(ValueError, match="name 'gain'"):
        parametrize.register_parametrization(nn.Linear(2, 2), "gain", Double())
    with pytest.raises(ValueError, match="no parametrization"):
        parametrize.remove_parametrizations(nn.Linear(2, 2), "weight")


def test_weight_norm():
    m = nn.Linear(3, 2)
    w = m.weight.detach().clone()
    parametrizations.weight_norm(m)
    assert core.allclose(m.weight, w)
    g = m.parametrizations.weight.original0
    assert g.shape == (2, 1) and core.allclose(g.flatten(), (w * w).sum(1).sqrt())
    with pytest.warns(FutureWarning):
        old = nn.utils.weight_norm(nn.Linear(3, 2))
    assert list(old.state_dict()) == ["bias", "weight_g", "weight_v"]
    m.load_state_dict(old.state_dict())
    assert core.allclose(m.weight, old.weight)
    old(core.ones(1, 3)).sum().backward()
    assert old.weight_g.grad is not None
    nn.utils.remove_weight_norm(old)
    assert list(old.state_dict()) == ["bias", "weight"]
    with pytest.raises(ValueError, match="not found"):
        nn.utils.remove_weight_norm(old)


def test_spectral_norm():
    for wrap in (nn.utils.spectral_norm, parametrizations.spectral_norm):
        core.manual_seed(0)
        m = wrap(nn.Linear(4, 3))
        x = core.ones(1, 4)
        for _ in range(30):
            m(x)
        m.eval()
        m(x)
        w = m.weight.detach()
        top = (w @ w.t()).matmul(core.eye(3))
        v = core.ones(3, 1)
        for _ in range(100):
            v = top @ v
            v = v / (v * v).sum().sqrt()
        assert ((top @ v) * v).sum().item() == pytest.approx(1, rel=1e-3)


def test_functional_call():
    m = nn.Sequential(nn.Linear(2, 1, bias=False), nn.BatchNorm1d(1))
    w = core.ones(1, 2).requires_grad_()
    before = m[0].weight
    out = stateless.functional_call(m[0], {"weight": w}, (core.ones(3, 2),))
    out.sum().backward()
    assert out.flatten().tolist() == [2, 2, 2] and w.grad.tolist() == [[3, 3]]
    assert m[0].weight is before and before.grad is None
    stateless.functional_call(m.eval(), [{"0.weight": w}, {"1.weight": core.ones(1)}], core.ones(3, 2))
    with pytest.raises(RuntimeError, match=r"Unexpected key\(s\): 'w'.\n\tMissing key\(s\): 'weight'"):
        stateless.functional_call(m[0], {"w": w}, (core.ones(3, 2),), strict=True)
    tied = nn.Module()
    tied.a = nn.Linear(1, 1, bias=False)
    tied.b = tied.a
    tied.forward = lambda x: tied.b(x)
    assert stateless.functional_call(tied, {"a.weight": core.full((1, 1), 5.0)}, core.ones(1, 1)).item() == 5
    with pytest.raises(ValueError, match="tied"):
        stateless.functional_call(tied, {"a.weight": core.ones(1, 1), "b.weight": core.zeros(1, 1)}, core.ones(1, 1))


def test_skip_init():
    m = nn.utils.skip_init(nn.Linear, 3, 2, dtype=core.float64)
    assert m.weight.shape == (2, 3) and not m.weight.is_meta and m.weight.dtype == core.float64
    with pytest.raises(RuntimeError, match="device"):
        nn.utils.skip_init(nn.ReLU)


def test_fusion():
    conv, bn = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3)
    bn.running_mean.copy_(core.arange(3.0))
    bn.running_var.copy_(core.arange(3.0) + 1)
    with pytest.raises(ValueError, match="eval"):
        nn.utils.fuse_conv_bn_eval(conv, bn)
    conv.eval(), bn.eval()
    x = core.rand(1, 2, 5, 5)
    assert core.allclose(nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)), atol=1e-5)
