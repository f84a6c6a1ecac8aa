"""Operators made from Python functions, and the three things an operator needs beyond kernels: a shape rule
(`register_fake`), kernels per device (`register_kernel`) and a gradient (`register_autograd`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import registry
from .conform import conform
from .errors import RegistrationError, message
from .inference import infer_schema
from .keys import AUTOGRAD_MASK, DispatchKey
from .library import Library, keys_for_devices, library_for, location, resolve_op, split_name
from .registry import OpOverload
from .schema import Schema
from .state import state

# -- shape rules -----------------------------------------------------------------------------------------------------


class FakeImplCtx:
    """What a shape rule may ask for: sizes that depend on data."""

    def __init__(self, op: OpOverload) -> None:
        self.op = op

    def new_dynamic_size(self, *, min: int = 0, max: int | None = None) -> Any:
        """A size that only the data decides. Works while a compiler traces; plain Meta tensors have no such sizes."""
        if new_size is None:
            rule = "the shape of the result depends on data, which meta tensors do not have"
            raise RuntimeError(message(self.op.name, rule))
        return new_size(min, max)

    create_unbacked_symint = new_dynamic_size


#: Installed by a tracer: makes a symbolic size within bounds.
new_size: Callable[[int, int | None], Any] | None = None
_fake = threading.local()


def get_ctx() -> FakeImplCtx:
    """The context of the shape rule that is running; only to be called from a function given to `register_fake`."""
    ctx = getattr(_fake, "ctx", None)
    if ctx is None:
        raise RuntimeError(message("get_ctx", "may only be called inside a function given to register_fake"))
    return ctx


@contextmanager
def _context(op: OpOverload) -> Iterator[None]:
    before = getattr(_fake, "ctx", None)
    _fake.ctx = FakeImplCtx(op)
    try:
        yield
    finally:
        _fake.ctx = before


def register_fake(
    op: Any, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None, allow_override: bool = True
) -> Any:
    """Register the rule that computes an operator's result on tensors without data: shapes, dtypes, strides.

    Args:
        op: name, overload or custom operator. It may be defined later.
        func: takes the operator's arguments, returns tensors made with ``torch.empty`` or ``new_empty``; a decorator
            where None. Arguments are bound by name where names agree.
        lib: the library that owns the registration.
        allow_override: replace an earlier rule.

    Raises:
        RegistrationError: the function does not fit the schema, or a rule exists and may not be replaced.
    """

    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        where = location()
        name = op if isinstance(op, str) else resolve_op(op).name
        library = library_for(name, lib)

        def add(found: OpOverload) -> None:
            kernel = conform(fn, found.schema, role="fake kernel")

            def fake(*args: Any, **kwargs: Any) -> Any:
                with _context(found):
                    return kernel(*args, **kwargs)

            fake.__wrapped__ = fn  # type: ignore[attr-defined]
            library._put(found, DispatchKey.Meta, fake, "plain", allow_override, where)

        _when_defined(name, add, library)
        return fn

    return register if func is None else register(func)


def _when_defined(name: str, add: Callable[[OpOverload], None], library: Library) -> None:
    name = name.removesuffix(".default")
    found = registry.find(name)
    if found is not None:
        add(found)
        return
    waiting = registry._awaited.setdefault(name, [])
    waiting.append(add)
    library._undo.append(lambda: waiting.remove(add) if add in waiting else None)


# -- gradients -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AutogradFormula:
    """What `register_autograd` was given: ``backward(ctx, *grads)`` and ``setup_context(ctx, inputs, output)``."""

    backward: Callable[..., Any]
    setup_context: Callable[..., Any] | None
    where: str


class _FormulaKernel:
    """The ``bind`` factory of an operator with a formula; keeps the formula where tests and compilers find it."""

    def __init__(self, formula: AutogradFormula) -> None:
        self.formula = formula

    def __call__(self, op: OpOverload, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
        if registry.gradient_layer is not None:
            return registry.gradient_layer(op, ks, lower, self.formula)

        def missing(*args: Any, **kwargs: Any) -> Any:
            hint = "pip install lamella-autograd and import lamella.autograd"
            raise RuntimeError(message(op.name, "gradients are provided by lamella-autograd", hint=hint))

        return missing


def formula_of(op: OpOverload) -> AutogradFormula | None:
    """The formula registered for an operator, or None."""
    registration = op.kernels.get(DispatchKey.Autograd)
    return registration.fn.formula if registration and isinstance(registration.fn, _FormulaKernel) else None


def register_autograd(
    op: Any,
    backward: Callable[..., Any],
    /,
    *,
    setup_context: Callable[..., Any] | None = None,
    lib: Library | None = None,
) -> None:
    """Register an operator's gradient.

    Args:
        op: name, overload or custom operator.
        backward: ``backward(ctx, *grads)`` returns one gradient (or None) per input.
        setup_context: ``setup_context(ctx, inputs, output)`` saves what backward needs; with keyword-only arguments in
            the schema it is called ``setup_context(ctx, inputs, keyword_only_inputs, output)`` by name.
        lib: the library that owns the registration.

    Raises:
        RuntimeError: the operator writes into its arguments or returns views.
        RegistrationError: a function takes other arguments.
    """
    where = location()
    name = op if isinstance(op, str) else resolve_op(op).name
    library = library_for(name, lib)

    def add(found: OpOverload) -> None:
        schema = found.schema
        if schema.is_mutable or schema.is_view:
            rule = "a gradient can only be registered for an operator that writes nothing and returns no views"
            raise RuntimeError(message(found.name, rule, details=[f"schema: {schema}"]))
        _check_formula(schema, backward, setup_context)
        factory = _FormulaKernel(AutogradFormula(backward, setup_context, where))
        library._put(found, DispatchKey.Autograd, factory, "bind", True, where)

    _when_defined(name, add, library)


def _check_formula(schema: Schema, backward: Callable[..., Any], setup: Callable[..., Any] | None) -> None:
    import inspect

    for role, fn in (("backward", backward), ("setup_context", setup)):
        if fn is None and role == "setup_context":
            continue
        if not callable(fn):
            raise TypeError(message(schema.full_name, f"{role} must be callable", type(fn).__name__))
        try:
            signature = inspect.signature(fn)
        except (TypeError, ValueError):
            continue
        try:
            if role == "backward":
                signature.bind(None, *([None] * len(schema.returns)))
                wanted = "(ctx" + "".join(f", grad{i}" for i in range(len(schema.returns))) + ")"
            else:
                wanted = (
                    "(ctx, inputs, keyword_only_inputs, output)" if schema.keyword_only else "(ctx, inputs, output)"
                )
                names = wanted[1:-1].split(", ")[1:]
                signature.bind(None, **dict.fromkeys(names))
        except TypeError:
            wanted = wanted if role != "backward" else f"(ctx, {len(schema.returns)} gradients)"
            rule = f"{role} must take {wanted}, not {signature}"
            raise RegistrationError(message(schema.full_name, rule, details=[f"schema: {schema}"])) from None


#: Rules for vmap, read by the batching layer: operator name -> ``(info, in_dims, *args) -> (output, out_dims)``.
vmap_rules: dict[str, Callable[..., Any]] = {}


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None) -> Any:
    """Register how an operator treats a batch dimension: ``func(info, in_dims, *args) -> (output, out_dims)``."""
    name = op if isinstance(op, str) else resolve_op(op).name

    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        vmap_rules[name] = fn
        library_for(name, lib)._undo.append(lambda: vmap_rules.pop(name, None))
        return fn

    return register if func is None else register(func)


def register_kernel(
    op: Any,
    device_types: str | Iterable[str] | None,
    func: Callable[..., Any] | None = None,
    /,
    *,
    lib: Library | None = None,
) -> Any:
    """Register a kernel for device types (``"cpu"``, ``["cuda"]``, None for all); a decorator without ``func``."""
    if isinstance(op, CustomOpDef):
        return op.register_kernel(device_types, func)
    name = op if isinstance(op, str) else resolve_op(op).name
    keys = keys_for_devices(device_types)

    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        for key in keys:
            library_for(name, lib).impl(name, fn, key)
        return fn

    return register if func is None else register(func)


# -- operators from functions ----------------------------------------------------------------------------------------


class CustomOpDef:
    """An operator made by `custom_op`. Call it, and register more about it with its methods."""

    def __init__(self, name: str, schema: str, fn: Callable[..., Any], tags: Any, devices: Any) -> None:
        ns, base = split_name(name)
        self._namespace, self._name, self._qualname = ns, base, name
        self._init_fn, self._schema = fn, schema
        old = OPDEFS.get(name)
        if old is not None:
            old._lib._destroy()  # as torch: defining a custom operator again replaces it (notebooks)
        self._lib: Library = Library(ns, "FRAGMENT")
        self._lib.where = location()
        self._lib.define(base + schema, tags=tags)
        self._opoverload = resolve_op(name)
        self._disabled: dict[DispatchKey, registry.Registration] = {}
        self.register_kernel(devices, fn)
        if DispatchKey.Meta not in self._opoverload.kernels:
            self._lib._put(self._opoverload, DispatchKey.Meta, self._no_fake, "plain", True, self._lib.where)
        OPDEFS[name] = self
        self.__name__ = base
        self.__doc__ = fn.__doc__

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the operator."""
        return self._opoverload(*args, **kwargs)

    def _no_fake(self, *args: Any, **kwargs: Any) -> Any:
        if not self._opoverload.schema.returns:
            return None  # nothing is returned, so nothing has a shape
        rule = "no rule says what it returns for tensors without data"
        hint = f"@{self._name}.register_fake on a function that returns empty tensors of the right shape"
        raise NotImplementedError(
            message(self._qualname, rule, details=[f"schema: {self._opoverload.schema}"], hint=hint)
        )

    def register_kernel(
        self, device_types: str | Iterable[str] | None, fn: Callable[..., Any] | None = None, /
    ) -> Callable[..., Any]:
        """Register an implementation for device types; None means all of them. Usable as a decorator."""
        keys = keys_for_devices(device_types)
        where = location()

        def register(func: Callable[..., Any]) -> Callable[..., Any]:
            kernel = conform(func, self._opoverload.schema)
            checked = _unaliased(self._opoverload, kernel)
            for key in keys:
                self._lib._put(self._opoverload, key, checked, "plain", True, where)
            return func

        return register if fn is None else register(fn)

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """Register the rule for tensors without data; see `register_fake`."""
        return register_fake(self._opoverload, fn, lib=self._lib)

    def register_autograd(self, backward: Callable[..., Any], /, *, setup_context: Any = None) -> None:
        """Register the gradient; see `register_autograd`."""
        register_autograd(self._opoverload, backward, setup_context=setup_context, lib=self._lib)

    def register_vmap(self, func: Callable[..., Any] | None = None, /) -> Any:
        """Register the batching rule; see `register_vmap`."""
        return register_vmap(self._opoverload, func, lib=self._lib)

    @contextmanager
    def set_kernel_enabled(self, device_type: str, enabled: bool = True) -> Iterator[None]:
        """Switch a device's kernel off (or on) for a block; without it the next rung of the ladder serves the calls."""
        key = keys_for_devices(device_type)[0]
        op = self._opoverload
        before = op.kernels.get(key)
        if enabled and before is None and key in self._disabled:
            op.kernels[key] = self._disabled[key]
        elif not enabled and before is not None:
            self._disabled[key] = before
            op.unregister(key, before)
        op.table.clear()
        try:
            yield
        finally:
            op.kernels.pop(key, None)
            if before is not None:
                op.kernels[key] = before
            op.table.clear()


