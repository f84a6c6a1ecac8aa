"""`opcheck`: does an operator keep what its schema and its registrations promise?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import adapter
from .errors import LamellaError, did_you_mean, message
from .keys import AUTOGRAD_MASK, DispatchKey, keys_of
from .library import resolve_op
from .registry import OpOverload
from .schema import Argument, Schema
from .state import state


class OpCheckError(LamellaError):
    """An operator breaks a promise; the message says which."""


class _Call:
    """One call with its tensors copied, so that a check can look at what became of them."""

    def __init__(self, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.op = op
        self.schema: Schema = op.schema
        self.args, self.kwargs = self.schema.bind(args, kwargs, fill=True)

    def copied(self, copy: Callable[[Any], Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with every tensor replaced by ``copy(tensor)``; a tensor given twice stays one tensor."""
        made: dict[int, Any] = {}

        def each(value: Any) -> Any:
            if isinstance(value, (list, tuple)):
                return type(value)(each(one) for one in value)
            if adapter.current.is_tensor(value):
                if id(value) not in made:
                    made[id(value)] = copy(value)
                return made[id(value)]
            return value

        return tuple(each(a) for a in self.args), {name: each(value) for name, value in self.kwargs.items()}

    def named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[Argument, Any]]:
        """Pairs of argument and tensor, lists taken apart."""
        values = dict(zip((a.name for a in self.schema.positional), args)) | kwargs
        for argument in self.schema.arguments:
            for tensor in adapter.tensors_in([values.get(argument.name)]):
                yield argument, tensor

    def fail(self, rule: str, hint: str | None = None) -> None:
        raise OpCheckError(message(self.op.name, rule, details=[f"schema: {self.schema}"], hint=hint))


def test_schema(call: _Call, atol: float | None, rtol: float | None) -> None:
    """Nothing is written or shared that the schema does not say, and the returns are what it says."""
    tensors = adapter.current
    args, kwargs = call.copied(tensors.clone)
    before = [(argument, t, tensors.snapshot(t)) for argument, t in call.named(args, kwargs)]
    result = call.op(*args, **kwargs)
    for argument, tensor, snapshot in before:
        if not argument.is_write and not tensors.same_contents(tensor, snapshot):
            rule = f"writes into argument {argument.name!r}, which the schema does not say"
            call.fail(rule, f"declare it: mutates_args=({argument.name!r},), or Tensor(a!) {argument.name}")
    outputs = _outputs(call, result)
    _check_aliases(call, before, outputs)


def _outputs(call: _Call, result: Any) -> list[Any]:
    """The returned values, one per return of the schema; refuses another number or kind of them."""
    returns = call.schema.returns
    values = [result] if len(returns) == 1 else list(result) if isinstance(result, (list, tuple)) else [result]
    if not returns:
        if result is not None:
            call.fail(f"returns {_kind(result)}, but the schema says that it returns nothing")
        return []
    if len(values) != len(returns):
        call.fail(f"returns {len(values)} values, but the schema says {len(returns)}")
    for number, (value, returned) in enumerate(zip(values, returns)):
        is_list = isinstance(value, (list, tuple))
        fits = is_list if returned.type.is_list else not returned.type.is_tensor or adapter.current.is_tensor(value)
        if value is None and returned.type.is_optional:
            fits = True
        if not fits:
            call.fail(f"return {number} is {_kind(value)}, but the schema says {returned.type}")
    return values


