"""torch.cuda.graphs: work that is recorded once and done again as a whole."""

from __future__ import annotations

from typing import Any

from .._missing import lookup
from ._state import gpu
from .streams import Stream, current_stream

__all__ = ["CUDAGraph", "graph"]


class CUDAGraph:
    """A recording of GPU work. What it allocates while it records stays its own as long as it lives.

    Raises:
        RuntimeError: there is no GPU; or calls come in the wrong order.
    """

    def __init__(self, keep_graph: bool = False) -> None:
        self._pool: Any = gpu("CUDAGraph").cuda.MemoryPool()
        self._graph: Any = None
        self._recording: Any = None

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global") -> None:
        """Record what is put into the current stream from now on, instead of doing it.

        Args:
            pool: the memory to use (None: the graph's own).
            capture_error_mode: accepted; memory may be taken while recording.
        """
        if self._recording is not None or self._graph is not None:
            raise RuntimeError("torch.cuda.CUDAGraph.capture_begin: the graph is recording or was recorded already")
        cupy = gpu("CUDAGraph")
        self._pool = self._pool if pool is None else pool
        stream = current_stream()._made
        stream.begin_capture()
        allocator = cupy.cuda.using_allocator(self._pool.malloc)
        allocator.__enter__()
        self._recording = stream, allocator

    def capture_end(self) -> None:
        """End the recording."""
        if self._recording is None:
            raise RuntimeError("torch.cuda.CUDAGraph.capture_end: the graph is not recording")
        (stream, allocator), self._recording = self._recording, None
        allocator.__exit__(None, None, None)
        self._graph = stream.end_capture()

    def replay(self) -> None:
        """Do the recorded work, on the current stream."""
        if self._graph is None:
            raise RuntimeError("torch.cuda.CUDAGraph.replay: nothing has been recorded\n"
                               "hint: `with torch.cuda.graph(g): ...` records")
        self._graph.launch(stream=current_stream()._made)

    def reset(self) -> None:
        """Forget the recording and give its memory back."""
        self._graph = None
        self._pool.free_all_blocks()

    def pool(self) -> Any:
        """The recording's memory, for other recordings that are never done at the same time."""
        return self._pool


class graph:  # noqa: N801 - torch's name
    """A block whose GPU work is recorded into a graph instead of done.

    Args:
        cuda_graph: the graph.
        pool: the memory to use (None: the graph's own).
        stream: the stream to record (None: a new one).
    """

    def __init__(self, cuda_graph: CUDAGraph, pool: Any = None, stream: Any = None,
                 capture_error_mode: str = "global") -> None:
        self.cuda_graph, self.pool = cuda_graph, pool
        self.capture_stream = Stream() if stream is None else stream

    def __enter__(self) -> None:
        gpu("graph").cuda.runtime.deviceSynchronize()
        self.capture_stream.__enter__()
        self.cuda_graph.capture_begin(self.pool)

    def __exit__(self, *exc: Any) -> None:
        try:
            self.cuda_graph.capture_end()
        finally:
            self.capture_stream.__exit__(*exc)


def graph_pool_handle() -> Any:
    """Memory that several graphs can share."""
    return gpu("graph_pool_handle").cuda.MemoryPool()


def is_current_stream_capturing() -> bool:
    """Whether the current stream's work is recorded instead of done."""
    from lamella.core import cuda

    return cuda.available() and current_stream().is_capturing()


__getattr__, __dir__ = lookup(__name__)
