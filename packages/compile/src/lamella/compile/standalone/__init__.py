"""Programs that leave Python: a folder with CUDA text, the launch plan, weights, and a host program that runs it.

    import torch
    model = torch.compile(model)
    model.emit("cuda", (x,), out="model_cuda")

Neither a GPU nor CUDA is needed to write the folder; `nvcc` and CMake build it where they are installed.
"""

from __future__ import annotations

from .captured import emit
from .folder import Emitted, emit_graph

__all__ = ["Emitted", "emit", "emit_graph"]
