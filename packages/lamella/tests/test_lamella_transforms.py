"""torch.func, autograd.functional and forward_ad beside torch: results, requires_grad and classes of errors."""

import importlib
from types import SimpleNamespace

import pytest

from lamella import torch as ours

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # torch's own


def library(name):
    """What the cases need of a library: the module, its transforms, and the same small tensors."""
    torch = importlib.import_module(name)
    func, functional = importlib.import_module(f"{name}.func"), importlib.import_module(f"{name}.autograd.functional")
    t = torch.tensor
    return SimpleNamespace(
        torch=torch, T=t, AF=functional, fw=importlib.import_module(f"{name}.autograd.forward_ad"),
        Function=importlib.import_module(f"{name}.autograd").Function,
        **{n: getattr(func, n) for n in ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian",
                                         "linearize", "vmap")},
        x=t([0.5, 1.5]), y=t([2.0, 3.0]), v=t([1.0, -1.0]), s=t(2.0), i=t([1, 2]), c=t([1 + 2j, 0.5j]),
        xr=t([0.5, 1.5], requires_grad=True), w=t([3.0, 4.0], requires_grad=True), one=t(1.0))  # fmt: skip


def squares(x):
    return (x * x).sum()


def cubes(x):
    return (x**3).sum()


def product(x, y):
    return (x * y).sum()


GRAD = [
    lambda L: L.grad(squares)(L.x),
    lambda L: L.grad(squares)(L.xr),
    lambda L: L.grad(lambda x: x * 2)(L.x),
    lambda L: L.grad(lambda x: 3)(L.x),
    lambda L: L.grad(lambda x: (x.sum(), x))(L.x),
    lambda L: L.grad(squares)(L.i),
    lambda L: L.grad(squares)(3.0),
    lambda L: L.grad(squares)("a"),
    lambda L: L.grad(squares)(),
    lambda L: L.grad(product, argnums=1)(L.x, L.y),
    lambda L: L.grad(product, argnums=(0, 1))(L.x, L.y),
    lambda L: L.grad(product, argnums=-1)(L.x, L.y),
    lambda L: L.grad(product, argnums=2)(L.x, L.y),
    lambda L: L.grad(product, argnums=())(L.x, L.y),
    lambda L: L.grad(product, argnums=(0, 0))(L.x, L.y),
    lambda L: L.grad(product, argnums="a")(L.x, L.y),
    lambda L: L.grad(product, argnums=(0, "b"))(L.x, L.y),
    lambda L: L.grad(product, argnums=[0, 1])(L.x, L.y),
    lambda L: L.grad(product, argnums=1.0)(L.x, L.y),
    lambda L: L.grad(lambda x: (squares(x), x * 2), has_aux=True)(L.x),
    lambda L: L.grad(squares, has_aux=True)(L.x),
    lambda L: L.grad(lambda x: (squares(x), 3, 4), has_aux=True)(L.x),
    lambda L: L.grad_and_value(squares)(L.x),
    lambda L: L.grad_and_value(lambda x: (squares(x), x * 2), has_aux=True)(L.x),
    lambda L: L.grad(lambda d: (d["a"] * d["b"][0]).sum())({"a": L.x, "b": (L.y,)}),
    lambda L: L.grad(lambda d: (d["a"] * d["b"]).sum())({"a": L.x, "b": 3}),
    lambda L: L.grad(lambda x: L.s * 3)(L.x),
    lambda L: L.grad(lambda x: (x > 0).sum())(L.x),
    lambda L: L.grad(lambda x: (x.abs() ** 2).sum())(L.c),
    lambda L: L.grad(lambda x: x.sum())(L.c),
    lambda L: L.grad(lambda x: squares(x) + (L.w * x).sum())(L.x),
    lambda L: L.grad(lambda x: L.grad(squares)(x).sum())(L.x),
    lambda L: L.grad(L.grad(lambda x: x**3))(L.s),
    lambda L: L.grad(L.grad(L.grad(lambda x: x**4)))(L.s),
    lambda L: L.grad(lambda x: x * L.grad(lambda y: x + y)(L.one))(L.s),
    lambda L: L.grad(lambda x: x * L.grad(lambda y: x * y)(L.one))(L.s),
    lambda L: L.jvp(lambda x: x * L.jvp(lambda y: x * y, (L.one,), (L.one,))[1], (L.s,), (L.one,)),
    lambda L: L.jvp(lambda x: x * L.grad(lambda y: x * y)(L.one), (L.s,), (L.one,)),
    lambda L: L.grad(lambda x: x * L.jvp(lambda y: x * y, (L.one,), (L.one,))[1])(L.s),
]

