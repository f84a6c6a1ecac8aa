"""What state dicts of spread models need: names without wrappers, whole tensors of parts, parts of whole tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lamella.autograd import no_grad
from lamella.core import Tensor, empty
from lamella.dispatch.errors import message

from ..collectives import broadcast
from ..objects import broadcast_object_list
from .boxes import slices
from .chunks import chunks_of, is_sharded, is_tensor, local_part, shape_of
from .metadata import MetadataIndex

#: Classes of modules around modules, by name (most of them may not be loaded), and where they keep the one inside.
WRAPPERS = {"DistributedDataParallel": "module", "OptimizedModule": "_orig_mod",
            "FullyShardedDataParallel": "_fsdp_wrapped_module", "CheckpointWrapper": "_checkpoint_wrapped_module"}
#: Those that are in the keys of their state dicts.
VISIBLE = ("module", "_orig_mod")


# -- names -----------------------------------------------------------------------------------------------------------


def inside(module: Any) -> str | None:
    """Where a wrapper keeps its module; None for other modules."""
    return next((WRAPPERS[c.__name__] for c in type(module).__mro__ if c.__name__ in WRAPPERS), None)


def clean_name(model: Any, name: str, modifiers: str = "_fqn_modifiers") -> str:
    """The name that a parameter would have without the wrappers around modules."""
    at, kept = model, []
    for part in name.split("."):
        wrapped = inside(at)
        if part == wrapped:
            at = getattr(at, part)
            continue
        while wrapped is not None:
            at = getattr(at, wrapped)
            wrapped = inside(at)
        renamed = getattr(at, modifiers)().get(part) if hasattr(at, modifiers) else None
        if renamed and hasattr(at, renamed):
            at = getattr(at, renamed)
        kept.append(part)
        at = getattr(at, part, None)
    return ".".join(kept)


def own_key(model: Any, name: str) -> str:
    """The key that a clean name has in the model's state dict."""
    at, kept = model, []
    for part in name.split("."):
        while (wrapped := inside(at)) is not None:
            at = getattr(at, wrapped)
            if wrapped in VISIBLE:
                kept.append(wrapped)
        kept.append(part)
        at = getattr(at, part, None)
    return ".".join(kept)


def named_tensors(model: Any) -> Iterator[tuple[str, Tensor]]:
    """(clean name, tensor) of parameters and buffers; of shared ones, all names."""
    for found in (model.named_parameters(remove_duplicate=False), model.named_buffers(remove_duplicate=False)):
        for name, t in found:
            yield clean_name(model, name), t


def fsdp_class(model: Any) -> Any:
    """FullyShardedDataParallel, if there is one in the model; None otherwise."""
    for module in model.modules():
        found = next((c for c in type(module).__mro__ if c.__name__ == "FullyShardedDataParallel"), None)
        if found is not None:
            return found
    return None


# -- parts and wholes ------------------------------------------------------------------------------------------------


def _each(state: Any, fn: Callable[[Any], Any]) -> Any:
    """The state dict with `fn` of each value; a new one."""
    if isinstance(state, dict):
        return {k: _each(v, fn) for k, v in state.items()}
    return [_each(v, fn) for v in state] if type(state) is list else fn(state)


def finished(state: Any, full: bool, offload: bool, rank: int) -> Any:
    """A state dict as the options want it: of whole tensors, on the CPU, on the first rank only if both."""

    def one(value: Any) -> Any:
        if full and is_sharded(value):
            if not hasattr(value, "full_tensor"):
                raise TypeError(message("get_state_dict", f"a {type(value).__name__} can't be made whole",
                                        hint="full_state_dict=True needs a method full_tensor()"))
            value = value.full_tensor()
        if isinstance(value, Tensor):
            value = value.detach()
            return value.cpu() if offload else value
        return value

    made = _each(state, one)  # on all ranks: making tensors whole is collective
    return {} if full and offload and rank else made


def fill(part: Any, whole: Tensor) -> Any:
    """Copy what `part` has of a whole tensor into it."""
    with no_grad():
        for i, chunk in enumerate(chunks_of(part)):
            box = slices(chunk)
            target = local_part(part, MetadataIndex("", chunk.offsets, i)).detach()
            if target.numel():
                target.copy_(whole[box] if box else whole)
    return part


def placed(value: Any, target: Any) -> Any:
    """A whole tensor as the part that `target` has of it, written into that; other values as they are."""
    whole = isinstance(value, Tensor) and not is_sharded(value)
    if whole and is_sharded(target) and shape_of(target) == value.shape:
        return fill(target, value)
    return value


def from_first(state: dict[str, Any], targets: dict[str, Any], rank: int) -> dict[str, Any]:
    """The first rank's flat state dict on all ranks, one tensor after the other; of divided ones only the part.

    Args:
        state: of whole tensors; only the first rank's counts.
        targets: by name, what tensors are loaded into.
        rank: this one's.
    """
    told: list[Any] = [None]
    if rank == 0:
        told = [{n: (tuple(v.shape), v.dtype) if is_tensor(v) else ("value", v) for n, v in state.items()}]
    broadcast_object_list(told, group_src=0)
    found: dict[str, Any] = {}
    for name, (shape, what) in told[0].items():
        if shape == "value":
            found[name] = what
            continue
        target: Any = targets.get(name)
        device = target.device if is_tensor(target) and getattr(target.device, "type", "meta") != "meta" else None
        whole = state[name].detach().contiguous() if rank == 0 else empty(shape, dtype=what, device=device)
        if rank == 0 and device is not None:
            whole = whole.to(device)
        broadcast(whole, group_src=0)
        found[name] = placed(whole, target)
    return found
