"""`Library`, `define`, `impl`, `fallback`: torch.library's meanings, and the places where lamella is stricter."""

import gc

import pytest

from lamella.dispatch import Library, define, explain, fallthrough_kernel, guards, impl, ops, registry
from lamella.dispatch.errors import RegistrationError, SchemaError
from lamella.dispatch.keys import DispatchKey, bit, keyset
from lamella.dispatch.library import _scoped_library, keys_for_devices, resolve_op

HERE = "test_dispatch_library.py:"


def test_define_impl_call(library, arrays):
    lib = library()
    assert lib.define("f(Tensor x, int n=2) -> int") == "f"
    assert lib.define("f.two(Tensor x, Tensor y) -> int") == "f.two"
    lib.impl("f", lambda x, n: x.size * n, "CPU")
    lib.impl("f.two", lambda x, y: x.size + y.size, "CPU")
    x = arrays([1, 2, 3])
    assert ops.tns.f(x) == 6 and ops.tns.f(x, n=3) == 9 and ops.tns.f(x, x) == 6
    assert ops.tns.f.default(x) == 6 and ops.tns.f.two(x, x) == 6
    assert ops.tns.f.overloads() == ["default", "two"]


def test_registrations_outlive_the_library_object(arrays):
    def make():
        lib = Library("tns_alive", "FRAGMENT")
        lib.define("f(Tensor x) -> int")
        lib.impl("f", lambda x: 7, "CPU")
        return lib._undo

    undo = make()
    gc.collect()
    assert ops.tns_alive.f(arrays([1])) == 7
    while undo:
        undo.pop()()


def test_destroy_undoes_everything(library, arrays, text):
    lib = library()
    lib.define("gone(Tensor x) -> int")
    lib.impl("gone", lambda x: 1, "CPU")
    held = ops.tns.gone.default
    packet = ops.tns.gone
    assert packet(arrays([1])) == 1
    lib._destroy()
    lib._destroy()
    assert text(AttributeError, getattr, ops.tns, "gone").startswith("ops.tns: there is no operator 'gone'")
    assert text(AttributeError, getattr, packet, "default").startswith("ops.tns.gone: there is no overload 'default'")
    assert text(NotImplementedError, held, arrays([1])).startswith("tns::gone: there is no kernel for CPU")


def test_scoped_library(arrays):
    with _scoped_library("tns_scoped", "DEF") as lib:
        lib.define("f(Tensor x) -> int")
        lib.impl("f", lambda x: 1, "CPU")
        assert ops.tns_scoped.f(arrays([1])) == 1
    assert not hasattr(ops.tns_scoped, "f")
    with _scoped_library("tns_scoped", "DEF"):
        pass


def test_order_does_not_matter(library, arrays):
    library(kind="IMPL").impl("late", lambda x: 5, "CPU")
    library().define("late(Tensor x) -> int")
    assert ops.tns.late(arrays([1])) == 5


def test_a_kernel_before_its_definition_is_checked_by_it(library, text):
    library(kind="IMPL").impl("late2", lambda x, y: 5, "CPU")
    found = text(RegistrationError, library().define, "late2(Tensor x) -> int")
    assert "the CPU kernel wants an argument 'y' that the schema does not have" in found
    assert HERE in found.split("\n")[-1] and found.split("\n")[-1].startswith("registered at ")
    assert not hasattr(ops.tns, "late2")


def test_undone_before_the_definition_comes(library, arrays):
    lib = library(kind="IMPL")
    lib.impl("never", lambda x: 5, "CPU")
    lib._destroy()
    library().define("never(Tensor x) -> int")
    with pytest.raises(NotImplementedError):
        ops.tns.never(arrays([1]))


def test_registered_twice_shows_both_places(library, text):
    lib = library()
    lib.define("f(Tensor x) -> int")
    lib.impl("f", lambda x: 1, "CPU")
    first, hint = text(RegistrationError, lambda: library().impl("f", lambda x: 2, "CPU")).split("\n")
    assert first.startswith("tns::f: a kernel for CPU is registered twice (first=") and first.count(HERE) == 2
    assert hint == "hint: pass allow_override=True to replace it on purpose"


