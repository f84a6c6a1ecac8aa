"""CuPy's door to NCCL, and what is missing where it is shut."""

from __future__ import annotations

from typing import Any

from lamella.core.cuda import missing as no_gpu
from lamella.dispatch.errors import message

_HINT = "pip install 'lamella-distributed[cuda]' (CuPy and NCCL); 'mpi' carries tensors on the CPU"


def missing() -> str:
    """What is missing for collectives on GPUs, in one sentence; empty where nothing is.

    Example:
        >>> isinstance(missing(), str)
        True
    """
    why = no_gpu()
    if why:
        return why
    try:
        from cupy.cuda import nccl
    except ImportError as error:
        return f"CuPy has no NCCL ({error})"
    return "" if nccl.available else "NCCL cannot be loaded: CuPy finds no library libnccl"


def is_available() -> bool:
    """Whether there are a GPU and NCCL.

    Example:
        >>> is_available() == (missing() == "")
        True
    """
    return not missing()


def library(name: str) -> Any:
    """The module `cupy.cuda.nccl`.

    Args:
        name: what needs it, for the error.

    Raises:
        RuntimeError: there is no GPU, or no NCCL.
    """
    why = missing()
    if why:
        raise RuntimeError(message(name, f"the backend nccl cannot be used: {why}", hint=_HINT))
    from cupy.cuda import nccl

    return nccl


def version() -> str:
    """NCCL's version.

    Example:
        >>> version() if is_available() else "2.27.7"  # doctest: +SKIP
        '2.27.7'
    """
    number = library("nccl.version").get_version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
