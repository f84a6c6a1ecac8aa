"""Switches at torch's top that programs set: precision, determinism, threads, warnings."""

from __future__ import annotations

from typing import Any

from lamella import torch

_PRECISIONS = ("highest", "high", "medium")
_state: dict[str, Any] = {"precision": "highest", "deterministic": 0, "interop": 1, "warn_always": False}


def get_float32_matmul_precision() -> str:
    """How exactly float32 matrices are multiplied; here always in float32, whatever it says."""
    return _state["precision"]


def set_float32_matmul_precision(precision: str) -> None:
    """Allow float32 matrices to be multiplied less exactly; accepted, and the products stay exact.

    Args:
        precision: ``"highest"``, ``"high"`` or ``"medium"``.

    Raises:
        RuntimeError: for another word.
    """
    if precision not in _PRECISIONS:
        raise RuntimeError(f"set_float32_matmul_precision: precision must be one of {', '.join(_PRECISIONS)} "
                           f"(got {precision!r})")
    _state["precision"] = precision


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for results that do not change from run to run; kernels on the CPU give no others."""
    _state["deterministic"] = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """Whether deterministic results were asked for."""
    return _state["deterministic"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether operators without a deterministic kernel would warn instead of refusing."""
    return _state["deterministic"] == 1


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same by a number or word: 0 or "default", 1 or "warn", 2 or "error".

    Raises:
        RuntimeError: for another value.
    """
    words: dict[Any, int] = {"default": 0, "warn": 1, "error": 2, 0: 0, 1: 1, 2: 2}
    if debug_mode not in words:
        raise RuntimeError(f"set_deterministic_debug_mode: it is default, warn, error, 0, 1 or 2, not {debug_mode!r}")
    _state["deterministic"] = words[debug_mode]


def get_deterministic_debug_mode() -> int:
    """0, 1 (warn) or 2 (error)."""
    return _state["deterministic"]


def get_num_interop_threads() -> int:
    """How many threads run operators side by side: operators run one after another."""
    return _state["interop"]


def set_num_interop_threads(num: int) -> None:
    """Choose how many threads run operators side by side; accepted.

    Raises:
        RuntimeError: if ``num`` is not positive.
    """
    if num <= 0:
        raise RuntimeError(f"set_num_interop_threads: the number must be positive (got {num})")
    _state["interop"] = num


def set_flush_denormal(mode: bool) -> bool:
    """Treat tiny numbers as zero; not offered, so the answer is False."""
    return False


def set_warn_always(b: bool) -> None:
    """Repeat warnings that are given once; accepted."""
    _state["warn_always"] = b


def is_warn_always_enabled() -> bool:
    """Whether warnings that are given once are to be repeated."""
    return _state["warn_always"]


def set_default_tensor_type(t: Any) -> None:
    """The old way to choose the default dtype: ``torch.DoubleTensor`` or its name.

    Raises:
        TypeError: for something that is not the name of a floating tensor type.

    Example:
        >>> set_default_tensor_type("torch.FloatTensor")
    """
    name = t if isinstance(t, str) else getattr(t, "__name__", str(t))
    kinds = {"FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16"}
    kind = kinds.get(name.rpartition(".")[2])
    if kind is None or "cuda" in name:
        raise TypeError(f"set_default_tensor_type: not a floating tensor type of the CPU ({name})")
    torch.set_default_dtype(getattr(torch, kind))


def typename(obj: Any) -> str:
    """The name of a tensor's type in torch's old spelling, or of another object's type with its module.

    Example:
        >>> from lamella import torch
        >>> typename(torch.zeros(1)), typename(1)
        ('torch.FloatTensor', 'int')
    """
    if isinstance(obj, torch.Tensor):
        return obj.type()
    cls = obj if isinstance(obj, type) or hasattr(obj, "__qualname__") else type(obj)
    module = getattr(cls, "__module__", "") or ""
    return cls.__qualname__ if module in ("", "builtins", "__builtin__") else f"{module}.{cls.__qualname__}"


def compiled_with_cxx11_abi() -> bool:
    """Which of two C++ standard libraries torch was built with; there is no C++ here."""
    return True