def test_allow_override_and_back(library, arrays):
    lib, other = library(), library()
    lib.define("f(Tensor x) -> int")
    lib.impl("f", lambda x: 1, "CPU")
    x = arrays([1])
    assert ops.tns.f(x) == 1
    other.impl("f", lambda x: 2, "CPU", allow_override=True)
    assert ops.tns.f(x) == 2
    other._destroy()
    assert ops.tns.f(x) == 1


def test_a_built_in_kernel_may_be_replaced(library, arrays):
    op = registry.define("tns", "built(Tensor x) -> int")
    try:
        op.register("CPU", lambda x: 1, where="here")
        lib = library(kind="IMPL")
        lib.impl("built", lambda x: 2, "CPU")
        assert op(arrays([1])) == 2
        lib._destroy()
        assert op(arrays([1])) == 1
    finally:
        registry.undefine(op)


def test_defined_twice_shows_both_places(library, text):
    lib = library()
    lib.define("f(Tensor x) -> int")
    found = text(RuntimeError, lambda: lib.define("f(Tensor x) -> Tensor"))
    assert found.startswith("define: tns::f is defined twice (first=") and found.count(HERE) == 2


def test_one_def_library_per_namespace(library, text):
    kept = [Library("tns_def", "DEF")]
    found = text(RegistrationError, lambda: Library("tns_def", "DEF"))
    assert found.startswith("Library: the namespace 'tns_def' is defined by two libraries (first=")
    assert found.count(HERE) == 2 and found.endswith('hint: use Library("tns_def", "FRAGMENT")')
    kept.pop()._destroy()
    library("tns_def", "DEF")


def test_faults_of_libraries(library, text):
    lib = library()
    assert text(ValueError, Library, "tns", "XX") == "Library: unknown kind 'XX'\nhint: valid: DEF, IMPL, FRAGMENT"
    assert text(ValueError, Library, "a b", "DEF") == "Library: a namespace is a Python identifier ('a b')"
    assert text(ValueError, Library, "prim", "DEF").startswith("Library: the namespace 'prim' is reserved")
    assert text(RegistrationError, library(kind="IMPL").define, "g() -> ()") == (
        "define: an IMPL library cannot define operators (tns: g() -> ())\nhint: use FRAGMENT, or DEF"
    )
    assert text(RegistrationError, lib.define, "other::g() -> ()") == (
        "define: a library defines operators of its own namespace (library tns, schema other::g)"
    )
    assert text(RuntimeError, lib.define, "g() -> ()", "X").startswith("define: unknown alias_analysis 'X'")
    assert text(SchemaError, lib.define, "g(Tensr x) -> ()").startswith("schema: unknown type 'Tensr' (column 3)")
    assert text(TypeError, lib.impl, "f", 3) == "impl: a kernel must be callable (tns::f: int)"
    assert text(RuntimeError, lib.impl, "other::f", len) == (
        "impl: a library registers kernels for its own namespace (library tns, operator other::f)"
    )
    assert (
        text(RuntimeError, lib.impl, "f", len, "CPUU")
        == "DispatchKey: there is no key 'CPUU'\nhint: did you mean 'CPU'?"
    )


def test_wrong_signature_is_refused_at_registration(library, text):
    lib = library()
    lib.define("f(Tensor x, Tensor y) -> int")
    lines = text(RegistrationError, lambda: lib.impl("f", lambda x: 0, "CPU")).split("\n")
    assert lines[0] == "tns::f: the CPU kernel does not take argument 'y'"
    assert lines[-1].startswith("registered at ") and HERE in lines[-1]


