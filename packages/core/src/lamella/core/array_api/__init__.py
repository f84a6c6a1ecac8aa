"""The Python array API standard, revision 2024.12, for lamella's tensors.

``x.__array_namespace__()`` gives this module; libraries that are written for the standard find it that way. Names,
signatures and result types are the standard's; where it leaves something open, results are torch's. Importing
lamella does not load it.

Example:
    >>> from lamella.core import array_api as xp
    >>> x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> xp.mean(x, axis=0, keepdims=True).tolist()
    [[2.0, 3.0]]
"""

from __future__ import annotations

import math as _math

from ..dtypes import (
    bool_,
    complex64 as complex64,
    complex128 as complex128,
    float32 as float32,
    float64 as float64,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from . import fft as fft, linalg as linalg
from .creation import (
    arange as arange,
    asarray as asarray,
    diag as diag,
    empty as empty,
    empty_like as empty_like,
    eye as eye,
    from_dlpack as from_dlpack,
    full as full,
    full_like as full_like,
    linspace as linspace,
    meshgrid as meshgrid,
    ones as ones,
    ones_like as ones_like,
    tril as tril,
    triu as triu,
    zeros as zeros,
    zeros_like as zeros_like,
)
from .data_types import (
    astype as astype,
    can_cast as can_cast,
    finfo as finfo,
    iinfo as iinfo,
    isdtype as isdtype,
    result_type as result_type,
)
from .elementwise import *  # noqa: F403
from .inspection import __array_namespace_info__ as __array_namespace_info__
from .linalg import (
    matmul as matmul,
    matrix_transpose as matrix_transpose,
    tensordot as tensordot,
    vecdot as vecdot,
)
from .manipulation import (
    broadcast_arrays as broadcast_arrays,
    broadcast_shapes as broadcast_shapes,
    broadcast_to as broadcast_to,
    concat as concat,
    expand_dims as expand_dims,
    flip as flip,
    moveaxis as moveaxis,
    permute_dims as permute_dims,
    repeat as repeat,
    reshape as reshape,
    roll as roll,
    squeeze as squeeze,
    stack as stack,
    tile as tile,
    unstack as unstack,
)
from .searching import (
    argmax as argmax,
    argmin as argmin,
    argsort as argsort,
    isin as isin,
    nonzero as nonzero,
    searchsorted as searchsorted,
    sort as sort,
    take as take,
    take_along_axis as take_along_axis,
    unique_all as unique_all,
    unique_counts as unique_counts,
    unique_inverse as unique_inverse,
    unique_values as unique_values,
    where as where,
)
from .statistics import (
    all as all,  # noqa: A004
    any as any,  # noqa: A004
    count_nonzero as count_nonzero,
    cumulative_prod as cumulative_prod,
    cumulative_sum as cumulative_sum,
    diff as diff,
    max as max,  # noqa: A004
    mean as mean,
    min as min,  # noqa: A004
    prod as prod,
    std as std,
    sum as sum,  # noqa: A004
    var as var,
)

__array_api_version__ = "2024.12"
#: Revisions whose names and meanings this one keeps.
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

bool = bool_
e, inf, nan, pi, newaxis = _math.e, _math.inf, _math.nan, _math.pi, None

__all__ = sorted(
    {name for name in globals() if not name.startswith("_")}
    - {"annotations", "creation", "data_types", "elementwise", "inspection", "manipulation", "searching", "statistics"}
    - {"VERSIONS", "bool_", "diag"}
) + ["__array_namespace_info__", "__array_api_version__"]
