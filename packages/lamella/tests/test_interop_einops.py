"""einops' operations and layers on lamella's tensors, and how einops comes to know them."""

import copy
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

pytest.importorskip("einops")

import einops
from einops import EinopsError, asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack

from lamella import torch
from lamella.interop.einops import EinMix, LamellaBackend, Rearrange, Reduce
from lamella.torch import nn


def array(*shape, dtype="float32"):
    return np.random.default_rng(sum(shape)).integers(-20, 20, shape).astype(dtype)


def same(tensor, expected):
    assert isinstance(tensor, torch.Tensor)
    assert tuple(tensor.shape) == expected.shape
    np.testing.assert_allclose(tensor.detach().numpy(), expected, rtol=1e-6)


# ---------------------------------------------------------------- einops' own tests

KNOWN = """
from lamella import torch
import einops._backends as backends
from lamella.interop.einops import LamellaBackend
theirs, backends.TorchBackend = backends.TorchBackend, LamellaBackend  # what their list of backends to test names
"""
AS_TORCH = """
from lamella.cli.finder import install
install()
import torch
"""
RUN = """
import os, sys, pytest
os.environ["EINOPS_TEST_BACKENDS"] = sys.argv[1]
{setup}
sys.exit(pytest.main(["--pyargs", "einops.tests", "-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


@pytest.mark.parametrize(
    ("setup", "backend", "left_out", "at_least"),
    [
        # the examples ask every library that is not called torch for steps below zero
        (KNOWN, "lamella", "not test_rearrange_examples", 53),
        # TorchScript, a compiler, and a process without the alias
        (AS_TORCH, "torch", "not (test_torch_layer or torch_compile or threading)", 56),
    ],
    ids=["backend", "as torch"],
)
def test_einops_own_tests(setup, backend, left_out, at_least, tmp_path):
    pytest.importorskip("einops.tests")
    command = [sys.executable, "-c", RUN.format(setup=setup), f"numpy,{backend}", "-k", left_out]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert int(last.split(" passed")[0].split()[-1]) >= at_least, last


# ---------------------------------------------------------------- how it is found

ORDERS = {
    "lamella first": "from lamella import torch\nimport einops",
    "einops first": "import einops\nfrom lamella import torch",
    "a submodule of einops": "from lamella import torch\nimport einops.layers\nimport einops",
    "core alone": "import einops\nfrom lamella import core as torch\nimport lamella.interop.einops",
    "tensors before": "from lamella import torch\nx = torch.zeros(1) + 1\nimport einops\neinops.repeat(x, 'a -> a 2')",
}


def python(code, **options):
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120,
                          **options)


@pytest.mark.parametrize("order", ORDERS)
def test_both_orders_of_import(order):
    code = ORDERS[order] + """
from einops import rearrange
import sys
assert rearrange(torch.zeros(2, 3), 'a b -> (b a)').shape == (6,)
assert not [f for f in sys.meta_path if type(f).__module__.startswith('lamella.interop')]
assert type(einops.__loader__).__name__ == 'SourceFileLoader' and einops.__loader__ is einops.__spec__.loader
"""
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_lamella_does_not_import_einops():
    done = python("from lamella import torch\nimport sys\nassert 'einops' not in sys.modules\n"
                  "assert 'lamella.interop.einops' not in sys.modules")
    assert done.returncode == 0, done.stderr


def test_an_einops_that_cannot_be_told_is_a_warning(tmp_path):
    (tmp_path / "einops.py").write_text("rearrange = None\n")
    code = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom lamella import torch\nimport einops"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "lamella.interop.einops: einops was not told" in done.stderr, done.stderr


def test_a_library_that_is_not_installed_stays_missing():
    code = """
import sys
from lamella.interop.arrival import when_imported
when_imported("no_such_library", "json.tool")
when_imported("no_such_library", "json.tool")
for _ in range(2):
    try:
        import no_such_library
    except ModuleNotFoundError as e:
        assert e.name == "no_such_library"
    else:
        raise SystemExit("found")
assert sum(type(f).__module__ == "lamella.interop.arrival" for f in sys.meta_path) == 1
when_imported("sys", "this_is_no_module")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "this_is_no_module" in done.stderr, done.stderr


def test_subclasses_and_parameters():
    class Mine(torch.Tensor):
        pass

    assert rearrange(nn.Parameter(torch.zeros(2, 3)), "a b -> b a").shape == (3, 2)
    out = rearrange(torch.zeros(2, 3).as_subclass(Mine), "a b -> b a")
    assert type(out) is Mine and out.shape == (3, 2)