def test_the_key_of_the_library_and_the_default_key(library, arrays):
    lib = library(kind="FRAGMENT", key="Meta")
    lib.define("f(Tensor x) -> int")
    lib.impl("f", lambda x: 1)
    assert ops.tns.f(arrays([1], bit(DispatchKey.Meta))) == 1
    library().impl("f", lambda x: 2)
    assert ops.tns.f(arrays([1])) == 2
    assert resolve_op("tns::f").kernel(DispatchKey.CompositeImplicitAutograd) is not None


def test_torch_s_names_of_keys(library):
    lib = library()
    lib.define("f(Tensor x) -> int")
    for name, key in (("AutocastCPU", "Autocast"), ("FuncTorchBatched", "Transform")):
        lib.impl("f", lambda x: 1, name)
        assert DispatchKey[key] in resolve_op("tns::f").kernels


def test_with_keyset_and_redispatch(library, arrays):
    lib = library()
    lib.define("f(Tensor x, int n=1) -> int")
    op = resolve_op("tns::f")
    lib.impl("f", lambda x, n: 10 * n, "CPU")
    lib.impl("f", lambda ks, x, n: 1 + op.redispatch(ks & keyset("CPU"), x, n), "Tracer", with_keyset=True)
    assert op(arrays([1], keyset("CPU", "Tracer"))) == 11


def test_fallthrough(library, arrays):
    lib = library()
    lib.define("f(Tensor x) -> int")
    lib.impl("f", lambda x: 3, "CPU")
    lib.impl("f", fallthrough_kernel, "Tracer")
    x = arrays([1], keyset("CPU", "Tracer"))
    assert ops.tns.f(x) == 3


def test_fallback(library, arrays, text):
    lib = library()
    lib.define("f(Tensor x, int n=2) -> int")
    lib.impl("f", lambda x, n: n, "CPU")
    back = library("_", "IMPL", "PrivateUse2")
    back.fallback(lambda op, *args, **kwargs: (op.name, args[1:], kwargs))
    x = arrays([1], bit(DispatchKey.PrivateUse2))
    assert ops.tns.f(x, 5) == ("tns::f", (5,), {})
    found = text(RegistrationError, lambda: library("_", "IMPL").fallback(lambda op: 0, "PrivateUse2"))
    assert found.startswith("fallback: a fallback for PrivateUse2 is registered twice") and found.count(HERE) == 2
    back._destroy()
    with pytest.raises(NotImplementedError):
        ops.tns.f(x, 5)


def test_fallback_with_keyset_and_fallthrough(library, arrays):
    lib = library()
    lib.define("f(Tensor x) -> int")
    lib.impl("f", lambda x: 1, "CPU")
    back = library("_", "IMPL")
    back.fallback(lambda ks, op, x: (ks, op.name), "PrivateUse2", with_keyset=True)
    assert ops.tns.f(arrays([1], bit(DispatchKey.PrivateUse2))) == (bit(DispatchKey.PrivateUse2), "tns::f")
    back.fallback(fallthrough_kernel, "Tracer")
    assert ops.tns.f(arrays([1], keyset("CPU", "Tracer"))) == 1


def test_faults_of_fallbacks(library, text):
    assert text(RuntimeError, library().fallback, len, "CPU") == (
        "fallback: a fallback serves all operators, so its library has the namespace '_' (library tns)\n"
        'hint: Library("_", "IMPL", "CPU")'
    )
    assert text(RuntimeError, library("_", "IMPL").fallback, len).startswith(
        "fallback: a fallback needs a dispatch key"
    )
    assert text(TypeError, library("_", "IMPL", "Tracer").fallback, 3) == "fallback: a kernel must be callable (int)"


