"""Pruning: masks that set parameters to zero."""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from lamella import core
from lamella.core import Tensor

__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
    "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove",
]  # fmt: skip


class BasePruningMethod(ABC):
    """A way to choose what is pruned. Subclasses define `PRUNING_TYPE` and `compute_mask(t, default_mask)`.

    On a module, the parameter becomes `name_orig`, the mask the buffer `name_mask`, and a hook sets
    `name = name_orig * name_mask` before every call.
    """

    PRUNING_TYPE = "unstructured"
    _tensor_name: str

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask for `t`: zeros where `default_mask` has them, and where this method prunes.

        Args:
            t: how important the elements are.
            default_mask: what is pruned already.
        """

    def apply_mask(self, module: Any) -> Tensor:
        """The pruned tensor of a module."""
        orig = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(dtype=orig.dtype) * orig

    @classmethod
    def apply(cls, module: Any, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any) -> Any:
        """Prunes a parameter of a module, on top of what is pruned already.

        Args:
            module: the module.
            name: the parameter.
            *args, **kwargs: the arguments of the method.
            importance_scores: how important the elements are; default: their values.

        Returns:
            The method, or the container of all methods on this parameter.
        """
        method: Any = cls(*args, **kwargs)
        method._tensor_name = name
        old = next(
            (
                (key, hook)
                for key, hook in module._forward_pre_hooks.items()
                if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
            ),
            None,
        )
        if old is not None:
            container = old[1] if isinstance(old[1], PruningContainer) else PruningContainer(old[1])
            container.add_pruning_method(method)
            del module._forward_pre_hooks[old[0]]
            method = container
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise ValueError(
                f"prune: importance_scores must have the parameter's shape ({tuple(importance_scores.shape)} and "
                f"{tuple(original.shape)})"
            )
        if old is None:
            module.register_parameter(name + "_orig", module._parameters.pop(name))
            default = core.ones_like(original.detach())
        else:
            default = getattr(module, name + "_mask").detach().clone()
        mask = method.compute_mask(importance_scores.detach(), default)
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None) -> Tensor:
        """A pruned copy of a tensor.

        Args:
            t: the tensor.
            default_mask: what is pruned already.
            importance_scores: how important the elements are; default: their values.
        """
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise ValueError("prune: importance_scores must have the tensor's shape")
        default = core.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default)

    def remove(self, module: Any) -> None:
        """Makes the pruned tensor the parameter."""
        name = self._tensor_name
        weight = self.apply_mask(module)
        if name in module.__dict__:
            delattr(module, name)
        orig = module._parameters.pop(name + "_orig")
        orig.data = weight.detach()
        del module._buffers[name + "_mask"]
        setattr(module, name, orig)


class PruningContainer(BasePruningMethod):
    """Several methods on one parameter, one after another.

    Args:
        *args: the methods, all on the same parameter.
    """

    PRUNING_TYPE = "container"

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        first = args[0] if len(args) == 1 and isinstance(args[0], Iterable) else args
        if args:
            methods = list(first)
            self._tensor_name = methods[0]._tensor_name
            for method in methods:
                self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Adds a method.

        Raises:
            TypeError: it is none; ValueError: it is on another parameter.
        """
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"prune: {type(method)} is not a BasePruningMethod subclass")
        if method is not None and method._tensor_name != self._tensor_name:
            raise ValueError(
                f"prune: a container holds methods on one parameter ({self._tensor_name!r}, got "
                f"{method._tensor_name!r})"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, index: int) -> Any:
        return self._pruning_methods[index]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask of the last method, on what the others have left."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "global":
            return method.compute_mask(t, mask)
        if method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            rows = mask.sum([d for d in range(t.dim()) if d != dim]).nonzero().squeeze(1)
            part = method.compute_mask(t.index_select(dim, rows), mask.index_select(dim, rows))
            return mask.index_copy(dim, rows, part.to(mask.dtype))
        keep = mask == 1
        part = method.compute_mask(t[keep], mask[keep])
        new = mask.clone()
        new[keep] = part.to(mask.dtype)
        return new


def _check_amount(amount: Any, size: int | None = None) -> None:
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"prune: amount must be a number (got {amount!r})")
    if isinstance(amount, numbers.Integral):
        if amount < 0 or (size is not None and amount > size):
            raise ValueError(f"prune: amount must be between 0 and the {size} units there are (got {amount})")
    elif not 0.0 <= float(amount) <= 1.0:
        raise ValueError(f"prune: amount must be an integer, or a fraction between 0 and 1 (got {amount})")


def _how_many(amount: Any, size: int) -> int:
    return int(amount) if isinstance(amount, numbers.Integral) else round(float(amount) * size)


class Identity(BasePruningMethod):
    """Prunes nothing."""

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask as it was."""
        return default_mask


class _Amount(BasePruningMethod):
    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def _pick(self, t: Tensor, k: int) -> Tensor:
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask with `amount` more elements pruned."""
        _check_amount(self.amount, t.numel())
        k = _how_many(self.amount, t.numel())
        mask = default_mask.clone()
        if k:
            mask.reshape(-1)[self._pick(t, k)] = 0
        return mask