def _kind(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def _check_aliases(call: _Call, inputs: list[tuple[Argument, Any, Any]], outputs: list[Any]) -> None:
    memory = adapter.current.memory
    allowed = call.schema.aliases()
    seen: dict[Any, int] = {}
    for number, value in enumerate(outputs):
        for tensor in adapter.tensors_in([value]):
            place = memory(tensor)
            if place is None:
                continue
            for argument, given, _ in inputs:
                if memory(given) == place and argument.name not in allowed.get(number, ()):
                    rule = (
                        f"return {number} shares memory with argument {argument.name!r}, which the schema does not say"
                    )
                    call.fail(rule, "return a clone, or annotate both: `Tensor(a) self -> Tensor(a)`")
            if seen.get(place, number) != number and number not in allowed:
                call.fail(f"returns {seen[place]} and {number} share memory, which the schema does not say")
            seen[place] = number


def test_faketensor(call: _Call, atol: float | None, rtol: float | None) -> None:
    """The rule for tensors without data gives the shapes, dtypes and strides that the real kernel gives."""
    tensors = adapter.current
    args, kwargs = call.copied(tensors.clone)
    real = adapter.tensors_in([call.op(*args, **kwargs)])
    args, kwargs = call.copied(tensors.to_meta)
    try:
        fake = adapter.tensors_in([call.op(*args, **kwargs)])
    except Exception as error:
        first = str(error).split("\n")[0]
        hint = None if isinstance(error, OpCheckError) else "register_fake: make empty tensors of the right shape"
        raise OpCheckError(message(call.op.name, "fails on tensors without data", first, hint=hint)) from error
    if len(real) != len(fake):
        call.fail(f"returns {len(real)} tensors, but {len(fake)} without data")
    for number, (ours, theirs) in enumerate(zip(real, fake)):
        for what in ("shape", "dtype", "stride"):
            wanted, found = getattr(tensors, what)(ours), getattr(tensors, what)(theirs)
            if wanted != found:
                call.fail(f"return {number} has {what} {wanted}, but {found} without data", "correct register_fake")


def test_autograd_registration(call: _Call, atol: float | None, rtol: float | None) -> None:
    """Where an input requires grad there is a gradient, registered at an Autograd key (or the body is composite)."""
    tensors = adapter.current
    wanting = [a.name for a, t in call.named(call.args, call.kwargs) if tensors.requires_grad(t)]
    if not wanting or not call.op.differentiable:
        return
    kernels = [*keys_of(AUTOGRAD_MASK), DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd]
    if not any(call.op.kernel(key) for key in kernels):
        rule = f"argument {wanting[0]!r} requires grad, but the operator has no gradient"
        call.fail(rule, "register_autograd, or register its kernel at CompositeImplicitAutograd")


def test_backward(call: _Call, atol: float | None, rtol: float | None) -> None:
    """Gradients are the same directly and under a dispatch mode, so that a tracer may stand in between."""
    from .modes import TorchDispatchMode

    class Through(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func(*args, **(kwargs or {}))

    tensors = adapter.current
    if not any(tensors.requires_grad(t) for _, t in call.named(call.args, call.kwargs)):
        return
    found: list[list[tuple[str, Any]]] = []
    for mode in (None, Through()):
        args, kwargs = call.copied(lambda t: tensors.with_requires_grad(t, tensors.requires_grad(t)))
        if mode is None:
            result = call.op(*args, **kwargs)
        else:
            with mode:
                result = call.op(*args, **kwargs)
        outputs = [t for t in adapter.tensors_in([result]) if tensors.requires_grad(t)]
        if not outputs:
            call.fail("an input requires grad, but no result does", "register_autograd")
        tensors.backward(outputs)
        found.append([(a.name, tensors.grad(t)) for a, t in call.named(args, kwargs) if tensors.requires_grad(t)])
    for (name, plain), (_, traced) in zip(*found):
        if (plain is None) != (traced is None) or (plain is not None and not tensors.close(plain, traced, atol, rtol)):
            call.fail(f"the gradient of {name!r} differs under a dispatch mode")


CHECKS: dict[str, Callable[[_Call, float | None, float | None], None]] = {
    "test_schema": test_schema,
    "test_autograd_registration": test_autograd_registration,
    "test_faketensor": test_faketensor,
    "test_aot_dispatch_dynamic": test_backward,
}
for _check in CHECKS.values():
    _check.__test__ = False  # type: ignore[attr-defined]  # torch's names for them look like pytest's


def opcheck(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Iterable[str] = tuple(CHECKS),
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> dict[str, Any]:
    """Check that an operator is registered rightly, on one sample of arguments.

    Args:
        op: overload, packet, custom operator, or name.
        args, kwargs: a call of it. Nothing is written into these tensors; they are copied first.
        test_utils: which checks: ``test_schema`` (no undeclared write or sharing), ``test_autograd_registration`` (a
            gradient at an Autograd key), ``test_faketensor`` (shapes, dtypes and strides without data),
            ``test_aot_dispatch_dynamic`` (gradients under a dispatch mode).
        raise_exception: raise at the first failure; otherwise collect.
        atol, rtol: how near gradients must be.

    Returns:
        Name of each check with ``"SUCCESS"`` or the exception.

    Raises:
        OpCheckError: a promise is broken.
        ValueError: no such check.
    """
    names = [test_utils] if isinstance(test_utils, str) else list(test_utils)
    for name in names:
        if name not in CHECKS:
            raise ValueError(message("opcheck", f"there is no check {name!r}", hint=did_you_mean(name, CHECKS)))
    call = _Call(resolve_op(op), tuple(args), kwargs or {})
    results: dict[str, Any] = {}
    for name in names:
        masks = state.thread.include, state.thread.exclude
        try:
            CHECKS[name](call, atol, rtol)
            results[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise
            results[name] = error
        finally:
            state.set_masks(*masks)
    return results
