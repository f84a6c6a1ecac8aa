"""What autograd adds to Tensor: gradients, graph facts, hooks, detaching."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from lamella.core.extend import tensor_methods
from lamella.core.faults import as_bool
from lamella.core.tensor import Tensor, VersionCounter, alias, bump, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK, DispatchKey, bit

from .engine import queue_callback
from .entry import backward_one
from .graph import AccumulateGrad, Node, node_of, output_of
from .hooks import RemovableHandle, check_callable

_PYTHON = bit(DispatchKey.Python)


def _get_requires_grad(self: Tensor) -> bool:
    """Whether gradients flow to this tensor."""
    return self._ag is not None


def _set_requires_grad(self: Tensor, on: bool) -> None:
    if not isinstance(on, (bool, int)):
        raise RuntimeError(message("requires_grad", "must be a bool", {"got": type(on).__name__}))
    edge = self._ag
    if edge is not None and not isinstance(edge, AccumulateGrad):
        if on:
            return
        raise RuntimeError(message(
            "requires_grad", "you can only change requires_grad flags of leaf variables", [describe(self)],
            hint="to use a computed tensor where no gradient is needed: t.detach()"))
    if not on:
        self._ag = None
        self._ks &= ~AUTOGRAD_MASK
        self._twin = None  # type: ignore[attr-defined]
    elif edge is None:
        if self._a.dtype.kind not in "fc" and not self.dtype.is_floating_point:
            raise RuntimeError(message("requires_grad", "only Tensors of floating point and complex dtype can require "
                                       "gradients", [describe(self)]))
        # A view that becomes a leaf starts a history of its own: it is the base of views made from now on.
        self._base = None
        self._ag = AccumulateGrad(self)
        self._ks |= (self._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
        make_twin(self)


def make_twin(leaf: Tensor) -> None:
    """Make the tensor that graphs save in place of ``leaf`` (see `saved`). Call it again when ``leaf._a`` was
    replaced."""
    if leaf._ks & _PYTHON:
        return
    twin = alias(leaf)
    twin._ag = leaf._ag
    twin._ks = leaf._ks & (BACKEND_MASK | AUTOGRAD_MASK)
    leaf._twin = twin  # type: ignore[attr-defined]


def leaf_of(t: Tensor) -> Tensor:
    """The leaf that a saved twin stands for, while somebody holds it; any other tensor itself."""
    edge = t._ag
    if edge is not None and edge.__class__ is AccumulateGrad:
        leaf = node_of(edge).variable_ref()
        if leaf is not None and leaf._twin is t:
            return leaf
    return t


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Ask for gradients of this leaf (or no longer), in place; returns it.

    Example:
        >>> from lamella.core import ones
        >>> ones(2).requires_grad_().requires_grad
        True
    """
    if requires_grad is not True and requires_grad is not False:
        requires_grad = as_bool("requires_grad_", "requires_grad", requires_grad)
    if self._ag is not None or requires_grad:
        _set_requires_grad(self, requires_grad)
    return self


def _get_grad(self: Tensor) -> Tensor | None:
    """The gradient that backward has added up here, or None."""
    g = self._grad  # type: ignore[attr-defined]
    if g is None and self._ag is not None and self._ag.__class__ is not AccumulateGrad and not retains_grad(self):
        warnings.warn("Tensor.grad: the .grad attribute of a Tensor that is not a leaf Tensor is being accessed; it is "
                      "not kept (hint: call .retain_grad() on it before backward)", UserWarning, stacklevel=2)
    return g


