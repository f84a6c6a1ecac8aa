"""Weights divided by their largest singular value (Miyato et al., 2018), by a hook."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.parameter import Parameter, is_lazy

__all__ = ["remove_spectral_norm", "spectral_norm"]


def default_dim(module: Any) -> int:
    """The dimension of the outputs: the second one for transposed convolutions."""
    from lamella.nn.modules.conv_transpose import _ConvTransposeNd

    return 1 if isinstance(module, _ConvTransposeNd) else 0


def as_matrix(weight: Tensor, dim: int) -> Tensor:
    """The weight as a matrix with one row for each output."""
    if dim != 0:
        weight = weight.permute(dim, *(d for d in range(weight.dim()) if d != dim))
    return weight.reshape(weight.size(0), -1)


class SpectralNorm:
    """The hook that computes the weight before every call; power iteration follows the singular vectors."""

    _version = 1

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"spectral_norm: Expected n_power_iterations to be positive (got {n_power_iterations})"
            )
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Tensor:
        """The normalised weight."""
        weight = getattr(module, self.name + "_orig")
        u, v = (getattr(module, self.name + suffix) for suffix in ("_u", "_v"))
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(matrix.t().mv(u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(matrix.mv(v), dim=0, eps=self.eps))
                # the next call overwrites the buffers, and the graph of this one still needs its vectors
                u, v = u.clone(), v.clone()
        return weight / u.dot(matrix.mv(v))

    @staticmethod
    def apply(module: Any, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Registers the hook, the original weight and the vectors."""
        if any(isinstance(h, SpectralNorm) and h.name == name for h in module._forward_pre_hooks.values()):
            raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        fn = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters.get(name)
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if is_lazy(weight):
            raise ValueError("spectral_norm: the module has uninitialized parameters; run a dummy forward pass first")
        with no_grad():
            h, w = as_matrix(weight, dim).shape
            u, v = (
                F.normalize(core.empty(n, dtype=weight.dtype, device=weight.device).normal_(0, 1), dim=0, eps=eps)
                for n in (h, w)
            )
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.detach())
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(fn)
        module._register_state_dict_hook(_SaveVersion(fn))
        return fn

    def remove(self, module: Any) -> None:
        """Makes the weight a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))


class _SaveVersion:
    """Notes the layout of the buffers in the metadata of a state_dict."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Any, state_dict: Any, prefix: str, local_metadata: dict) -> None:
        versions = local_metadata.setdefault("spectral_norm", {})
        versions[self.fn.name + ".version"] = self.fn._version


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divides a parameter by its largest singular value before every call.

    Args:
        module: the module.
        name: the parameter.
        n_power_iterations: how often the singular vectors are improved in each training call.
        eps: the least norm to divide by.
        dim: the dimension of the outputs; default 0, and 1 for transposed convolutions.

    Returns:
        The module.

    Raises:
        RuntimeError: it is applied twice; ValueError: the parameter is missing.

    Example:
        >>> from lamella import nn
        >>> m = nn.utils.spectral_norm(nn.Linear(20, 40))
        >>> m.weight_u.shape
        torch.Size([40])
    """
    SpectralNorm.apply(module, name, n_power_iterations, default_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Undoes `spectral_norm`.

    Raises:
        ValueError: the parameter is not normalised.
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {type(module).__name__}")
    for key, hook in module._state_dict_hooks.items():
        if isinstance(hook, _SaveVersion) and hook.fn.name == name:
            del module._state_dict_hooks[key]
            break
    return module
