"""torch.types: names for annotations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeAlias

from lamella import torch

from ._missing import lookup

Number: TypeAlias = int | float | bool
Device: TypeAlias = Any
FileLike: TypeAlias = str | os.PathLike
Tensor = torch.Tensor
Storage: TypeAlias = Any
_dtype = torch.dtype
_device = torch.device
_size: TypeAlias = Sequence[int]
_int, _float, _bool, _complex = int, float, bool, complex
_TensorOrTensors: TypeAlias = Any

__getattr__, __dir__ = lookup(__name__)