def test_module_functions(library, arrays, text):
    lib = library()
    define("tns::m", "(Tensor x, int n=1) -> int", lib=lib)
    impl("tns::m", ["cpu", "meta"], lambda x, n: n, lib=lib)
    assert ops.tns.m(arrays([1])) == 1 and ops.tns.m(arrays([1], bit(DispatchKey.Meta)), 4) == 4

    @impl("tns::m", "cuda", lib=lib)
    def m_cuda(x, n):
        return -n

    assert ops.tns.m(arrays([1], bit(DispatchKey.CUDA))) == -1 and m_cuda(None, 2) == -2
    assert text(ValueError, define, "m", "() -> ()") == (
        "operator: an operator's full name reads 'namespace::name' ('m')\nhint: for example 'mylib::m'"
    )
    assert text(ValueError, define, "tns::m", "m() -> ()").startswith("define: the schema starts with its arguments")
    assert text(ValueError, define, 3, "() -> ()") == "define: expected a name 'namespace::op' (int)"
    assert text(ValueError, impl, "tns::m", "cpuu", len) == (
        "impl: unknown device type 'cpuu'\nhint: did you mean 'cpu'?"
    )


def test_decorator_forms(library, arrays):
    lib = library()

    @define(lib, "d(Tensor x) -> int")
    def d(x):
        return 1

    @impl(lib, "d", "Meta")
    def d_meta(x):
        return 2

    assert ops.tns.d(arrays([1])) == 1 and ops.tns.d(arrays([1], bit(DispatchKey.Meta))) == 2


def test_keys_for_devices(text):
    assert keys_for_devices(None) == [DispatchKey.CompositeExplicitAutograd]
    assert keys_for_devices("cuda:0") == [DispatchKey.CUDA]
    assert keys_for_devices(["cpu", "AutogradCPU", "privateuse3"]) == [
        DispatchKey.CPU,
        DispatchKey.AutogradCPU,
        DispatchKey.PrivateUse3,
    ]
    assert text(ValueError, keys_for_devices, "gpu").startswith("device_types: unknown device type 'gpu'")


# -- ops -------------------------------------------------------------------------------------------------------------


def test_overloads_are_chosen_by_the_arguments(library, arrays, text):
    lib = library()
    for schema in ("g(Tensor x) -> str", "g.int(Tensor x, int y) -> str", "g.Tensor(Tensor x, Tensor y) -> str"):
        name = lib.define(schema)
        lib.impl(name, lambda *args, name=name: name, "CPU")
    x = arrays([1])
    assert (ops.tns.g(x), ops.tns.g(x, 1), ops.tns.g(x, x), ops.tns.g(x=x, y=2)) == ("g", "g.int", "g.Tensor", "g.int")
    lines = text(TypeError, ops.tns.g, x, "a").split("\n")
    assert lines == [
        "tns::g: no overload takes the arguments (Array, str)",
        "  tns::g: takes 1 positional argument, not 2",
        "  tns::g.int: argument 'y' must be int, not str (position 2)",
        "  tns::g.Tensor: argument 'y' must be Tensor, not str (position 2)",
    ]


def test_names_that_do_not_exist(library, text):
    lib = library()
    lib.define("alpha.out(Tensor x) -> int")
    assert text(AttributeError, getattr, ops.tns, "alpa") == (
        "ops.tns: there is no operator 'alpa'\nhint: did you mean 'alpha'?"
    )
    assert text(AttributeError, getattr, ops.tns_nothing, "f") == (
        "ops.tns_nothing: there is no operator 'f'\n"
        "hint: no operator of 'tns_nothing' is registered: import the package that brings them"
    )
    assert text(AttributeError, getattr, ops.tns.alpha, "default") == (
        "ops.tns.alpha: there is no overload 'default'\nhint: valid: out"
    )
    assert text(RuntimeError, resolve_op, "tns::alph") == (
        "operator: there is no operator 'tns::alph'\nhint: did you mean 'tns::alpha.out'?"
    )
    assert resolve_op("tns::alpha") is ops.tns.alpha.out
    assert text(TypeError, resolve_op, 3) == "operator: expected a name, an overload or a custom operator (int)"


def test_packets_are_one_object_and_print(library):
    lib = library()
    lib.define("p(Tensor x) -> int")
    assert ops.tns.p is ops.tns.p and ops.tns is ops.tns
    assert (str(ops.tns.p), repr(ops.tns.p)) == ("tns.p", "<OpOverloadPacket(op='tns.p')>")
    assert "p" in dir(ops.tns) and "tns" in dir(ops) and "default" in dir(ops.tns.p)
    assert not hasattr(ops, "__wrapped__") and not hasattr(ops.tns, "__wrapped__")
    lib.define("p.late(Tensor x) -> int")
    assert ops.tns.p.overloads() == ["default", "late"]


