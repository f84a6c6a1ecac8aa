"""Operators, their kernels, and the ladder that picks one.

Each overload has a table from key set to callable. A miss walks the ladder once (a kernel for the highest key,
composite
bodies, the Autograd alias, the backend's fallback, falling through to the next key, an error) and remembers the answer;
any registration forgets it again.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

from .keys import AUTOGRAD_MASK, BACKEND_MASK, DispatchKey, below, bit, keys_of, parse_key
from .state import state

Kernel = Callable[..., Any]
_CEA, _CIA, _AUTOGRAD = (
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeImplicitAutograd,
    DispatchKey.Autograd,
)


def fallthrough_kernel(*_args: Any, **_kwargs: Any) -> Any:
    """Registered as a kernel it means: this key does nothing here, go on to the next lower one."""
    raise RuntimeError("fallthrough_kernel: it is a mark for the dispatcher and is never called")


class Registration:
    """One kernel, how it wants to be called, and who registered it.

    kind is "plain" (called with the arguments), "keyset" (with the key set first), "bind" (a factory
    ``(op, ks, lower) -> callable``), or "fallthrough".
    """

    __slots__ = ("fn", "kind", "_where", "owner")

    def __init__(self, fn: Kernel, kind: str = "plain", where: str | None = None, owner: object = None) -> None:
        self.fn = fn
        self.kind = "fallthrough" if fn is fallthrough_kernel else kind
        self._where = where
        self.owner = owner

    @property
    def where(self) -> str:
        """``file:line`` of the registration, or of the kernel's definition."""
        if self._where is None:
            code = getattr(self.fn, "__code__", None)
            self._where = f"{code.co_filename}:{code.co_firstlineno}" if code else repr(self.fn)
        return self._where


class Table(dict):
    """Key set -> callable, filled by the ladder."""

    __slots__ = ("op",)
    op: OpOverload

    def __missing__(self, ks: int) -> Kernel:
        with _lock:
            kernel = self[ks] = resolve(self.op, ks)
            return kernel


class _Name(str):
    """An operator's name; also callable, as ``func.name()`` is in torch."""

    __slots__ = ()

    def __call__(self) -> str:
        return str(self)


