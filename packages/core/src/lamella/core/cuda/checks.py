"""Whether kernels look for places that are out of range: the setting ``cuda_checks`` (LAMELLA_CUDA_CHECKS)."""

from __future__ import annotations

from lamella.dispatch.config import settings

settings.declare(
    "cuda_checks", bool, False, "whether compiled CUDA kernels test the indices that they read from memory",
    enters_compile_key=True,
)  # fmt: skip


def checking() -> bool:
    """Whether places of gather, scatter and indexing are checked, which makes the host wait for the GPU.

    Without the checks a place that is out of range wraps around, as CuPy's do; it never reaches other memory.
    """
    return bool(settings.cuda_checks)