VJP = [
    lambda L: L.vjp(lambda x: x * 2, L.x)[1](L.v),
    lambda L: L.vjp(lambda x: x * 2, L.x)[1](L.T([1.0])),
    lambda L: L.vjp(lambda x: x * 2, L.x)[1]((L.v,)),
    lambda L: L.vjp(lambda x: x * 2, L.x)[1](L.v.double()),
    lambda L: L.vjp(lambda x: (x * 2, {"q": x}), L.x)[1]((L.v, {"q": L.v})),
    lambda L: L.vjp(lambda x: (x * 2, x), L.x)[1]([L.v, L.v]),
    lambda L: L.vjp(lambda x: x * 2, L.x)[1](3),
    lambda L: L.vjp(lambda x: x * 2, L.x)[1](),
    lambda L: L.vjp(lambda x, y: x * 2, L.x, L.y)[1](L.v),
    lambda L: L.vjp(lambda x: 3, L.x),
    lambda L: L.vjp(lambda x: x > 0, L.x),
    lambda L: L.vjp(lambda x: (x, 3), L.x),
    lambda L: L.vjp(lambda x: (), L.x),
    lambda L: L.vjp(squares, 3),
    lambda L: L.vjp(squares),
    lambda L: L.vjp(lambda x: (x * 2, x), L.x, has_aux=True)[2],
    lambda L: L.vjp(lambda x: x * 2, L.x, has_aux=True),
    lambda L: L.vjp(lambda x: None, L.x),
    lambda L: L.vjp(lambda d: d["a"] * 2, {"a": L.x})[1](L.v),
    lambda L: L.vjp(lambda x: [x, x * 2], L.x)[0],
]

JVP = [
    lambda L: L.jvp(squares, (L.x,), (L.v,)),
    lambda L: L.jvp(squares, L.x, L.v),
    lambda L: L.jvp(squares, [L.x], [L.v]),
    lambda L: L.jvp(squares, (L.x,), (L.v, L.v)),
    lambda L: L.jvp(squares, (L.x,), L.v),
    lambda L: L.jvp(squares, (L.x,), (L.s,)),
    lambda L: L.jvp(squares, (L.i,), (L.i,)),
    lambda L: L.jvp(squares, (3,), (L.v,)),
    lambda L: L.jvp(squares, (L.x,), (3,)),
    lambda L: L.jvp(lambda x: 3, (L.x,), (L.v,)),
    lambda L: L.jvp(lambda x: (), (L.x,), (L.v,)),
    lambda L: L.jvp(lambda x: (x, x * 2), (L.x,), (L.v,)),
    lambda L: L.jvp(lambda x: L.s, (L.x,), (L.v,)),
    lambda L: L.jvp(lambda x: L.s, (L.x,), (L.v,), strict=True),
    lambda L: L.jvp(lambda x: (x * 2, x), (L.x,), (L.v,), has_aux=True),
    lambda L: L.jvp(lambda x: x * 2, (L.x,), (L.v,), has_aux=True),
    lambda L: L.jvp(lambda x, y: x * y, (L.x, L.y), (L.v, L.v)),
    lambda L: L.jvp(lambda d: d["a"] * d["b"], ({"a": L.x, "b": L.y},), ({"a": L.v, "b": L.v},)),
    lambda L: L.jvp(lambda x: x > 0, (L.x,), (L.v,)),
    lambda L: L.jvp(lambda x: x * x, (L.c,), (L.c,)),
    lambda L: L.jvp(lambda x: x.abs(), (L.c,), (L.c,)),
    lambda L: L.jvp(lambda x: x.argmax(), (L.x,), (L.v,)),
    lambda L: L.jvp(squares, (), ()),
    lambda L: L.linearize(lambda x: x**3, L.x)[1](L.v),
    lambda L: L.linearize(lambda x: x**3, L.x)[1](L.s),
    lambda L: L.linearize(lambda x: x**3, L.x)[1](L.v, L.v),
    lambda L: L.linearize(lambda x, y: (x * y, x), L.x, L.y)[1](L.v, L.v),
    lambda L: L.linearize(squares, L.x)[0],
]

