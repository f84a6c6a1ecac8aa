"""The backend "nccl": collectives of tensors on NVIDIA GPUs, through CuPy's NCCL.

Collectives run in a stream of their own: after what the current stream had been given, and beside what it is given
next, until `Work.wait` makes it wait. Nothing of CUDA is loaded before the first call.
"""

from __future__ import annotations

from ..backend import register_backend, registered
from .presence import is_available as is_available, missing as missing, version as version
from .transport import NCCLTransport as NCCLTransport

__all__ = ["NCCLTransport", "is_available", "missing", "version"]

if not registered("nccl"):
    register_backend("nccl", NCCLTransport, devices=("cuda",))
