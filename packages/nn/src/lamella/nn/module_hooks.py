"""Calls of a module with hooks around `forward`, and the functions that register hooks.

A module without hooks never comes here: `__call__` reads one flag, `_slow_call`, and goes to `forward`. Registering any
hook raises the flag on the module (or, for global hooks, on the class); a slow call that finds no hook lowers it.
"""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from lamella.core import Tensor
from lamella.nn.utils.hooks import RemovableHandle

_global_backward_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_backward_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_is_full_backward_hook: bool | None = None
_global_forward_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_forward_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()
_global_forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()
_registration: dict[str, OrderedDict[int, Callable]] = {
    "parameter": OrderedDict(),
    "buffer": OrderedDict(),
    "module": OrderedDict(),
}

_GLOBAL_TABLES = (
    _global_backward_pre_hooks,
    _global_backward_hooks,
    _global_forward_pre_hooks,
    _global_forward_hooks,
)
_TABLES = ("_backward_pre_hooks", "_backward_hooks", "_forward_pre_hooks", "_forward_hooks")


def run_registration_hooks(kind: str, module: Any, name: str, value: Any) -> Any:
    """Lets the registration hooks of `kind` see, and perhaps replace, what is being registered."""
    for hook in _registration[kind].values():
        output = hook(module, name, value)
        if output is not None:
            value = output
    return value