JACOBIANS = [
    case
    for name in ("jacrev", "jacfwd")
    for case in (
        lambda L, name=name: getattr(L, name)(lambda x: x**2)(L.x),
        lambda L, name=name: getattr(L, name)(lambda x: x**2, argnums=1)(L.x),
        lambda L, name=name: getattr(L, name)(lambda x: x**2)(L.c),
        lambda L, name=name: getattr(L, name)(lambda x: x * L.T(1j))(L.x),
        lambda L, name=name: getattr(L, name)(lambda x: (x, x.sum()))(L.x),
        lambda L, name=name: getattr(L, name)(lambda x, y: x * y, argnums=(0, 1))(L.x, L.y),
        lambda L, name=name: getattr(L, name)(lambda x: {"a": x * 2})(L.x),
        lambda L, name=name: getattr(L, name)(lambda d: d["a"] * d["b"])({"a": L.x, "b": L.y}),
        lambda L, name=name: getattr(L, name)(lambda x: (x**2, x), has_aux=True)(L.x),
        lambda L, name=name: getattr(L, name)(lambda x: 3)(L.x),
        lambda L, name=name: getattr(L, name)(lambda x: x > 0)(L.x),
        lambda L, name=name: getattr(L, name)(squares)(L.i),
        lambda L, name=name: getattr(L, name)(lambda x: x.reshape(2, 1))(L.x),
        lambda L, name=name: getattr(L, name)(lambda x: L.s)(L.x),
    )
] + [
    lambda L: L.jacrev(lambda x: (x, 3))(L.x),
    lambda L: L.jacrev(lambda x: x**2, chunk_size=1)(L.x),
    lambda L: L.jacrev(lambda x: x**2, chunk_size=0),
    lambda L: L.jacrev(lambda x: x**2, chunk_size=-1),
    lambda L: L.jacrev(lambda x: x**2, chunk_size=3)(L.x),
    lambda L: L.jacfwd(lambda x: x + L.torch.rand(2))(L.x),
    lambda L: L.jacfwd(lambda x: x + 0 * L.torch.rand(2), randomness="same")(L.x),
    lambda L: L.hessian(squares)(L.x),
    lambda L: L.hessian(lambda x, y: (x * x * y).sum(), argnums=(0, 1))(L.x, L.y),
    lambda L: L.hessian(lambda x: x**3)(L.x),
    lambda L: L.hessian(lambda x: x.prod())(L.x),
    lambda L: L.jacrev(L.jacrev(cubes))(L.x),
    lambda L: L.jacfwd(L.jacfwd(cubes))(L.x),
    lambda L: L.jacrev(L.jacfwd(cubes))(L.x),
    lambda L: L.hessian(lambda d: (d["a"] ** 2 * d["b"]).sum())({"a": L.x, "b": L.y}),
    lambda L: L.vmap(L.grad(lambda x: x**3))(L.x),
    lambda L: L.vmap(lambda x: L.jvp(L.torch.sin, (x,), (L.one,)))(L.x),
    lambda L: L.grad(lambda x: L.vmap(lambda t: t**2)(x).sum())(L.x),
    lambda L: L.vmap(L.jacrev(lambda x: x**2))(L.torch.stack([L.x, L.y])),
    lambda L: L.jacrev(L.vmap(lambda x: x**2))(L.x),
]


