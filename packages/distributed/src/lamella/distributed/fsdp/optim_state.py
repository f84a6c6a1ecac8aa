"""State dicts of optimizers of sharded models: whole or divided tensors under the parameters' own names, and back."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd import no_grad
from lamella.core.tensor import Tensor, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from .api import FullOptimStateDictConfig, OptimStateKeyType, StateDictType
from .build import clean_name, unit_of
from .handle import Handle
from .model_state import divided, get_type

__all__ = [
    "flatten_sharded_optim_state_dict",
    "full_optim_state_dict",
    "optim_state_dict",
    "optim_state_dict_to_load",
    "rekey_optim_state_dict",
    "scatter_full_optim_state_dict",
    "shard_full_optim_state_dict",
    "sharded_optim_state_dict",
]

#: What an entry of state is: "divided" tensors lie as the parameter's shard does, "values" are the same on all ranks.
_DIVIDED, _VALUE = "divided", "value"


class _Named:
    """A handle with the names that its parameters have in the model."""

    def __init__(self, module: Any, prefix: str, handle: Handle) -> None:
        self.module, self.handle = module, handle
        self.names = [prefix + p.name for p in handle.pieces]

    def groups(self) -> list[tuple[Any, list[int]]]:
        """The optimizer's parameters, each with the numbers of the pieces in it."""
        if self.handle.flat is not None:
            return [(self.handle.flat, list(range(len(self.names))))]
        return [(p.param, [i]) for i, p in enumerate(self.handle.pieces)]

    def local_shape(self, i: int) -> tuple[int, ...]:
        """The shape of the optimizer's parameter that holds piece i, on this rank."""
        if self.handle.flat is not None:
            return (self.handle.layout.length,)
        return self.handle.layout.local_shape(i, self.handle.rank)


def _handles(model: Any) -> list[_Named]:
    found = []
    for path, m in model.named_modules():
        unit = unit_of(m)
        if unit is not None and unit.modules[0] is m:
            prefix = clean_name(f"{path}." if path else "")
            found += [_Named(m, prefix, h) for h in unit.handles]
    return found


def _keys(optim: Any) -> dict[int, int]:
    """id of a parameter -> its number in the optimizer's state dict."""
    numbers: dict[int, int] = {}
    for group in optim.param_groups:
        for p in group["params"]:
            numbers.setdefault(id(p), len(numbers))
    return numbers


def _plain_names(model: Any, named: list[_Named]) -> dict[int, str]:
    """id -> name of the parameters that no handle owns."""
    owned = {id(p) for n in named for p, _ in n.groups()}
    return {id(p): clean_name(name) for name, p in model.named_parameters() if id(p) not in owned}


def _names(named: list[_Named], plain: dict[int, str]) -> dict[int, list[str]]:
    """id of a parameter of the optimizer -> names of the parameters that are in it."""
    found = {id(p): [n.names[i] for i in pieces] for n in named for p, pieces in n.groups()}
    return found | {p: [name] for p, name in plain.items()}


# -- saving ------------------------------------------------------------------------------------------------------------


def _kind(name: str, value: Any, shape: tuple[int, ...], what: str) -> tuple[str, Any]:
    if not isinstance(value, Tensor) or name == "step" or (value.dim() == 0 and shape != ()):
        return _VALUE, value
    if tuple(value.shape) != shape:
        rule = f"the state {name!r} of {what} is not one number for each of the parameter's"
        raise ValueError(message("optim_state_dict", rule, [describe(value)],
                                 hint="save the state of such optimizers on each rank"))
    return _DIVIDED, value.dtype


def _describe(named: list[_Named], state: dict[Any, Any],
              keys: dict[int, Any]) -> dict[tuple[int, int], dict[str, Any]]:
    """What state this rank has: (handle, first piece) -> name -> kind."""
    found = {}
    for h, n in enumerate(named):
        for p, pieces in n.groups():
            own = state.get(keys.get(id(p)))
            if own:
                shape = n.local_shape(pieces[0])
                what = n.names[pieces[0]]
                found[h, pieces[0]] = {k: _kind(k, _local(v), shape, what) for k, v in own.items()}
    return found


def _local(value: Any) -> Any:
    return value.to_local() if hasattr(value, "to_local") else value


