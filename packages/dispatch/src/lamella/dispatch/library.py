"""``torch.library``: operators and kernels from Python code, by its names and meanings.

What differs, on purpose: a registration lives until ``_destroy()`` is called, whatever happens to the `Library` object;
a kernel's signature is checked against the schema when it is registered; kernels may come before definitions; two
libraries that register the same kernel are an error that shows both places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from . import registry
from .conform import conform
from .errors import RegistrationError, caller_location, did_you_mean, message
from .keys import DispatchKey, parse_key
from .registry import OpOverload, fallthrough_kernel

__all__ = ["Library", "define", "fallthrough_kernel", "impl", "keys_for_devices"]

_INTERNAL = ("lamella.dispatch", "contextlib")
_RESERVED = ("prim",)
_OTHER_NAMES = {
    "AutocastCPU": "Autocast",
    "AutocastCUDA": "Autocast",
    "FuncTorchBatched": "Transform",
    "ADInplaceOrView": "Autograd",
    "CatchAll": "CompositeImplicitAutograd",
}
_DEVICE_KEYS = {
    "cpu": DispatchKey.CPU,
    "cuda": DispatchKey.CUDA,
    "meta": DispatchKey.Meta,
    "privateuse1": DispatchKey.PrivateUse1,
    "privateuseone": DispatchKey.PrivateUse1,
    "privateuse2": DispatchKey.PrivateUse2,
    "privateuse3": DispatchKey.PrivateUse3,
    "default": DispatchKey.CompositeExplicitAutograd,
}
_owners: dict[str, str] = {}  # namespace -> place of its DEF library


def location() -> str:
    """``file:line`` of the code outside dispatch that is registering something."""
    return caller_location(2, skip=_INTERNAL)


def read_key(key: str | DispatchKey) -> DispatchKey:
    """A dispatch key by lamella's or torch's name."""
    return parse_key(_OTHER_NAMES.get(key, key) if isinstance(key, str) else key)


class Library:
    """A namespace's operators, or kernels for them.

    Args:
        ns: the namespace.
        kind: ``"DEF"`` owns the namespace (one per namespace), ``"FRAGMENT"`` adds definitions to it, ``"IMPL"`` adds
            kernels only.
        dispatch_key: the key that `impl` uses where it is given none.

    Raises:
        ValueError: an unknown kind, or a reserved namespace.
        RuntimeError: a second ``DEF`` library for a namespace.

    Example:
        >>> lib = Library("doc_library", "DEF")
        >>> lib.define("twice(int x) -> int")
        'twice'
        >>> lib.impl("twice", lambda x: 2 * x)
        >>> from lamella.dispatch import ops
        >>> ops.doc_library.twice(4)
        8
        >>> lib._destroy()
    """

    def __init__(self, ns: str, kind: str, dispatch_key: str | DispatchKey = "") -> None:
        if kind not in ("DEF", "IMPL", "FRAGMENT"):
            raise ValueError(message("Library", f"unknown kind {kind!r}", hint="valid: DEF, IMPL, FRAGMENT"))
        if not isinstance(ns, str) or not ns.isidentifier():
            raise ValueError(message("Library", "a namespace is a Python identifier", repr(ns)))
        if ns in _RESERVED and kind != "IMPL":
            raise ValueError(message("Library", f"the namespace {ns!r} is reserved", hint="choose a name of your own"))
        self.ns, self.kind = ns, kind
        self.dispatch_key = read_key(dispatch_key) if dispatch_key else None
        self.where = location()
        self._undo: list[Callable[[], Any]] = []
        if kind == "DEF":
            if ns in _owners:
                places = {"first": _owners[ns], "second": self.where}
                rule = f"the namespace {ns!r} is defined by two libraries"
                raise RegistrationError(message("Library", rule, places, hint=f'use Library("{ns}", "FRAGMENT")'))
            _owners[ns] = self.where
            self._undo.append(lambda: _owners.pop(ns, None))

    def __repr__(self) -> str:
        key = self.dispatch_key.name if self.dispatch_key else ""
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={key})"

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Declare an operator.

        Args:
            schema: without the namespace: ``"twice(Tensor x) -> Tensor"``.
            alias_analysis: accepted as torch does; the schema's annotations say it all.
            tags: names kept with the operator.

        Returns:
            The operator's name, with its overload.

        Raises:
            SchemaError: the schema does not parse.
            RuntimeError: an ``IMPL`` library, or an operator that exists.
        """
        from .schema import parse

        if self.kind == "IMPL":
            rule = "an IMPL library cannot define operators"
            raise RegistrationError(message("define", rule, f"{self.ns}: {schema}", hint="use FRAGMENT, or DEF"))
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            rule = f"unknown alias_analysis {alias_analysis!r}"
            raise RuntimeError(message("define", rule, hint="valid: '', FROM_SCHEMA, CONSERVATIVE"))
        parsed = parse(schema)
        if parsed.namespace and parsed.namespace != self.ns:
            rule = "a library defines operators of its own namespace"
            raise RegistrationError(message("define", rule, f"library {self.ns}, schema {parsed.name}"))
        parsed = parsed.with_name(f"{self.ns}::{parsed.base_name}")
        source = str(parsed).removeprefix(f"{self.ns}::")
        names = tuple([tags] if isinstance(tags, str) else (str(tag) for tag in tags))
        exists = registry.find(parsed.full_name) is not None
        try:
            op = registry.define(self.ns, source, tags=names, where=location())
        except RegistrationError:  # a kernel that came before does not fit: no half-made operator stays
            made = registry.find(parsed.full_name)
            if made is not None and not exists:
                registry.undefine(made)
            raise
        self._undo.append(lambda: registry.undefine(op))
        return op.name.removeprefix(f"{self.ns}::")

    def impl(
        self,
        op_name: str | OpOverload | Any,
        fn: Callable[..., Any],
        dispatch_key: str | DispatchKey = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = False,
    ) -> None:
        """Register a kernel.

        A built-in kernel may be replaced (and comes back on ``_destroy``); one that a library registered may not,
        unless ``allow_override=True``.

        Args:
            op_name: ``"op"``, ``"op.overload"``, ``"ns::op"`` or an overload.
            fn: the kernel, or `fallthrough_kernel`.
            dispatch_key: the key; the library's, else CompositeImplicitAutograd, where it is empty.
            with_keyset: pass the key set as first argument.
            allow_override: replace what another library registered.

        Raises:
            RegistrationError: the function does not fit the schema, or the kernel exists.
            TypeError: ``fn`` cannot be called.
        """
        if not callable(fn):
            rule = "a kernel must be callable"
            raise TypeError(message("impl", rule, f"{self._full_name(op_name)}: {type(fn).__name__}"))
        key = read_key(dispatch_key) if dispatch_key else self.dispatch_key or DispatchKey.CompositeImplicitAutograd
        name, where = self._full_name(op_name), location()
        add = lambda op: self._add(op, fn, key, with_keyset, allow_override, where)  # noqa: E731
        op = registry.find(name)
        if op is not None:
            add(op)
        else:
            waiting = registry._awaited.setdefault(name, [])
            waiting.append(add)
            self._undo.append(lambda: waiting.remove(add) if add in waiting else None)

    def _add(
        self, op: OpOverload, fn: Callable[..., Any], key: DispatchKey, with_keyset: bool, override: bool, where: str
    ) -> None:
        kernel = fn
        if fn is not fallthrough_kernel:
            try:
                kernel = conform(fn, op.schema, role=f"{key.name} kernel", leading=int(with_keyset))
            except RegistrationError as error:
                raise RegistrationError(f"{error}\nregistered at {where}") from None
        self._put(op, key, kernel, "keyset" if with_keyset else "plain", override, where)

    def _put(
        self, op: OpOverload, key: DispatchKey, kernel: Callable[..., Any], kind: str, override: bool, where: str
    ) -> registry.Registration:
        old = op.kernel(key)
        if old is not None and isinstance(old.owner, Library) and not override:
            rule = f"a kernel for {key.name} is registered twice"
            hint = "pass allow_override=True to replace it on purpose"
            raise RegistrationError(message(op.name, rule, {"first": old.where, "second": where}, hint=hint))
        new = op.register(key, kernel, kind=kind, where=where, owner=self, override=True)

        def undo() -> None:
            if op.kernels.get(key) is new:
                op.unregister(key, new)
                if old is not None and not getattr(old.owner, "_destroyed", False):
                    op.kernels[key] = old
                    op.table.clear()

        self._undo.append(undo)
        return new

    def fallback(
        self, fn: Callable[..., Any], dispatch_key: str | DispatchKey = "", *, with_keyset: bool = False
    ) -> None:
        """Register what a key does for every operator that has no kernel for it.

        Args:
            fn: called ``fn(op, *args, **kwargs)`` (with ``with_keyset``: ``fn(keyset, op, *args, **kwargs)``), or
                `fallthrough_kernel`.
            dispatch_key: the key; the library's where it is empty.
        """
        key = read_key(dispatch_key) if dispatch_key else self.dispatch_key
        if key is None:
            raise RuntimeError(message("fallback", "a fallback needs a dispatch key", f"library {self.ns}"))
        if self.ns != "_":
            rule = "a fallback serves all operators, so its library has the namespace '_'"
            raise RuntimeError(
                message("fallback", rule, f"library {self.ns}", hint=f'Library("_", "IMPL", "{key.name}")')
            )
        if not callable(fn):
            raise TypeError(message("fallback", "a kernel must be callable", type(fn).__name__))
        old, where = registry.fallback_of(key), location()
        if old is not None and old.owner is not None:
            rule, places = f"a fallback for {key.name} is registered twice", {"first": old.where, "second": where}
            raise RegistrationError(message("fallback", rule, places))
        kind = "plain" if fn is fallthrough_kernel else "fallback"
        if with_keyset:
            user = fn
            kind = "bind"
            fn = lambda op, ks, lower: lambda *args, **kwargs: user(ks, op, *args, **kwargs)  # noqa: E731
        registry.set_fallback(key, fn, kind=kind, where=where)
        new = registry.fallback_of(key)
        if new is not None:
            new.owner = self

        def undo() -> None:
            if registry.fallback_of(key) is new:
                restored = old.fn if old is not None else None
                registry.set_fallback(
                    key, restored, kind=old.kind if old else "fallback", where=old.where if old else None
                )

        self._undo.append(undo)

    _destroyed = False

    def _destroy(self) -> None:
        """Undo every registration of this library, latest first; a second call does nothing."""
        self._destroyed = True
        while self._undo:
            self._undo.pop()()

    def _full_name(self, op_name: Any) -> str:
        if isinstance(op_name, str):
            name = op_name.removesuffix(".default")
        else:
            name = resolve_op(op_name).name
        if "::" not in name:
            return f"{self.ns}::{name}"
        if name.partition("::")[0] != self.ns:
            rule = "a library registers kernels for its own namespace"
            raise RuntimeError(message("impl", rule, f"library {self.ns}, operator {name}"))
        return name


