"""Which modules become units of their own: policies, and `wrap` within `enable_wrap`."""

from __future__ import annotations

import contextlib
import copy
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from typing import Any

from lamella.dispatch.errors import message

from ..layers import Module, nn

__all__ = [
    "CustomPolicy",
    "ModuleWrapPolicy",
    "always_wrap_policy",
    "enable_wrap",
    "lambda_auto_wrap_policy",
    "size_based_auto_wrap_policy",
    "transformer_auto_wrap_policy",
    "wrap",
]


def always_wrap_policy(*args: Any, **kwargs: Any) -> bool:
    """A policy that makes every module a unit.

    Example:
        >>> always_wrap_policy(recurse=True)
        True
    """
    return True


def lambda_auto_wrap_policy(module: Any, recurse: bool, nonwrapped_numel: int,
                            lambda_fn: Callable[[Any], bool]) -> bool:
    """A policy that asks a function of the module.

    Args:
        module: the module in question.
        recurse: whether the question is about going on to its children (always) or about the module itself.
        nonwrapped_numel: how many elements of parameters in it are in no unit yet.
        lambda_fn: tells whether a module becomes a unit.

    Example:
        >>> from lamella import nn
        >>> lambda_auto_wrap_policy(nn.ReLU(), False, 0, lambda m: isinstance(m, nn.Linear))
        False
    """
    return True if recurse else lambda_fn(module)


def transformer_auto_wrap_policy(module: Any, recurse: bool, nonwrapped_numel: int,
                                 transformer_layer_cls: set[type]) -> bool:
    """A policy that makes every module of some classes a unit, typically a transformer's blocks.

    Args:
        module, recurse, nonwrapped_numel: see `lambda_auto_wrap_policy`.
        transformer_layer_cls: the classes.
    """
    return True if recurse else isinstance(module, tuple(transformer_layer_cls))


def _or_policy(module: Any, recurse: bool, nonwrapped_numel: int, policies: Iterable[Callable[..., bool]]) -> bool:
    """A policy that asks others and takes one yes for a yes."""
    return any(p(module=module, recurse=recurse, nonwrapped_numel=nonwrapped_numel) for p in policies)


def size_based_auto_wrap_policy(
    module: Any,
    recurse: bool,
    nonwrapped_numel: int,
    min_num_params: int = int(1e8),
    force_leaf_modules: set[type] | None = None,
    exclude_wrap_modules: set[type] | None = None,
) -> bool:
    """A policy that makes units of at least some size.

    Args:
        module, recurse, nonwrapped_numel: see `lambda_auto_wrap_policy`.
        min_num_params: the size, in elements of parameters.
        force_leaf_modules: classes whose children are no units (multi-head attention).
        exclude_wrap_modules: classes that are no units (lists and dicts of modules).

    Example:
        >>> from lamella import nn
        >>> size_based_auto_wrap_policy(nn.Linear(4, 4), False, 20, min_num_params=16)
        True
    """
    policy: Any = size_based_auto_wrap_policy
    leaves = policy.FORCE_LEAF_MODULES if force_leaf_modules is None else force_leaf_modules
    never = policy.EXCLUDE_WRAP_MODULES if exclude_wrap_modules is None else exclude_wrap_modules
    return nonwrapped_numel >= min_num_params and not isinstance(module, tuple(leaves if recurse else never))


size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES = {nn.ModuleList, nn.ModuleDict}  # type: ignore[attr-defined]
size_based_auto_wrap_policy.FORCE_LEAF_MODULES = {nn.MultiheadAttention}  # type: ignore[attr-defined]


class _Policy(ABC):
    """A policy that looks at the whole tree at once."""

    @abstractmethod
    def _run_policy(self, root_module: Any, ignored_modules: set[Any], root_kwargs: dict[str, Any]) -> dict[Any, dict]:
        """The modules that become units, each with the arguments for it."""


class ModuleWrapPolicy(_Policy):
    """A policy that makes every module of some classes a unit.

    Args:
        module_classes: the classes.

    Example:
        >>> from lamella import nn
        >>> ModuleWrapPolicy({nn.Linear})(nn.Linear(1, 1), recurse=False)
        True
    """

    def __init__(self, module_classes: Iterable[type]) -> None:
        self._module_classes = set(module_classes)
        self._module_classes_str = str(self._module_classes)

    def _run_policy(self, root_module: Any, ignored_modules: set[Any], root_kwargs: dict[str, Any]) -> dict[Any, dict]:
        kinds = tuple(self._module_classes)
        return {m: copy.copy(root_kwargs) for m in root_module.modules()
                if m not in ignored_modules and isinstance(m, kinds)}

    def __call__(self, module: Any, recurse: bool, *args: Any, **kwargs: Any) -> bool:
        return True if recurse else isinstance(module, tuple(self._module_classes))

    def __repr__(self) -> str:
        return f"{super().__repr__()}({self._module_classes_str})"


