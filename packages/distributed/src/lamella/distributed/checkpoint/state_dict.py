"""States of models and optimizers, under names that do not depend on how they are spread over ranks."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass, fields
from typing import Any

from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.dispatch.errors import message

from ..group import get_rank, is_initialized
from ..layers import Module, Optimizer
from . import state_dict_optim as optim
from .state_dict_parts import clean_name, finished, from_first, fsdp_class, named_tensors, own_key, placed

FQNS_T = set[str]
PrimitiveType = Tensor | int | float | str
ValueType = Any
DictValueType = dict[str, Any]
ListDictValueType = list[dict[str, Any]]
OptimizerStateType = dict[str, DictValueType | ListDictValueType]

__all__ = [
    "StateDictOptions",
    "get_model_state_dict",
    "get_optimizer_state_dict",
    "get_state_dict",
    "set_model_state_dict",
    "set_optimizer_state_dict",
    "set_state_dict",
]


@dataclass
class StateDictOptions:
    """What `get_state_dict` gives and `set_state_dict` takes.

    Attributes:
        full_state_dict: whole tensors, else each rank's parts.
        cpu_offload: on the CPU; with `full_state_dict`, only the first rank gets anything.
        ignore_frozen_params: without parameters that need no gradient.
        keep_submodule_prefixes: with `submodules`: names begin at the model, else at the submodule.
        strict: all names must be there, and no others.
        broadcast_from_rank0: only the first rank's (whole) state dict counts, and is sent to the others.
        flatten_optimizer_state_dict: the optimizer's state as a flat dict, which may be loaded into other groups.
        dsd_fqn_modifiers: name of a method of modules that renames what is in them.
    """

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


class _Info(StateDictOptions):
    """Options, and what follows from them for a model."""

    def __init__(self, model: Any, options: StateDictOptions | None, submodules: Any = None) -> None:
        given = options or StateDictOptions()
        super().__init__(**{f.name: getattr(given, f.name) for f in fields(StateDictOptions)})
        if self.broadcast_from_rank0 and not self.full_state_dict:
            raise ValueError(message("StateDictOptions", "full_state_dict must be True when broadcast_from_rank0 is "
                                     "True."))
        self.model = model
        self.rank = get_rank() if is_initialized() else 0
        self.prefixes: list[str] = []
        if submodules:
            warnings.warn("Getting submodules only model/optim state_dict is deprecated and will be removed in 2.5. "
                          "This feature can be achieved by manually filtering out the state_dict returned from "
                          "get_state_dict.", FutureWarning, stacklevel=4)
            wanted = {id(m) for m in submodules}
            self.prefixes = [clean_name(model, n) + "." for n, m in model.named_modules() if id(m) in wanted]

    def fsdp_context(self) -> Any:
        """Within it, FullyShardedDataParallel's state dicts are of the kind that is wanted."""
        found = fsdp_class(self.model)
        if found is None:
            return contextlib.nullcontext()
        from ..fsdp import api

        first_only = self.full_state_dict and self.cpu_offload
        if self.full_state_dict:
            kind = api.StateDictType.FULL_STATE_DICT
            config: Any = api.FullStateDictConfig(offload_to_cpu=self.cpu_offload, rank0_only=first_only)
            optim_config: Any = api.FullOptimStateDictConfig(offload_to_cpu=self.cpu_offload, rank0_only=first_only)
        else:
            kind = api.StateDictType.SHARDED_STATE_DICT
            config = api.ShardedStateDictConfig(offload_to_cpu=self.cpu_offload)
            optim_config = api.ShardedOptimStateDictConfig(offload_to_cpu=self.cpu_offload)
        return found.state_dict_type(self.model, kind, config, optim_config)


def _optimizers(optimizers: Any) -> tuple[Any, ...]:
    return (optimizers,) if isinstance(optimizers, Optimizer) else tuple(optimizers)


# -- getting ---------------------------------------------------------------------------------------------------------


