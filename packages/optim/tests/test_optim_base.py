"""Optimizer: groups, state, hooks, step counting, and errors."""

import copy
import gc
import pickle
import warnings

import numpy as np
import pytest

import lamella.autograd
from lamella import core, optim
from lamella.optim import optimizer as base
from lamella.optim.rules import engine


def parameter(*shape):
    return core.ones(*shape).requires_grad_()


def give_gradients(optimizer, value=1.0):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = core.full_like(p.detach(), value)


def array(t):
    return np.array(t.detach().numpy())


# ---------------------------------------------------------------- groups


def test_groups_take_defaults_and_keep_their_own_options():
    a, b = parameter(2), parameter(3)
    optimizer = optim.SGD([{"params": a, "lr": 0.5}, {"params": (b,)}], lr=0.1, momentum=0.9)
    assert [group["lr"] for group in optimizer.param_groups] == [0.5, 0.1]
    assert list(optimizer.param_groups[0])[:2] == ["params", "lr"]
    assert optimizer.param_groups[0]["params"][0] is a


def test_generators_dicts_and_names():
    weights = {"weight": parameter(2), "bias": parameter(1)}
    optimizer = optim.Adam(iter(weights.items()))
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.param_groups[0]["params"][1] is weights["bias"]
    given = {"params": [weights["weight"]]}
    assert len(optim.Adam(given).param_groups) == 1
    assert set(given) == {"params"}


def test_repr_lists_options():
    text = repr(optim.SGD([parameter(1)], lr=0.5))
    assert text == (
        "SGD (\nParameter Group 0\n    dampening: 0\n    differentiable: False\n    foreach: None\n    fused: None\n"
        "    lr: 0.5\n    maximize: False\n    momentum: 0\n    nesterov: False\n    weight_decay: 0\n)"
    )


def test_repr_separates_groups():
    text = repr(optim.SGD([{"params": [parameter(1)]}, {"params": [parameter(2)], "lr": 1.0}], lr=0.5))
    assert text.startswith("SGD (\nParameter Group 0\n    dampening: 0\n")
    assert "    weight_decay: 0\n\nParameter Group 1\n" in text and text.endswith("    weight_decay: 0\n)")


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (TypeError, "should be an iterable of Tensors or dicts", lambda: optim.SGD(parameter(1))),
        (TypeError, "one of the params is int", lambda: optim.SGD([3])),
        (TypeError, "ordering of tensors in sets", lambda: optim.SGD([{"params": {parameter(1)}}])),
        (TypeError, "param_group must be a dict", lambda: optim.SGD([parameter(1)]).add_param_group([parameter(1)])),
        (ValueError, "needs a key 'params'", lambda: optim.SGD([{"lr": 1}])),
        (ValueError, "empty parameter list", lambda: optim.SGD([])),
        (ValueError, "can't optimize a non-leaf Tensor", lambda: optim.SGD([parameter(1) * 2])),
        (ValueError, "Some param names are missing", lambda: optim.SGD([("a", parameter(1)), parameter(1)])),
        (ValueError, "cannot add param group without names",
         lambda: optim.SGD([("a", parameter(1))]).add_param_group({"params": [parameter(1)]})),
        (ValueError, "Invalid learning rate: -1", lambda: optim.SGD([parameter(1)], lr=-1)),
        (ValueError, "Tensor lr must be 1-element", lambda: optim.SGD([parameter(1)], lr=core.ones(2))),
        (ValueError, "Nesterov momentum requires a momentum", lambda: optim.SGD([parameter(1)], nesterov=True)),
        (ValueError, "Invalid beta parameter at index 1: 1.0", lambda: optim.Adam([parameter(1)], betas=(0.9, 1.0))),
        (ValueError, "Invalid epsilon value: -1", lambda: optim.AdamW([parameter(1)], eps=-1)),
        (ValueError, "AdamW: Invalid weight_decay value: -1", lambda: optim.AdamW([parameter(1)], weight_decay=-1)),
        (ValueError, "Invalid rho value: 1.1", lambda: optim.Adadelta([parameter(1)], rho=1.1)),
        (ValueError, "Invalid eta values: 1.0, 0.5", lambda: optim.Rprop([parameter(1)], etas=(1.0, 0.5))),
        (RuntimeError, "cannot be `True` together", lambda: optim.Adam([parameter(1)], fused=True, foreach=True)),
        (RuntimeError, "does not support `differentiable`",
         lambda: optim.Adam([parameter(1)], fused=True, differentiable=True)),
        (ValueError, "not supported for capturable=False and foreach=True",
         lambda: optim.Adam([parameter(1)], lr=core.tensor(0.1), foreach=True)),
        (ValueError, "either both floats or both Tensors",
         lambda: optim.Adam([parameter(1)], betas=(core.tensor(0.9), 0.99))),
    ],
)  # fmt: skip
def test_errors(error, text, make):
    with pytest.raises(error, match=text):
        make()


