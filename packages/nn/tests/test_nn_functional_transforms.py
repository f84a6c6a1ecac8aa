"""Forward mode of every sample of this package's operators, and modules as functions of their state."""

import pytest

import lamella.autograd as autograd
from lamella import core, nn
from lamella.autograd.func import grad, jacfwd, jacrev, jvp, vjp, vmap
from lamella.core import randn_like
from lamella.core.samples import resolve
from lamella.core.testing import as_function
from lamella.nn import functional as F
from lamella.nn.func import functional_call, replace_all_batch_norm_modules_, stack_module_state
from lamella.nn.samples import functional_samples

SAMPLES = [s for s in functional_samples() if s.grad and not s.random]
IDS = [f"{i}-{s.name.rpartition('.')[2]}" for i, s in enumerate(SAMPLES)]


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_forward_mode(sample):
    for call in sample.make():
        fn, inputs = as_function(resolve(sample.name), *call)
        if inputs:
            assert autograd.gradcheck(fn, inputs, check_forward_ad=True, check_backward_ad=False, fast_mode=True)


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_forward_is_the_transpose_of_reverse(sample):
    for call in sample.make():
        fn, inputs = as_function(resolve(sample.name), *call)
        if not inputs:
            continue
        plain = tuple(x.detach() for x in inputs)
        along = tuple(randn_like(x) for x in plain)
        outs, moved = jvp(fn, plain, along)
        _, pull = vjp(fn, *plain)
        seeds = tuple(randn_like(o) for o in outs)
        left = sum(float((s * t).sum()) for s, t in zip(seeds, moved, strict=True))
        right = sum(float((g * v).sum()) for g, v in zip(pull(seeds), along, strict=True))
        assert left == pytest.approx(right, rel=1e-8, abs=1e-8, nan_ok=True)


@pytest.fixture
def network():
    core.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.BatchNorm2d(4), nn.Flatten(),
                        nn.Linear(36, 10))  # fmt: skip
    params = {name: p.detach() for name, p in net.named_parameters()}
    return net, params, core.randn(5, 1, 8, 8), core.randint(0, 10, (5,))


def test_per_sample_gradients(network):
    net, params, x, y = network
    net.eval()
    buffers = dict(net.named_buffers())

    def loss(p, x, y):
        return F.cross_entropy(functional_call(net, (p, buffers), (x[None],)), y[None])

    together = vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)
    for i in range(5):
        alone = grad(loss)(params, x[i], y[i])
        for name, g in alone.items():
            assert core.allclose(together[name][i], g, atol=1e-5)
    net.zero_grad()
    F.cross_entropy(net(x), y, reduction="sum").backward()
    for name, p in net.named_parameters():
        assert core.allclose(together[name].sum(0), p.grad, atol=1e-4)


def test_second_derivatives_of_a_network_in_training(network):
    net, params, x, y = network
    net.double().train()
    params = {name: p.double() for name, p in params.items()}
    x = x.double()

    def loss(p):
        fresh = {name: b.clone() for name, b in net.named_buffers()}
        return F.cross_entropy(functional_call(net, (p, fresh), (x,)), y)

    along = {name: randn_like(p) for name, p in params.items()}
    slopes = grad(loss)(params)
    assert core.allclose(jvp(loss, (params,), (along,))[1], sum((slopes[n] * along[n]).sum() for n in along))
    _, forth = jvp(grad(loss), (params,), (along,))
    back = grad(lambda p: sum((g * v).sum() for g, v in zip(grad(loss)(p).values(), along.values(), strict=True)))
    for name, h in back(params).items():
        assert core.allclose(forth[name], h, atol=1e-8)


def test_jacobians_of_layers():
    layer = nn.MultiheadAttention(4, 2, batch_first=True).double().eval()
    x = core.randn(1, 3, 4, dtype=core.float64)
    by_rows, by_columns = (j(lambda x: layer(x, x, x)[0])(x) for j in (jacrev, jacfwd))
    assert by_rows.shape == (1, 3, 4, 1, 3, 4) and core.allclose(by_rows, by_columns)
    rnn = nn.LSTM(3, 2, batch_first=True).double()
    x = core.randn(1, 4, 3, dtype=core.float64)
    assert core.allclose(jacrev(lambda x: rnn(x)[0])(x), jacfwd(lambda x: rnn(x)[0])(x))


def test_state():
    nets = [nn.Linear(3, 2) for _ in range(4)]
    params, buffers = stack_module_state(nets)
    assert params["weight"].shape == (4, 2, 3) and params["weight"].is_leaf and params["weight"].requires_grad
    assert buffers == {}
    x = core.ones(7, 3)
    out = vmap(lambda p, b, x: functional_call(nets[0], (p, b), (x,)), in_dims=(0, 0, None))(params, buffers, x)
    assert core.allclose(out, core.stack([net(x) for net in nets]))
    out.sum().backward()
    assert params["bias"].grad.tolist() == [[7, 7]] * 4
    frozen = nn.Linear(3, 2)
    frozen.weight.requires_grad_(False)
    for wrong in ([], [nn.Linear(3, 2), nn.ReLU()], [nn.Linear(3, 2), nn.Linear(3, 2).eval()], [nets[0], frozen]):
        with pytest.raises(RuntimeError, match="stack_module_state"):
            stack_module_state(wrong)
    for wrong in (3, [1], ({"weight": x}, {"weight": x})):
        with pytest.raises(ValueError, match="functional_call"):
            functional_call(nets[0], wrong, x)


def test_batch_norm_of_the_batch_alone():
    net = replace_all_batch_norm_modules_(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)))
    x = core.randn(2, 5, 3)
    assert core.allclose(vmap(net)(x), core.stack([net(part) for part in x]), atol=1e-6)


def test_examples():
    import doctest

    from lamella.nn import func

    found = doctest.testmod(func)
    assert found.attempted and not found.failed


@pytest.mark.parametrize("loss", [F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss])
def test_one_row_of_a_loss(loss):
    """The gradient at the output is batched, the rest is not."""
    x = core.randn(3, 4, dtype=core.float64)
    for reduction in ("mean", "sum", "none"):
        def f(x, how=reduction):
            return loss(x, x * x, reduction=how)

        assert core.allclose(jacrev(f)(x), jacfwd(f)(x))
