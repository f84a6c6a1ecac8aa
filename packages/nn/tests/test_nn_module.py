"""Module: registration, attributes, traversal, conversion, printing, copying."""

from __future__ import annotations

import copy
import pickle

import pytest

from lamella import core, nn
from lamella.core.creation import as_subclass
from lamella.dispatch.config import settings


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.tied = self.fc
        self.scale = nn.Parameter(core.ones(1))
        self.register_buffer("mean", core.zeros(3))
        self.register_buffer("cache", core.zeros(1), persistent=False)
        self.note = "plain"

    @property
    def broken(self):
        return self.not_there

    @property
    def width(self):
        return self.fc.out_features

    def forward(self, x):
        return x * self.scale


def test_assignment_registers():
    net = Net()
    assert [n for n, _ in net.named_parameters()] == ["scale", "fc.weight", "fc.bias"]
    assert [n for n, _ in net.named_parameters(remove_duplicate=False)][-2:] == ["tied.weight", "tied.bias"]
    assert [n for n, _ in net.named_parameters(prefix="a", recurse=False)] == ["a.scale"]
    assert [n for n, _ in net.named_buffers()] == ["mean", "cache"]
    assert [n for n, _ in net.named_modules()] == ["", "fc"]
    assert [n for n, _ in net.named_modules(remove_duplicate=False)] == ["", "fc", "tied"]
    assert [n for n, _ in net.named_children()] == ["fc"]
    assert list(net.state_dict()) == ["scale", "mean", "fc.weight", "fc.bias", "tied.weight", "tied.bias"]
    assert "note" in net.__dict__ and "scale" not in net.__dict__
    assert {"fc", "scale", "mean", "forward", "note"} <= set(dir(net))


def test_property_errors_keep_their_own_message():
    net = Net()
    assert net.width == 3
    with pytest.raises(AttributeError, match="no attribute 'not_there'"):
        _ = net.broken
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'nothing'"):
        _ = net.nothing
    assert not hasattr(net, "broken")
    assert getattr(net, "nothing", 5) == 5


def test_attributes_replaced_and_deleted():
    net = Net()
    net.scale = None
    assert net.scale is None and "scale" in net._parameters
    net.scale = nn.Parameter(core.zeros(2))
    with pytest.raises(TypeError, match="cannot assign 'torch.FloatTensor' as parameter 'scale'"):
        net.scale = core.zeros(2)
    with pytest.raises(TypeError, match="cannot assign 'int' as child module 'fc'"):
        net.fc = 3
    net.mean = core.ones(3)
    assert net.mean is net._buffers["mean"]
    with pytest.raises(TypeError, match="as buffer 'mean'"):
        net.mean = 3
    del net.mean, net.scale, net.fc, net.note
    assert list(net._buffers) == ["cache"] and not net._parameters and list(net._modules) == ["tied"]
    net.tied = nn.Parameter(core.zeros(1))
    assert "tied" not in net._modules and "tied" in net._parameters
    net.note = nn.ReLU()
    net.cache = core.zeros(4)
    assert "cache" not in net.state_dict()
    with pytest.raises(AttributeError):
        del net.missing


def test_registration_is_checked():
    m = nn.Module()
    p = nn.Parameter(core.zeros(1))
    for register in (lambda n: m.register_parameter(n, p), lambda n: m.register_buffer(n, core.zeros(1)),
                     lambda n: m.add_module(n, nn.ReLU())):
        for name, error in (("a.b", KeyError), ("", KeyError), ("forward", KeyError), (3, TypeError)):
            with pytest.raises(error):
                register(name)
    with pytest.raises(TypeError, match="Parameter or None"):
        m.register_parameter("w", core.zeros(1))
    with pytest.raises(ValueError, match="leaf"):
        m.register_parameter("w", _not_a_leaf(p))
    with pytest.raises(TypeError, match="Module or None"):
        m.add_module("w", 3)

    class Early(nn.Module):
        def __init__(self):
            self.w = p

    with pytest.raises(AttributeError, match=r"before Module.__init__\(\) call"):
        Early()

    class Late(nn.Module):
        def __init__(self):
            self.size = self.other

    with pytest.raises(AttributeError, match=r"super\(\).__init__\(\)"):
        Late()


def _not_a_leaf(p):
    q = p * 2
    q.__class__ = nn.Parameter
    return q


def test_lint_of_plain_lists():
    m = nn.Module()
    m.layers = [nn.ReLU()]
    with settings.using(module_lint=True):
        with pytest.warns(UserWarning, match=r"Module.layers: a list of modules is not registered.*nn.ModuleList"):
            m.layers = [nn.ReLU()]
        with pytest.warns(UserWarning, match="nn.ModuleDict"):
            m.by_name = {"a": nn.ReLU()}
        m.sizes = [1, 2]


def test_lookup_by_path():
    net = nn.Sequential(nn.Sequential(nn.Linear(2, 2)), nn.BatchNorm1d(2))
    assert net.get_submodule("0.0") is net[0][0] and net.get_submodule("") is net
    assert net.get_parameter("0.0.weight") is net[0][0].weight
    assert net.get_buffer("1.running_mean") is net[1].running_mean
    for call, words in (
        (lambda: net.get_submodule("0.7"), "no attribute `7`"),
        (lambda: net.get_submodule("0.0.weight"), "not an nn.Module"),
        (lambda: net.get_parameter("1.running_mean"), "not an nn.Parameter"),
        (lambda: net.get_buffer("1.weight"), "not a buffer"),
        (lambda: net.get_parameter("1.gain"), "no attribute `gain`"),
    ):
        with pytest.raises(AttributeError, match=words):
            call()
    net.set_submodule("0.0", nn.ReLU())
    assert isinstance(net[0][0], nn.ReLU)