def without_grad_outside(L):
    with L.torch.no_grad():
        inside = L.grad(squares)(L.x), L.jvp(squares, (L.x,), (L.v,)), L.jacrev(lambda x: x**2)(L.x)
        return *inside, L.grad(lambda z: (L.w * z).sum())(L.x)


def without_grad_inside(L):
    def f(x):
        with L.torch.no_grad():
            c = x**2
        return (x**2 - c).sum()

    return L.grad(f)(L.x), L.grad(lambda x: L.grad(f)(x).sum())(L.x), L.jvp(f, (L.x,), (L.v,))


def buffer(L):
    def f(x):
        out = L.torch.zeros(2)
        out[0] = x[1]
        out[1] = x[0] * x[1]
        return (out * out).sum()

    return L.grad(f)(L.x), L.jvp(f, (L.x,), (L.v,)), L.hessian(f)(L.x)


def in_place(L):
    def f(x):
        y = x.clone()
        y.mul_(x)
        y[0].add_(3 * x[1])
        return y.sum()

    return L.grad(f)(L.x), L.jvp(f, (L.x,), (L.v,)), L.hessian(f)(L.x)


def returned_input(L):
    return L.vjp(lambda x: x, L.x)[0] is L.x, L.jvp(lambda x: x, (L.x,), (L.v,))


def outer_graphs(L):
    def slope(of, *inputs):
        return of, L.torch.autograd.grad(of.sum(), inputs)

    (pulled,) = L.vjp(lambda x: (x * L.w).sin(), L.xr)[1](L.v)
    return (slope(L.grad(lambda x: (x * L.w).sum() * L.w.sum())(L.x), L.w),
            slope(L.jvp(lambda x: (x * L.w).sin(), (L.x,), (L.v,))[1], L.w), slope(pulled, L.xr, L.w),
            slope(L.hessian(lambda x: cubes(x * L.w))(L.x), L.w))  # fmt: skip


def asks_for_gradients(L):
    return L.grad(lambda x: x.requires_grad_().sum())(L.x)


def values_of_python(L):
    return L.grad(lambda x: x.sum() * x[0].item())(L.x), L.grad(lambda x: x.sum() if x[0] > 0 else -x.sum())(L.x)


def grad_within(L):
    return L.grad(lambda x: L.torch.autograd.grad(cubes(x), x, create_graph=True)[0].sum())(L.x)


def backward_within(L):
    def f(x):
        y = squares(x)
        y.backward()
        return y

    return L.grad(f)(L.x)


def escaped(L):
    box = []
    L.grad(lambda x: box.append(x) or x.sum())(L.x)
    return box[0] * 2


def detached(L):
    return L.grad(lambda x: (x * x.detach()).sum())(L.x), L.jvp(lambda x: x * x.detach(), (L.x,), (L.v,))


def freed(L):
    _, pull = L.vjp(lambda x: x**2, L.x)
    return pull(L.v, retain_graph=False), answer(lambda _: pull(L.v), L)


BEHAVIOUR = [without_grad_outside, without_grad_inside, buffer, in_place, returned_input, outer_graphs,
             asks_for_gradients, values_of_python, grad_within, backward_within, escaped, detached, freed]


