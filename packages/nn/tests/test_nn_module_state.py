"""state_dict and load_state_dict."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from lamella import core, nn


def net():
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))


def test_round_trip():
    a, b = net(), net()
    state = a.state_dict()
    assert isinstance(state, OrderedDict)
    assert state._metadata == {"": {"version": 1}, "0": {"version": 1}, "1": {"version": 2}}
    assert repr(b.load_state_dict(state)) == "<All keys matched successfully>"
    assert b[0].weight.tolist() == a[0].weight.tolist()
    assert not state["0.weight"].requires_grad and state["0.weight"].data_ptr() == a[0].weight.data_ptr()
    assert a.state_dict(keep_vars=True)["0.weight"] is a[0].weight
    assert next(iter(a.state_dict(prefix="m."))) == "m.0.weight"
    assert list(b.load_state_dict(dict(state))) == [[], []]


def test_all_problems_are_listed_at_once():
    m = net()
    state = m.state_dict()
    state["0.weight"] = core.ones(5, 5)
    del state["0.bias"]
    del state["1.running_var"]
    state["extra"] = core.ones(1)
    state["1.more"] = core.ones(1)
    state["1.bias"] = "text"
    before = m[1].weight.tolist()
    state["1.weight"] = core.full((3,), 9.0)
    with pytest.raises(RuntimeError) as e:
        m.load_state_dict(state)
    assert str(e.value) == (
        'Error(s) in loading state_dict for Sequential:\n'
        '\tMissing key(s) in state_dict: "0.bias", "1.running_var". \n'
        '\tUnexpected key(s) in state_dict: "extra", "1.more". \n'
        "\tsize mismatch for 0.weight: copying a param with shape torch.Size([5, 5]) from checkpoint, "
        "the shape in current model is torch.Size([3, 2]).\n"
        '\tWhile copying the parameter named "1.bias", expected torch.Tensor or Tensor-like object from checkpoint '
        "but received <class 'str'>"
    )
    assert before != m[1].weight.tolist()  # what fits is loaded, as torch does
    del state["0.weight"], state["1.bias"]
    found = m.load_state_dict(state, strict=False)
    assert found.missing_keys == ["0.weight", "0.bias", "1.bias", "1.running_var"]
    assert found.unexpected_keys == ["extra", "1.more"]
    with pytest.raises(TypeError, match="dict-like"):
        m.load_state_dict([1])


def test_a_prefix_gets_a_hint():
    m = net()
    state = OrderedDict((f"module.{k}", v) for k, v in m.state_dict().items())
    with pytest.raises(RuntimeError, match='hint: the keys of the checkpoint start with "module."'):
        m.load_state_dict(state)
    nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    m.load_state_dict(state)


def test_assign_takes_the_tensors():
    m = nn.Linear(2, 3, device="meta")
    state = nn.Linear(2, 3).state_dict()
    m.load_state_dict(state, assign=True)
    assert isinstance(m.weight, nn.Parameter) and m.weight.requires_grad and not m.weight.is_meta
    assert m.weight.data_ptr() == state["weight"].data_ptr()
    with pytest.warns(UserWarning, match="meta device"):
        nn.Linear(2, 3, device="meta").load_state_dict(state)


def test_scalars_saved_with_one_element_still_load():
    m = nn.Module()
    m.register_buffer("steps", core.zeros(()))
    m.load_state_dict({"steps": core.full((1,), 4.0)})
    assert m.steps.item() == 4


def test_extra_state():
    class Counter(nn.Module):
        n = 0

        def get_extra_state(self):
            return {"n": self.n}

        def set_extra_state(self, state):
            self.n = state["n"]

    a, b = nn.Sequential(Counter()), nn.Sequential(Counter())
    a[0].n = 5
    state = a.state_dict()
    assert list(state) == ["0._extra_state"]
    b.load_state_dict(state)
    assert b[0].n == 5
    with pytest.raises(RuntimeError, match='Missing key.*"0._extra_state"'):
        b.load_state_dict({})
    with pytest.raises(RuntimeError, match='Unexpected key.*"0._extra_state"'):
        nn.Sequential(nn.ReLU()).load_state_dict(state)


def test_hooks_of_state_dict():
    m = net()
    seen = []
    m.register_state_dict_pre_hook(lambda mod, prefix, keep: seen.append((mod is m, prefix, keep)))
    m.register_state_dict_post_hook(lambda mod, state, prefix, meta: state.pop("0.bias"))
    with pytest.raises(RuntimeError, match="must return None"):
        m.state_dict()
    m = net()

    def drop(mod, state, prefix, meta):
        del state["0.bias"]

    handle = m.register_state_dict_post_hook(drop)
    assert "0.bias" not in m.state_dict()
    handle.remove()
    m._register_state_dict_hook(lambda mod, state, prefix, meta: {"only": 1})
    assert m.state_dict() == {"only": 1}
    assert seen == [(True, "", False)]


def test_hooks_of_loading_see_the_callers_strict():
    m = net()
    seen = []

    def before(module, state, prefix, meta, strict, missing, unexpected, errors):
        seen.append((type(module).__name__, prefix, strict))
        state.pop("1.odd", None)

    m[1].register_load_state_dict_pre_hook(before)
    m._register_load_state_dict_pre_hook(lambda state, *rest: state.update(later=core.ones(1)))
    m.register_load_state_dict_post_hook(lambda mod, keys: keys.unexpected_keys.remove("later"))
    state = m.state_dict()
    state["1.odd"] = core.ones(3)
    m.load_state_dict(state)
    found = m.load_state_dict({}, strict=False)
    assert len(found.missing_keys) == 6
    assert seen == [("BatchNorm1d", "1.", True), ("BatchNorm1d", "1.", False)]
    assert "later" not in state
    m.register_load_state_dict_post_hook(lambda mod, keys: 1)
    with pytest.raises(RuntimeError, match="must return None"):
        m.load_state_dict(state, strict=False)


def test_overrides_may_silence_their_keys():
    class Lenient(nn.Linear):
        def _load_from_state_dict(self, state, prefix, meta, strict, missing, unexpected, errors):
            super()._load_from_state_dict(state, prefix, meta, False, missing, unexpected, errors)

    m = nn.Sequential(Lenient(2, 2))
    assert m.load_state_dict({}).missing_keys == []


def test_batch_norm_reads_layouts_without_the_counter():
    m = nn.BatchNorm1d(2)
    state = OrderedDict((k, v) for k, v in m.state_dict().items() if k != "num_batches_tracked")
    m.load_state_dict(state)
    state._metadata = {"": {"version": 2}}
    with pytest.raises(RuntimeError, match="num_batches_tracked"):
        m.load_state_dict(state)
    old = OrderedDict(running_mean=core.zeros(2), running_var=core.ones(2))
    with pytest.raises(RuntimeError, match="track_running_stats=False"):
        nn.InstanceNorm1d(2).load_state_dict(old)
