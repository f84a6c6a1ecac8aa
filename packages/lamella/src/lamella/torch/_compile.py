"""torch.compile while there is no compiler: programs that ask for it run, uncompiled."""

from __future__ import annotations

import warnings
from typing import Any

_said = False


def compile(model: Any = None, *, fullgraph: bool = False, dynamic: bool | None = None, backend: Any = "inductor",
            mode: str | None = None, options: Any = None, disable: bool = False, **kwargs: Any) -> Any:
    """Return a function or module that gives the same results; compiled, once lamella has a compiler.

    Args:
        model: what to compile; without it, a decorator is returned.
        fullgraph: True is refused with an error instead of running uncompiled.
        dynamic, backend, mode, options: accepted; they choose among things that there are none of.
        disable: return ``model`` without a word.

    Returns:
        ``model`` itself. A warning says once that it runs uncompiled.

    Raises:
        RuntimeError: if ``fullgraph`` is set.

    Example:
        >>> compile(abs, disable=True)(-1)
        1
    """
    global _said
    if model is None:
        return lambda m: compile(m, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options,
                                 disable=disable, **kwargs)
    if disable or backend == "eager":
        return model
    if fullgraph:
        raise RuntimeError("torch.compile: there is no compiler in this lamella, and fullgraph=True forbids running "
                           "without one\nhint: leave fullgraph out to run uncompiled")
    if not _said:
        _said = True
        warnings.warn("torch.compile: there is no compiler in this lamella; everything runs uncompiled", stacklevel=2)
    return model