class HooksMixin:
    """`__call__` and the registration of hooks."""

    _slow_call = False
    _compiled_call_impl: Callable | None = None
    _is_full_backward_hook: bool | None
    _backward_hooks: OrderedDict[int, Callable]
    _backward_pre_hooks: OrderedDict[int, Callable]
    _forward_hooks: OrderedDict[int, Callable]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _forward_pre_hooks: OrderedDict[int, Callable]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    forward: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._slow_call:
            return self._wrapped_call_impl(*args, **kwargs)
        return self.forward(*args, **kwargs)

    def _wrapped_call_impl(self, *args: Any, **kwargs: Any) -> Any:
        if self._compiled_call_impl is not None:
            return self._compiled_call_impl(*args, **kwargs)
        return self._call_impl(*args, **kwargs)

    def _call_impl(self, *args: Any, **kwargs: Any) -> Any:
        d = self.__dict__
        if not any(d[t] for t in _TABLES) and not any(_GLOBAL_TABLES):
            if self._compiled_call_impl is None:
                d.pop("_slow_call", None)
            return self.forward(*args, **kwargs)
        done: set[int] = set()
        try:
            return self._call_hooked(args, kwargs, done)
        except Exception:
            self._call_pending(args, kwargs, done)
            raise

    def _call_hooked(self, args: tuple, kwargs: dict, done: set[int]) -> Any:
        full, plain = self._get_backward_hooks()
        before = self._get_backward_pre_hooks()
        args, kwargs = self._run_pre_hooks(args, kwargs)
        bw = None
        if full or before:
            from lamella.nn.module_backward import BackwardHook  # loads what only backward hooks need

            bw = BackwardHook(self, full, before)
            args = bw.setup_input_hook(args)
        result = self.forward(*args, **kwargs)
        result = self._run_forward_hooks(args, kwargs, result, done)
        if bw is not None:
            if not isinstance(result, (Tensor, tuple)):
                warnings.warn(
                    f"{type(self).__name__}: backward hooks need a forward that returns a Tensor or a tuple of Tensors "
                    f"(got {type(result).__name__}); some gradients will not pass through them",
                    stacklevel=4,
                )
            result = bw.setup_output_hook(result)
        if plain:
            self._hook_grad_fn(plain, result, args)
        return result

    def _run_pre_hooks(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        for key, hook in (*_global_forward_pre_hooks.items(), *self._forward_pre_hooks.items()):
            if key in self._forward_pre_hooks_with_kwargs:
                out = hook(self, args, kwargs)
                if out is None:
                    continue
                if not (isinstance(out, tuple) and len(out) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {out}."
                    )
                args, kwargs = out
            else:
                out = hook(self, args)
                if out is not None:
                    args = out if isinstance(out, tuple) else (out,)
        return args, kwargs

    def _forward_hook_list(self) -> list[tuple[int, Callable, bool, bool]]:
        rows = []
        for key, hook in _global_forward_hooks.items():
            rows.append(
                (key, hook, key in _global_forward_hooks_with_kwargs, key in _global_forward_hooks_always_called)
            )
        for key, hook in self._forward_hooks.items():
            rows.append(
                (key, hook, key in self._forward_hooks_with_kwargs, key in self._forward_hooks_always_called)
            )
        return rows

    def _run_forward_hooks(self, args: tuple, kwargs: dict, result: Any, done: set[int]) -> Any:
        for key, hook, with_kwargs, always in self._forward_hook_list():
            if always:
                done.add(key)
            out = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
            if out is not None:
                result = out
        return result

    def _call_pending(self, args: tuple, kwargs: dict, done: set[int]) -> None:
        """Runs the `always_call` hooks that an exception has skipped."""
        for key, hook, with_kwargs, always in self._forward_hook_list():
            if not always or key in done:
                continue
            try:
                hook(self, args, kwargs, None) if with_kwargs else hook(self, args, None)
            except Exception as e:
                warnings.warn(
                    f"{type(self).__name__}: a forward hook with always_call=True raised while another error was "
                    f"on its way, and was ignored: {e}",
                    stacklevel=4,
                )

    def _hook_grad_fn(self, hooks: list[Callable], result: Any, args: tuple) -> None:
        from lamella.nn.module_backward import first_tensor

        var = first_tensor(result)
        grad_fn = getattr(var, "grad_fn", None)
        if grad_fn is None:
            return
        for hook in hooks:
            grad_fn.register_hook(functools.partial(hook, self))
        self._maybe_warn_non_full_backward_hook(args, result, grad_fn)

    def _maybe_warn_non_full_backward_hook(self, inputs: Any, result: Any, grad_fn: Any) -> None:
        """Warns where a hook on the last node alone does not see the gradients of the module's inputs."""
        wants = {t.grad_fn for t in inputs if isinstance(t, Tensor) and t.grad_fn is not None}
        sees = {edge[0] for edge in grad_fn.next_functions}
        if isinstance(result, tuple) and len(result) > 1 or wants != sees:
            warnings.warn(
                "register_backward_hook: this module runs several operators, so the hook sees only some gradients of "
                "its inputs; use register_full_backward_hook",
                FutureWarning,
                stacklevel=6,
            )

    def _slow_forward(self, *input: Any, **kwargs: Any) -> Any:
        return self.forward(*input, **kwargs)

    # ------------------------------------------------------------------ registration

    def _add_hook(self, table: str, hook: Callable, prepend: bool = False, flags: tuple[str, ...] = ()) -> Any:
        hooks = self.__dict__[table]
        marks = [self.__dict__[flag] for flag in flags]
        handle = RemovableHandle(hooks, extra_dict=marks)
        hooks[handle.id] = hook
        for mark in marks:
            mark[handle.id] = True
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        self.__dict__["_slow_call"] = True
        return handle

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Registers `hook(module, args)` to run before `forward`.

        Args:
            hook: may return new arguments (a tuple, or one value); with `with_kwargs` it is called as
                `hook(module, args, kwargs)` and may return `(args, kwargs)`.
            prepend: run it before the hooks registered so far.
            with_kwargs: also pass the keyword arguments.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        flags = ("_forward_pre_hooks_with_kwargs",) if with_kwargs else ()
        return self._add_hook("_forward_pre_hooks", hook, prepend, flags)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Registers `hook(module, args, output)` to run after `forward`.

        Args:
            hook: may return a new output; with `with_kwargs` it is called as `hook(module, args, kwargs, output)`.
            prepend: run it before the hooks registered so far.
            with_kwargs: also pass the keyword arguments.
            always_call: run it even if `forward` raised.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        flags: tuple[str, ...] = ("_forward_hooks_with_kwargs",) if with_kwargs else ()
        if always_call:
            flags += ("_forward_hooks_always_called",)
        return self._add_hook("_forward_hooks", hook, prepend, flags)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Registers `hook(module, grad_output)`, which may return a new `grad_output`."""
        return self._add_hook("_backward_pre_hooks", hook, prepend)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Registers `hook(module, grad_input, grad_output)` to run when the gradients of the inputs are known.

        Args:
            hook: may return a new `grad_input`. Non-tensor positions hold None.
            prepend: run it before the hooks registered so far.

        Raises:
            RuntimeError: the module has hooks of the older kind (`register_backward_hook`).
        """
        self._choose_kind(True)
        return self._add_hook("_backward_hooks", hook, prepend)

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """Registers a backward hook of the older kind, which sees the last operator only."""
        self._choose_kind(False)
        return self._add_hook("_backward_hooks", hook)

    def _choose_kind(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "register_backward_hook: a module cannot have both full and non-full backward hooks; use only one kind"
            )
        self._is_full_backward_hook = full

    def _get_backward_hooks(self) -> tuple[list[Callable], list[Callable]]:
        full: list[Callable] = []
        plain: list[Callable] = []
        (full if _global_is_full_backward_hook is True else plain).extend(_global_backward_hooks.values())
        (full if self._is_full_backward_hook is True else plain).extend(self._backward_hooks.values())
        return full, plain

    def _get_backward_pre_hooks(self) -> list[Callable]:
        return [*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()]

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compiles this module's call; the arguments are those of `torch.compile`.

        Raises:
            RuntimeError: the package lamella-compile is not installed.
        """
        try:
            from lamella.compile import compile as compile_fn  # type: ignore[import-not-found]
        except ImportError as e:
            raise RuntimeError("Module.compile: needs lamella-compile\nhint: pip install lamella-compile") from e
        self.__dict__["_compiled_call_impl"] = compile_fn(self._call_impl, *args, **kwargs)
        self.__dict__["_slow_call"] = True


# ---------------------------------------------------------------------- hooks on all modules


def _add_global(table: OrderedDict, hook: Callable, flags: tuple[OrderedDict, ...] = ()) -> RemovableHandle:
    handle = RemovableHandle(table, extra_dict=list(flags))
    table[handle.id] = hook
    for flag in flags:
        flag[handle.id] = True
    HooksMixin._slow_call = True
    return handle


def register_module_forward_pre_hook(hook: Callable) -> RemovableHandle:
    """Registers `hook(module, args)` to run before the `forward` of every module."""
    return _add_global(_global_forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Callable, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Registers `hook(module, args, output)` to run after the `forward` of every module."""
    flags: tuple[OrderedDict, ...] = (_global_forward_hooks_with_kwargs,) if with_kwargs else ()
    if always_call:
        flags += (_global_forward_hooks_always_called,)
    return _add_global(_global_forward_hooks, hook, flags)


def register_module_full_backward_pre_hook(hook: Callable) -> RemovableHandle:
    """Registers `hook(module, grad_output)` for every module."""
    return _add_global(_global_backward_pre_hooks, hook)


def _register_module_backward(hook: Callable, full: bool) -> RemovableHandle:
    global _global_is_full_backward_hook
    if _global_is_full_backward_hook is (not full):
        raise RuntimeError(
            "register_module_backward_hook: full and non-full global backward hooks cannot be mixed; use only one kind"
        )
    _global_is_full_backward_hook = full
    return _add_global(_global_backward_hooks, hook)


def register_module_full_backward_hook(hook: Callable) -> RemovableHandle:
    """Registers `hook(module, grad_input, grad_output)` for every module."""
    return _register_module_backward(hook, True)


def register_module_backward_hook(hook: Callable) -> RemovableHandle:
    """Registers a backward hook of the older kind for every module."""
    return _register_module_backward(hook, False)


def register_module_parameter_registration_hook(hook: Callable) -> RemovableHandle:
    """Registers `hook(module, name, param)` to run whenever a parameter is registered; it may return another."""
    return _add_registration("parameter", hook)


def register_module_buffer_registration_hook(hook: Callable) -> RemovableHandle:
    """Registers `hook(module, name, buffer)` to run whenever a buffer is registered; it may return another."""
    return _add_registration("buffer", hook)


def register_module_module_registration_hook(hook: Callable) -> RemovableHandle:
    """Registers `hook(module, name, submodule)` to run whenever a child is registered; it may return another."""
    return _add_registration("module", hook)


def _add_registration(kind: str, hook: Callable) -> RemovableHandle:
    handle = RemovableHandle(_registration[kind])
    _registration[kind][handle.id] = hook
    return handle