class OpOverload:
    """One schema with its kernels.

    Attributes:
        name: ``namespace::operator.overload`` (no dot for the default overload).
        kernels: dispatch key -> Registration.
        table: the memo that calls go through.
        differentiable: False where a gradient makes no sense (Autograd falls through).
    """

    __slots__ = (
        "namespace",
        "opname",
        "overload",
        "name",
        "source",
        "_parsed",
        "kernels",
        "table",
        "differentiable",
        "tags",
        "providers",
        "family",
        "where",
        "__dict__",
        "__weakref__",
    )

    def __init__(
        self,
        namespace: str,
        source: str,
        *,
        differentiable: bool = True,
        tags: tuple[str, ...] = (),
        where: str | None = None,
    ) -> None:
        base, _, overload = source[: source.index("(")].partition(".")
        self.namespace, self.opname, self.overload = namespace, base, overload
        self.name = _Name(f"{namespace}::{base}.{overload}" if overload else f"{namespace}::{base}")
        self.source = source
        self._parsed: Any = None
        self.kernels: dict[DispatchKey, Registration] = {}
        self.providers: dict[DispatchKey, str] = {}
        self.table = Table()
        self.table.op = self
        self.differentiable = differentiable
        self.tags = tags
        self.family = ""
        self.where = where

    @property
    def schema(self) -> Any:
        """The parsed schema."""
        if self._parsed is None:
            from .schema import parse

            self._parsed = parse(f"{self.namespace}::{self.source}")
        return self._parsed

    _schema = schema

    @property
    def overloadpacket(self) -> Any:
        """All overloads of the operator: ``ops.aten.add`` for ``aten::add.Tensor``."""
        from .packets import packet

        return packet(f"{self.namespace}::{self.opname}")

    @property
    def is_view(self) -> bool:
        """Whether results share memory with arguments that are not written."""
        return self.schema.is_view

    def has_kernel_for_dispatch_key(self, key: DispatchKey | str) -> bool:
        """Whether a kernel is registered for exactly ``key``."""
        return self.kernel(parse_key(key)) is not None

    def decompose(self, *args: Any, **kwargs: Any) -> Any:
        """Run the composite body on the arguments; NotImplemented where the operator has none."""
        body = self.kernel(_CIA)
        return NotImplemented if body is None else body.fn(*args, **kwargs)

    @property
    def __name__(self) -> str:
        return f"{self.opname}.{self.overload or 'default'}"

    @property
    def symbol(self) -> str:
        """The overload as a Python identifier: ``add_Tensor``."""
        return f"{self.opname}_{self.overload}" if self.overload else self.opname

    def __str__(self) -> str:
        return f"{self.namespace}.{self.opname}.{self.overload or 'default'}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.namespace}.{self.opname}', overload='{self.overload or 'default'}')>"

    def kernel(self, key: DispatchKey) -> Registration | None:
        """The kernel registered for exactly ``key``, importing the module that provides it when needed."""
        found = self.kernels.get(key)
        if found is None:
            found = self.provided(key)
            if found is not None:
                self.kernels[key] = found
        return found

    def provided(self, key: DispatchKey) -> Registration | None:
        """The kernel that a generated module has for exactly ``key``, whatever was registered since."""
        if key not in self.providers:
            return None
        module = importlib.import_module(self.providers[key])
        bind = getattr(module, "BIND", False)
        fn = getattr(module, f"bind_{self.symbol}" if bind else self.symbol, None)
        return None if fn is None else Registration(fn, "bind" if bind else "plain", owner=module.__name__)

    def register(
        self,
        key: DispatchKey | str,
        fn: Kernel,
        *,
        kind: str = "plain",
        where: str | None = None,
        owner: object = None,
        override: bool = False,
    ) -> Registration:
        """Add a kernel; a second one for the same key is refused with both places unless ``override``."""
        key = parse_key(key)
        with _lock:
            old = None if override else self.kernel(key)
            new = Registration(fn, kind, where, owner)
            if old is not None:
                from .errors import message

                raise RuntimeError(
                    message(
                        self.name,
                        f"a kernel for {key.name} is registered twice",
                        {"first": old.where, "second": new.where},
                        hint="pass allow_override=True to replace it on purpose",
                    )
                )
            self.kernels[key] = new
            self.table.clear()
        return new

    def unregister(self, key: DispatchKey, registration: Registration | None = None) -> None:
        """Take a kernel back (only ``registration``, if it is given and still in place)."""
        with _lock:
            if registration is None or self.kernels.get(key) is registration:
                self.kernels.pop(key, None)
            self.table.clear()

    def redispatch(self, ks: int, *args: Any, **kwargs: Any) -> Any:
        """Call the kernel for exactly this key set: how a kernel goes on below its own key."""
        return self.table[ks](*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the operator with arguments in schema order."""
        args, kwargs = self.schema.bind(args, kwargs)
        ks = keys_in(args) | (keys_in(tuple(kwargs.values())) if kwargs else 0) or factory_keys(kwargs.get("device"))
        if ks & state.affected:
            ks = state.apply(ks)
        return self.table[ks](*args, **kwargs)


def keys_in(args: Any) -> int:
    """The union of key sets over tensors in a list of arguments and the lists inside it."""
    ks = 0
    for a in args:
        own = getattr(a, "_ks", None)
        if own is not None:
            ks |= own
        elif type(a) in (list, tuple):
            ks |= keys_in(a)
    return ks


def factory_keys(device: Any) -> int:
    """The key set of a call without tensors: that of its device argument (core replaces this)."""
    return _device_keys(device)


_device_keys: Callable[[Any], int] = lambda device: bit(DispatchKey.CPU)  # noqa: E731
_lock = threading.RLock()
_ops: dict[str, OpOverload] = {}
#: What to do once an operator is defined: registrations may come before the definition.
_awaited: dict[str, list[Callable[[OpOverload], Any]]] = {}
_fallbacks: dict[DispatchKey, Registration] = {}
_family_providers: dict[str, dict[DispatchKey, str]] = {}
#: Installed by core: wraps a backend kernel that writes into its arguments so that version counters move.
mutation_layer: Callable[[OpOverload, Kernel], Kernel] | None = None
#: Installed by core: the kernel for calls that mix backends (checks devices, then calls the one that may go on).
mixed_backends: Callable[[OpOverload, int], Kernel] | None = None
#: Installed by autograd: the kernel for differentiable operators without a formula.
missing_derivative: Callable[[OpOverload, int, Kernel], Kernel] | None = None
#: Installed by autograd: the Autograd kernel of an operator with a formula from `register_autograd`.
gradient_layer: Callable[[OpOverload, int, Kernel, Any], Kernel] | None = None
#: Installed by core: the public function (``torch.add``) that `__torch_function__` handlers get for an overload.
public_function: Callable[[OpOverload], Any] | None = None


def set_device_keys(fn: Callable[[Any], int]) -> None:
    """Core tells how a device argument becomes a key set."""
    global _device_keys
    _device_keys = fn


def install(**hooks: Any) -> None:
    """Set the hooks above by name."""
    for name, fn in hooks.items():
        if name not in ("mutation_layer", "mixed_backends", "missing_derivative", "gradient_layer", "public_function"):
            raise RuntimeError(f"install: there is no dispatcher hook {name!r}")
        globals()[name] = fn
    forget()


def forget() -> None:
    """Drop every memoised kernel."""
    with _lock:
        for op in _ops.values():
            op.table.clear()


def define(
    namespace: str, source: str, *, differentiable: bool = True, tags: tuple[str, ...] = (), where: str | None = None
) -> OpOverload:
    """Declare an operator overload by its schema and return it."""
    op = _declare(namespace, source, differentiable, tags, where)
    _announce(op)
    return op


def _declare(namespace: str, source: str, differentiable: bool, tags: tuple[str, ...], where: str | None) -> OpOverload:
    op = OpOverload(namespace, source, differentiable=differentiable, tags=tags, where=where)
    with _lock:
        if op.name in _ops:
            from .errors import message

            raise RuntimeError(
                message("define", f"{op.name} is defined twice", {"first": _ops[op.name].where, "second": where})
            )
        _ops[op.name] = op
    return op


def _announce(op: OpOverload) -> None:
    with _lock:
        for then in _awaited.pop(op.name, ()):
            then(op)


def when_defined(name: str, then: Callable[[OpOverload], Any]) -> None:
    """Call ``then(op)`` with the overload called ``name``: at once, or when it is declared."""
    with _lock:
        op = _ops.get(name)
        if op is None:
            _awaited.setdefault(name, []).append(then)
    if op is not None:
        then(op)


def define_many(
    namespace: str, family: str, rows: tuple[tuple[str, bool], ...], providers: dict[DispatchKey, str], where: str
) -> list[Table]:
    """Declare a generated family at once; returns the tables in order.

    Args:
        namespace: the operators' namespace.
        family: a name for the group, by which later layers provide kernels for all of it.
        rows: (schema, differentiable) pairs.
        providers: the modules that hold the kernels, by key; imported when a kernel is first needed.
        where: the YAML file the rows come from.
    """
    tables: list[Table] = []
    for source, differentiable in rows:
        op = _declare(namespace, source, differentiable, (), where)
        op.family = family
        op.providers.update(providers)
        key = _family_providers.get(family)
        if key:
            op.providers.update(key)
        _announce(op)
        tables.append(op.table)
    return tables


def provide(key: DispatchKey, modules: dict[str, str]) -> None:
    """Name the modules whose functions (called like the overloads) are kernels for ``key``, by family.

    The modules are imported when a kernel is first needed; families that are declared later are covered too.
    """
    for family, module in modules.items():
        _family_providers.setdefault(family, {})[key] = module
    for op in list(_ops.values()):
        if op.family in modules:
            op.providers[key] = modules[op.family]
            op.table.clear()


def undefine(op: OpOverload) -> None:
    """Remove an operator."""
    with _lock:
        _ops.pop(op.name, None)
        op.table.clear()


def find(name: str) -> OpOverload | None:
    """The overload called ``ns::op.overload``, or None."""
    return _ops.get(name)


def all_ops() -> Iterator[OpOverload]:
    """Every registered overload."""
    return iter(list(_ops.values()))


def set_fallback(
    key: DispatchKey | str, fn: Kernel | None, *, kind: str = "fallback", where: str | None = None
) -> None:
    """What a key does for operators that have no kernel for it: ``fn(op, *args, **kwargs)``, or fall through."""
    key = parse_key(key)
    with _lock:
        if fn is None:
            _fallbacks.pop(key, None)
        else:
            _fallbacks[key] = Registration(fn, kind, where)
    forget()


def fallback_of(key: DispatchKey) -> Registration | None:
    """The backend fallback registered for ``key``."""
    return _fallbacks.get(key)


def candidates(op: OpOverload, ks: int) -> Iterator[tuple[DispatchKey, str, Registration | None]]:
    """The ladder, rung by rung: (key, rung, registration or None). `explain` prints what `resolve` walks."""
    for key in keys_of(ks):
        mask = bit(key)
        yield key, "direct", op.kernel(key)
        if mask & BACKEND_MASK:
            yield key, _CEA.name, op.kernel(_CEA)
            yield key, _CIA.name, op.kernel(_CIA)
        elif mask & AUTOGRAD_MASK:
            yield key, _AUTOGRAD.name, op.kernel(_AUTOGRAD)
            own = ks & BACKEND_MASK
            if not any(op.kernel(k) for k in keys_of(own)) and op.kernel(_CEA) is None:
                yield key, _CIA.name, op.kernel(_CIA)
        yield key, "fallback", _fallbacks.get(key)


def resolve(op: OpOverload, ks: int) -> Kernel:
    """Walk the ladder for a key set and return what to call."""
    backends = ks & BACKEND_MASK
    if backends & (backends - 1) and ks.bit_length() < DispatchKey.Python and mixed_backends is not None:
        return mixed_backends(op, ks)
    for key, rung, found in candidates(op, ks):
        if found is None:
            if rung == "fallback" and bit(key) & AUTOGRAD_MASK and op.differentiable and missing_derivative is not None:
                return missing_derivative(op, ks, resolve(op, ks & below(DispatchKey.AutogradCPU)))
            if rung == "fallback" and bit(key) & BACKEND_MASK:
                break
            continue
        if found.kind == "fallthrough":
            return resolve(op, ks & below(key))
        return _callable(op, ks, key, found)
    return _no_kernel(op, ks)


def _callable(op: OpOverload, ks: int, key: DispatchKey, found: Registration) -> Kernel:
    fn = found.fn
    if found.kind == "bind":
        # All Autograd bits go at once: the layer below autograd starts under the lowest of them.
        mask = below(DispatchKey.AutogradCPU) if bit(key) & AUTOGRAD_MASK else below(key)
        return fn(op, ks, resolve(op, ks & mask))
    if found.kind == "keyset":
        return lambda *args, **kwargs: fn(ks, *args, **kwargs)
    if found.kind == "fallback":
        return lambda *args, **kwargs: fn(op, *args, **kwargs)
    if bit(key) & BACKEND_MASK and mutation_layer is not None and not getattr(fn, "moves_versions", False):
        return mutation_layer(op, fn)
    return fn


def _no_kernel(op: OpOverload, ks: int) -> Kernel:
    def no_kernel(*_args: Any, **_kwargs: Any) -> Any:
        from .ladder import no_kernel_message

        raise NotImplementedError(no_kernel_message(op, ks))

    return no_kernel


if os.environ.get("LAMELLA_LOGS"):
    from . import logs as _logs  # noqa: F401  # reads the variable