def _set_grad(self: Tensor, g: Any) -> None:
    if g is None:
        self._grad = None  # type: ignore[attr-defined]
        return
    rule = None
    if not isinstance(g, Tensor):
        raise TypeError(message("grad", f"assigned grad expected to be a Tensor or None but got grad of type "
                                f"{type(g).__name__}"))
    if g is self:
        rule = "can't assign Variable as its own grad"
    elif g.dtype is not self.dtype:
        rule = f"assigned grad has data of a different type: expected {self.dtype}, got {g.dtype}"
    elif g.device != self.device:
        rule = "assigned grad has data located on a different device"
    elif g.shape != self.shape:
        rule = "assigned grad has data of a different size"
    if rule:
        raise RuntimeError(message("grad", rule, {"tensor": describe(self), "grad": describe(g)}))
    self._grad = g  # type: ignore[attr-defined]


def _del_grad(self: Tensor) -> None:
    self._grad = None  # type: ignore[attr-defined]


def grad_fn(self: Tensor) -> Node | None:
    """The node that computed this tensor; None for leaves."""
    edge = self._ag
    return None if edge is None or edge.__class__ is AccumulateGrad or node_of(edge).source else node_of(edge)


def is_leaf(self: Tensor) -> bool:
    """Whether the user made this tensor: it has no history."""
    edge = self._ag
    return edge is None or isinstance(edge, AccumulateGrad) or node_of(edge).source


def retain_grad(self: Tensor) -> None:
    """Keep this tensor's gradient in ``grad`` although it is not a leaf."""
    edge = self._ag
    if edge is None:
        raise RuntimeError(message("retain_grad", "can't retain_grad on Tensor that has requires_grad=False",
                                   [describe(self)]))
    if not isinstance(edge, AccumulateGrad):
        node_of(edge).watched().retain.setdefault(output_of(edge), weakref.ref(self))


def retains_grad(self: Tensor) -> bool:
    """Whether `retain_grad` is in force for this tensor."""
    edge = self._ag
    return edge is not None and node_of(edge).watch is not None and output_of(edge) in node_of(edge).watch.retain


def detach_(self: Tensor) -> Tensor:
    """Cut this tensor off from its history, in place; returns it.

    Errors:
        RuntimeError: it is a view; its base would still have the history.
    """
    if self._base is not None and self._ag is not None:
        raise RuntimeError(message("detach_", "Can't detach views in-place", [describe(self)],
                                   hint="use detach() instead"))
    if self._ag is not None:
        self._ag = None
        self._ks &= ~AUTOGRAD_MASK
        self._twin = None  # type: ignore[attr-defined]
    return self


def register_hook(self: Tensor, hook: Callable[[Any], Any]) -> RemovableHandle:
    """Call ``hook(grad)`` whenever this tensor's gradient has been computed; a returned tensor replaces it.

    Args:
        hook: takes the gradient, must not change it in place, returns None or a new one.

    Returns:
        A handle; ``handle.remove()`` takes the hook out.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor(1.0, requires_grad=True)
        >>> handle = x.register_hook(lambda g: g * 2)
        >>> (x * 3).backward()
        >>> x.grad
        tensor(6.)
    """
    edge = self._ag
    if edge is None:
        raise RuntimeError(message("register_hook", "cannot register a hook on a tensor that doesn't require gradient",
                                   [describe(self)]))
    check_callable("register_hook", hook)
    hooks = node_of(edge).watched().tensor_hooks.setdefault(output_of(edge), OrderedDict())
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable[[Any], Any]) -> RemovableHandle:
    """Call ``hook(leaf)`` after each backward has added to this leaf's gradient.

    Args:
        hook: takes the leaf; its result is ignored.

    Returns:
        A handle; ``handle.remove()`` takes the hook out.
    """
    edge = self._ag
    if edge is None:
        raise RuntimeError(message("register_post_accumulate_grad_hook",
                                   "cannot register a hook on a tensor that doesn't require gradient",
                                   [describe(self)]))
    if not isinstance(edge, AccumulateGrad):
        raise RuntimeError(message("register_post_accumulate_grad_hook",
                                   "post accumulate grad hooks cannot be registered on non-leaf tensors",
                                   [describe(self)]))
    check_callable("register_post_accumulate_grad_hook", hook)
    hooks = edge.watched().accumulated
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def _hooks_of(self: Tensor) -> Any:
    edge = self._ag
    watch = None if edge is None else node_of(edge).watch
    return None if watch is None else watch.tensor_hooks.get(output_of(edge))  # type: ignore[index]