def test_numpy_is_still_numpys():
    assert type(rearrange(np.zeros((2, 3)), "a b -> b a")) is np.ndarray
    assert repr(einops._backends.get_backend(torch.zeros(1))) == "<einops backend for lamella>"


def test_inside_transforms():
    x = torch.randn(5, 2, 3)
    vmap, grad, jvp = torch.func.vmap, torch.func.grad, torch.func.jvp
    assert torch.equal(vmap(lambda t: rearrange(t, "a b -> (b a)"))(x), rearrange(x, "n a b -> n (b a)"))
    assert torch.equal(vmap(lambda t: reduce(t, "a b -> b", "max"))(x), reduce(x, "n a b -> n b", "max"))
    assert torch.equal(vmap(lambda t: repeat(t, "a b -> b 2 a"))(x), repeat(x, "n a b -> n b 2 a"))
    assert torch.allclose(vmap(lambda t: einsum(t, t, "a b, c b -> a c"))(x), einsum(x, x, "n a b, n c b -> n a c"))
    assert torch.equal(grad(lambda t: reduce(t, "a b c ->", "sum"))(x), torch.ones_like(x))
    assert torch.equal(jvp(lambda t: rearrange(t, "a b c -> (c a) b"), (x,), (x,))[1], rearrange(x, "a b c -> (c a) b"))


def test_threads():
    failed = []

    def work():
        try:
            for _ in range(50):
                rearrange(torch.zeros(2, 3), "a b -> (a b)")
                rearrange(np.zeros((2, 3)), "a b -> (a b)")
        except Exception as e:
            failed.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed


# ---------------------------------------------------------------- operations


def test_rearrange_gives_views_where_it_can():
    x = torch.arange(24).reshape(2, 3, 4)
    for pattern in ("a b c -> a b c", "a b c -> c a b", "a b (c d) -> a b d c", "a b c -> (a b) c", "a b c -> a 1 b c"):
        y = rearrange(x, pattern, **({"d": 2} if "d" in pattern else {}))
        assert y.data_ptr() == x.data_ptr(), pattern
        y.reshape(-1)  # usable
    rearrange(x, "a b c -> c b a")[0, 0, 0] = 100
    assert x[0, 0, 0] == 100


def test_dtype_and_device_stay():
    for dtype in (torch.bool, torch.uint8, torch.int64, torch.float16, torch.bfloat16, torch.float64, torch.complex64):
        x = torch.ones(2, 4, dtype=dtype)
        assert rearrange(x, "a (b c) -> c b a", c=2).dtype is dtype
        assert repeat(x, "a b -> a (b 3)").dtype is dtype
    meta = torch.empty(2, 3, 4, device="meta")
    y = reduce(rearrange(meta, "a b c -> c (a b)"), "c d -> c", "sum")
    assert y.is_meta and y.shape == (4,)


@pytest.mark.parametrize("reduction", ["min", "max", "sum", "mean", "prod"])
def test_reductions(reduction):
    a = array(2, 3, 4, dtype="float64") / 7
    for pattern in ("a b c -> ", "a b c -> b", "a b c -> c a", "a ... -> a", "... c -> (c)", "a b c -> 1 b ()",
                    "a b (c 2) -> c b"):
        same(reduce(torch.from_numpy(a), pattern, reduction), reduce(a, pattern, reduction))


@pytest.mark.parametrize("reduction", ["any", "all"])
def test_reductions_of_bools(reduction):
    a = array(3, 2, 4) % 3 > 0
    for pattern in ("a b c -> ", "a b c -> b", "a b c -> c a", "a b c -> a 1 c"):
        out = reduce(torch.from_numpy(a), pattern, reduction)
        assert out.dtype is torch.bool
        same(out, reduce(a, pattern, reduction))


def test_mean_of_integers_is_refused():
    with pytest.raises(NotImplementedError, match="not available for non-floating"):
        reduce(torch.arange(4), "a ->", "mean")


def test_reduction_by_function():
    x = torch.rand(2, 3, 4)
    same(reduce(x, "a b c -> c", lambda t, dims: t.logsumexp(dim=dims)), x.logsumexp((0, 1)).numpy())
    same(reduce(x, "a b c -> b", torch.var), x.var((0, 2)).numpy())


def test_unknown_reduction():
    with pytest.raises(EinopsError, match="Unknown reduction median"):
        reduce(torch.zeros(3), "a ->", "median")
    with pytest.raises(ValueError, match="unknown reduction 'median'\nhint: one of min"):
        LamellaBackend().reduce(torch.zeros(3), "median", (0,))


