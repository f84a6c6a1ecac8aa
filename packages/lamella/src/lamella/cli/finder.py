"""Import hook: `import torch` and everything below it give lamella's modules."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from email.message import Message
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

TARGET = "lamella.torch"


def _target(name: str) -> str:
    return TARGET + name.removeprefix("torch")


class TorchFinder:
    """Finds `torch` and `torch.*`; it goes first on `sys.meta_path`, so an installed torch is not looked at."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """A spec whose module is the façade's module of the same name; None for names that are not torch's."""
        if fullname != "torch" and not fullname.startswith("torch."):
            return None
        try:
            found = importlib.util.find_spec(_target(fullname))
        except ModuleNotFoundError:
            found = None
        if found is None:
            raise _missing(fullname)
        package = found.submodule_search_locations is not None
        spec = ModuleSpec(fullname, _Alias(), origin=found.origin, is_package=package)
        spec.submodule_search_locations = found.submodule_search_locations
        spec.has_location = found.has_location
        return spec

    def find_distributions(self, context: Any = None) -> Iterable[importlib.metadata.Distribution]:
        """`importlib.metadata.version("torch")` is asked by libraries that look for torch."""
        if getattr(context, "name", None) is not None and str(context.name).lower() == "torch":
            return [_Torch()]
        return []

    def invalidate_caches(self) -> None:
        """Nothing is cached."""


class _Alias(Loader):
    """Loads a `torch` name by importing the façade's module: one module object, two names."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_target(spec.name))
        self._own = module.__spec__, getattr(module, "__loader__", None)
        return module

    def exec_module(self, module: ModuleType) -> None:
        # the import system wrote the alias's spec into the module; the module keeps the one it was really loaded with
        module.__spec__, module.__loader__ = self._own

    def get_source(self, fullname: str) -> str | None:
        loader = _loader(fullname)
        return None if loader is None else loader.get_source(_target(fullname))

    def get_code(self, fullname: str) -> Any:
        """What `lamella run -m torch.x` runs."""
        loader = _loader(fullname)
        return None if loader is None else loader.get_code(_target(fullname))


def _loader(name: str) -> Any:
    spec = importlib.util.find_spec(_target(name))
    return None if spec is None else spec.loader


def _missing(name: str) -> ModuleNotFoundError:
    from lamella.torch._missing import VERSION, torch_names

    parent, _, leaf = name.rpartition(".")
    offered = name in torch_names() or leaf in torch_names().get(parent, ())
    text = f"{name}: lamella does not offer this yet (lamella {VERSION})" if offered else f"No module named {name!r}"
    return ModuleNotFoundError(text, name=name)


class _Torch(importlib.metadata.Distribution):
    """What the package metadata of torch would say."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        from lamella.torch.version import __version__

        return f"Metadata-Version: 2.1\nName: torch\nVersion: {__version__}\nSummary: lamella under torch's names\n"

    def locate_file(self, path: Any) -> Any:
        return Path(path)

    @property
    def metadata(self) -> Any:
        import email

        message: Message = email.message_from_string(self.read_text("METADATA") or "")
        return message


def install() -> TorchFinder:
    """Make `import torch` give lamella from now on, in this process.

    Returns:
        The finder, which `uninstall` takes back.

    Raises:
        RuntimeError: if the real torch is loaded already.
    """
    loaded = sys.modules.get("torch")
    if loaded is not None and loaded.__name__ != TARGET:
        raise RuntimeError("lamella run: torch is imported already, from " + str(getattr(loaded, "__file__", "?")))
    for finder in sys.meta_path:
        if isinstance(finder, TorchFinder):
            return finder
    finder = TorchFinder()
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    return finder


def uninstall(finder: TorchFinder) -> None:
    """Take the hook back; modules that were imported stay imported under lamella's names only."""
    sys.meta_path.remove(finder)  # type: ignore[arg-type]
    for name in [n for n in sys.modules if n == "torch" or n.startswith("torch.")]:
        if sys.modules[name].__name__.startswith(TARGET):
            del sys.modules[name]