def _post_hooks_of(self: Tensor) -> Any:
    edge = self._ag
    watch = None if edge is None else node_of(edge).watch
    return None if watch is None or not watch.accumulated else watch.accumulated


def output_nr(self: Tensor) -> int:
    """Which output of ``grad_fn`` this is."""
    return 0 if self._ag is None else output_of(self._ag)


def version(self: Tensor) -> int:
    """How often the memory that this tensor and its views share was written to in place."""
    return 0 if self._vc is None else self._vc.n


def _geometry(self: Tensor) -> Any:
    """Where this tensor lies in its storage: all that the gradient of `as_strided` needs to know of it."""
    from .geometry import geometry_of

    return geometry_of(self, self)._replace(offset=self.storage_offset())


def increment_version(tensor: Any) -> None:
    """Count a write that happened behind the framework's back: what was saved of the tensor is then seen to be stale.

    Args:
        tensor: a tensor, or several.
    """
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        bump(t, "increment_version")


def _get_data(self: Tensor) -> Tensor:
    """The values without history; writes to it are not seen by the version check. Prefer `detach`."""
    return wrap(self._a, self._ks & BACKEND_MASK)


def _set_data(self: Tensor, new: Any) -> None:
    if not isinstance(new, Tensor):
        raise TypeError(message("data", f"Variable data has to be a tensor, but got {type(new).__name__}"))
    if self._ag is not None and not (new.is_floating_point() or new.is_complex()):
        raise RuntimeError(message("data", "data set to a tensor that requires gradients must be floating point or "
                                           "complex dtype", {"new": describe(new)}))
    self._a = new._a
    backend = new._ks & BACKEND_MASK
    self._ks = (self._ks & ~(BACKEND_MASK | AUTOGRAD_MASK)) | backend
    if self._ag is not None:
        self._ks |= backend << AUTOGRAD_SHIFT
        if self._twin is not None:  # type: ignore[attr-defined]
            # Graphs that exist keep the memory they saw; with a counter of their own, new writes do not disturb them.
            self._vc = VersionCounter()
            make_twin(self)


class _VariableMeta(type):
    def __instancecheck__(cls, other: object) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """The former name of a tensor that takes part in graphs: gives the tensor back.

    Args:
        data: a tensor.
        requires_grad: whether gradients are asked for.
    """

    class _execution_engine:
        """What programs reach for the engine by."""

        queue_callback = staticmethod(queue_callback)

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> Any:
        return alias(data).requires_grad_(requires_grad)  # type: ignore[attr-defined]


Tensor._grad = None  # type: ignore[attr-defined]
Tensor._twin = None  # type: ignore[attr-defined]


def install() -> None:
    """Add everything here to Tensor."""
    tensor_methods(
        "lamella-autograd",
        requires_grad=property(_get_requires_grad, _set_requires_grad),
        grad=property(_get_grad, _set_grad, _del_grad),
        data=property(_get_data, _set_data),
        grad_fn=property(grad_fn),
        is_leaf=property(is_leaf),
        retains_grad=property(retains_grad),
        output_nr=property(output_nr),
        _version=property(version),
        _geometry=property(_geometry),
        _backward_hooks=property(_hooks_of),
        _post_accumulate_grad_hooks=property(_post_hooks_of),
        requires_grad_=requires_grad_,
        backward=backward_one,
        retain_grad=retain_grad,
        detach_=detach_,
        register_hook=register_hook,
        register_post_accumulate_grad_hook=register_post_accumulate_grad_hook,
        _is_view=lambda self: self._base is not None,
        is_inference=lambda self: False,
    )