def test_lists_of_tensors():
    a = array(5, 2, 3)
    tensors = list(torch.from_numpy(a))
    same(rearrange(tensors, "n a b -> a (n b)"), rearrange(a, "n a b -> a (n b)"))
    same(reduce(tensors, "n a b -> a", "max"), reduce(a, "n a b -> a", "max"))
    same(repeat(tensors, "n a b -> n (a k) b", k=2), repeat(a, "n a b -> n (a k) b", k=2))
    with pytest.raises(TypeError, match="empty list"):
        rearrange([], "... -> ...")


def test_repeat_expands_without_copies():
    x = torch.arange(3)
    y = repeat(x, "a -> n a", n=4)
    assert y.stride() == (0, 1) and y.data_ptr() == x.data_ptr()


def test_parse_shape():
    x = torch.zeros(2, 3, 5, 7)
    assert parse_shape(x, "batch _ h w") == {"batch": 2, "h": 5, "w": 7}
    assert parse_shape(x, "a ... d") == {"a": 2, "d": 7}
    with pytest.raises(RuntimeError, match="different number of dimensions"):
        parse_shape(x, "a b")


def test_einsum():
    a, b, c = array(2, 3, 4, dtype="float64"), array(4, 5, dtype="float64"), array(5, dtype="float64")
    ts = [torch.from_numpy(x) for x in (a, b, c)]
    same(einsum(*ts[:2], "batch i j, j k -> batch k i"), np.einsum("bij,jk->bki", a, b))
    same(einsum(*ts, "n i j, j k, k -> n i"), np.einsum("nij,jk,k->ni", a, b, c))
    same(einsum(ts[0], "n i j -> j"), a.sum((0, 1)))
    same(einsum(ts[0], ts[1], "... j, j k -> ... k"), a @ b)
    same(einsum(ts[1], ts[1], "i j, i j ->"), np.asarray((b * b).sum()))
    with pytest.raises(NotImplementedError):
        einsum(ts[1], "(a b) c -> a")


@pytest.mark.parametrize("pattern", ["* c", "a * c", "a c *"])
def test_pack_and_unpack(pattern):
    fixed = {"a": 2, "c": 3}
    axes = pattern.split()
    at = axes.index("*")
    arrays = []
    for middle in ((4,), (), (2, 2), (1, 5)):
        shape = [fixed[x] for x in axes[:at]] + list(middle) + [fixed[x] for x in axes[at + 1:]]
        arrays.append(array(*shape) if shape else array())
    packed, shapes = pack([torch.from_numpy(x) for x in arrays], pattern)
    expected, expected_shapes = pack(arrays, pattern)
    same(packed, expected)
    assert [tuple(s) for s in shapes] == expected_shapes
    for back, x in zip(unpack(packed, shapes, pattern), arrays, strict=True):
        same(back, x)
    two = unpack(packed, [(-1,), (1,)], pattern)
    assert [tuple(t.shape) for t in two] == [x.shape for x in unpack(expected, [(-1,), (1,)], pattern)]
    with pytest.raises(EinopsError):
        unpack(packed, [(1000,)], pattern)


def test_asnumpy():
    assert np.array_equal(asnumpy(torch.arange(3)), np.arange(3))
    assert type(asnumpy(torch.ones(2, requires_grad=True))) is np.ndarray


ERRORS = [
    ("a b -> b c", {}), ("a b -> a", {}), ("a b c -> a b c", {}), ("(a b) c -> a b c", {}),
    ("a (b c) -> a b c", {"b": 5}),
    ("a b -> a b", {"c": 2}), ("a a -> a", {}), ("a ... b ... -> a b", {}), ("a b -> (a b", {}), ("a -> b -> c", {}),
    ("a 2 -> a", {}), ("a! b -> a b", {}), ("a b -> a b ...", {}), ("_a b -> _a b", {}), ("(a b) (c d) -> a b c d", {}),
]


@pytest.mark.parametrize(("pattern", "axes"), ERRORS)
def test_errors_are_einops_own(pattern, axes):
    a = np.zeros((4, 6), "float32")
    outcomes = []
    for x in (a, torch.from_numpy(a)):
        with pytest.raises((EinopsError, ValueError)) as info:
            rearrange(x, pattern, **axes)
        outcomes.append((info.type, str(info.value).replace("torch.Size([4, 6])", "(4, 6)")))
    assert outcomes[0] == outcomes[1]


def test_type_errors():
    with pytest.raises(RuntimeError, match="Tensor type unknown to einops"):
        rearrange({1, 2}, "a -> a")
    assert not LamellaBackend().is_appropriate_type(np.zeros(1))


