"""lamella-dispatch: which code runs when an operator is called.

The names below are the public ones. They load when first used, so that importing the package costs nothing; `keys`,
`state` and `registry` are what every layer above imports at start.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adapter import TensorAdapter as TensorAdapter
    from .checks import opcheck as opcheck
    from .config import settings as settings
    from .custom import (
        CustomOpDef as CustomOpDef,
        custom_op as custom_op,
        get_ctx as get_ctx,
        register_autograd as register_autograd,
        register_fake as register_fake,
        register_kernel as register_kernel,
        register_vmap as register_vmap,
    )
    from .errors import LamellaError as LamellaError, RegistrationError as RegistrationError, SchemaError as SchemaError
    from .inference import infer_schema as infer_schema
    from .keys import DispatchKey as DispatchKey, keyset as keyset
    from .ladder import explain as explain
    from .library import Library as Library, define as define, impl as impl
    from .logs import set_logs as set_logs
    from .modes import TorchDispatchMode as TorchDispatchMode, TorchFunctionMode as TorchFunctionMode
    from .packets import OpOverloadPacket as OpOverloadPacket, ops as ops
    from .registry import OpOverload as OpOverload, fallthrough_kernel as fallthrough_kernel
    from .schema import (
        Schema as Schema,
        parse as parse_schema,  # noqa: F401
    )

_HOMES = {
    "CallMode": "modes",
    "CustomOpDef": "custom",
    "DisableTorchFunction": "modes",
    "DisableTorchFunctionSubclass": "modes",
    "DispatchKey": "keys",
    "LamellaError": "errors",
    "Library": "library",
    "OpOverload": "registry",
    "OpOverloadPacket": "packets",
    "RegistrationError": "errors",
    "Schema": "schema",
    "SchemaError": "errors",
    "TensorAdapter": "adapter",
    "TorchDispatchMode": "modes",
    "TorchFunctionMode": "modes",
    "custom_op": "custom",
    "define": "library",
    "explain": "ladder",
    "fallthrough_kernel": "registry",
    "get_ctx": "custom",
    "impl": "library",
    "infer_schema": "inference",
    "keyset": "keys",
    "opcheck": "checks",
    "ops": "packets",
    "register_autograd": "custom",
    "register_fake": "custom",
    "register_kernel": "custom",
    "register_vmap": "custom",
    "set_logs": "logs",
    "settings": "config",
}
_MODULES = ("adapter", "conform", "errors", "guards", "keys", "library", "logs", "modes", "registry", "schema", "state")

__all__ = [*_HOMES, "parse_schema"]


def __getattr__(name: str) -> Any:
    if name == "parse_schema":
        value = importlib.import_module(".schema", __name__).parse
    elif name in _HOMES:
        value = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
    elif name in _MODULES or name == "codegen":
        return importlib.import_module("." + name, __name__)
    else:
        from .errors import did_you_mean, message

        raise AttributeError(
            message("lamella.dispatch", f"there is no name {name!r}", hint=did_you_mean(name, __all__))
        )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
