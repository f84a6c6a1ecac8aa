"""The Autograd kernel of an operator whose gradient was registered with `lamella.dispatch.register_autograd`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.schema_bind import default_of

from .function import Function


def _is_list(value: Any) -> bool:
    """Whether an argument is a list of tensors, which the graph takes apart."""
    return isinstance(value, (list, tuple)) and any(isinstance(each, Tensor) for each in value)


def _flatten(values: tuple[Any, ...]) -> tuple[list[Any], list[int | None]]:
    """Arguments with lists of tensors taken apart, and the length of each list (None: no list)."""
    flat: list[Any] = []
    lengths: list[int | None] = []
    for value in values:
        if _is_list(value):
            flat.extend(value)
            lengths.append(len(value))
        else:
            flat.append(value)
            lengths.append(None)
    return flat, lengths


def _gather(flat: Any, lengths: list[int | None]) -> tuple[Any, ...]:
    """The inverse of `_flatten`."""
    items = iter(flat)
    return tuple(next(items) if n is None else [next(items) for _ in range(n)] for n in lengths)


class _Ctx:
    """A ctx as `setup_context` and ``backward`` of an operator with list arguments see it."""

    __slots__ = ("_inner", "_lengths")

    def __init__(self, inner: Any, lengths: list[int | None]) -> None:
        object.__setattr__(self, "_inner", inner)
        object.__setattr__(self, "_lengths", lengths)

    @property
    def needs_input_grad(self) -> tuple[Any, ...]:
        """One entry per argument of the operator; a list for a list of tensors."""
        return _gather(self._inner.needs_input_grad[4:], self._lengths)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._inner, name, value)


class _CustomOp(Function):
    """One call: ``apply(call, kwargs, lengths, shape, *flat_arguments)``; ``shape`` receives the outputs' lengths."""

    _for_operator = True

    @staticmethod
    def forward(
        ctx: Any, call: Call, kwargs: dict[str, Any], lengths: list[int | None], shape: list[int | None], *flat: Any
    ) -> Any:
        """Compute below autograd, then let the operator's `setup_context` save what it needs."""
        args = _gather(flat, lengths)
        output = call.lower(*args, **kwargs)
        ctx.call, ctx.lengths = call, lengths
        setup = call.formula.setup_context
        if setup is not None:
            seen = _Ctx(ctx, lengths)
            if call.keyword_only:
                setup(seen, inputs=args, keyword_only_inputs=kwargs, output=output)
            else:
                setup(seen, inputs=args, output=output)
        if not call.returns:
            return ()
        flat_outputs, ctx.output_lengths = _flatten((output,) if call.single else tuple(output))
        shape += ctx.output_lengths
        return tuple(flat_outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Give the gradients of the outputs to the operator's ``backward`` and check what it returns."""
        call = ctx.call
        found = call.formula.backward(_Ctx(ctx, ctx.lengths), *_gather(grads, ctx.output_lengths))
        if not isinstance(found, tuple):
            found = tuple(found) if isinstance(found, list) and len(ctx.lengths) > 1 else (found,)
        if len(found) != len(ctx.lengths):
            rule = f"backward must return one gradient per argument, {len(ctx.lengths)}, not {len(found)}"
            raise RuntimeError(message(call.name, rule, hint=f"registered at {call.formula.where}"))
        flat: list[Any] = []
        for place, (grad, length) in enumerate(zip(found, ctx.lengths, strict=True)):
            if length is None:
                flat.append(grad)
            elif grad is None:
                flat.extend([None] * length)
            elif isinstance(grad, (tuple, list)) and len(grad) == length:
                flat.extend(grad)
            else:
                rule = f"the gradient of argument {place} must be a list of {length}, as the argument is"
                raise RuntimeError(message(call.name, rule, hint=f"registered at {call.formula.where}"))
        return (None, None, None, None, *flat)


class Call:
    """What the calls of one operator have in common."""

    __slots__ = ("name", "lower", "formula", "keyword_only", "returns", "single", "function")

    def __init__(self, op: Any, lower: Callable[..., Any], formula: Any) -> None:
        schema = op.schema
        self.name, self.lower, self.formula = op.name, lower, formula
        self.keyword_only, self.returns = bool(schema.keyword_only), schema.returns
        self.single = len(schema.returns) == 1
        name = f"GeneratedBackwardFor_{op.namespace}_{op.opname}_{op.overload or 'default'}"
        self.function: Any = type(name, (_CustomOp,), {"__doc__": _CustomOp.__doc__})


def layer(op: Any, ks: int, lower: Callable[..., Any], formula: Any) -> Callable[..., Any]:
    """The kernel for an Autograd key of ``op``: computes with ``lower`` and records ``formula``.

    Args:
        op: the operator overload.
        ks: the key set that the kernel is made for.
        lower: the kernel below autograd.
        formula: ``backward``, ``setup_context`` and the place of registration.
    """
    call = Call(op, lower, formula)
    positional, keyword = op.schema.positional, op.schema.keyword_only
    count = len(positional)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        # Formulas see every argument, also those that the caller left out.
        if len(args) < count:
            args += tuple(default_of(a) for a in positional[len(args) :])
        for a in keyword:
            if a.name not in kwargs and a.has_default_value():
                kwargs[a.name] = default_of(a)
        flat, lengths = _flatten(args)
        shape: list[int | None] = []
        outputs = call.function.apply(call, kwargs, lengths, shape, *flat)
        if not call.returns:
            return None
        results = _gather(outputs, shape)
        return results[0] if call.single else results

    return kernel
