"""Full backward hooks: an identity node on each side of a module's graph catches the gradients that pass."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from lamella.autograd import Function
from lamella.core import Tensor


class _Boundary(Function):
    """The identity, so that there is one node all gradients of one side pass through."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple[Tensor, ...]:
        ctx.mark_non_differentiable(*(t for t in args if not t.requires_grad))
        return args

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        return grads


def first_tensor(value: Any) -> Any:
    """The first tensor of an output that may be a tensor, a tuple or a mapping."""
    while not isinstance(value, Tensor):
        if isinstance(value, dict):
            value = next((v for v in value.values() if isinstance(v, Tensor)), None)
        elif isinstance(value, (tuple, list)) and value:
            value = value[0]
        else:
            return None
    return value


class BackwardHook:
    """The backward hooks of one call of a module.

    Args:
        module: the module; it is not kept alive.
        user_hooks: called as `hook(module, grad_input, grad_output)`.
        user_pre_hooks: called as `hook(module, grad_output)`.
    """

    def __init__(self, module: Any, user_hooks: list[Callable], user_pre_hooks: list[Callable]) -> None:
        self.module = weakref.ref(module)
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs: tuple | None = None
        self.n_inputs = -1
        self.n_outputs = -1
        self.input_at: list[int] | None = None
        self.output_at: list[int] | None = None

    def setup_input_hook(self, args: tuple) -> tuple:
        """Puts the identity under the inputs and listens there."""
        self.n_inputs = len(args)
        at = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        new, node = _wrap(args, at)
        if node is not None:
            self.input_at = at
            node.register_hook(self._on_input)
        return new

    def setup_output_hook(self, result: Any) -> Any:
        """Puts the identity over the outputs and listens there."""
        single = isinstance(result, Tensor)
        outputs = (result,) if single else result
        if not isinstance(outputs, tuple):
            return result
        self.n_outputs = len(outputs)
        at = [i for i, a in enumerate(outputs) if isinstance(a, Tensor)]
        new, node = _wrap(outputs, at)
        if node is not None:
            self.output_at = at
            node.register_prehook(self._on_output)
        return new[0] if single else new

    def _on_output(self, grads: tuple) -> tuple | None:
        full = _spread(grads, self.output_at or [], self.n_outputs)
        before = full
        for hook in self.user_pre_hooks:
            out = hook(self.module(), full)
            if out is not None:
                full = _checked("backward pre-hook", "grad_output", out, self.n_outputs)
        self.grad_outputs = full
        if self.input_at is None:
            nothing = (None,) * max(self.n_inputs, 0)
            for hook in self.user_hooks:
                if hook(self.module(), nothing, full) is not None:
                    raise RuntimeError(
                        "full backward hook: it must return None when no input of the module needs a gradient"
                    )
            self.grad_outputs = None
        return None if full is before else tuple(full[i] for i in self.output_at or ())

    def _on_input(self, grad_inputs: tuple, _: tuple) -> tuple | None:
        if self.grad_outputs is None:
            raise RuntimeError(
                "full backward hook: the gradients of the module's inputs arrived before those of its outputs\n"
                "hint: backward must go through the output of the module"
            )
        full = _spread(grad_inputs, self.input_at or [], self.n_inputs)
        before = full
        for hook in self.user_hooks:
            out = hook(self.module(), full, self.grad_outputs)
            if out is not None:
                full = _checked("full backward hook", "grad_input", out, self.n_inputs)
        self.grad_outputs = None
        return None if full is before else tuple(full[i] for i in self.input_at or ())


def _wrap(values: tuple, at: list[int]) -> tuple[tuple, Any]:
    """`values` with the tensors at `at` passed through the identity, and the identity's node (None: no gradients)."""
    tensors = [values[i] for i in at]
    if not any(t.requires_grad for t in tensors):
        return values, None
    wrapped = _Boundary.apply(*tensors)
    wrapped = wrapped if isinstance(wrapped, tuple) else (wrapped,)
    node = next((t.grad_fn for t in wrapped if t.grad_fn is not None), None)
    if node is None:
        return values, None  # gradients are switched off here
    new = list(values)
    for i, t in zip(at, wrapped, strict=True):
        new[i] = t
    if hasattr(values, "_fields"):
        return type(values)(*new), node
    return tuple(new), node


def _spread(grads: tuple, at: list[int], n: int) -> tuple:
    out: list[Any] = [None] * n
    for i, g in zip(at, grads, strict=False):
        out[i] = g
    return tuple(out)


def _checked(what: str, name: str, out: Any, n: int) -> tuple:
    out = out if isinstance(out, tuple) else (out,)
    if len(out) != n:
        raise RuntimeError(f"{what}: it must return as many {name} as it got ({len(out)} instead of {n})")
    return out
