"""torch.return_types: the named tuples that operators with several results give."""

from __future__ import annotations

from typing import Any

from lamella.core.runtime import return_type

from ._missing import lookup

_FIELDS = {
    "aminmax": "min max",
    **dict.fromkeys(
        ("cummax", "cummin", "kthvalue", "max", "median", "min", "mode", "nanmedian", "sort", "topk"), "values indices"
    ),
    "frexp": "mantissa exponent",
    "geqrf": "a tau",
    "histogram": "hist bin_edges",
    "histogramdd": "hist bin_edges",
    "linalg_cholesky_ex": "L info",
    "linalg_eig": "eigenvalues eigenvectors",
    "linalg_eigh": "eigenvalues eigenvectors",
    "linalg_inv_ex": "inverse info",
    "linalg_ldl_factor": "LD pivots",
    "linalg_ldl_factor_ex": "LD pivots info",
    "linalg_lstsq": "solution residuals rank singular_values",
    "linalg_lu": "P L U",
    "linalg_lu_factor": "LU pivots",
    "linalg_lu_factor_ex": "LU pivots info",
    "linalg_qr": "Q R",
    "linalg_slogdet": "sign logabsdet",
    "linalg_solve_ex": "result info",
    "linalg_svd": "U S Vh",
    "lu_unpack": "P L U",
    "qr": "Q R",
    "slogdet": "sign logabsdet",
    "svd": "U S V",
    "triangular_solve": "solution cloned_coefficient",
}


def _class(name: str, fields: str) -> Any:
    made: Any = return_type(name, tuple(fields.split()))
    return made.__self__


globals().update({name: _class(name, fields) for name, fields in _FIELDS.items()})

__all__ = sorted(_FIELDS)
__getattr__, __dir__ = lookup(__name__)
