"""`torch.compile` and the functions of `torch.compiler`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lamella.dispatch.errors import message

from . import backends, layers, status
from .function import CompiledFunction, reset, wrapper
from .modules import optimized

__all__ = ["CompiledFunction", "allow_in_graph", "assume_constant_result", "compile", "disable", "explain",
           "is_compiling", "list_backends", "register_backend", "reset", "set_stance"]

_MODES = (None, "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


def compile(model: Any = None, *, fullgraph: bool = False, dynamic: bool | None = None, backend: Any = "inductor",
            mode: str | None = None, options: dict[str, Any] | None = None, disable: bool = False) -> Any:
    """Compile a function or module: it is recorded when it is called, and runs as one program from then on.

    A function may hold a whole training step: forward, ``loss.backward()``, clipping, ``optimizer.step()`` and
    ``zero_grad()`` become one program, with parameters and optimizer state updated in place.

    Args:
        model: a function or module; without it, a decorator is returned.
        fullgraph: raise where a call cannot become one program, instead of running it uncompiled.
        dynamic: None makes a size a variable once it was seen to change, True from the start, False never.
        backend: ``"inductor"`` (another name of ``"cpp"``; for tensors on a GPU ``"cuda"``), ``"aot_eager"``,
            ``"eager"``, a name given to `register_backend`, or a function
            ``backend(graph_module, example_inputs) -> callable``.
        mode: accepted; one of "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs".
        options: handed to backends of your own.
        disable: return ``model`` as it is.

    Returns:
        A function that gives the same results; for a module an `OptimizedModule` that shares its parameters.

    Raises:
        RuntimeError: there is no such backend or mode.

    Example:
        >>> from lamella.core import ones
        >>> @compile(backend="eager")
        ... def double(x):
        ...     return x * 2
        >>> double(ones(2))
        tensor([2., 2.])
    """
    if mode not in _MODES:
        raise RuntimeError(message("torch.compile", f"unrecognized mode={mode!r}",
                                   hint=f"one of {', '.join(str(m) for m in _MODES[1:])}"))
    if mode is not None and options is not None:
        raise RuntimeError(message("torch.compile", "mode and options cannot be given together"))
    if model is None:
        return functools.partial(compile, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode,
                                 options=options, disable=disable)
    if disable:
        return model
    if not callable(model):
        raise RuntimeError(message("torch.compile", f"a function or module is needed (got {type(model).__name__})"))
    if isinstance(model, type):
        raise RuntimeError(message("torch.compile", "a class cannot be compiled",
                                   hint="compile its instances, or decorate its methods"))
    backends.lookup(backend)
    settings = {"backend": backend, "fullgraph": fullgraph, "dynamic": dynamic, "options": options}
    if layers.is_module(model):
        return optimized(model, settings)
    inner = getattr(model, "compiled", None)
    if isinstance(inner, CompiledFunction):
        model = inner.fn
    if getattr(model, "_lamella_disabled", False):
        return model
    return wrapper(CompiledFunction(model, **settings))


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """Keep the compiler out of a function: a compiled function that comes to it runs uncompiled.

    Args:
        fn: the function; without it, a decorator is returned.
        recursive: accepted; what ``fn`` calls is not compiled either.
        reason: said where the compiler stops.
    """
    if fn is None:
        return lambda f: disable(f, recursive, reason=reason)
    inner = getattr(fn, "compiled", None)
    target = inner.fn if isinstance(inner, CompiledFunction) else fn
    if layers.is_module(fn):
        fn.forward = disable(fn.forward, reason=reason)
        return fn
    name = getattr(target, "__qualname__", repr(target))

    @functools.wraps(target)
    def disabled(*args: Any, **kwargs: Any) -> Any:
        if status.is_recording():
            from .capture.breaks import Break, user_line

            raise Break(f"{name} is marked by torch.compiler.disable" + (f" ({reason})" if reason else ""),
                        user_line())
        return target(*args, **kwargs)

    disabled._lamella_disabled = True  # type: ignore[attr-defined]
    disabled._torchdynamo_disable = True  # type: ignore[attr-defined]
    return disabled


def is_compiling() -> bool:
    """Whether the code runs for the compiler to record it."""
    return status.is_recording()


def allow_in_graph(fn: Any) -> Any:
    """Let the compiler record a function: it does so anyway."""
    return fn


def assume_constant_result(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Let the compiler take a function's result, which must not be a tensor, as constant: it is not asked again."""
    return fn


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names that ``backend`` takes; with ``exclude_tags=()`` those for finding faults too."""
    return backends.list_backends(exclude_tags or ())


register_backend = backends.register_backend


_STANCES = ("default", "force_eager", "eager_on_recompile", "fail_on_recompile")


def set_stance(stance: str = "default", *, skip_guard_eval_unsafe: bool = False, force_backend: Any = None) -> Any:
    """Say for the whole process what compiled functions do; also a context manager and a decorator.

    Args:
        stance: "default"; "force_eager": run uncompiled; "eager_on_recompile": use what is compiled, and run
            uncompiled else; "fail_on_recompile": raise instead of compiling again.
        skip_guard_eval_unsafe, force_backend: accepted.

    Returns:
        A context manager that puts the stance before it back, and a decorator.

    Raises:
        RuntimeError: there is no such stance.
    """
    if stance not in _STANCES:
        raise RuntimeError(message("torch.compiler.set_stance", f"there is no stance {stance!r}",
                                   hint=f"one of {', '.join(_STANCES)}"))
    return _Stance(stance)


class _Stance:
    def __init__(self, stance: str) -> None:
        self._before, self._stance = status.stance[0], stance
        status.stance[0] = stance

    def __enter__(self) -> None:
        status.stance[0] = self._stance

    def __exit__(self, *_: object) -> None:
        status.stance[0] = self._before

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        status.stance[0] = self._before

        @functools.wraps(fn)
        def inside(*args: Any, **kwargs: Any) -> Any:
            before, status.stance[0] = status.stance[0], self._stance
            try:
                return fn(*args, **kwargs)
            finally:
                status.stance[0] = before

        return inside


def explain(fn: Any) -> Callable[..., Any]:
    """Tell what the compiler makes of a call: ``print(explain(fn)(*args))``.

    Returns:
        A function that takes the arguments, and returns an `Explanation`: graph, guards, breaks with their reasons,
        and what the backend says of its kernels. The call itself is made once, uncompiled, where it cannot be
        recorded; else its effects are left out.
    """
    from .explanation import explain_call

    return functools.partial(explain_call, fn)