def _collect(n: _Named, h: int, known: dict[tuple[int, int], dict[str, Any]], state: dict[Any, Any],
             keys: dict[int, Any]) -> list[dict[str, Any]]:
    """The whole state of each piece of a handle."""
    handle = n.handle
    found: list[dict[str, Any]] = [{} for _ in n.names]
    names = dict.fromkeys(k for _, pieces in n.groups() for k in known.get((h, pieces[0]), ()))
    for name in names:
        owners = [(p, pieces, known[h, pieces[0]][name]) for p, pieces in n.groups()
                  if name in known.get((h, pieces[0]), ())]
        types = [kind[1] for _, _, kind in owners if kind[0] == _DIVIDED]
        whole: list[Any] = []
        if types:
            shard = core.zeros(handle.layout.length, dtype=types[0], device=handle.shard.device)
            for p, pieces, _ in owners:
                value = _local(state.get(keys.get(id(p)), {}).get(name))
                if value is None:
                    continue
                if handle.flat is not None:
                    shard.copy_(value)
                else:
                    part = handle.layout.parts[handle.rank][pieces[0]]
                    shard[part.here].copy_(value.reshape(-1))
            whole = handle.full_arrays(shard)
        for _, pieces, (kind, value) in owners:
            for i in pieces:
                found[i][name] = _owned(whole[i], handle) if kind == _DIVIDED else value
    return found


def _owned(a: Any, handle: Handle) -> Tensor:
    """A tensor over an array that shares no memory with the shards."""
    t = wrap(a, handle.shard._ks & BACKEND_MASK)
    return t.clone() if handle.world == 1 else t


def _save(model: Any, optim: Any, osd: dict[str, Any] | None, group: Any, rank0_only: bool, full: bool,
          to_cpu: bool) -> dict[str, Any]:
    osd = optim.state_dict() if osd is None else osd
    named = _handles(model)
    keys: dict[int, Any] = _keys(optim)
    plain = _plain_names(model, named)
    if any(isinstance(k, str) for k in osd["state"]):  # an optimizer that calls parameters by name
        keys = {id(p): n.names[pieces[0]] for n in named for p, pieces in n.groups()} | plain
    state = osd["state"]
    ranks = group or next((n.handle.group for n in named if n.handle.group is not None), None)
    reports = [_describe(named, state, keys)]
    if ranks is not None:  # else nothing is divided
        mine, reports = reports[0], [{}] * ranks.size()
        dist.all_gather_object(reports, mine, group=ranks)
    known: dict[tuple[int, int], dict[str, Any]] = {}
    for report in reports:
        for key, entries in report.items():
            known[key] = {**entries, **known.get(key, {})}
    save = not rank0_only or dist.get_rank(group) == 0
    result: dict[str, Any] = {}
    with no_grad():
        for h, n in enumerate(named):
            for name, entries in zip(n.names, _collect(n, h, known, state, keys), strict=True):
                if save and entries:
                    result[name] = {k: _finished(n, v, full, to_cpu) for k, v in entries.items()}
    if not save:
        return {}
    for param, name in plain.items():
        if keys.get(param) in state:
            result[name] = state[keys[param]]
    known_keys = set(keys.values())
    for key, value in state.items():
        if key not in known_keys:
            warnings.warn(f"optim_state_dict: the state under {key!r} belongs to no parameter; it is copied as it is",
                          stacklevel=4)
            result[key] = value
    return {"state": result, "param_groups": _named_groups(osd, optim, named, plain)}


def _finished(n: _Named, value: Any, full: bool, to_cpu: bool) -> Any:
    if not isinstance(value, Tensor):
        return value
    if full or value.dim() == 0:
        return value.cpu() if to_cpu else value
    return divided(n.module, value)


def _named_groups(osd: dict[str, Any], optim: Any, named: list[_Named], plain: dict[int, str]) -> list[dict[str, Any]]:
    names = _names(named, plain)
    groups = []
    for packed, live in zip(osd["param_groups"], optim.param_groups, strict=True):
        out = {k: v for k, v in packed.items() if k not in ("params", "param_names")}
        out["params"] = [name for p in live["params"] for name in names.get(id(p), ())]
        groups.append(out)
    return groups


