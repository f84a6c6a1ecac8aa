"""The layers above this package, as far as they are loaded: modules, optimizers, autograd.

This package depends on the core only. Where modules or optimizers are in use they are loaded already; here is the one
place that looks for them.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from threading import get_ident
from typing import Any


def module_class() -> Any:
    """`nn.Module`, or None where nobody has loaded it."""
    found = sys.modules.get("lamella.nn.module")
    return None if found is None else found.Module


def optimizer_class() -> Any:
    """`optim.Optimizer`, or None where nobody has loaded it."""
    found = sys.modules.get("lamella.optim.optimizer")
    return None if found is None else found.Optimizer


def is_module(value: Any) -> bool:
    """Whether a value is an `nn.Module`."""
    cls = module_class()
    return cls is not None and isinstance(value, cls)


def is_optimizer(value: Any) -> bool:
    """Whether a value is an optimizer."""
    cls = optimizer_class()
    return cls is not None and isinstance(value, cls)


def lacks_state(optimizer: Any) -> bool:
    """Whether an optimizer keeps state for each parameter, and has not begun to."""
    operator = getattr(type(optimizer), "_operator", None)
    if optimizer.state:
        return False
    if operator is None:
        return True
    return any(optimizer._used(group) for group in optimizer.param_groups)


_no_hooks: dict[int, Any] = {}


def leaf_hooks() -> dict[int, Any]:
    """The leaves that have hooks."""
    found = sys.modules.get("lamella.autograd.graph")
    return _no_hooks if found is None else found.leaves_with_hooks


def hooks_of(t: Any) -> tuple[Any, ...]:
    """The hooks on a leaf's gradient, in order."""
    if id(t._ag) not in leaf_hooks():
        return ()
    w = t._ag.watch
    return tuple(hook for each in (*w.tensor_hooks.values(), w.pre, w.post, w.accumulated) for hook in each.values())


def _tables(watch: Any) -> list[dict[int, Any]]:
    """Where the hooks of a leaf stand."""
    return [watch.pre, watch.post, watch.accumulated, watch.retain, watch.tensor_hooks, *watch.tensor_hooks.values()]


def kept_hooks() -> dict[int, list[tuple[dict[int, Any], dict[int, Any]]]]:
    """What `drop_hooks` goes back to: id of a leaf's node -> (table of hooks, what it holds now)."""
    nodes = ((key, ref()) for key, ref in list(leaf_hooks().items()))
    return {key: [(table, dict(table)) for table in _tables(node.watch)] for key, node in nodes if node is not None}


def drop_hooks(before: dict[int, list[tuple[dict[int, Any], dict[int, Any]]]]) -> bool:
    """Put back the hooks that leaves had before; whether there were others. Leaves that another thread has begun to
    watch meanwhile are none of ours."""
    found = False
    for key, ref in list(leaf_hooks().items()):
        node = ref()
        if node is None:
            continue
        if key not in before:
            if node.watch.thread != get_ident():
                continue
            for name in ("watch", "kind"):
                node.__dict__.pop(name, None)
            leaf_hooks().pop(key, None)
            found = True
        for table, then in before.get(key, ()):
            if table.keys() != then.keys() or any(table[k] is not hook for k, hook in then.items()):
                table.clear()
                table.update(then)
                found = True
    return found


def optimizer_rules() -> dict[str, Any]:
    """The arithmetic of the optimizers' steps, by name."""
    from lamella.optim.rules import all_rules

    return all_rules()


def resampling(mode: str, n: int, m: int, align_corners: bool, scale: Any, back: bool = False) -> tuple[Any, Any]:
    """What a change of ``n`` elements to ``m`` reads: places in the input and weights; back, that of its gradient."""
    from lamella.nn.kernels import vision

    found: tuple[Any, Any] = (vision.transposed if back else vision.taps)(mode, n, m, align_corners, scale)
    return found


def gradients(outputs: list[Any], inputs: list[Any], grads: list[Any]) -> tuple[Any, ...]:
    """The gradients of inputs, given those of outputs; the history stays. None where there is no path."""
    from lamella.autograd.entry import grad

    found: tuple[Any, ...] = grad(outputs, inputs, grads, retain_graph=True, allow_unused=True)
    return found


def no_grad() -> Any:
    """A context without histories."""
    found = sys.modules.get("lamella.autograd.grad_mode")
    return nullcontext() if found is None else found.no_grad()


def connect() -> Any:
    """What gives the outputs of a compiled forward their history (see `lamella.compile.aot`)."""
    from .aot_function import connect as found

    return found



def is_spent(t: Any) -> bool:
    """Whether backward has run through a tensor's history and given up what it had saved."""
    if t._ag is None:
        return False
    from lamella.autograd.graph import node_of
    from lamella.autograd.saved import FREED

    stack, seen = [node_of(t._ag)], set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if any(getattr(node, name, None) is FREED for name in (*node.saved, "kept")):
            return True
        stack += [node_of(e) for e in node.edges if e is not None]
    return False


def load_operators() -> None:
    """Declare the operators of modules and optimizers, which load with what uses them: a text only names them."""
    from contextlib import suppress
    from importlib import import_module
    from pkgutil import iter_modules

    with suppress(ImportError):
        import_module("lamella.optim.operators")
    with suppress(ImportError):
        home = import_module("lamella.nn._gen")
        for found in iter_modules(home.__path__):
            if not found.name.endswith(("_cpu", "_cuda", "_meta", "_autograd")):
                import_module(f"lamella.nn._gen.{found.name}")