def test_a_parameter_is_in_one_group():
    p = parameter(2)
    with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
        optim.SGD([{"params": [p]}, {"params": [parameter(1), p]}])
    with pytest.warns(UserWarning, match="a parameter group with duplicate parameters"):
        optim.SGD([p, p])


def test_required_options():
    class Needy(base.Optimizer):
        def __init__(self, params):
            super().__init__(params, {"rate": base.required})

    with pytest.raises(ValueError, match="required optimization parameter rate"):
        Needy([parameter(1)])
    assert Needy([{"params": [parameter(1)], "rate": 1}]).param_groups[0]["rate"] == 1
    with pytest.raises(NotImplementedError, match="must define step"):
        Needy([{"params": [parameter(1)], "rate": 1}]).step()


# ---------------------------------------------------------------- step and zero_grad


def test_step_runs_a_closure_with_gradients_on():
    w = core.tensor([1.0]).requires_grad_()
    optimizer = optim.SGD([w], lr=0.1)

    def closure():
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    with lamella.autograd.no_grad():
        loss = optimizer.step(closure)
    assert loss.item() == 1.0 and w.item() == pytest.approx(0.8)


def test_parameters_without_gradients_rest():
    a, b = parameter(2), parameter(2)
    optimizer = optim.Adam([a, b])
    a.grad = core.ones(2)
    optimizer.step()
    assert b in [p for p in optimizer.param_groups[0]["params"] if p is b]
    assert a in optimizer.state and b not in optimizer.state
    assert array(b).tolist() == [1.0, 1.0]


def test_zero_grad():
    w = parameter(2)
    optimizer = optim.SGD([w, parameter(1)])
    (w * w).sum().backward()
    grad = w.grad
    optimizer.zero_grad(set_to_none=False)
    assert w.grad is grad and array(grad).tolist() == [0.0, 0.0]
    optimizer.zero_grad()
    assert w.grad is None


class Twice(optim.SGD):
    def step(self, closure=None):
        super().step(closure)
        return super().step()


def test_hooks_run_around_a_step_once():
    optimizer = Twice([parameter(2)], lr=0.1)
    give_gradients(optimizer)
    seen = []
    handles = [
        optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append(("pre", o is optimizer, len(args)))),
        optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append("post")),
        base.register_optimizer_step_pre_hook(lambda *a: seen.append("any pre")),
        base.register_optimizer_step_post_hook(lambda *a: seen.append("any post")),
    ]
    optimizer.step()
    assert seen == ["any pre", ("pre", True, 1), "post", "any post"]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(seen) == 4 and optimizer._step_calls == 2


