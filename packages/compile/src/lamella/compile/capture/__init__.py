"""Capture: a function runs once on tensors without memory, and what it does becomes a graph.

The function's Python code runs as usual, so do autograd and optimizers above the dispatch key where calls are
recorded: ``loss.backward()`` and ``optimizer.step()`` are part of the graph like everything else. When the run is over
all real state is as it was before.
"""

from __future__ import annotations

from .breaks import Break, Changed, Unknown
from .fresh import look_again
from .results import leaves
from .sized import holds, trace_sizes
from .sizes import NoFit
from .tracing import Capture, trace

__all__ = ["Break", "Capture", "Changed", "NoFit", "Unknown", "holds", "leaves", "look_again", "trace", "trace_sizes"]
