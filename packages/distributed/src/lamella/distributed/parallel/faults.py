"""What goes wrong in a step of data-parallel training, in words."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from lamella.dispatch.errors import message

from .unused import Outputs, explain

_PRIOR = "Expected to have finished reduction in the prior iteration before starting a new one"


def unfinished(reducer: Any) -> RuntimeError:
    """A step left parameters without gradient."""
    lost = [reducer.names[i][0] for i, done in enumerate(reducer.done) if not done]
    rank, n = reducer.group.rank(), len(reducer.params)
    if reducer.missing is None:
        rule = "the backward pass before did not come to its end"
        return RuntimeError(message(_PRIOR, rule, f"rank {rank}", hint="an error ended it, or it is still going on"))
    lines = reducer.missing
    rule = f"{len(lost)} of {n} parameters got no gradient on rank {rank}"
    if reducer.find_unused:
        hint = "every output of forward that depends on parameters must go into the loss, in one backward pass"
    else:
        hint = ("pass find_unused_parameters=True to DistributedDataParallel, or make every parameter and every output "
                "of forward part of the loss")
    return RuntimeError(message(_PRIOR, rule, details=lines, hint=hint))


def reasons(missing: Sequence[tuple[str, str, Any]], outputs: Outputs | None, task: Any) -> list[str]:
    """Why parameters got no gradient in the backward pass that has just ended."""
    return explain(missing, outputs, set(task.reached()))


def twice(reducer: Any, i: int) -> RuntimeError:
    """A parameter's gradient came again after it had been counted as complete."""
    name, kind = reducer.names[i]
    if reducer.find_unused and i in reducer.unused:
        rule = "forward's outputs did not depend on the parameter, and yet backward gave it a gradient"
        hint = "return everything that goes into the loss from forward, or pass static_graph=True"
    else:
        rule = "a parameter got gradients twice in one step"
        hint = ("static_graph=True allows for parameters that several checkpointed blocks (use_reentrant=True) share, "
                "or that are used outside of forward; or checkpoint with use_reentrant=False")
    return RuntimeError(message("Expected to mark a variable ready only once", rule, f"{name}, of {kind}", hint=hint))


def changed(reducer: Any, i: int) -> RuntimeError:
    """A static graph is not static."""
    name, kind = reducer.names[i]
    rule = f"{name} (of {kind}) got more gradients than in the first step, which was {reducer.uses[i]}"
    return RuntimeError(message("Your training graph has changed in this iteration", rule,
                                hint="pass find_unused_parameters=True instead of static_graph=True"))


def warn_nothing_unused() -> None:
    """The search for unused parameters was for nothing."""
    warnings.warn("find_unused_parameters=True was specified in DDP constructor, but did not find any unused "
                  "parameters in the forward pass: each step searches the graph for nothing (hint: leave it out, "
                  "unless later steps have unused parameters)", UserWarning, stacklevel=6)


def check_future(found: Any) -> Any:
    """What a communication hook returned, if it can be waited for."""
    if not hasattr(found, "wait"):
        raise RuntimeError(message("comm hook", "callback must return a torch.futures.Future object",
                                   f"got {type(found).__name__}"))
    return found


def check_result(bucket: Any, found: Any) -> Any:
    """The tensor that a communication hook's future holds, if it fits the bucket."""
    if isinstance(found, (list, tuple)) and len(found) == 1:
        found = found[0]
    if not hasattr(found, "_ks") or found.numel() != bucket.buffer.numel():
        what = f"{found.numel()} elements" if hasattr(found, "_ks") else type(found).__name__
        raise RuntimeError(message("comm hook", "its future must hold one tensor of the bucket's size",
                                   f"{bucket.buffer.numel()} elements, got {what}"))
    return found