def resolve_op(op: Any) -> OpOverload:
    """The overload that a name, overload, packet or custom operator stands for.

    Raises:
        RuntimeError: there is none; names the nearest.
    """
    if isinstance(op, OpOverload):
        return op
    inner = getattr(op, "_opoverload", None)
    if inner is not None:
        return inner
    if isinstance(op, str):
        name = op.removesuffix(".default")
        found = registry.find(name)
        if found is not None:
            return found
        known = [each.name for each in registry.all_ops()]
        overloads = [n for n in known if n.startswith(name + ".")]
        if len(overloads) == 1:
            found = registry.find(overloads[0])
            if found is not None:
                return found
        hint = "overloads: " + ", ".join(overloads) if overloads else did_you_mean(name, known, list_all=6)
        raise RuntimeError(message("operator", f"there is no operator {op!r}", hint=hint))
    default = getattr(op, "default", None)
    if isinstance(default, OpOverload):
        return default
    raise TypeError(message("operator", "expected a name, an overload or a custom operator", type(op).__name__))


def keys_for_devices(types: str | Iterable[str] | None, what: str = "device_types") -> list[DispatchKey]:
    """The dispatch keys for device types as `impl` and `register_kernel` take them; None means every device."""
    if types is None:
        return [DispatchKey.CompositeExplicitAutograd]
    found = []
    for each in [types] if isinstance(types, str) else types:
        name = str(each).partition(":")[0]
        if name in _DEVICE_KEYS:
            found.append(_DEVICE_KEYS[name])
        elif name in DispatchKey.__members__ or name in _OTHER_NAMES:
            found.append(read_key(name))
        else:
            raise ValueError(message(what, f"unknown device type {each!r}", hint=did_you_mean(name, _DEVICE_KEYS)))
    return found


