"""`state_dict` and `load_state_dict`."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.nn.parameter import Parameter, is_lazy
from lamella.nn.utils.hooks import RemovableHandle

_EXTRA = "_extra_state"


class IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What `load_state_dict` returns: the keys that were missing and those that nobody took."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


class _Slice(dict):
    """The entries of a state_dict below one module, with the caller's `strict`."""

    strict: bool = True


class _WithModule:
    """A load pre-hook that also gets the module, which it must not keep alive."""

    def __init__(self, hook: Callable, module: Any) -> None:
        self.hook = hook
        self.module = weakref.ref(module)

    def __call__(self, *args: Any) -> Any:
        return self.hook(self.module(), *args)

    def __getstate__(self) -> tuple:
        return self.hook, self.module()

    def __setstate__(self, state: tuple) -> None:
        self.hook = state[0]
        self.module = weakref.ref(state[1])


class StateMixin:
    """Saving and loading of parameters and buffers."""

    _version: int
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: OrderedDict[int, Callable]
    _state_dict_pre_hooks: OrderedDict[int, Callable]
    _load_state_dict_pre_hooks: OrderedDict[int, Callable]
    _load_state_dict_post_hooks: OrderedDict[int, Callable]

    # ------------------------------------------------------------------ saving

    def get_extra_state(self) -> Any:
        """Returns what this module wants in `state_dict` besides tensors; subclasses define it with `set_extra_state`.

        Raises:
            RuntimeError: the subclass has no such method.
        """
        raise RuntimeError(f"get_extra_state: {type(self).__name__} does not define it, it is called by state_dict()")

    def set_extra_state(self, state: Any) -> None:
        """Takes back what `get_extra_state` returned.

        Raises:
            RuntimeError: the subclass has no such method.
        """
        raise RuntimeError(
            f"set_extra_state: {type(self).__name__} does not define it, and the state_dict has extra state for it"
        )

    def _save_to_state_dict(self, destination: dict, prefix: str, keep_vars: bool) -> None:
        for name, param in self._parameters.items():
            if param is not None:
                destination[prefix + name] = param if keep_vars else param.detach()
        for name, buf in self._buffers.items():
            if buf is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buf if keep_vars else buf.detach()
        if _has_extra_state(self):
            destination[prefix + _EXTRA] = self.get_extra_state()

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Returns the parameters and persistent buffers of this module and all below it, by dotted name.

        Args:
            destination: a mapping to fill instead of a new one.
            prefix: is put before every key.
            keep_vars: give the parameters themselves, not detached views of their memory.

        Returns:
            An `OrderedDict`; its attribute `_metadata` holds the `_version` of every module.

        Example:
            >>> from lamella import nn
            >>> list(nn.BatchNorm1d(2).state_dict())
            ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
        """
        for name, value in zip(("destination", "prefix", "keep_vars"), args, strict=False):
            if name == "destination":
                destination = value if destination is None else destination
            elif name == "prefix":
                prefix = prefix or value
            else:
                keep_vars = keep_vars or value
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, local_metadata)
            if result is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict: a post-hook must return None")
            destination = result
        return destination

    # ------------------------------------------------------------------ hooks

    def _add_state_hook(self, table: OrderedDict, hook: Callable) -> RemovableHandle:
        handle = RemovableHandle(table)
        table[handle.id] = hook
        return handle

    def _register_state_dict_hook(self, hook: Callable) -> RemovableHandle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "_register_state_dict_hook: this hook is registered with register_state_dict_post_hook already"
            )
        return self._add_state_hook(self._state_dict_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Registers `hook(module, state_dict, prefix, local_metadata)`, which may change the state_dict in place."""
        hook._from_public_api = True  # type: ignore[attr-defined]
        return self._add_state_hook(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Registers `hook(module, prefix, keep_vars)` to run before `state_dict` collects."""
        return self._add_state_hook(self._state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook: Callable, with_module: bool = False) -> RemovableHandle:
        return self._add_state_hook(self._load_state_dict_pre_hooks, _WithModule(hook, self) if with_module else hook)

    def register_load_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Registers a hook that runs before this module loads.

        Args:
            hook: called as `hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                error_msgs)`; it may change the dict and the lists in place. `strict` is the caller's value.
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Registers `hook(module, incompatible_keys)`, which may change both lists in place."""
        return self._add_state_hook(self._load_state_dict_post_hooks, hook)

    # ------------------------------------------------------------------ loading

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Loads this module's own entries; subclasses override it to read older layouts.

        Problems are appended to the lists, never raised. `strict` here says whether keys are to be reported at all.
        """
        asked = getattr(state_dict, "strict", strict)
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, asked, missing_keys, unexpected_keys, error_msgs)
        own = {k: v for k, v in self._parameters.items() if v is not None}
        for k, v in self._buffers.items():
            if v is not None and k not in self._non_persistent_buffers_set:
                own[k] = v
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, param in own.items():
            key = prefix + name
            if key in state_dict:
                self._load_one(name, key, param, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA
        takes_extra = _takes_extra_state(self)
        if takes_extra and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and (takes_extra or extra in state_dict):
            (missing_keys if takes_extra else unexpected_keys).append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, *rest = key[len(prefix) :].split(".", 1)
                    if first not in (self._modules if rest else own):
                        unexpected_keys.append(key)

    def _load_one(self, name: str, key: str, param: Any, value: Any, assign: bool, error_msgs: list[str]) -> None:
        if not isinstance(value, Tensor):
            error_msgs.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(value)}"
            )
            return
        if not is_lazy(param):
            if param.dim() == 0 and value.dim() == 1:
                value = value[0]  # state of scalars was once saved with one element
            if value.shape != param.shape:
                error_msgs.append(
                    f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                    f"the shape in current model is {param.shape}."
                )
                return
        if param.is_meta and not value.is_meta and not assign:
            warnings.warn(
                f"load_state_dict: {key!r} is on the meta device, so copying into it does nothing; "
                "assign=True takes the tensor itself",
                stacklevel=2,
            )
        try:
            with no_grad():
                if assign:
                    self._assign_one(name, param, value)
                else:
                    param.copy_(value)
        except Exception as e:
            error_msgs.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are {param.size()} and '
                f"whose dimensions in the checkpoint are {value.size()}, an exception occurred : {e.args}."
            )

    def _assign_one(self, name: str, param: Any, value: Any) -> None:
        if isinstance(param, Parameter):
            if isinstance(value, Parameter):
                value.requires_grad_(param.requires_grad)
            else:
                value = Parameter(value, requires_grad=param.requires_grad)
        setattr(self, name, value)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copies parameters and buffers from `state_dict` into this module and all below it.

        Args:
            state_dict: what `state_dict()` of a module of the same structure returned.
            strict: the keys must be exactly those of this module.
            assign: put the given tensors in the place of the module's own instead of copying into these.

        Returns:
            A named tuple `(missing_keys, unexpected_keys)`.

        Raises:
            TypeError: `state_dict` is not a mapping.
            RuntimeError: with every problem listed at once: keys missing or unexpected (if strict), shapes that differ.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        root = _Slice(state_dict)
        root.strict = strict
        metadata = getattr(state_dict, "_metadata", None)
        if metadata is not None:
            root._metadata = metadata  # type: ignore[attr-defined]
        _load(self, root, "", metadata or {}, assign, missing, unexpected, errors)
        if strict:
            if unexpected:
                errors.insert(0, f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
            if missing:
                errors.insert(0, f"Missing key(s) in state_dict: {_quoted(missing)}. ")
        if errors:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors)
                + _prefix_hint(missing, unexpected)
            )
        return IncompatibleKeys(missing, unexpected)


def _load(
    module: Any,
    state: _Slice,
    prefix: str,
    metadata: Mapping,
    assign: bool,
    missing: list,
    unexpected: list,
    errors: list,
) -> None:
    local_metadata = metadata.get(prefix[:-1], {})
    if assign:
        local_metadata = {**local_metadata, "assign_to_params_buffers": assign}
    module._load_from_state_dict(state, prefix, local_metadata, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is None:
            continue
        start = f"{prefix}{name}."
        part = _Slice((k, v) for k, v in state.items() if k.startswith(start))
        part.strict = state.strict
        _load(child, part, start, metadata, assign, missing, unexpected, errors)
    keys = IncompatibleKeys(missing, unexpected)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise RuntimeError(
                "load_state_dict: a post-hook must return None; it may change the lists of keys in place"
            )


def _quoted(keys: list[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys)


def _prefix_hint(missing: list[str], unexpected: list[str]) -> str:
    """Names the prefix by which all keys differ, the way checkpoints of wrapped models do."""
    if not missing or not unexpected:
        return ""
    wanted = set(missing)
    for prefix in ("module.", "_orig_mod.", "model."):
        if all(k.startswith(prefix) for k in unexpected) and any(k[len(prefix) :] in wanted for k in unexpected):
            return (
                f'\n\thint: the keys of the checkpoint start with "{prefix}"; '
                f'torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state_dict, "{prefix}") removes it'
            )
    return ""


def _has_extra_state(module: Any) -> bool:
    return type(module).get_extra_state is not StateMixin.get_extra_state


def _takes_extra_state(module: Any) -> bool:
    return type(module).set_extra_state is not StateMixin.set_extra_state
