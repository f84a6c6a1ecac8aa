"""torch.compile."""

from __future__ import annotations

from typing import Any

from lamella.compile import compile as _compile

__all__ = ["compile"]


def compile(model: Any = None, *, fullgraph: bool = False, dynamic: bool | None = None, backend: Any = "inductor",
            mode: str | None = None, options: dict[str, Any] | None = None, disable: bool = False) -> Any:
    """Compile a function or module: it is recorded when it is called, and runs as one program from then on.

    A function may hold a whole training step: forward, ``loss.backward()``, clipping, ``optimizer.step()`` and
    ``zero_grad()`` become one program, with parameters and optimizer state updated in place.

    Args:
        model: a function or module; without it, a decorator is returned.
        fullgraph: raise where a call cannot become one program, instead of running it uncompiled.
        dynamic: None makes a size a variable once it was seen to change, True from the start, False never.
        backend: ``"inductor"`` (another name of ``"cpp"``), ``"aot_eager"``, ``"eager"``, the name of a registered
            backend, or a function ``backend(graph_module, example_inputs) -> callable``.
        mode: accepted; one of "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs".
        options: handed to backends of your own.
        disable: return ``model`` as it is.

    Returns:
        A function that gives the same results; for a module another module that shares its parameters.

    Raises:
        RuntimeError: there is no such backend or mode.

    Example:
        >>> compile(abs, disable=True)(-1)
        1
    """
    return _compile(model, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options,
                    disable=disable)
