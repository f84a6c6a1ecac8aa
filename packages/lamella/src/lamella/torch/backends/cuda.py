"""torch.backends.cuda: whether there is CuPy, and switches that programs set."""

from __future__ import annotations

from types import SimpleNamespace

from .._missing import lookup

matmul = SimpleNamespace(allow_tf32=False, allow_fp16_reduced_precision_reduction=True,
                         allow_bf16_reduced_precision_reduction=True, allow_fp16_accumulation=False)
cufft_plan_cache = SimpleNamespace(size=0, max_size=4096)
_sdp = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def is_built() -> bool:
    """Whether this torch can use CUDA at all: CuPy is installed."""
    from importlib.util import find_spec
    from sys import modules

    return "cupy" in modules or find_spec("cupy") is not None


def flash_sdp_enabled() -> bool:
    """Whether attention may use a fused kernel that keeps no weights."""
    return _sdp["flash"]


def enable_flash_sdp(enabled: bool) -> None:
    """Choose whether attention may use a fused kernel that keeps no weights."""
    _sdp["flash"] = enabled


def mem_efficient_sdp_enabled() -> bool:
    """Whether attention may use a fused kernel that needs little memory."""
    return _sdp["mem_efficient"]


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Choose whether attention may use a fused kernel that needs little memory."""
    _sdp["mem_efficient"] = enabled


def math_sdp_enabled() -> bool:
    """Whether attention may be computed operator by operator."""
    return _sdp["math"]


def enable_math_sdp(enabled: bool) -> None:
    """Choose whether attention may be computed operator by operator."""
    _sdp["math"] = enabled


def cudnn_sdp_enabled() -> bool:
    """Whether attention may use cuDNN's kernel."""
    return _sdp["cudnn"]


def enable_cudnn_sdp(enabled: bool) -> None:
    """Choose whether attention may use cuDNN's kernel."""
    _sdp["cudnn"] = enabled


__getattr__, __dir__ = lookup(__name__)