# -- explain ---------------------------------------------------------------------------------------------------------


def test_explain(library, arrays, capsys):
    lib = library()
    lib.define("e(Tensor x) -> int")
    lib.impl("e", lambda x: 1, "CPU")
    lib.impl("e", fallthrough_kernel, "Tracer")
    explain("tns::e", "CPU", "Tracer")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tns::e for {Tracer, CPU}"
    assert lines[1] == "  schema  e(Tensor x) -> int"
    assert lines[2].startswith("  defined ") and HERE in lines[2]
    assert lines[3].split()[:3] == ["Tracer", "direct", "fallthrough"]
    assert lines[4].split()[:3] == ["CPU", "direct", "runs"] and HERE in lines[4]
    explain(ops.tns.e, arrays([1], keyset("CPU", "Tracer")))
    assert capsys.readouterr().out.splitlines() == lines


def test_explain_without_a_kernel(library, capsys):
    lib = library()
    lib.define("e(Tensor x) -> int")
    explain("tns::e", "CPU")
    out = capsys.readouterr().out
    for rung in ("direct", "CompositeExplicitAutograd", "CompositeImplicitAutograd", "fallback"):
        assert f"  CPU  {rung:<25}  -\n" in out
    assert out.endswith("  no kernel serves this key set\n  it has no kernels at all\n")
    lib.impl("e", lambda x: 1, "Meta")
    explain("tns::e", "CPU")
    out = capsys.readouterr().out
    assert "kernels exist for:" in out and "    Meta " in out


def test_explain_applies_the_thread_s_masks(library, capsys):
    lib = library()
    lib.define("e(Tensor x) -> int")
    lib.impl("e", lambda x: 1, "CPU")
    with guards.exclude("Tracer"):
        explain("tns::e", "CPU", "Tracer")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tns::e for {CPU}"
    assert lines[1] == "  this thread's masks changed {Tracer, CPU} (include {}, exclude {Tracer})"


def test_explain_faults(text):
    assert text(RuntimeError, explain, "tns::nothing_like_it", "CPU").startswith(
        "operator: there is no operator 'tns::nothing_like_it'"
    )
    with pytest.raises(RuntimeError, match="there is no key 'CUPU'"):
        lib = Library("tns_x", "FRAGMENT")
        try:
            lib.define("e() -> ()")
            explain("tns_x::e", "CUPU")
        finally:
            lib._destroy()


def test_no_kernel_error(library, arrays, text):
    lib = library()
    lib.define("n(Tensor x) -> int")
    x = arrays([1])
    assert text(NotImplementedError, ops.tns.n, x).split("\n") == [
        "tns::n: there is no kernel for CPU (key set {CPU})",
        "  CPU: tried direct, CompositeExplicitAutograd, CompositeImplicitAutograd, fallback",
        "  it has no kernels at all",
        'hint: Library("tns", "IMPL").impl("n", fn, "CPU")',
    ]
    for key in ("Meta", "CUDA", "PrivateUse1"):
        lib.impl("n", lambda x: 1, key)
    lines = text(NotImplementedError, ops.tns.n, x).split("\n")
    assert lines[2].startswith("  kernels exist for: CUDA (") and lines[2].endswith(", 1 more") and HERE in lines[2]
    lines = text(NotImplementedError, ops.tns.n, arrays([1], keyset("PrivateUse2", "AutogradPrivateUse2"))).split("\n")
    assert lines[0] == "tns::n: there is no kernel for PrivateUse2 (key set {AutogradPrivateUse2, PrivateUse2})"
    assert lines[1] == "  AutogradPrivateUse2: tried direct, Autograd, CompositeImplicitAutograd, fallback"
