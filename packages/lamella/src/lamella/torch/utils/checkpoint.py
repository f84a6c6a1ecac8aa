"""torch.utils.checkpoint: keep less for backward, and compute it again when backward needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from lamella import torch

from .._missing import lookup

__all__ = ["checkpoint", "checkpoint_sequential"]


class _Block:
    """One checkpointed call: what it takes to run it again, and what running it again saved."""

    def __init__(self, run: Callable[[], Any], again: AbstractContextManager[Any], keep_rng: bool) -> None:
        self.run = run
        self.again = again
        self.rng = torch.get_rng_state() if keep_rng else None
        self.count = 0
        self.values: dict[int, Any] = {}

    def pack(self, tensor: Any) -> int:
        """Instead of a tensor, keep which one it was."""
        self.count += 1
        return self.count - 1

    def unpack(self, number: int) -> Any:
        """Give the tensor back, after running the call again where that has not happened yet."""
        if number not in self.values:
            self.compute()
        return self.values.pop(number)

    def compute(self) -> None:
        saved: list[Any] = []

        def keep(tensor: Any) -> None:
            saved.append(tensor.detach())

        hooks = torch.autograd.graph.saved_tensors_hooks(keep, _never)
        with _rng(self.rng), torch.enable_grad(), self.again, hooks:
            self.run()
        if len(saved) != self.count:
            raise RuntimeError("checkpoint: running the function again saved a different number of tensors "
                               f"(first {self.count}, then {len(saved)})\n"
                               "hint: the function must do the same each time it is called with the same arguments")
        self.values = dict(enumerate(saved))


def _never(packed: Any) -> Any:
    raise RuntimeError("checkpoint: the graph of a recomputation is not meant to be run backwards")


@contextmanager
def _rng(state: Any) -> Iterator[None]:
    if state is None:
        yield
        return
    with torch.random.fork_rng():
        torch.set_rng_state(state)
        yield


def _no_contexts() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    return nullcontext(), nullcontext()


def checkpoint(function: Callable[..., Any], *args: Any, use_reentrant: bool | None = None,
               context_fn: Callable[[], tuple[Any, Any]] = _no_contexts, determinism_check: str = "default",
               debug: bool = False, early_stop: bool = True, preserve_rng_state: bool = True, **kwargs: Any) -> Any:
    """Call a function without keeping what its backward needs; backward calls it again.

    Args:
        function: what is called; it must do the same each time.
        *args, **kwargs: its arguments.
        use_reentrant, determinism_check, debug, early_stop: accepted; they choose among torch's implementations.
        context_fn: makes two context managers, one around the call and one around each recomputation.
        preserve_rng_state: give recomputations the random numbers of the first call.

    Returns:
        What ``function(*args, **kwargs)`` returns.

    Raises:
        RuntimeError: in backward, if running the function again saves a different number of tensors.

    Example:
        >>> from lamella import torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> checkpoint(lambda t: t.exp().sin(), x, use_reentrant=False).sum().backward()
        >>> x.grad.shape
        torch.Size([2])
    """
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    first, again = context_fn()
    block = _Block(lambda: function(*args, **kwargs), again, preserve_rng_state)
    with first, torch.autograd.graph.saved_tensors_hooks(block.pack, block.unpack):
        return function(*args, **kwargs)


def checkpoint_sequential(functions: Any, segments: int, input: Any, use_reentrant: bool | None = None,
                          **kwargs: Any) -> Any:
    """Run modules one after another, checkpointed in segments; the last segment is not.

    Args:
        functions: a ``Sequential`` or a list of modules or functions.
        segments: into how many parts the list is cut.
        input: what the first one gets.
        use_reentrant: accepted, see `checkpoint`.
        **kwargs: ``preserve_rng_state``.

    Returns:
        What the last one returns.

    Raises:
        ValueError: for other keywords.
    """
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"checkpoint_sequential: got unexpected keywords ({', '.join(kwargs)})")
    steps = list(functions.children()) if isinstance(functions, torch.nn.Module) else list(functions)
    size = len(steps) // segments
    starts = [size * i for i in range(segments)]
    for start in starts[:-1]:
        part = _chain(steps[start : start + size])
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return _chain(steps[starts[-1] :])(input)


def _chain(steps: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        for step in steps:
            x = step(x)
        return x

    return run


__getattr__, __dir__ = lookup(__name__)