def test_modes_and_gradients():
    net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Dropout()))
    assert net.eval() is net and not net[1][0].training
    assert net.train()[1][0].training
    with pytest.raises(ValueError, match="bool"):
        net.train(1)
    net.requires_grad_(False)
    assert not any(p.requires_grad for p in net.parameters())
    net.requires_grad_()
    for p in net.parameters():
        p.grad = core.ones(p.shape)
    net.zero_grad(set_to_none=False)
    assert net[0].weight.grad.sum().item() == 0
    net.zero_grad()
    assert net[0].weight.grad is None
    seen = []
    net.apply(lambda m: seen.append(type(m).__name__))
    assert seen == ["Linear", "Dropout", "Sequential", "Sequential"]


def test_conversion_keeps_parameters():
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    weight = net[0].weight
    weight.grad = core.ones(2, 2)
    grad = weight.grad
    assert net.double() is net and net[0].weight is weight and weight.dtype == core.float64
    assert weight.is_leaf and weight.requires_grad and weight.grad is grad and grad.dtype == core.float64
    assert net[1].running_mean.dtype == core.float64 and net[1].num_batches_tracked.dtype == core.int64
    net.to(core.float16)
    assert weight.dtype == core.float16
    net.to("cpu", core.float32).to(core.zeros(1, dtype=core.float64)).bfloat16().half().float()
    assert weight.dtype == core.float32
    net.to(device="cpu", dtype=core.float64, non_blocking=True)
    assert weight.dtype == core.float64
    with pytest.raises(TypeError, match="floating point or complex"):
        net.to(core.int64)
    with pytest.raises(TypeError, match="device, a dtype or a tensor"):
        net.to([1])
    net.to("meta")
    assert weight.is_meta and net[1].running_var.is_meta
    net.to_empty(device="cpu")
    assert not weight.is_meta and net[0].weight is weight and weight.shape == (2, 2)


def test_meta_device_in_constructors():
    layer = nn.Linear(3, 4, device="meta", dtype=core.float64)
    assert layer.weight.is_meta and layer.weight.dtype == core.float64


def test_printing():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Sequential(nn.ReLU())
            self.b = nn.Identity()

        def extra_repr(self):
            return "x=1\ny=2"

    assert repr(Two()) == (
        "Two(\n  x=1\n  y=2\n  (a): Sequential(\n    (0): ReLU()\n  )\n  (b): Identity()\n)"
    )
    assert repr(nn.Module()) == "Module()"


def test_copies():
    net = Net()
    net.register_forward_hook(_hook)
    other = copy.deepcopy(net)
    assert other.fc is other.tied and other.fc is not net.fc and isinstance(other.scale, nn.Parameter)
    other.scale.data.fill_(7)
    assert net.scale.item() == 1
    assert other(core.ones(1)).item() == 8
    shallow = copy.copy(net)
    assert shallow.scale is net.scale
    back = pickle.loads(pickle.dumps(nn.Sequential(nn.Linear(2, 2), nn.ReLU())))
    assert isinstance(back[0].weight, nn.Parameter) and back[0].weight.requires_grad


def _hook(module, args, output):
    return output + 1


def test_setstate_fills_what_older_objects_lack():
    state = nn.Linear(2, 2).__getstate__()
    for name in ("_forward_hooks", "_load_state_dict_post_hooks", "_non_persistent_buffers_set"):
        del state[name]
    layer = nn.Linear.__new__(nn.Linear)
    layer.__setstate__(state)
    assert layer.state_dict() and layer._forward_hooks == {}


def test_missing_forward():
    with pytest.raises(NotImplementedError, match='missing the required "forward" function'):
        nn.Module()(1)


def test_parameter():
    data = core.zeros(2)
    p = nn.Parameter(data)
    assert isinstance(p, nn.Parameter) and isinstance(p, core.Tensor) and p.is_leaf and p.requires_grad
    data.fill_(3)
    assert p.tolist() == [3, 3]
    assert repr(p) == "Parameter containing:\ntensor([3., 3.], requires_grad=True)"
    assert type(p + 1) is core.Tensor and not isinstance(p + 1, nn.Parameter)
    assert nn.Parameter().numel() == 0
    q = copy.deepcopy(p)
    assert type(q) is nn.Parameter and q is not p and q.tolist() == p.tolist()
    r = pickle.loads(pickle.dumps(nn.Parameter(core.ones(2), requires_grad=False)))
    assert type(r) is nn.Parameter and not r.requires_grad
    with pytest.raises(RuntimeError, match="floating"):
        nn.Parameter(core.zeros(2, dtype=core.int64))
    assert nn.Parameter(core.zeros(2, dtype=core.int64), requires_grad=False).dtype == core.int64
    with pytest.raises(TypeError, match="must be a Tensor"):
        nn.Parameter([1.0])


def test_buffer():
    m = nn.Module()
    m.a = nn.Buffer(core.zeros(1))
    m.b = nn.Buffer(core.zeros(1), persistent=False)
    m.c = core.zeros(1)
    assert list(m._buffers) == ["a", "b"] and list(m.state_dict()) == ["a"]
    assert isinstance(m.a, nn.Buffer) and not isinstance(m.c, nn.Buffer)


def test_subclass_tensors_become_parameters():
    class Tagged(core.Tensor):
        pass

    p = nn.Parameter(as_subclass(core.zeros(2), Tagged))
    assert type(p) is Tagged and isinstance(p, nn.Parameter)
    m = nn.Module()
    m.w = p
    assert list(m._parameters) == ["w"]