def get_model_state_dict(model: Module, *, submodules: Any = None,
                         options: StateDictOptions | None = None) -> dict[str, Any]:
    """A model's state under the names that its parameters would have without wrappers; all ranks call it.

    Args:
        model: plain, or spread by `DistributedDataParallel`, `FullyShardedDataParallel`, `fully_shard` or
            `parallelize_module`.
        submodules: deprecated: only the state of these.
        options: whole tensors or parts, and so on.

    Returns:
        Tensors by name; those that are spread over ranks are DTensors unless whole ones are asked for.

    Example:
        >>> from lamella import nn
        >>> list(get_model_state_dict(nn.Sequential(nn.Linear(1, 1))))
        ['0.weight', '0.bias']
    """
    return _get_model(_Info(model, options, submodules))


def _get_model(info: _Info) -> dict[str, Any]:
    model = info.model
    with no_grad(), info.fsdp_context():
        found = {clean_name(model, k): v for k, v in model.state_dict().items()}
    if info.prefixes:
        found = {k if info.keep_submodule_prefixes else k[len(p) :]: v
                 for k, v in found.items() for p in info.prefixes if k.startswith(p)}
    if info.ignore_frozen_params:
        for name, p in model.named_parameters(remove_duplicate=False):
            if not p.requires_grad:
                found.pop(clean_name(model, name), None)
    with no_grad():
        return finished(found, info.full_state_dict, info.cpu_offload, info.rank)


def get_optimizer_state_dict(model: Module, optimizers: Any, *, submodules: Any = None,
                             options: StateDictOptions | None = None) -> dict[str, Any]:
    """Optimizers' states, with names in the place of parameters' numbers; all ranks call it.

    Of a `ZeroRedundancyOptimizer` each rank gets the states that it has, unless whole states are asked for; all ranks'
    together are a checkpoint. An optimizer that has made no step gets the state that it has before the first.

    Args:
        model: whose parameters they are.
        optimizers: one, or several.
        submodules: deprecated.
        options: whole tensors or parts, flat or not, and so on.

    Returns:
        ``{"state": {name: ...}, "param_groups": [...]}``, or a flat dict.

    Example:
        >>> from lamella import nn, optim
        >>> model = nn.Linear(1, 1)
        >>> found = get_optimizer_state_dict(model, optim.Adam(model.parameters()))
        >>> found["param_groups"][0]["params"], list(found["state"]["bias"])
        (['weight', 'bias'], ['step', 'exp_avg', 'exp_avg_sq'])
    """
    return _get_optim(_Info(model, options, submodules), _optimizers(optimizers))


def _get_optim(info: _Info, optimizers: tuple[Any, ...]) -> dict[str, Any]:
    if not optimizers:
        raise RuntimeError(message("get_optimizer_state_dict", "Optimizers are not passed in"))
    with no_grad():
        found = optim.get_state(info.model, optimizers, info)
        return finished(found, info.full_state_dict, info.cpu_offload, info.rank)


