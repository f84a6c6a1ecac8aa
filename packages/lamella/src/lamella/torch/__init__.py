"""lamella under torch's names: ``from lamella import torch`` takes the place of ``import torch``.

Names come from the layers: tensors and operators from lamella.core, gradients from lamella.autograd, networks from
lamella.nn, optimizers from lamella.optim. Layers that a program does not use are not loaded.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import lamella.autograd as _autograd  # noqa: F401 - its import gives tensors their gradients
import lamella.core as _core
from lamella.compile.native import start as _start_native
from lamella.core.serialization.names import register_namespace as _register_namespace
from lamella.interop.arrival import when_imported as _when_imported

from . import version
from ._missing import MissingName, from_source, public, torch_names

if TYPE_CHECKING:
    from lamella.autograd import *  # noqa: F403
    from lamella.core import *  # noqa: F403

__version__ = version.__version__
_register_namespace("torch", "lamella.torch")  # what files call torch.x.y is found here
_when_imported("einops", "lamella.interop.einops")
_start_native()

_SUBMODULES = frozenset(
    {
        "_dynamo",
        "_utils",
        "accelerator",
        "amp",
        "autograd",
        "backends",
        "compiler",
        "cuda",
        "distributed",
        "fft",
        "func",
        "functional",
        "jit",
        "library",
        "linalg",
        "masked",
        "nn",
        "optim",
        "overrides",
        "random",
        "return_types",
        "serialization",
        "signal",
        "special",
        "storage",
        "testing",
        "types",
        "utils",
        "version",
    }
)
#: Names that live in a submodule too, or in a file of their own.
_ELSEWHERE = {
    "compile": "lamella.compile.api",
    "ops": "lamella.dispatch",
    "OutOfMemoryError": "lamella.core.cuda.errors",
    **dict.fromkeys(("GradScaler", "autocast"), "lamella.torch.amp"),
    **dict.fromkeys(
        (
            "AcceleratorError",
            "SymBool",
            "SymFloat",
            "SymInt",
            "_assert",
            "_assert_async",
            "_check",
            "_check_index",
            "_check_is_size",
            "_check_not_implemented",
            "_check_tensor_all",
            "_check_type",
            "_check_value",
            "_check_with",
            "sym_float",
            "sym_int",
            "sym_ite",
            "sym_max",
            "sym_min",
            "sym_not",
            "sym_sqrt",
            "sym_sum",
        ),
        "lamella.torch._checks",
    ),
    **dict.fromkeys(
        (
            "clear_autocast_cache",
            "get_autocast_cpu_dtype",
            "get_autocast_dtype",
            "get_autocast_gpu_dtype",
            "is_autocast_cache_enabled",
            "is_autocast_cpu_enabled",
            "is_autocast_enabled",
        ),
        "lamella.torch.amp.autocast_mode",
    ),
    **dict.fromkeys(
        (
            "are_deterministic_algorithms_enabled",
            "compiled_with_cxx11_abi",
            "get_deterministic_debug_mode",
            "get_float32_matmul_precision",
            "get_num_interop_threads",
            "is_deterministic_algorithms_warn_only_enabled",
            "is_warn_always_enabled",
            "set_default_tensor_type",
            "set_deterministic_debug_mode",
            "set_float32_matmul_precision",
            "set_flush_denormal",
            "set_num_interop_threads",
            "set_warn_always",
            "typename",
            "use_deterministic_algorithms",
        ),
        "lamella.torch._settings",
    ),
}
#: Layers whose names torch keeps at its top, in the order in which they are asked.
_LAYERS = (
    "lamella.core",
    "lamella.core.layouts",
    "lamella.autograd",
    "lamella.core.random",
    "lamella.core.serialization",
    "lamella.core.storage",
    "lamella.nn.tensor_functions",
    "lamella.nn.tensor_layers",
    "lamella.nn.functional",
    "lamella.nn",
    "lamella.nn.tensor_recurrent",
)

e = 2.718281828459045
pi = 3.141592653589793
inf = float("inf")
nan = float("nan")
newaxis = None


def _adopt(module: ModuleType) -> None:
    """Take over a layer's public names that are not its submodules."""
    mine = globals()
    for name, value in vars(module).items():
        if not name.startswith("_") and not isinstance(value, ModuleType):
            mine.setdefault(name, value)


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"lamella.torch.{name}")
    found = None
    if name in _ELSEWHERE:
        found = getattr(import_module(_ELSEWHERE[name]), name)
    elif name.startswith("_foreach_"):
        found = from_source("lamella.core.foreach", name)
    elif name == "__all__":  # `from torch import *`
        return [n for n in __dir__() if n not in _SUBMODULES]
    elif not name.startswith("__") and name in torch_names()["torch"]:
        for layer in _LAYERS:
            found = from_source(layer, name)
            if found is not None:
                break
    if found is None:
        raise MissingName("torch", name, __dir__)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    names = public(import_module(__name__), list(globals())) - {"MissingName", "from_source", "public", "torch_names"}
    return sorted(names | _SUBMODULES | set(_ELSEWHERE) | {"__version__"})


_adopt(_core)
