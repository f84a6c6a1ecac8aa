"""Optimizers' states under the names of parameters, from and to optimizers that call parameters by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lamella.autograd import no_grad
from lamella.core import Tensor, zeros_like
from lamella.dispatch.errors import message

from ..objects import broadcast_object_list
from .nested import flatten_state_dict, set_element, unflatten_state_dict
from .state_dict_parts import clean_name, from_first, fsdp_class, placed

#: Stands for a group without parameters in a flat state dict, where options are kept under the names of parameters.
_EMPTY = "#"


def make_state(optimizer: Any) -> None:
    """Give an optimizer that has not made a step the state that it has before its first one."""
    if optimizer.state:
        return
    one = getattr(optimizer, "optim", optimizer)  # ZeroRedundancyOptimizer's own one steps without the other ranks
    params = [p for g in one.param_groups for p in g["params"] if p.requires_grad]
    with no_grad():
        before = [(p.detach().clone(), p.grad) for p in params]
        counted = one._step_calls
        for p in params:
            p.grad = zeros_like(p)
        one.step()
        one._step_calls = counted
        for p, (value, grad) in zip(params, before, strict=True):
            p.detach().copy_(value)
            p.grad = grad
            step = one.state[p].get("step") if p in one.state else None
            if isinstance(step, Tensor):
                step.zero_()
            elif step is not None:
                one.state[p]["step"] = 0


def names_of(model: Any) -> dict[Tensor, str]:
    """Each parameter's clean name; the first of a shared one's."""
    return {p: clean_name(model, name) for name, p in model.named_parameters()}


def _numbered(optimizer: Any) -> list[Tensor]:
    """The parameters in the order of their numbers in the state dict."""
    return list(dict.fromkeys(p for g in optimizer.param_groups for p in g["params"]))


def _named(optimizer: Any, names: dict[Tensor, str]) -> list[str]:
    """The names of an optimizer's parameters in the order of their numbers."""
    params = _numbered(optimizer)
    strange = [f"number {i}, {list(p.shape)}" for i, p in enumerate(params) if p not in names]
    if strange:
        raise ValueError(message("get_optimizer_state_dict", "the optimizer has parameters that the model has not",
                                 "; ".join(strange[:4])))
    return [names[p] for p in params]


def get_state(model: Any, optimizers: Iterable[Any], info: Any) -> dict[str, Any]:
    """The optimizers' states as one, under the names of parameters."""
    found: dict[str, Any] = {"state": {}, "param_groups": []}
    sharded = fsdp_class(model)
    names = names_of(model)
    for optimizer in optimizers:
        make_state(optimizer)
        if sharded is not None:
            with info.fsdp_context():
                state = sharded.optim_state_dict(model, optimizer, optimizer.state_dict(), group=None)
            if not state:
                continue
            groups = state["param_groups"]
            by_name = {clean_name(model, k) if isinstance(k, str) else k: v for k, v in state["state"].items()}
            groups = [{**g, "params": [clean_name(model, n) for n in g["params"]]} for g in groups]
        else:
            named = _named(optimizer, names)
            state = _numbers_of(optimizer, info)
            by_name = {named[i] if isinstance(i, int) else i: s for i, s in state["state"].items()}
            groups = [{**g, "params": [named[i] for i in g["params"]]} for g in state["param_groups"]]
        found["state"].update(by_name)
        found["param_groups"] += groups
    return flattened(found) if info.flatten_optimizer_state_dict else found


def _numbers_of(optimizer: Any, info: Any) -> dict[str, Any]:
    """The state under numbers; of one that is spread over the ranks by parameter, this rank's part or all of it."""
    if not hasattr(optimizer, "local_state_dict"):
        return optimizer.state_dict()
    if not info.full_state_dict:
        return optimizer.local_state_dict()
    optimizer.consolidate_state_dict(to=0)
    whole: list[Any] = [optimizer.state_dict() if optimizer.rank == 0 else None]
    broadcast_object_list(whole, group=optimizer.process_group, group_src=0)
    return whole[0]


# -- flat ------------------------------------------------------------------------------------------------------------


def flattened(state: dict[str, Any]) -> dict[str, Any]:
    """A state as a flat dict: ``state.<parameter>.<name>`` and ``param_groups.<parameter>.<option>``.

    Example:
        >>> groups = [{"lr": 2, "params": ["w"]}, {"lr": 3, "params": []}]
        >>> flattened({"state": {"w": {"step": 1}}, "param_groups": groups})
        {'state.w.step': 1, 'param_groups.w.lr': 2, 'param_groups.#1.lr': 3}
    """
    flat: dict[str, Any] = {}
    for name, values in state["state"].items():
        inner, _ = flatten_state_dict(values)
        strange = [k for k, v in inner.items() if not isinstance(v, (Tensor, int, float, dict))]
        if strange:
            raise NotImplementedError(message(
                "flatten_optimizer_state_dict", "Flattening optimizer state_dict only supports tensor, int, float, "
                "dict states now", f"{name}: {', '.join(strange)}"))
        flat.update((f"state.{name}.{k}", v) for k, v in inner.items())
    for i, group in enumerate(state["param_groups"]):
        for name in group["params"] or [f"{_EMPTY}{i}"]:
            flat.update((f"param_groups.{name}.{k}", v) for k, v in group.items() if k != "params")
    return flat