_module_library: dict[str, Library] = {}


def library_for(name: str, lib: Library | None = None) -> Library:
    """The library that module-level functions register ``ns::op`` with."""
    if lib is not None:
        return lib
    ns = split_name(name)[0]
    found = _module_library.get(ns)
    if found is None or found._destroyed:
        found = _module_library[ns] = Library(ns, "FRAGMENT")
    return found


def split_name(name: str) -> tuple[str, str]:
    """``"ns::op"`` -> ``("ns", "op")``."""
    ns, colons, op = name.partition("::")
    if not colons or not ns.isidentifier() or not op or "::" in op:
        rule = "an operator's full name reads 'namespace::name'"
        raise ValueError(message("operator", rule, repr(name), hint=f"for example 'mylib::{op or ns}'"))
    return ns, op


def define(
    qualname: Any, schema: str | None = None, alias_analysis: str = "", *, lib: Any = None, tags: Any = ()
) -> Any:
    """Declare an operator by full name and signature; also a decorator ``@define(lib, schema)`` that adds its kernel.

    Args:
        qualname: ``"ns::op"``, or a `Library` for the decorator form.
        schema: ``"(Tensor x) -> Tensor"``; the whole schema in the decorator form.
        lib: the library that owns the definition.
        tags: names kept with the operator.

    Example:
        >>> define("doc_define::half", "(float x) -> float")
        >>> impl("doc_define::half", "default", lambda x: x / 2)
        >>> from lamella.dispatch import ops
        >>> ops.doc_define.half(3.0)
        1.5
    """
    if isinstance(qualname, Library):
        library, text = qualname, schema or ""

        def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
            library.impl(library.define(text, alias_analysis, tags=tags), fn)
            return fn

        return decorate
    if not isinstance(qualname, str):
        raise ValueError(message("define", "expected a name 'namespace::op'", type(qualname).__name__))
    _, name = split_name(qualname)
    if not isinstance(schema, str) or not schema.lstrip().startswith("("):
        rule = "the schema starts with its arguments, the name is given apart"
        raise ValueError(message("define", rule, repr(schema), hint='define("ns::op", "(Tensor x) -> Tensor")'))
    library_for(qualname, lib).define(name + schema.strip(), alias_analysis, tags=tags)
    return None


def impl(qualname: Any, types: Any = "default", func: Any = None, dispatch_key: Any = "", *, lib: Any = None) -> Any:
    """Register a kernel for device types; a decorator where no function is given.

    Args:
        qualname: ``"ns::op"``, an overload, or a `Library` (``@impl(lib, "op", "CPU")``).
        types: device types (``"cpu"``, ``["cpu", "cuda"]``), ``"default"`` for all, or dispatch keys.
        func: the kernel.
        lib: the library that owns the registration.
    """
    if isinstance(qualname, Library):
        library, op_name, key = qualname, types, func or dispatch_key

        def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
            library.impl(op_name, fn, key)
            return fn

        return decorate
    name = qualname if isinstance(qualname, str) else resolve_op(qualname).name
    keys = keys_for_devices(types, "impl")

    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        for key in keys:
            library_for(name, lib).impl(name, fn, key)
        return fn

    if func is None:
        return register
    register(func)
    return None


@contextmanager
def _scoped_library(*args: Any, **kwargs: Any) -> Iterator[Library]:
    """A `Library` for a block; its registrations are undone at the end."""
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()