class CustomPolicy(_Policy):
    """A policy that asks a function of the module.

    Args:
        lambda_fn: gives False, True, or a dict of arguments that differ for this unit.

    Example:
        >>> from lamella import nn
        >>> policy = CustomPolicy(lambda m: isinstance(m, nn.Linear))
        >>> len(policy._run_policy(nn.Sequential(nn.Linear(1, 1), nn.ReLU()), set(), {}))
        1
    """

    def __init__(self, lambda_fn: Callable[[Any], bool | dict[str, Any]]) -> None:
        self._lambda_fn = lambda_fn

    def _run_policy(self, root_module: Any, ignored_modules: set[Any], root_kwargs: dict[str, Any]) -> dict[Any, dict]:
        found: dict[Any, dict] = {}
        for module in root_module.modules():
            if module in ignored_modules:
                continue
            answer = self._lambda_fn(module)
            if not isinstance(answer, (dict, bool)):
                rule = "The lambda_fn passed to CustomPolicy should return False/True or a kwarg dict"
                raise ValueError(message("CustomPolicy", rule, {"got": repr(answer)}))
            if answer:
                found[module] = {**root_kwargs, **(answer if isinstance(answer, dict) else {})}
        return found


# -- by hand -----------------------------------------------------------------------------------------------------------


class _Config(threading.local):
    """What `enable_wrap` says on this thread."""

    wrapper: Any = None
    kwargs: dict[str, Any] = {}


_config = _Config()


@contextlib.contextmanager
def enable_wrap(*, wrapper_cls: Any, **wrapper_kwargs: Any) -> Generator[None, None, None]:
    """Within the block, `wrap` wraps.

    Args:
        wrapper_cls: what to wrap with, for example `FullyShardedDataParallel`.
        **wrapper_kwargs: its arguments.
    """
    if _config.wrapper is not None:
        rule = "You are already within an autowrap context and we currently do not supported nested autowrap."
        raise NotImplementedError(message("enable_wrap", rule))
    _config.wrapper, _config.kwargs = wrapper_cls, wrapper_kwargs
    try:
        yield
    finally:
        _config.wrapper, _config.kwargs = None, {}


def wrap(module: Any, **wrap_overrides: Any) -> Any:
    """Wrap a module the way the `enable_wrap` block around says; outside of one, give it back as it is.

    Args:
        module: the module.
        **wrap_overrides: arguments that take precedence over those of `enable_wrap`.

    Example:
        >>> from lamella import nn
        >>> layer = nn.Linear(1, 1)
        >>> wrap(layer) is layer
        True
    """
    if _config.wrapper is None:
        return module
    return _config.wrapper(module, **{**_config.kwargs, **wrap_overrides})


# -- by a policy -------------------------------------------------------------------------------------------------------


def targets(root: Any, policy: Any, ignored_modules: set[Any], ignored: set[Any],
            kwargs: dict[str, Any]) -> dict[Any, dict]:
    """The modules below a root that a policy makes units, each with its arguments."""
    if isinstance(policy, _Policy):
        found = policy._run_policy(root, ignored_modules, {**kwargs, "auto_wrap_policy": None})
        found.pop(root, None)
        return found
    found = {}

    def visit(module: Any, itself: bool) -> int:
        sizes = {p: p.numel() for p in module.parameters() if p not in ignored}
        total = sum(sizes.values())
        if not policy(module=module, recurse=True, nonwrapped_numel=total):
            return 0
        inside = sum(visit(child, True) for child in module.children() if child not in ignored_modules)
        if itself and policy(module=module, recurse=False, nonwrapped_numel=total - inside):
            found[module] = dict(kwargs)
            return total
        return inside

    visit(root, False)
    return found


def shared_by_units(root: Any, units: Iterable[Any], ignored: set[Any]) -> set[Any]:
    """Parameters that are used in several of the units to be: the root has to own them."""
    inner = set(units)
    owners: dict[Any, set[int]] = {}

    def walk(module: Any, owner: Any) -> None:
        owner = module if module in inner else owner
        for p in module._parameters.values():
            if p is not None and p not in ignored:
                owners.setdefault(p, set()).add(id(owner))
        for child in module._modules.values():
            if child is not None:
                walk(child, owner)

    walk(root, root)
    return {p for p, found in owners.items() if len(found) > 1}


def replace(root: Any, make: dict[Any, Callable[[], Any]]) -> None:
    """Put what ``make[module]()`` gives in the place of modules below a root, children first."""
    done: dict[Any, Module] = {}
    seen = {root}

    def visit(module: Any) -> None:
        for name, child in list(module._modules.items()):
            if child is None:
                continue
            if child not in seen:
                seen.add(child)
                visit(child)
                if child in make:
                    done[child] = make[child]()
            if child in done:
                setattr(module, name, done[child])

    visit(root)
