"""Random operators inside vmap: error, same, different."""

import pytest

from lamella import core
from lamella.autograd import vmap
from lamella.core import bernoulli, manual_seed, normal, ones, rand, rand_like, randint, randn, randperm, zeros

CALLS = [
    lambda v: rand(4), lambda v: randn(4), lambda v: randint(0, 1 << 30, (4,)), lambda v: randperm(64),
    lambda v: rand_like(v), lambda v: core.randint_like(v, 1 << 20), lambda v: bernoulli(zeros(64) + 0.5),
    lambda v: core.multinomial(ones(64), 32), lambda v: core.poisson(ones(64) * 9),
]


@pytest.mark.parametrize("f", CALLS)
def test_without_batched_arguments(f):
    x = zeros(3, 4)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(f)(x)
    manual_seed(0)
    same = vmap(f, randomness="same")(x)
    assert same.shape[0] == 3 and bool((same == same[0]).all())
    different = vmap(f, randomness="different")(x)
    assert different.shape == same.shape and not bool((different[0] == different[1]).all())


@pytest.mark.parametrize("f", [
    lambda v: v.clone().normal_(), lambda v: v.clone().uniform_(), lambda v: v.clone().exponential_(),
    lambda v: v.clone().bernoulli_(0.5), lambda v: v.clone().random_(1 << 20),
])
def test_filled_in_place(f):
    x = zeros(3, 64)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(f)(x)
    same = vmap(f, randomness="same", in_dims=0)(x)
    assert bool((same == same[0]).all()) and not bool((same == 0).all())
    for dim in (0, 1):
        different = vmap(f, randomness="different", in_dims=dim)(x if dim == 0 else x.t())
        assert not bool((different[0] == different[1]).all())


def test_unbatched_targets():
    with pytest.raises(RuntimeError, match="inplace randomness on an unbatched tensor"):
        vmap(lambda v: zeros(4).normal_(), randomness="different")(zeros(3, 4))
    assert vmap(lambda v: zeros(4).normal_(), randomness="same")(zeros(3, 4)).shape == (3, 4)


def test_batched_probabilities():
    p = core.stack([zeros(64), ones(64), ones(64) * 0.5])
    got = vmap(bernoulli, randomness="different")(p)
    assert got[0].sum() == 0 and got[1].sum() == 64 and 0 < got[2].sum() < 64
    with pytest.raises(RuntimeError, match="same randomness with a batched tensor"):
        vmap(bernoulli, randomness="same")(p)
    picks = vmap(lambda w: core.multinomial(w, 5), randomness="different")(ones(3, 9))
    assert picks.shape == (3, 5)
    assert vmap(lambda w: core.multinomial(w, 5), randomness="different")(ones(3, 2, 9)).shape == (3, 2, 5)
    counts = vmap(lambda c, q: core.binomial(c, q), in_dims=(None, 0), randomness="different")(ones(4) * 5, rand(3, 4))
    assert counts.shape == (3, 4)


def test_nested_levels_draw_for_each():
    x = zeros(2, 3)
    both = vmap(vmap(lambda v: rand(5), randomness="different"), randomness="different")(x)
    assert both.shape == (2, 3, 5) and len(set(both.flatten().tolist())) == 30
    inner = vmap(vmap(lambda v: rand(5), randomness="different"), randomness="same")(x)
    assert bool((inner[0] == inner[1]).all()) and len(set(inner[0].flatten().tolist())) == 15
    outer = vmap(vmap(lambda v: rand(5), randomness="same"), randomness="different")(x)
    assert bool((outer[:, 0] == outer[:, 1]).all()) and len(set(outer[:, 0].flatten().tolist())) == 10
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(vmap(lambda v: rand(5), randomness="same"))(x)


def test_chunks_draw_anew():
    x = zeros(4, 2)
    got = vmap(lambda v: rand(2), randomness="different", chunk_size=2)(x)
    assert len(set(got.flatten().tolist())) == 8


def test_outside_nothing_changes():
    vmap(lambda v: v)(zeros(2))
    manual_seed(3)
    a = randn(4)
    manual_seed(3)
    assert randn(4).tolist() == a.tolist()
    assert normal(0.0, 1.0, (3,)).shape == (3,)