def optim_state_dict(model: Any, optim: Any, optim_state_dict: dict[str, Any] | None = None,
                     group: Any = None) -> dict[str, Any]:
    """An optimizer's state under the names of the original parameters; all ranks call it.

    Args:
        model: the model whose parameters the optimizer has.
        optim: the optimizer.
        optim_state_dict: its state dict; None: what it gives.
        group: the ranks.

    Returns:
        ``{"state": {name: {...}}, "param_groups": [...]}``, its tensors of the kind that `set_state_dict_type` chose.
    """
    settings = get_type(model)
    config = settings.optim_state_dict_config
    rank0 = isinstance(config, FullOptimStateDictConfig) and config.rank0_only
    full = settings.state_dict_type is not StateDictType.SHARDED_STATE_DICT
    return _save(model, optim, optim_state_dict, group, rank0, full, config.offload_to_cpu)


def full_optim_state_dict(model: Any, optim: Any, optim_input: Any = None, rank0_only: bool = True,
                          group: Any = None) -> dict[str, Any]:
    """An optimizer's whole state under the names of the original parameters (see `optim_state_dict`)."""
    return _save(model, optim, None, group, rank0_only, True, True)


def sharded_optim_state_dict(model: Any, optim: Any, group: Any = None) -> dict[str, Any]:
    """An optimizer's state in divided tensors under the names of the original parameters (see `optim_state_dict`)."""
    return _save(model, optim, None, group, False, False, False)


# -- loading -----------------------------------------------------------------------------------------------------------


def _whole(value: Any) -> Any:
    return value.full_tensor() if hasattr(value, "full_tensor") else value


