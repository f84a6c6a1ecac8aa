"""Compiled modules.

A module whose class names one of its modules in ``_compiled_part`` has that one compiled, in place: what it does around
it changes Python state, and stays as it is.
"""

from __future__ import annotations

import functools
from typing import Any

from . import layers
from .function import CompiledFunction, wrapper

_class: Any = None


def _make_class() -> Any:
    base = layers.module_class()

    class OptimizedModule(base):  # type: ignore[misc, valid-type]
        """A module whose call is compiled; parameters, buffers and state are those of the original."""

        def __init__(self, module: Any, settings: dict[str, Any]) -> None:
            super().__init__()
            self._modules["_orig_mod"] = module
            self.__dict__["_settings"] = settings
            part = getattr(type(module), "_compiled_part", None)
            if part is None:
                self.__dict__["_call"] = wrapper(CompiledFunction(module.__call__, **settings))
            else:
                module._modules[part].compile(**settings)
                self.__dict__["_call"] = module.__call__
            self.__dict__["training"] = module.training

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            return self._call(*args, **kwargs)

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            d = self.__dict__
            if "_slow_call" in d or "forward" in d:
                return super().__call__(*args, **kwargs)
            return d["_call"](*args, **kwargs)

        def __getattr__(self, name: str) -> Any:
            if name == "_orig_mod":
                return self._modules["_orig_mod"]
            original = self._modules["_orig_mod"]
            if name == "emit" and not hasattr(original, name):
                from .standalone import emit

                return functools.partial(emit, self)
            return getattr(original, name)

        def __setattr__(self, name: str, value: Any) -> None:
            if name == "training":
                self.__dict__["training"] = value
            elif name == "forward":
                self.__dict__[name] = value
            else:
                setattr(self._modules["_orig_mod"], name, value)

        def __delattr__(self, name: str) -> None:
            delattr(self._modules["_orig_mod"], name)

        def __bool__(self) -> bool:
            return bool(self._modules["_orig_mod"])

        def __len__(self) -> int:
            return len(self._modules["_orig_mod"])

        def __iter__(self) -> Any:
            return iter(self._modules["_orig_mod"])

        def __getitem__(self, key: Any) -> Any:
            return self._modules["_orig_mod"][key]

        def __reduce__(self) -> Any:
            return optimized, (self._modules["_orig_mod"], self.__dict__["_settings"])

        def __deepcopy__(self, memo: dict[int, Any]) -> Any:
            import copy

            return optimized(copy.deepcopy(self._modules["_orig_mod"], memo), self.__dict__["_settings"])

    return OptimizedModule


def optimized(module: Any, settings: dict[str, Any]) -> Any:
    """The compiled form of a module."""
    global _class
    if _class is None:
        _class = _make_class()
    if isinstance(module, _class):
        module = module._modules["_orig_mod"]
    return _class(module, settings)


def __getattr__(name: str) -> Any:
    global _class
    if name == "OptimizedModule" and layers.module_class() is not None:
        if _class is None:
            _class = _make_class()
        return _class
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
