"""torch.cuda.streams: queues of work, and marks in them."""

from __future__ import annotations

from typing import Any

from .._missing import lookup
from ._state import gpu, index, torch_device

__all__ = ["Event", "ExternalStream", "Stream"]


class Stream:
    """A queue of GPU work: what is put into one runs in order, what is put into two may run at a time.

    Args:
        device: the GPU (None: the current one).
        priority: lower numbers come first.

    Raises:
        RuntimeError: there is no GPU.
    """

    _made: Any = None

    def __new__(cls, device: Any = None, priority: int = 0, **kwargs: Any) -> Stream:
        cupy = gpu(cls.__name__)
        self = object.__new__(cls)
        self.device_index = index(cls.__name__, device)
        with cupy.cuda.Device(self.device_index):
            self._made = cupy.cuda.Stream(non_blocking=True, priority=priority or None)
        return self

    @property
    def device(self) -> Any:
        """The GPU."""
        return torch_device(self.device_index)

    @property
    def cuda_stream(self) -> int:
        """CUDA's handle."""
        return self._made.ptr

    @property
    def stream_id(self) -> int:
        """A number that names the stream: its handle."""
        return self._made.ptr

    @property
    def priority(self) -> int:
        """Lower numbers come first."""
        return self._made.priority

    def query(self) -> bool:
        """Whether all work that was put into the stream is done."""
        return bool(self._made.done)

    def synchronize(self) -> None:
        """Wait until all work that was put into the stream is done."""
        self._made.synchronize()

    def wait_event(self, event: Event) -> None:
        """Work that is put into the stream from now on waits for an event."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Work that is put into the stream from now on waits for what another one has been given."""
        self.wait_event(stream.record_event())

    def record_event(self, event: Event | None = None) -> Event:
        """Put a mark into the stream.

        Args:
            event: the mark (None: a new one).

        Returns:
            The mark.
        """
        event = Event() if event is None else event
        event.record(self)
        return event

    def is_capturing(self) -> bool:
        """Whether the stream's work is recorded for a graph instead of done."""
        return bool(self._made.is_capturing())

    def __enter__(self) -> Stream:
        cupy = gpu("stream")
        self._before = getattr(self, "_before", [])
        self._before.append(cupy.cuda.Device(self.device_index))
        self._before[-1].__enter__()
        self._made.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        self._made.__exit__(*exc)
        self._before.pop().__exit__(*exc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and hash(self) == hash(other) and self._made.ptr == other._made.ptr

    def __hash__(self) -> int:
        return hash((self.device_index, self._made.ptr))

    def __repr__(self) -> str:
        return f"<torch.cuda.{type(self).__name__} device={self.device} cuda_stream={self._made.ptr:#x}>"


class ExternalStream(Stream):
    """A stream that another library made.

    Args:
        stream_ptr: CUDA's handle.
        device: the GPU (None: the current one).
    """

    def __new__(cls, stream_ptr: int, device: Any = None, **kwargs: Any) -> ExternalStream:  # type: ignore[misc]
        cupy = gpu("ExternalStream")
        self = object.__new__(cls)
        self.device_index = index("ExternalStream", device)
        self._made = cupy.cuda.ExternalStream(stream_ptr, self.device_index)
        return self


def around(made: Any, device: int) -> Stream:
    """A `Stream` around one of CuPy's."""
    self = object.__new__(Stream)
    self.device_index, self._made = device, made
    return self


class Event:
    """A mark in a queue of GPU work.

    Args:
        enable_timing: whether times between marks can be asked for.
        blocking: whether waiting for it gives the processor away.
        interprocess: whether other processes can wait for it.

    Raises:
        RuntimeError: there is no GPU.
    """

    def __new__(cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> Event:
        cupy = gpu("Event")
        self = object.__new__(cls)
        self._made = cupy.cuda.Event(blocking, not enable_timing, interprocess)
        self._timed, self._recorded = enable_timing, False
        return self

    def record(self, stream: Stream | None = None) -> None:
        """Put the mark into a stream (None: the current one)."""
        stream = current_stream() if stream is None else stream
        self._made.record(stream._made)
        self._recorded = True

    def wait(self, stream: Stream | None = None) -> None:
        """Work that is put into a stream (None: the current one) from now on waits for the mark."""
        if self._recorded:
            (current_stream() if stream is None else stream)._made.wait_event(self._made)

    def query(self) -> bool:
        """Whether the work before the mark is done."""
        return not self._recorded or bool(self._made.done)

    def synchronize(self) -> None:
        """Wait until the work before the mark is done."""
        if self._recorded:
            self._made.synchronize()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds between this mark and a later one.

        Args:
            end_event: the later one.

        Raises:
            ValueError: the events were made without ``enable_timing``, or were not recorded.
            RuntimeError: the work before one of them is not done.
        """
        if not (self._timed and end_event._timed):
            raise ValueError("torch.cuda.Event.elapsed_time: both events must be created with argument "
                             "'enable_timing=True'")
        if not (self._recorded and end_event._recorded):
            raise ValueError("torch.cuda.Event.elapsed_time: both events must be recorded before calculating elapsed "
                             "time")
        if not (self.query() and end_event.query()):
            raise RuntimeError("torch.cuda.Event.elapsed_time: both events must be completed before calculating "
                               "elapsed time\nhint: call torch.cuda.synchronize() first")
        return gpu("Event").cuda.get_elapsed_time(self._made, end_event._made)

    def __repr__(self) -> str:
        return f"<torch.cuda.Event {self._made.ptr:#x}>" if self._recorded else "<torch.cuda.Event uninitialized>"


class StreamContext:
    """A block whose work goes to a stream, on the stream's GPU (None: no change)."""

    def __init__(self, stream: Stream | None) -> None:
        if stream is not None:
            gpu("stream")
        self.stream = stream

    def __enter__(self) -> None:
        if self.stream is not None:
            self.stream.__enter__()

    def __exit__(self, *exc: Any) -> None:
        if self.stream is not None:
            self.stream.__exit__(*exc)


def current_stream(device: Any = None) -> Stream:
    """The stream that work on a GPU goes to."""
    cupy = gpu("current_stream")
    number = index("current_stream", device)
    return around(cupy.cuda.get_current_stream(number), number)


def default_stream(device: Any = None) -> Stream:
    """The stream that work on a GPU goes to at first."""
    cupy = gpu("default_stream")
    return around(cupy.cuda.Stream.null, index("default_stream", device))


def set_stream(stream: Stream | None) -> None:
    """Send the work from now on to a stream (None: no change)."""
    if stream is not None:
        cupy = gpu("set_stream")
        cupy.cuda.Device(stream.device_index).use()
        stream._made.use()


def get_stream_from_external(data_ptr: int, device: Any = None) -> ExternalStream:
    """A stream that another library made, by CUDA's handle."""
    return ExternalStream(data_ptr, device)


__getattr__, __dir__ = lookup(__name__)
