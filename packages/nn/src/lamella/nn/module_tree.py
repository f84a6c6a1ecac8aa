"""Finding what is below a module: by path, and by walking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lamella.core import Tensor
from lamella.nn._names import typename
from lamella.nn.parameter import Parameter


def _walk_modules(root: Any) -> Iterator[Any]:
    """A module and all below it, parents first, each once: `named_modules` without the names."""
    seen = set()
    stack = [root]
    while stack:
        module = stack.pop()
        if module is not None and id(module) not in seen:
            seen.add(id(module))
            yield module
            if module._modules:
                stack += list(module._modules.values())[::-1]


class TreeMixin:
    """Lookup by dotted path, and iteration over parameters, buffers and modules."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]

    # ------------------------------------------------------------------ lookup by path

    def _walk(self, op: str, path: str) -> Any:
        module: Any = self
        for part in path.split(".") if path else ():
            if not hasattr(module, part):
                raise AttributeError(f"{op}: {type(module).__name__} has no attribute `{part}` (path {path!r})")
            module = getattr(module, part)
            if not isinstance(module, TreeMixin):
                raise AttributeError(f"{op}: `{part}` is not an nn.Module (path {path!r})")
        return module

    def get_submodule(self, target: str) -> Any:
        """Returns the module at a dotted path such as `"encoder.layers.0"`; the empty path is the module itself.

        Raises:
            AttributeError: the path meets something that is missing or not a module.
        """
        return self._walk("get_submodule", target)

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Puts `module` at a dotted path.

        Args:
            target: the path.
            module: what is put there.
            strict: refuse a path that has no module yet.
        """
        if target == "":
            raise ValueError("set_submodule: the path must not be empty")
        if not isinstance(module, TreeMixin):
            raise ValueError(f"set_submodule: `module` must be an nn.Module (got {typename(module)})")
        path, _, name = target.rpartition(".")
        parent = self._walk("set_submodule", path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"set_submodule: {type(parent).__name__} has no attribute `{name}` (path {target!r})")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), TreeMixin):
            raise AttributeError(f"set_submodule: `{name}` is not an nn.Module (path {target!r})")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """Returns the parameter at a dotted path such as `"fc.weight"`.

        Raises:
            AttributeError: there is none.
        """
        path, _, name = target.rpartition(".")
        module = self._walk("get_parameter", path)
        value = getattr(module, name, None)
        if value is None and not hasattr(module, name):
            raise AttributeError(f"get_parameter: {type(module).__name__} has no attribute `{name}` (path {target!r})")
        if not isinstance(value, Parameter):
            raise AttributeError(f"get_parameter: `{name}` is not an nn.Parameter (path {target!r})")
        return value

    def get_buffer(self, target: str) -> Tensor:
        """Returns the buffer at a dotted path such as `"bn.running_mean"`.

        Raises:
            AttributeError: there is none.
        """
        path, _, name = target.rpartition(".")
        module = self._walk("get_buffer", path)
        if not hasattr(module, name):
            raise AttributeError(f"get_buffer: {type(module).__name__} has no attribute `{name}` (path {target!r})")
        if name not in module._buffers:
            raise AttributeError(f"get_buffer: `{name}` is not a buffer (path {target!r})")
        return getattr(module, name)

    # ------------------------------------------------------------------ traversal

    def _named_members(
        self, get_members_fn: Callable, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        seen: set = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in get_members_fn(module):
                if value is None:
                    continue
                if remove_duplicate:
                    if id(value) in seen:
                        continue
                    seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Iterates over the parameters, each once; `recurse=False` leaves out those of child modules."""
        cls = type(self)
        if (
            cls.named_parameters is not TreeMixin.named_parameters
            or cls.named_modules is not TreeMixin.named_modules
            or cls._named_members is not TreeMixin._named_members
        ):
            for _, param in self.named_parameters(recurse=recurse):
                yield param
            return
        found = set()
        for module in _walk_modules(self) if recurse else (self,):
            for param in module._parameters.values():
                if param is not None and id(param) not in found:
                    found.add(id(param))
                    yield param

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Iterates over `(name, parameter)`.

        Args:
            prefix: is put before every name.
            recurse: also those of child modules.
            remove_duplicate: a shared parameter appears once, under its first name.
        """
        yield from self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Iterates over the buffers, each once; `recurse=False` leaves out those of child modules."""
        for _, buf in self.named_buffers(recurse=recurse):
            yield buf

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Iterates over `(name, buffer)`; the arguments are those of `named_parameters`."""
        yield from self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def children(self) -> Iterator[Any]:
        """Iterates over the direct child modules, each once."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Iterates over `(name, module)` of the direct child modules, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate: bool = True) -> Iterator[Any]:
        """Iterates over the module itself and all modules below it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(
        self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Iterates over `(name, module)` of the module itself and all modules below it, parents first.

        Args:
            memo: modules that are left out; the ones met are added.
            prefix: the name of this module, put before all others.
            remove_duplicate: a shared module appears once, under its first name.
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def apply(self, fn: Callable[[Any], None]) -> Any:
        """Calls `fn` on every module, children first, and returns the module itself."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self