def test_pre_hooks_may_change_arguments():
    optimizer = optim.SGD([parameter(1)], lr=0.1)
    optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o, lambda: 7), kwargs))
    assert optimizer.step() == 7
    optimizer.register_step_pre_hook(lambda o, args, kwargs: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple"):
        optimizer.step()
    assert optimizer._stepping is False


# ---------------------------------------------------------------- state


def trained(cls=optim.AdamW, **kwargs):
    params = [core.tensor([1.0, 2.0]).requires_grad_(), core.ones(3, 2).requires_grad_()]
    optimizer = cls(params, lr=0.1, **kwargs)
    for step in range(3):
        give_gradients(optimizer, 1.0 + step)
        optimizer.step()
    return optimizer


def test_state_dict_is_torchs():
    state = trained().state_dict()
    assert list(state) == ["state", "param_groups"]
    assert list(state["state"]) == [0, 1] and list(state["state"][0]) == ["step", "exp_avg", "exp_avg_sq"]
    group = state["param_groups"][0]
    assert group["params"] == [0, 1] and list(group)[-1] == "params"
    assert set(group) == {
        "lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "foreach", "capturable", "differentiable", "fused",
        "decoupled_weight_decay", "params",
    }  # fmt: skip


def test_loading_continues_exactly():
    first = trained()
    second = optim.AdamW([p.detach().clone().requires_grad_() for p in first.param_groups[0]["params"]], lr=5.0)
    second.load_state_dict(first.state_dict())
    for optimizer in (first, second):
        for _ in range(3):
            give_gradients(optimizer, 0.5)
            optimizer.step()
    for p, q in zip(first.param_groups[0]["params"], second.param_groups[0]["params"]):
        np.testing.assert_array_equal(array(p), array(q))
    assert second.param_groups[0]["lr"] == 0.1


def test_loading_casts_all_but_the_count():
    saved = trained().state_dict()
    params = [core.ones(2, dtype=core.bfloat16).requires_grad_(), core.ones(3, 2, dtype=core.float64).requires_grad_()]
    optimizer = optim.AdamW(params)
    optimizer.load_state_dict(saved)
    own = optimizer.state[params[0]]
    assert (own["step"].dtype, own["exp_avg"].dtype) == (core.float32, core.bfloat16)
    assert optimizer.state[params[1]]["exp_avg_sq"].dtype is core.float64
    assert own["step"] is not saved["state"][0]["step"]


def test_loading_names_the_groups_that_differ():
    named = optim.SGD([{"params": [("a", parameter(1))]}, {"params": [("w", parameter(1)), ("b", parameter(1))]}])
    other = optim.SGD([{"params": [("a", parameter(1))]}, {"params": [("w", parameter(1))]}])
    with pytest.raises(ValueError, match="doesn't match the size of optimizer's group") as caught:
        other.load_state_dict(named.state_dict())
    assert "group 1: 2 parameters in the state, 1 here; only in the state: b" in str(caught.value)
    assert "group 0" not in str(caught.value) and "hint:" in str(caught.value).splitlines()[-1]
    with pytest.raises(ValueError, match=r"different number of parameter groups \(2 in the state with 1\+2 parameters"):
        optim.SGD([("a", parameter(1))]).load_state_dict(named.state_dict())
    with pytest.raises(ValueError, match="missing: param_groups"):
        named.load_state_dict({"state": {}})


def test_groups_without_parameters_survive():
    optimizer = optim.Adam([{"params": [], "betas": (0.5, 0.6)}, {"params": [parameter(1)]}])
    state = copy.deepcopy(optimizer.state_dict())
    optimizer.load_state_dict(state)
    assert optimizer.param_groups[0]["betas"] == (0.5, 0.6)
    give_gradients(optimizer)
    optimizer.step()


def test_old_checkpoints_load():
    optimizer = trained()
    state = copy.deepcopy(optimizer.state_dict())
    for key in ("amsgrad", "maximize", "foreach", "capturable", "fused", "decoupled_weight_decay", "differentiable"):
        state["param_groups"][0].pop(key)
    for own in state["state"].values():
        own["step"] = 3
    optimizer.load_state_dict(state)
    assert optimizer.param_groups[0]["decoupled_weight_decay"] is True
    give_gradients(optimizer)
    optimizer.step()
    assert optimizer.state[optimizer.param_groups[0]["params"][0]]["step"].item() == 4.0


def test_names_are_kept_when_a_state_has_none():
    named = optim.SGD([("a", parameter(1))])
    named.load_state_dict(optim.SGD([parameter(1)], lr=0.5).state_dict())
    assert named.param_groups[0]["param_names"] == ["a"] and named.param_groups[0]["lr"] == 0.5


def test_state_hooks():
    optimizer = trained()
    seen = []
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("pre"))
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "extra": 1})
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append("load second"))
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append("load first"), prepend=True)
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    state = optimizer.state_dict()
    assert state["extra"] == 1
    optimizer.load_state_dict(state)
    assert seen == ["pre", "load first", "load second", "loaded"]


@pytest.mark.parametrize("how", [copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))], ids=["deepcopy", "pickle"])
def test_copies_train_alike(how):
    first = trained()
    second = how(first)
    for optimizer in (first, second):
        give_gradients(optimizer, 2.0)
        optimizer.step()
    for p, q in zip(first.param_groups[0]["params"], second.param_groups[0]["params"]):
        assert p is not q
        np.testing.assert_array_equal(array(p), array(q))


def test_state_may_be_replaced_by_hand():
    """The packed memory of small states is no more than a shortcut."""
    first, second = trained(), trained()
    own = second.state[second.param_groups[0]["params"][0]]
    own["exp_avg"] = own["exp_avg"].clone()
    for optimizer in (first, second):
        give_gradients(optimizer, 2.0)
        optimizer.step()
    for p, q in zip(first.param_groups[0]["params"], second.param_groups[0]["params"]):
        np.testing.assert_array_equal(array(p), array(q))


def test_packs_go_with_their_tensors():
    gc.collect()
    before = len(engine.resident)
    optimizer = trained()
    assert len(engine.resident) == before + 2
    del optimizer
    gc.collect()
    assert len(engine.resident) == before


def test_nothing_keeps_the_parameters_alive():
    import weakref

    optimizer = trained()
    ref = weakref.ref(optimizer.param_groups[0]["params"][0])
    gc.disable()
    try:
        del optimizer
        assert ref() is None
    finally:
        gc.enable()


def test_no_warnings_on_overflow():
    p = parameter(3)
    optimizer = optim.Adam([p])
    p.grad = core.full((3,), 1e30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.step()
