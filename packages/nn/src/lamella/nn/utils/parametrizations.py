"""Ready parametrisations: weight and spectral normalisation, orthogonal matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.utils.parametrize import register_parametrization
from lamella.nn.utils.spectral_norm_hook import as_matrix, default_dim
from lamella.nn.utils.weight_norm_hook import compute_weight, norm_except_dim

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _tensor_of(module: Any, name: str) -> Tensor:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return compute_weight(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module: Any, name: str = "weight", dim: int = 0) -> Any:
    """Makes a tensor the product of a length and a direction (Salimans and Kingma, 2016).

    Args:
        module: the module.
        name: a parameter of it.
        dim: the dimension that keeps lengths of its own; None: one length for all.

    Returns:
        The module. Its state has `parametrizations.<name>.original0` (lengths) and `original1` (directions); state of
        the older `torch.nn.utils.weight_norm` loads too.

    Example:
        >>> from lamella import nn
        >>> m = nn.utils.parametrizations.weight_norm(nn.Linear(2, 3))
        >>> m.parametrizations.weight.original0.shape
        torch.Size([3, 1])
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_older(state_dict: Any, prefix: str, *rest: Any) -> None:
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in old):
            for i, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(take_older)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.dim()
        if not -ndim <= dim < ndim:
            raise IndexError(
                f"spectral_norm: Dimension out of range (expected [{-ndim}, {ndim - 1}], but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"spectral_norm: Expected n_power_iterations to be positive (got {n_power_iterations})"
            )
        self.dim = dim % ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = as_matrix(weight, self.dim)
            for buffer, n in zip(("_u", "_v"), matrix.shape, strict=True):
                start = core.empty(n, dtype=weight.dtype, device=weight.device).normal_(0, 1)
                self.register_buffer(buffer, F.normalize(start, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _power_method(self, matrix: Tensor, n_power_iterations: int) -> None:
        with no_grad():
            for _ in range(n_power_iterations):
                self._u.copy_(F.normalize(matrix.mv(self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(matrix.t().mv(self._u), dim=0, eps=self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / u.dot(matrix.mv(v))

    def right_inverse(self, value: Tensor) -> Tensor:
        return value


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divides a tensor by its largest singular value (Miyato et al., 2018).

    Args:
        module: the module.
        name: a parameter of it.
        n_power_iterations: how often the singular vectors are improved in each training call.
        eps: the least norm to divide by.
        dim: the dimension of the outputs; default 0, and 1 for transposed convolutions.

    Returns:
        The module.

    Raises:
        ValueError: there is no such tensor.

    Example:
        >>> from lamella import nn
        >>> m = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3))
        >>> m.weight.shape
        torch.Size([3, 4])
    """
    weight = _tensor_of(module, name)
    dim = default_dim(module) if dim is None else dim
    return register_parametrization(module, name, _SpectralNorm(weight.detach(), n_power_iterations, dim, eps))


class _Orthogonal(Module):
    """A matrix with orthonormal columns (or rows), from the exponential or the Cayley map of a skew matrix."""

    base: Any

    def __init__(self, weight: Tensor, orthogonal_map: str) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        n, k = x.size(-2), x.size(-1)
        wide = n < k
        if wide:
            x = x.transpose(-2, -1)
            n, k = k, n
        x = x.tril()
        if n != k:
            x = core.cat([x, x.new_zeros((*x.shape[:-1], n - k))], -1)
        a = x - x.transpose(-2, -1)
        if self.orthogonal_map == "cayley":
            one = core.eye(n, dtype=a.dtype, device=a.device)
            q = core.linalg.solve(one - a / 2, one + a / 2)
        else:
            q = core.matrix_exp(a)
        if self.base is not None:
            q = self.base @ q
        if n != k:
            q = q[..., :k]
        return q.transpose(-2, -1) if wide else q

    def right_inverse(self, q: Tensor) -> Tensor:
        if q.shape != self.shape:
            raise ValueError(f"orthogonal: expected shape {tuple(self.shape)} (got {tuple(q.shape)})")
        with no_grad():
            start = q
            if q.size(-2) < q.size(-1):
                q = q.transpose(-2, -1)
            n, k = q.size(-2), q.size(-1)
            if n != k:
                rest = core.randn((*q.shape[:-2], n, n - k), dtype=q.dtype, device=q.device)
                q = core.cat([q, rest], -1)
            basis, r = np.linalg.qr(q.detach().cpu().numpy())
            basis = basis * np.sign(np.diagonal(r, 0, -2, -1))[..., None, :]
            self.base = core.from_numpy(basis).to(q.device)
            return core.zeros_like(start)


def orthogonal(
    module: Any, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Any:
    """Makes a matrix orthogonal: its columns (or rows, if there are fewer) are orthonormal.

    Args:
        module: the module.
        name: a parameter of it with at least 2 dimensions.
        orthogonal_map: `"matrix_exp"` or `"cayley"`; `"householder"` is computed with the first.
        use_trivialization: accepted; the map always starts from the present value.

    Returns:
        The module.

    Raises:
        ValueError: there is no such matrix, or the map is not known.
    """
    weight = _tensor_of(module, name)
    if weight.dim() < 2:
        raise ValueError(f"orthogonal: expected a matrix or batch of matrices (got {weight.dim()} dimensions)")
    if orthogonal_map not in (None, "matrix_exp", "cayley", "householder"):
        raise ValueError(
            f'orthogonal: orthogonal_map has to be one of "matrix_exp", "cayley", "householder" (got {orthogonal_map})'
        )
    return register_parametrization(module, name, _Orthogonal(weight, orthogonal_map or "matrix_exp"), unsafe=True)