class RandomUnstructured(_Amount):
    """Prunes elements at random.

    Args:
        amount: how many, or which fraction.
    """

    def _pick(self, t: Tensor, k: int) -> Tensor:
        return core.rand_like(t).reshape(-1).topk(k).indices


class L1Unstructured(_Amount):
    """Prunes the elements nearest to zero.

    Args:
        amount: how many, or which fraction.
    """

    def _pick(self, t: Tensor, k: int) -> Tensor:
        return t.abs().reshape(-1).topk(k, largest=False).indices


class _Structured(BasePruningMethod):
    PRUNING_TYPE = "structured"
    amount: Any
    dim: int

    def _scores(self, t: Tensor) -> Tensor:
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask with `amount` more slices along `dim` pruned."""
        if t.dim() <= 1:
            raise ValueError(f"prune: structured pruning needs at least 2 dimensions (got {t.dim()})")
        if not -t.dim() <= self.dim < t.dim():
            raise IndexError(f"prune: invalid index {self.dim} for tensor of size {tuple(t.shape)}")
        size = t.size(self.dim)
        _check_amount(self.amount, size)
        k = _how_many(self.amount, size)
        if k == 0:
            return default_mask
        keep = core.zeros(size, dtype=default_mask.dtype)
        keep[self._scores(t).topk(size - k).indices] = 1
        shape = [1] * t.dim()
        shape[self.dim] = -1
        return default_mask * keep.reshape(shape)


class RandomStructured(_Structured):
    """Prunes slices at random.

    Args:
        amount: how many, or which fraction.
        dim: along which dimension.
    """

    def __init__(self, amount: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.dim = dim

    def _scores(self, t: Tensor) -> Tensor:
        return core.rand(t.size(self.dim))


class LnStructured(_Structured):
    """Prunes the slices with the smallest n-norm.

    Args:
        amount: how many, or which fraction.
        n: the n of the norm.
        dim: along which dimension.
    """

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def _scores(self, t: Tensor) -> Tensor:
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        if self.n == "fro":
            return (t * t).sum(others).sqrt()
        return core.linalg_vector_norm(t, float(self.n), others)


class CustomFromMask(BasePruningMethod):
    """Prunes what a given mask prunes.

    Args:
        mask: zeros where the tensor is pruned.
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise ValueError(
                f"prune: the mask has shape {tuple(self.mask.shape)}, the parameter {tuple(default_mask.shape)}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: Any, name: str) -> Any:
    """Prepares a parameter for pruning without pruning anything; returns the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    """Prunes elements of a parameter at random: `amount` of them, or that fraction; returns the module."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: Any, importance_scores: Tensor | None = None) -> Any:
    """Prunes the elements of a parameter nearest to zero; returns the module.

    Args:
        module: the module.
        name: the parameter.
        amount: how many, or which fraction.
        importance_scores: how important the elements are; default: their values.

    Example:
        >>> from lamella import core, nn
        >>> from lamella.nn.utils import prune
        >>> m = prune.l1_unstructured(nn.Linear(2, 3), "weight", amount=2)
        >>> int((m.weight == 0).sum())
        2
    """
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: Any, dim: int) -> Any:
    """Prunes slices of a parameter along `dim` at random; returns the module."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Tensor | None = None
) -> Any:
    """Prunes the slices of a parameter along `dim` with the smallest n-norm; returns the module."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: dict | None = None, **kwargs: Any
) -> None:
    """Prunes several parameters as if they were one.

    Args:
        parameters: pairs `(module, name)`.
        pruning_method: an unstructured method class.
        importance_scores: scores by `(module, name)`; default: the values.
        **kwargs: the arguments of the method.

    Raises:
        TypeError: the method is structured, or `parameters` cannot be iterated.
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured: parameters must be pairs (module, name)")
    pairs = list(parameters)
    scores = importance_scores or {}
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f"global_unstructured: only unstructured methods are possible (got {method.PRUNING_TYPE})")
    values = [scores.get(pair, getattr(*pair)).detach() for pair in pairs]
    masks = [getattr(m, name + "_mask", core.ones_like(v)) for (m, name), v in zip(pairs, values, strict=True)]
    flat_mask = core.cat([m.reshape(-1) for m in masks])
    keep = flat_mask == 1
    part = method.compute_mask(core.cat([v.reshape(-1) for v in values])[keep], flat_mask[keep])
    final = flat_mask.clone()
    final[keep] = part
    at = 0
    for module, name in pairs:
        t = getattr(module, name)
        custom_from_mask(module, name, final[at : at + t.numel()].reshape(t.shape))
        at += t.numel()


def custom_from_mask(module: Any, name: str, mask: Tensor) -> Any:
    """Prunes a parameter by a mask; returns the module."""
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Any, name: str) -> Any:
    """Makes the pruned tensor the parameter, without mask and hook; returns the module.

    Raises:
        ValueError: the parameter is not pruned.
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"prune.remove: Parameter '{name}' of module {module} has to be pruned before it can be removed")


def is_pruned(module: Any) -> bool:
    """Whether some parameter of the module, or of one below it, is pruned."""
    return any(isinstance(h, BasePruningMethod) for m in module.modules() for h in m._forward_pre_hooks.values())