def get_state_dict(model: Module, optimizers: Any, *, submodules: Any = None,
                   options: StateDictOptions | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `get_model_state_dict` and `get_optimizer_state_dict` give.

    Example:
        >>> from lamella import nn, optim
        >>> model = nn.Linear(1, 1)
        >>> weights, state = get_state_dict(model, optim.SGD(model.parameters(), lr=0.1))
        >>> list(weights), state["param_groups"][0]["lr"]
        (['weight', 'bias'], 0.1)
    """
    info = _Info(model, options, submodules)
    found = _optimizers(optimizers)
    return _get_model(info), _get_optim(info, found) if found else {}


# -- setting ---------------------------------------------------------------------------------------------------------


def set_model_state_dict(model: Module, model_state_dict: dict[Any, Any], *,
                         options: StateDictOptions | None = None) -> Any:
    """Load what `get_model_state_dict` gave, of this model or of one that is spread otherwise; all ranks call it.

    Args:
        model: plain or spread.
        model_state_dict: tensors by name; it is not changed. Whole tensors need ``full_state_dict=True``.
        options: whether tensors are whole or come from the first rank, whether all names must be there.

    Returns:
        ``missing_keys`` and ``unexpected_keys``.

    Raises:
        RuntimeError: with ``strict``, names that are missing or unknown, and tensors of other shapes; all are listed.

    Example:
        >>> from lamella import nn
        >>> model = nn.Linear(1, 1)
        >>> set_model_state_dict(model, get_model_state_dict(nn.Linear(1, 1)))
        <All keys matched successfully>
    """
    return _set_model(_Info(model, options), model_state_dict)


def _set_model(info: _Info, given: dict[Any, Any]) -> Any:
    model = info.model
    if given and isinstance(next(iter(given)), Module):
        names = {id(m): clean_name(model, n) if n else "" for n, m in model.named_modules()}
        given = {f"{names[id(m)]}.{k}".lstrip("."): v for m, inner in given.items() for k, v in inner.items()}
    if not given and not info.broadcast_from_rank0:
        if info.strict and not (info.cpu_offload and info.full_state_dict):
            raise RuntimeError(message("set_model_state_dict", "the model's state dict is empty", f"rank {info.rank}"))
        return model.load_state_dict({}, strict=False)
    if info.broadcast_from_rank0 or info.full_state_dict:
        targets = dict(named_tensors(model))
        if info.broadcast_from_rank0:
            given = from_first(given, targets, info.rank)
        else:
            given = {k: placed(v, targets.get(k)) for k, v in given.items()}
    with no_grad(), info.fsdp_context():
        return model.load_state_dict({own_key(model, k): v for k, v in given.items()}, strict=info.strict)


def set_optimizer_state_dict(model: Module, optimizers: Any, optim_state_dict: dict[str, Any], *,
                             options: StateDictOptions | None = None) -> None:
    """Load what `get_optimizer_state_dict` gave; all ranks call it, before ``backward()`` or after ``step()``.

    Args:
        model: whose parameters the optimizers have.
        optimizers: one, or several; together they may have other groups than those that were saved.
        optim_state_dict: the state; it is not changed. Whole tensors need ``full_state_dict=True``.
        options: as of `set_model_state_dict`.

    Raises:
        RuntimeError: with ``strict``, parameters without state; all are listed.

    Example:
        >>> from lamella import nn, optim
        >>> model = nn.Linear(1, 1)
        >>> state = get_optimizer_state_dict(model, optim.Adam(model.parameters(), lr=0.5))
        >>> optimizer = optim.Adam(model.parameters())
        >>> set_optimizer_state_dict(model, optimizer, state)
        >>> optimizer.param_groups[0]["lr"]
        0.5
    """
    _set_optim(_Info(model, options), _optimizers(optimizers), optim_state_dict)


def _set_optim(info: _Info, optimizers: tuple[Any, ...], given: dict[str, Any]) -> None:
    if not optimizers:
        raise RuntimeError(message("set_optimizer_state_dict", "Optimizers are not passed in"))
    from_others = fsdp_class(info.model) is not None and info.cpu_offload and info.full_state_dict
    if not given and not info.broadcast_from_rank0 and not from_others:
        raise RuntimeError(message("set_optimizer_state_dict", "the optimizer's state dict is empty",
                                   f"rank {info.rank}"))
    with no_grad():
        optim.set_state(info.model, optimizers, given, info)


def set_state_dict(model: Module, optimizers: Any, *, model_state_dict: dict[Any, Any],
                   optim_state_dict: dict[str, Any], options: StateDictOptions | None = None) -> Any:
    """Load what `get_state_dict` gave; see `set_model_state_dict` and `set_optimizer_state_dict`.

    Returns:
        ``missing_keys`` and ``unexpected_keys`` of the model.
    """
    info = _Info(model, options)
    found = _optimizers(optimizers)
    if found:
        _set_optim(info, found, optim_state_dict)
    return _set_model(info, model_state_dict)