def _shards(n: _Named, saved: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """(the optimizer's parameter, its state on this rank) for each parameter that has one in a saved state."""
    handle, parts = n.handle, n.handle.layout.parts[n.handle.rank]
    for p, pieces in n.groups():
        entries = {i: {k: _whole(v) for k, v in saved[n.names[i]].items()} for i in pieces if n.names[i] in saved}
        if not entries:
            continue
        own: dict[str, Any] = {}
        for name in dict.fromkeys(k for e in entries.values() for k in e):
            values = {i: e[name] for i, e in entries.items() if name in e}
            if all(_kind(name, v, handle.pieces[i].shape, n.names[i])[0] == _VALUE for i, v in values.items()):
                own[name] = next(iter(values.values()))
                continue
            dtype = next(iter(values.values())).dtype
            shard = core.zeros(handle.layout.length, dtype=dtype, device=handle.shard.device)
            for i, v in values.items():
                part = parts[i]
                shard[part.here].copy_(v.reshape(-1)[part.there])
            if handle.flat is None:
                part = parts[pieces[0]]
                if not part.size:
                    own = {}
                    break
                shard = shard[part.here].reshape(n.local_shape(pieces[0])).clone()
            own[name] = shard
        if own:
            yield p, own


def _load(model: Any, optim: Any, osd: dict[str, Any], by_name: bool) -> dict[str, Any]:
    named, keys = _handles(model), _keys(optim)
    plain = _plain_names(model, named)
    names = _names(named, plain)

    def key(p: int) -> Any:
        return names[p][0] if by_name else keys[p]

    saved, state = osd["state"], {}
    with no_grad():
        for n in named:
            for p, own in _shards(n, saved):
                if id(p) in keys:
                    state[key(id(p))] = own
    for p, name in plain.items():
        if name in saved and p in keys:
            state[key(p)] = saved[name]
    known = {name for found in names.values() for name in found}
    state.update({k: v for k, v in saved.items() if k not in known and not isinstance(k, str)})
    owner = {name: p for p, found in names.items() if p in keys for name in found}
    groups = []
    for packed in osd.get("param_groups", ()):
        unknown = [x for x in packed["params"] if x not in known]
        if unknown:
            rule = "the state names parameters that the model has not"
            raise ValueError(message("optim_state_dict_to_load", rule, ", ".join(map(str, unknown[:4])),
                                     hint="rekey_optim_state_dict() makes names of numbers"))
        out = {k: v for k, v in packed.items() if k != "params"}
        # load_state_dict goes by the places in this list
        mine = {owner[x] for x in packed["params"] if x in owner}
        out["params"] = [key(p) for p in sorted(mine, key=keys.__getitem__)]
        groups.append(out)
    return {"state": state, "param_groups": groups}


def _optimizer(name: str, optim: Any, model: Any, optim_input: Any) -> Any:
    """The optimizer, or what stands for one that was given these parameters (by default, all of the model)."""
    if optim is not None:
        if optim_input is not None:
            raise ValueError(message(name, "Cannot specify both optim_input and optim"))
        return optim
    given = list(model.parameters() if optim_input is None else optim_input)
    if not given:
        raise ValueError(message(name, "Optimizer input should not be empty"))
    groups = given if isinstance(given[0], dict) else [{"params": given}]
    return type("_Parameters", (), {"param_groups": groups})


def optim_state_dict_to_load(model: Any, optim: Any, optim_state_dict: dict[str, Any], is_named_optimizer: bool = False,
                             load_directly: bool = False, group: Any = None) -> dict[str, Any]:
    """What `optim_state_dict` returned, as ``load_state_dict`` of the optimizer takes it; all ranks call it.

    Args:
        model: the model whose parameters the optimizer has.
        optim: the optimizer.
        optim_state_dict: the state, whole or divided, under the names of the original parameters.
        is_named_optimizer: the optimizer calls parameters by name.
        load_directly: load it too.
        group: the ranks, where only the first one has the state.
    """
    settings = get_type(model)
    config = settings.optim_state_dict_config
    if isinstance(config, FullOptimStateDictConfig) and config.rank0_only:
        optim_state_dict = _from_first(optim_state_dict, group)
    result = _load(model, optim, optim_state_dict, is_named_optimizer)
    if load_directly:
        optim.load_state_dict(result)
    return result


def _from_first(osd: dict[str, Any] | None, group: Any) -> dict[str, Any]:
    box = [osd if dist.get_rank(group) == 0 else None]
    dist.broadcast_object_list(box, group_src=0, group=group)
    found: Any = box[0]
    return found


def shard_full_optim_state_dict(full_optim_state_dict: dict[str, Any], model: Any, optim_input: Any = None,
                                optim: Any = None) -> dict[str, Any]:
    """This rank's part of what `full_optim_state_dict` returned, for the optimizer's ``load_state_dict``."""
    name = "shard_full_optim_state_dict"
    return _load(model, _optimizer(name, optim, model, optim_input), full_optim_state_dict, False)


def flatten_sharded_optim_state_dict(sharded_optim_state_dict: dict[str, Any], model: Any,
                                     optim: Any) -> dict[str, Any]:
    """This rank's part of what `sharded_optim_state_dict` returned, for the optimizer's ``load_state_dict``."""
    return _load(model, optim, sharded_optim_state_dict, False)


def scatter_full_optim_state_dict(full_optim_state_dict: dict[str, Any] | None, model: Any, optim_input: Any = None,
                                  optim: Any = None, group: Any = None) -> dict[str, Any]:
    """This rank's part of what `full_optim_state_dict` returned on the first rank, for ``load_state_dict``."""
    name = "scatter_full_optim_state_dict"
    return _load(model, _optimizer(name, optim, model, optim_input), _from_first(full_optim_state_dict, group), False)


def rekey_optim_state_dict(optim_state_dict: dict[str, Any], optim_state_key_type: OptimStateKeyType, model: Any,
                           optim_input: Any = None, optim: Any = None) -> dict[str, Any]:
    """Call parameters by name or by number in the state dict of an optimizer of a model that is not wrapped.

    Args:
        optim_state_dict: the state.
        optim_state_key_type: what the result calls parameters by.
        model: the model.
        optim_input: what the optimizer was given, if not ``model.parameters()``.
        optim: the optimizer, instead.
    """
    numbers = _keys(_optimizer("rekey_optim_state_dict", optim, model, optim_input))
    names = {numbers[id(p)]: clean_name(name) for name, p in model.named_parameters() if id(p) in numbers}
    to_names = optim_state_key_type is OptimStateKeyType.PARAM_NAME
    table: dict[Any, Any] = names if to_names else {name: number for number, name in names.items()}
    state = {table.get(k, k): v for k, v in optim_state_dict["state"].items()}
    groups = [{**g, "params": sorted(table[p] for p in g["params"])} for g in optim_state_dict["param_groups"]]
    return {"state": state, "param_groups": groups}
