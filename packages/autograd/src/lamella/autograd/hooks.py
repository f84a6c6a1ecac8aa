"""Hooks on tensors and nodes, and the handles that remove them."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from threading import get_ident
from typing import Any

from lamella.dispatch.errors import message

_ids = count()


class RemovableHandle:
    """Takes a hook out again. Also a context manager that removes the hook at its end.

    Args:
        hooks_dict: the dictionary the hook is kept in; it must allow weak references (``OrderedDict`` does).
        extra_dict: one more dictionary, or a list of them, that has an entry under the same id.

    Example:
        >>> hooks = OrderedDict()
        >>> handle = RemovableHandle(hooks)
        >>> hooks[handle.id] = print
        >>> handle.remove()
        >>> len(hooks)
        0
    """

    next_id = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = next(_ids)
        RemovableHandle.next_id = self.id + 1
        extra = [] if extra_dict is None else extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra)

    def remove(self) -> None:
        """Take the hook out; removing it twice does nothing."""
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.hooks_dict_ref(), self.id, [ref() for ref in self.extra_dict_ref]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        hooks, self.id = state[0], state[1]
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(OrderedDict() if d is None else d) for d in (state[2:] or [[]])[0])

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.remove()


class Watch:
    """What a node's `watch` attribute holds once somebody looks on.

    Attributes:
        tensor_hooks: output number -> hooks of the tensor at that output, ``hook(grad) -> grad or None``.
        retain: output number -> weak reference to the tensor that keeps its gradient.
        pre: hooks ``hook(grad_outputs) -> tuple or None`` before the node runs.
        post: hooks ``hook(grad_inputs, grad_outputs) -> tuple or None`` after it.
        accumulated: on AccumulateGrad, hooks ``hook(leaf)`` after the leaf's gradient was written.
        thread: who made it.
    """

    __slots__ = ("tensor_hooks", "retain", "pre", "post", "accumulated", "thread")

    def __init__(self) -> None:
        self.thread = get_ident()
        self.tensor_hooks: dict[int, OrderedDict[int, Callable[[Any], Any]]] = {}
        self.retain: dict[int, Any] = {}
        self.pre: OrderedDict[int, Callable[[Any], Any]] = OrderedDict()
        self.post: OrderedDict[int, Callable[[Any, Any], Any]] = OrderedDict()
        self.accumulated: OrderedDict[int, Callable[[Any], Any]] = OrderedDict()

    def arrived(self, node: Any, grads: list[Any]) -> list[Any]:
        """Run the hooks of the tensors at the node's outputs, then keep the gradients that were asked for."""
        for nr, hooks in self.tensor_hooks.items():
            for hook in list(hooks.values()):
                if grads[nr] is not None:
                    grads[nr] = one_result(node, hook, hook(grads[nr]), grads[nr])
        for nr, ref in self.retain.items():
            tensor = ref()
            if tensor is not None and grads[nr] is not None:
                old = tensor._grad
                tensor._grad = grads[nr].clone() if old is None else old + grads[nr]
        return grads

    def before(self, node: Any, grads: list[Any]) -> list[Any]:
        """Run the pre-hooks."""
        for hook in list(self.pre.values()):
            grads = many_results(node, hook, hook(tuple(grads)), grads)
        return grads

    def after(self, node: Any, inputs: list[Any], outputs: list[Any]) -> list[Any]:
        """Run the post-hooks over the gradients that the node computed (``inputs``) and was given (``outputs``)."""
        for hook in list(self.post.values()):
            inputs = many_results(node, hook, hook(tuple(inputs), tuple(outputs)), inputs)
        return inputs


def hook_name(hook: Any) -> str:
    """What to call a hook in a message."""
    return getattr(hook, "__qualname__", None) or repr(hook)


def one_result(node: Any, hook: Any, new: Any, old: Any) -> Any:
    """The gradient after a tensor hook: the old one for None, else a checked new one."""
    if new is None:
        return old
    if not hasattr(new, "_ks"):
        raise TypeError(message("hook", f"expected hook to return a Tensor or None (got {type(new).__name__})",
                                details=[f"hook: {hook_name(hook)}, on {node.name()}"]))
    check_same_kind(node, hook, new, old)
    return new


def many_results(node: Any, hook: Any, new: Any, old: list[Any]) -> list[Any]:
    """The gradients after a node hook: the old ones for None, else a checked tuple."""
    if new is None:
        return old
    values = list(new) if isinstance(new, (tuple, list)) else [new]
    if len(values) != len(old):
        raise RuntimeError(message(
            "hook", f"hook '{hook_name(hook)}' has returned an incorrect number of values "
            f"(got {len(values)}, but expected {len(old)})", details=[f"on {node.name()}"]))
    for n, o in zip(values, old, strict=True):
        if n is not None and o is not None:
            check_same_kind(node, hook, n, o)
    return values


def check_same_kind(node: Any, hook: Any, new: Any, old: Any) -> None:
    """A hook may change a gradient's values, not what kind of tensor it is."""
    if new is old:
        return
    for what, a, b in (("type", new.dtype, old.dtype), ("size", new.shape, old.shape),
                       ("device", new.device, old.device)):
        if a != b:
            raise RuntimeError(message(
                "hook", f"hook '{hook_name(hook)}' has changed the {what} of value (was {b}, now {a})",
                details=[f"on {node.name()}"], hint="give back a gradient like the one that came in"))


def check_callable(op: str, hook: Any) -> None:
    """Registering something that cannot be called is refused where it happens."""
    if not callable(hook):
        raise TypeError(message(op, "a hook must be callable", {"got": type(hook).__name__}))