# ---------------------------------------------------------------- layers


def test_layers_of_the_backend():
    layers = LamellaBackend().layers()
    assert (layers.Rearrange, layers.Reduce, layers.EinMix) == (Rearrange, Reduce, EinMix)
    with pytest.raises(AttributeError, match="no attribute 'Foo'"):
        einops_module = sys.modules["lamella.interop.einops"]
        einops_module.Foo  # noqa: B018


def test_rearrange_and_reduce_layers():
    a = array(2, 3, 8, 8)
    x = torch.from_numpy(a)
    same(Rearrange("b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4)(x),
         rearrange(a, "b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4))
    same(Reduce("b c (h 2) (w 2) -> b c h w", "max")(x), reduce(a, "b c (h 2) (w 2) -> b c h w", "max"))
    same(Rearrange("... c -> c ...")(x), np.moveaxis(a, -1, 0))
    assert repr(Rearrange("a b -> (a b)", a=2)) == "Rearrange('a b -> (a b)', a=2)"
    assert repr(Reduce("a b -> a", "mean")) == "Reduce('a b -> a', 'mean')"
    with pytest.raises(EinopsError, match="Error while preparing Rearrange"):
        Rearrange("a b -> c")


def network():
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), Reduce("b c (h 2) (w 2) -> b c h w", "max"), nn.ReLU(),
        Rearrange("b c h w -> b (c h w)"), nn.Linear(4 * 4 * 4, 12),
        EinMix("b (head i) -> b (head o)", weight_shape="head i o", bias_shape="head o", head=3, i=4, o=2),
    )


def test_a_network_of_layers_learns_and_travels():
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    x, target = torch.randn(16, 1, 8, 8), torch.randn(16, 6)
    losses = []
    for _ in range(40):
        loss = (model(x) - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 4
    assert sorted(model.state_dict()) == sorted(f"{i}.{n}" for i in (0, 4, 5) for n in ("weight", "bias"))
    other = network()
    other.load_state_dict(model.state_dict())
    for twin in (other, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(twin(x), model(x))


EINMIX = [
    ("t b c -> t b c", "c", None, {"c": 3}, (4, 2, 3), "tbc,c->tbc"),
    ("b c -> b o", "o c", "o", {"c": 3, "o": 5}, (2, 3), "bc,oc->bo"),
    ("b (h c) -> b h o", "h c o", "h o", {"h": 2, "c": 3, "o": 4}, (5, 6), "bhc,hco->bho"),
    ("... c -> ... o", "c o", "o", {"c": 3, "o": 2}, (4, 5, 3), "...c,co->...o"),
    ("b (h w) c -> (b h) (w o)", "w c o", None, {"h": 2, "w": 3, "c": 2, "o": 2}, (2, 6, 2), None),
]


@pytest.mark.parametrize(("pattern", "weight", "bias", "sizes", "shape", "plain"), EINMIX)
def test_einmix(pattern, weight, bias, sizes, shape, plain):
    torch.manual_seed(1)
    layer = EinMix(pattern, weight_shape=weight, bias_shape=bias, **sizes).double()
    x = torch.randn(*shape, dtype=torch.float64, requires_grad=True)
    out = layer(x)
    bound = (3 / np.prod([sizes[n] for n in weight.split() if n not in pattern.split("->")[1]] or [1])) ** 0.5
    assert layer.weight.abs().max() <= bound
    if plain:
        a = x.detach().numpy()
        if "(" in pattern:
            a = rearrange(a, "b (h c) -> b h c", h=sizes["h"])
        expected = np.einsum(plain, a, layer.weight.detach().numpy())
        same(out, expected if bias is None else expected + layer.bias.detach().numpy())
    assert torch.autograd.gradcheck(layer, (x,))
    out.sum().backward()
    assert all(p.grad is not None and p.grad.shape == p.shape for p in layer.parameters())
    assert (layer.bias is None) is (bias is None)


def test_einmix_refusals():
    for arguments, text in [
        (("b c -> b o", "c", None, {"c": 2}), "Unrecognized identifiers"),
        (("b c -> b o", "c o", None, {"c": 2}), "Dimension o of weight should be specified"),
        (("b c -> b o", "c o", "c", {"c": 2, "o": 2}), "Bias axes"),
        (("b c -> b o", "(c o)", None, {"c": 2, "o": 2}), "Parenthesis is not allowed"),
    ]:
        pattern, weight, bias, sizes = arguments
        with pytest.raises(EinopsError, match=text):
            EinMix(pattern, weight_shape=weight, bias_shape=bias, **sizes)
