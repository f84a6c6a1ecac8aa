"""What a launch plan needs of the machine that it runs on: an interface with one implementation for each machine.

`CupyDevice` (``cupy_device.py``) is an NVIDIA GPU. Tests run the same plans on a machine of their own, which builds the
kernels for the CPU. Memory is arrays of the device's array module (``xp``); addresses are ints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

Argument = Any  # int (8 bytes: an address or a long), float (a double), or a NumPy scalar of the parameter's type
Grid = tuple[int, int, int]


class Device:
    """A machine.

    Attributes:
        name: for messages. xp: its array module (NumPy's names). key: key set of its tensors (``Tensor._ks``).
        array_type: class of its arrays. index: which GPU it is, or stands for.
    """

    name = "device"
    xp: Any = None
    key = 0
    array_type: type = object
    index = 0

    # -- kernels ----------------------------------------------------------------------------------------------------

    def module(self, text: str) -> Any:
        """Build a translation unit; equal texts are built once.

        Returns:
            What `launch` takes.

        Raises:
            BuildError: the compiler refused it; its message, the kernel and the file are in the error.
        """
        raise NotImplementedError

    def launch(self, module: Any, kernel: str, grid: Grid, block: Grid, shared: int,
               arguments: Sequence[Argument]) -> None:
        """Start a kernel; calls of one thread run in order.

        Args:
            module: of `module`. kernel: its name. grid, block: how many blocks, and threads in each.
            shared: bytes of dynamic shared memory. arguments: in the order of the parameters.

        Raises:
            RuntimeError: the launch failed; names the kernel.
        """
        raise NotImplementedError

    def product(self, product: Any, a: int, b: int, c: int) -> None:
        """Matrix products.

        Args:
            product: an `emit.launch.Product` whose sizes are numbers. a, b, c: addresses of the first elements.
        """
        raise NotImplementedError

    # -- memory -----------------------------------------------------------------------------------------------------

    def empty(self, size: int) -> Any:
        """``size`` bytes as an array of uint8 that begins on a multiple of 256.

        Raises:
            torch.OutOfMemoryError: there is not so much memory, also after the cache was freed.
        """
        raise NotImplementedError

    def address(self, array: Any) -> int:
        """Where an array's first element lies."""
        raise NotImplementedError

    def lying_in(self, array: Any, dtype: str, shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0) -> Any:
        """The array that lies in another one's memory; stride and offset in elements of ``dtype``, offset counted
        from ``array``'s first element."""
        raise NotImplementedError

    def put(self, array: Any) -> Any:
        """A NumPy array's content in the device's memory (same strides)."""
        raise NotImplementedError

    def get(self, array: Any) -> Any:
        """An array's content as a NumPy array, when all that was started before is done."""
        raise NotImplementedError

    def make(self, dtype: str, shape: tuple[int, ...], stride: tuple[int, ...]) -> Any:
        """A new array of this layout (strides in elements)."""
        from ..memory import numpy_dtype

        size = 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, stride, strict=True))
        return self.lying_in(self.empty(size * numpy_dtype(dtype).itemsize), dtype, shape, stride)

    def send(self, memory: Any, host: Any) -> None:
        """Copy an array of bytes of the host, which may change as soon as this returns."""
        memory[...] = self.put(host)

    def copy(self, target: Any, source: Any) -> None:
        """Copy the elements of an array of the device, or of a NumPy array, into one of the device."""
        target[...] = source if isinstance(source, self.array_type) else self.put(source)

    # -- order ------------------------------------------------------------------------------------------------------

    def active(self) -> Any:
        """A context in which launches go to this device."""
        return nullcontext()

    def stream(self) -> Any:
        """What tells apart the queue that launches go to now."""
        return 0

    def recording(self) -> bool:
        """Whether launches are being recorded by somebody else: then nothing may be recorded or replayed in between."""
        return False

    def recorded(self, run: Callable[[], None]) -> Callable[[], None] | None:
        """Record the launches that ``run`` makes, without doing them.

        Returns:
            What does them all at once, as often as it is called; None where the device cannot record.
        """
        return None


_used: list[Device] = []


@contextmanager
def using(device: Device) -> Iterator[Device]:
    """Run programs on this device inside a ``with``: for tests of programs without a GPU."""
    _used.append(device)
    try:
        yield device
    finally:
        _used.remove(device)


def current(index: int = 0) -> Device:
    """The device that programs run on.

    Args:
        index: which GPU.

    Raises:
        RuntimeError: there is no such GPU, or CuPy is not installed.
    """
    if _used:
        return _used[-1]
    from .cupy_device import of

    return of(index)


def stands_in() -> bool:
    """Whether programs run on a device of `using`."""
    return bool(_used)