def functions(L):
    """Custom functions: with everything, with a ctx in forward, and without jvp."""

    class Cube(L.Function):
        @staticmethod
        def forward(x):
            return x**3

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])
            ctx.save_for_forward(inputs[0])

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

        @staticmethod
        def jvp(ctx, t):
            (x,) = ctx.saved_tensors
            return t * 3 * x**2

    class Old(L.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        backward = Cube.backward

    class Bare(L.Function):
        forward, setup_context, backward = Cube.forward, Cube.setup_context, Cube.backward

    return tuple(lambda x, F=F: F.apply(x).sum() for F in (Cube, Old, Bare))


CUSTOM = [
    lambda L: L.grad(functions(L)[0])(L.x),
    lambda L: L.jvp(functions(L)[0], (L.x,), (L.v,)),
    lambda L: L.grad(lambda x: L.grad(functions(L)[0])(x).sum())(L.x),
    lambda L: L.grad(lambda x: L.grad(lambda x: L.grad(functions(L)[0])(x).sum())(x).sum())(L.x),
    lambda L: L.jvp(L.grad(functions(L)[0]), (L.x,), (L.v,)),
    lambda L: L.grad(lambda x: L.jvp(functions(L)[0], (x,), (L.v,))[1])(L.x),
    lambda L: L.grad(functions(L)[1])(L.x),
    lambda L: L.jvp(functions(L)[1], (L.x,), (L.v,)),
    lambda L: L.jvp(functions(L)[2], (L.x,), (L.v,)),
    lambda L: L.grad(functions(L)[2])(L.x),
]


def answer(case, L):
    """What a case gives: tensors as lists, or the class of its error."""
    try:
        return shown(case(L), L)
    except Exception as e:  # noqa: BLE001 - any class may be the right one
        return type(e).__name__


def shown(r, L):
    if isinstance(r, (tuple, list)):
        return [shown(x, L) for x in r]
    if isinstance(r, dict):
        return {k: shown(x, L) for k, x in r.items()}
    if not hasattr(r, "tolist"):
        return "a function" if callable(r) else r
    plain = r.detach()
    numbers = (L.torch.view_as_real(plain) if plain.is_complex() else plain).double().flatten().tolist()
    return [r.requires_grad, str(r.dtype), list(r.shape), [round(n, 4) + 0.0 for n in numbers]]


ALL = [*GRAD, *VJP, *JVP, *JACOBIANS, *BEHAVIOUR, *CUSTOM]


@pytest.mark.torch
@pytest.mark.parametrize("nr", range(len(ALL)))
def test_beside_torch(nr):
    pytest.importorskip("torch")
    assert answer(ALL[nr], library("lamella.torch")) == answer(ALL[nr], library("torch"))


def functional_cases(L):
    """Every function of autograd.functional on functions of all kinds, in all modes."""
    two, both = (L.x, L.y), (L.v, L.v)
    products = [(cubes, L.x, L.v), (cubes, L.x, None), (lambda x: x**3, L.x, L.v), (lambda x: x**3, L.xr, L.v),
                (lambda x, y: (x * y**2, squares(x)), two, both),
                (lambda x, y: (x * y**2, squares(x)), two, (L.v, L.one)), (lambda x, y: (x * x * y).sum(), two, both),
                (lambda x: L.torch.ones(2), L.x, L.v), (lambda x: (x * 2).sum(), L.x, L.v),
                (lambda x, y: (x * 2).sum(), two, both), (cubes, L.x, L.torch.ones(3)), (cubes, 3, None),
                (cubes, (L.x, 3), None), (lambda x: 3, L.x, None), (cubes, L.s, None), (cubes, L.xr, None)]
    for graph in (False, True):
        for strict in (False, True):
            for name in ("vjp", "jvp", "hvp", "vhp"):
                for f, x, v in products:
                    yield lambda L, n=name, f=f, x=x, v=v, g=graph, s=strict: getattr(L.AF, n)(
                        f, x, v, create_graph=g, strict=s)
            for f, x, _ in products:
                yield lambda L, f=f, x=x, g=graph, s=strict: L.AF.jacobian(f, x, create_graph=g, strict=s)
                yield lambda L, f=f, x=x, g=graph, s=strict: L.AF.hessian(f, x, create_graph=g, strict=s)
    for f, x, _ in products:
        yield lambda L, f=f, x=x: L.AF.jacobian(f, x, vectorize=True)
        yield lambda L, f=f, x=x: L.AF.hessian(f, x, vectorize=True)
        for more in ({}, {"strict": True}):
            yield lambda L, f=f, x=x, m=more: L.AF.jacobian(f, x, strategy="forward-mode", **m)
            yield lambda L, f=f, x=x, m=more: L.AF.hessian(f, x, outer_jacobian_strategy="forward-mode", **m)


@pytest.mark.torch
def test_functional_beside_torch():
    pytest.importorskip("torch")
    mine, theirs = library("lamella.torch"), library("torch")
    for nr, (a, b) in enumerate(zip(functional_cases(mine), functional_cases(theirs), strict=True)):
        assert (nr, answer(a, mine)) == (nr, answer(b, theirs))


def dual(L, act):
    """Something done with a dual tensor, unpacked."""
    with L.fw.dual_level():
        return tuple(L.fw.unpack_dual(act(L.fw.make_dual(L.x, L.v))))


def twice_entered(L):
    with L.fw.dual_level(), L.fw.dual_level():
        pass


def over_reverse(L):
    with L.fw.dual_level():
        x = L.fw.make_dual(L.xr, L.v)
        z = cubes(x)
        (g,) = L.torch.autograd.grad(z, L.xr, create_graph=True)
        tangent = L.fw.unpack_dual(z).tangent
        return tuple(L.fw.unpack_dual(g)), tangent, L.torch.autograd.grad(tangent, L.xr), list(x.shape), x.is_leaf


def level_with(L, act):
    with L.fw.dual_level():
        return act()


FORWARD = [
    lambda L: L.fw.make_dual(L.x, L.v),
    lambda L: L.fw.exit_dual_level(),
    twice_entered,
    over_reverse,
    lambda L: dual(L, lambda d: d),
    lambda L: dual(L, lambda d: d * d),
    lambda L: dual(L, lambda d: d.detach()),
    lambda L: dual(L, lambda d: d.clone()),
    lambda L: dual(L, lambda d: d.mul_(2)),
    lambda L: dual(L, lambda d: L.torch.zeros(2).copy_(d)),
    lambda L: dual(L, lambda d: L.fw.make_dual(d, L.v)),
    lambda L: level_with(L, lambda: L.fw.make_dual(L.x, L.torch.ones(3))),
    lambda L: level_with(L, lambda: L.fw.make_dual(L.i, L.v)),
    lambda L: level_with(L, lambda: L.fw.make_dual(L.x, L.i)),
    lambda L: level_with(L, lambda: L.fw.make_dual(L.x, L.v, level=3)),
    lambda L: level_with(L, lambda: L.fw.unpack_dual(L.x)),
    lambda L: level_with(L, lambda: L.fw.make_dual(L.xr, L.v).mul_(2)),
    lambda L: level_with(L, lambda: L.fw.make_dual(L.x, L.v)) * 2,
    lambda L: L.fw.unpack_dual(L.x),
    lambda L: dual(L, lambda d: functions(L)[0](d)),
    lambda L: dual(L, lambda d: functions(L)[1](d)),
]


@pytest.mark.torch
@pytest.mark.parametrize("nr", range(len(FORWARD)))
def test_forward_ad_beside_torch(nr):
    pytest.importorskip("torch")
    assert answer(FORWARD[nr], library("lamella.torch")) == answer(FORWARD[nr], library("torch"))


def test_names():
    """Torch's names of the modules, as far as they are there."""
    assert {"grad", "jacrev", "vmap", "functional_call", "stack_module_state"} <= set(dir(ours.func))
    assert {"jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"} <= set(dir(ours.autograd.functional))
    assert {"dual_level", "make_dual", "unpack_dual", "UnpackedDualTensor"} <= set(dir(ours.autograd.forward_ad))
    assert ours.vmap is ours.func.vmap