OPDEFS: dict[str, CustomOpDef] = {}


def _unaliased(op: OpOverload, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse a result that *is* an argument: autograd and compilers rely on the schema, which says it is not."""
    if not op.schema.returns:
        return kernel
    from . import adapter

    def checked(*args: Any, **kwargs: Any) -> Any:
        tensors = adapter.tensors_in([args, kwargs])
        if any(adapter.current.keyset(each) & AUTOGRAD_MASK for each in tensors):
            # the operator is differentiated as a whole, not the operators of its body
            with state.masks(exclude=AUTOGRAD_MASK):
                result = kernel(*args, **kwargs)
        else:
            result = kernel(*args, **kwargs)
        given = {id(each) for each in tensors}
        for each in adapter.tensors_in([result]):
            if id(each) in given:
                rule = "a custom operator may not return one of its arguments"
                raise RuntimeError(message(op.name, rule, details=[f"schema: {op.schema}"], hint="return a clone"))
        return result

    checked.__wrapped__ = kernel  # type: ignore[attr-defined]
    checked.__code_of__ = kernel  # type: ignore[attr-defined]
    return checked


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: str | Iterable[str] | None = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """Make an operator of a Python function, so that autograd, modes and compilers treat it as a whole.

    Args:
        name: ``"namespace::name"``.
        fn: the function; a decorator where None. Its annotations give the schema.
        mutates_args: names of the tensors it writes into; ``"unknown"`` for all.
        device_types: the devices it works on; None for all.
        schema: ``"(Tensor x) -> Tensor"``, where annotations do not say it.
        tags: names kept with the operator.

    Returns:
        A `CustomOpDef`: call it like the function.

    Raises:
        ValueError: a wrong name, annotation or entry of ``mutates_args``.

    Example:
        >>> @custom_op("doc_custom::add_one", mutates_args=())
        ... def add_one(n: int) -> int:
        ...     return n + 1
        >>> add_one(n=2)
        3
    """

    def make(func: Callable[..., Any]) -> CustomOpDef:
        split_name(name)
        text = schema
        if text is None:
            text = infer_schema(func, mutates_args=mutates_args)
        else:
            _check_mutates(name, text, mutates_args)
        return CustomOpDef(name, text, func, tags or (), device_types)

    return make if fn is None else make(fn)


def _check_mutates(name: str, schema: str, mutates: str | Iterable[str]) -> None:
    from .schema import parse

    parsed = parse(name.partition("::")[2] + schema)
    if isinstance(mutates, str):
        if mutates == "unknown":
            return
        rule = f"mutates_args is a sequence of names, or the string 'unknown', not {mutates!r}"
        raise ValueError(message(name, rule, hint=f"mutates_args=({mutates!r},)"))
    written, declared = set(parsed.mutated_args), set(mutates)
    if written != declared:
        rule = "mutates_args and the schema disagree on what is written"
        raise ValueError(message(name, rule, {"mutates_args": sorted(declared), "schema": sorted(written)}))