def unflattened(flat: dict[str, Any], optimizer: Any, names: dict[Tensor, str], first: int) -> dict[str, Any]:
    """An optimizer's part of what `flattened` gave; its groups count from `first`."""
    groups = []
    for i, group in enumerate(optimizer.param_groups):
        members = [names[p] for p in group["params"]]
        made: dict[str, Any] = {}
        for k in (k for k in group if k != "params"):
            found = [flat[key] for n in members or [f"{_EMPTY}{first + i}"]
                     if (key := f"param_groups.{n}.{k}") in flat]
            if any(v != found[0] for v in found[1:]):
                raise RuntimeError(message("set_optimizer_state_dict", "all parameters of a group should have the same "
                                           f"saved value of {k}", {"group": i, "values": sorted(set(map(str, found)))}))
            made[k] = found[0] if found else group[k]
        groups.append({**made, "params": members})
    return {"state": _states_in(flat, {names[p] for p in _numbered(optimizer)}), "param_groups": groups}


def _states_in(flat: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """The states of some parameters in a flat state dict. Names have dots, so any of them may end a name."""
    state: dict[str, Any] = {}
    for key, value in flat.items():
        head, *path = key.split(".")
        for i in range(1, len(path)) if head == "state" else ():
            name = ".".join(path[:i])
            if name in names:
                set_element(state.setdefault(name, {}), tuple(path[i:]), value)
    return state


# -- loading ---------------------------------------------------------------------------------------------------------


def set_state(model: Any, optimizers: Sequence[Any], given: dict[str, Any], info: Any) -> None:
    """Load states that are under the names of parameters."""
    names = names_of(model)
    sharded = fsdp_class(model)
    empty_groups = iter([g for g in given.get("param_groups", ()) if not g["params"]])
    first = 0
    for optimizer in optimizers:
        make_state(optimizer)
    if info.broadcast_from_rank0:
        given = _from_first(optimizers, given, names, info)
    for optimizer in optimizers:
        if sharded is None:
            _named(optimizer, names)
        if given and "state" not in given:
            mine = unflattened(given, optimizer, names, first)
        elif sharded is not None:
            mine = given
        else:
            mine = _part(optimizer, given, names, info.strict, empty_groups)
        first += len(optimizer.param_groups)
        if sharded is not None:
            with info.fsdp_context():
                optimizer.load_state_dict(sharded.optim_state_dict_to_load(model, optimizer, mine))
        else:
            optimizer.load_state_dict(_in_numbers(optimizer, mine, names))


def _part(optimizer: Any, given: dict[str, Any], names: dict[Tensor, str], strict: bool,
          empty_groups: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """An optimizer's part of a state, with its own groups."""
    if given["state"] and all(isinstance(k, int) for k in given["state"]):
        raise ValueError(message("set_optimizer_state_dict", "the state has numbers for parameters, not names",
                                 hint="optimizer.load_state_dict takes such a state"))
    rank = getattr(optimizer, "rank", None)
    needed = {names[p] for g in optimizer.param_groups for p in g["params"] if p.requires_grad
              and (rank is None or optimizer._param_to_rank[p] == rank)}
    # Optimizers without state (SGD) have none of any parameter.
    missing = sorted(needed - set(given["state"])) if given["state"] or optimizer.state else []
    if missing and strict:
        raise RuntimeError(message(
            "set_optimizer_state_dict", f"Missing optimizer state for parameter {', '.join(map(repr, missing))} in "
            "checkpoint", hint="To load anyway, use StateDictOptions(strict=False)."))
    of = {name: g for g in given["param_groups"] for name in g["params"]}
    groups = []
    for group in optimizer.param_groups:
        members = [names[p] for p in group["params"]]
        saved = next((of[n] for n in members if n in of), None) if members else next(empty_groups, None)
        groups.append({**(saved or group), "params": members})
    return {"state": given["state"], "param_groups": groups}


def _in_numbers(optimizer: Any, mine: dict[str, Any], names: dict[Tensor, str]) -> dict[str, Any]:
    """A state under the optimizer's numbers; whole tensors become the parts that it has."""
    params = _numbered(optimizer)
    numbers = {names[p]: i for i, p in enumerate(params)}
    state = {}
    for name, values in mine["state"].items():
        if name not in numbers:
            continue
        here = optimizer.state.get(params[numbers[name]], {})
        state[numbers[name]] = {k: placed(v, here.get(k)) for k, v in values.items()}
    groups = [{**g, "params": [numbers[n] for n in g["params"]]} for g in mine["param_groups"]]
    return {"state": state, "param_groups": groups}


def _from_first(optimizers: Sequence[Any], given: dict[str, Any], names: dict[Tensor, str], info: Any,
                ) -> dict[str, Any]:
    """The first rank's state on all ranks."""
    targets: dict[str, Any] = {}
    for optimizer in optimizers:
        for p, values in optimizer.state.items():
            targets.update((f"state.{names[p]}.{k}", v) for k, v in values.items() if p in names)
    flat, paths = flatten_state_dict(given)
    told: list[Any] = [paths if info.rank == 0 else None]
    broadcast_object_list(told, group_src=0)
    return unflatten_state_dict(from_first(flat, targets, info.rank), told[0])
