"""An NVIDIA GPU, through CuPy."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from lamella.core.tensor import CUDA
from lamella.dispatch import logs
from lamella.dispatch.config import declare, settings
from lamella.dispatch.errors import message

from ...emit.launch import SHARED
from ...errors import BuildError, CompileError
from ..memory import numpy_dtype
from .device import Argument, Device, Grid
from .products import FACTOR, gemm

declare("cuda_graphs", bool, True, "whether launches of compiled programs that repeat are started as CUDA graphs")

log = logs.get("code")
_DEFAULT_ALGORITHM = -1  # CUBLAS_GEMM_DEFAULT


class CupyDevice(Device):
    """One GPU."""

    key = CUDA

    def __init__(self, cupy: Any, index: int = 0) -> None:
        self.cupy, self.xp, self.index, self.name = cupy, cupy, index, f"cuda:{index}"
        self.array_type = cupy.ndarray
        self._modules: dict[str, _Module] = {}
        self._lock = threading.Lock()

    def active(self) -> Any:
        """A context in which this is CuPy's device."""
        return self.cupy.cuda.Device(self.index)

    # -- kernels ----------------------------------------------------------------------------------------------------

    def module(self, text: str) -> Any:
        """See `Device.module`."""
        with self._lock:
            found = self._modules.get(text)
            if found is None:
                with self.active():
                    found = self._modules[text] = _Module(self.cupy, text, self.architecture())
            return found

    def architecture(self) -> str:
        """What to compile for.

        Raises:
            CompileError: the GPU is older than what programs are written for.
        """
        number = int(self.cupy.cuda.Device(self.index).compute_capability)
        if number < 80:
            raise CompileError("build", "a GPU of compute capability 8.0 or newer is needed", f"got {number / 10}")
        return f"sm_{number}"

    def launch(self, module: Any, kernel: str, grid: Grid, block: Grid, shared: int,
               arguments: Sequence[Argument]) -> None:
        """See `Device.launch`."""
        try:
            module.function(kernel, shared)(grid, block, arguments, shared)
        except RuntimeError as error:
            raise RuntimeError(message(kernel, "the GPU did not start this kernel", {
                "grid": grid, "block": block, "shared": shared, "file": module.file}, details=str(error).splitlines()
            )) from error

    def product(self, product: Any, a: int, b: int, c: int) -> None:
        """See `Device.product`."""
        from cupy_backends.cuda.libs import cublas

        call = gemm(product)
        factors = np.array([product.alpha, product.beta], FACTOR.get(product.dtype, "float32"))
        alpha, beta = factors.ctypes.data, factors.ctypes.data + factors.itemsize
        try:
            cublas.gemmStridedBatchedEx(
                self.cupy.cuda.get_cublas_handle(), *call.ops, *call.sizes, alpha,
                b, call.element, call.steps[0], call.batch[0], a, call.element, call.steps[1], call.batch[1],
                beta, c, call.out, call.steps[2], call.batch[2], call.count, call.compute, _DEFAULT_ALGORITHM)
        except RuntimeError as error:
            raise RuntimeError(message(
                product.title or "product", "cuBLAS refused it", {"call": call}, details=[str(error)])) from error

    # -- memory -----------------------------------------------------------------------------------------------------

    def empty(self, size: int) -> Any:
        """See `Device.empty`; `lamella.core.cuda.allocator` frees the cache and raises torch's error."""
        return self.cupy.empty(size, np.uint8)

    def address(self, array: Any) -> int:
        """See `Device.address`."""
        return array.data.ptr

    def lying_in(self, array: Any, dtype: str, shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0) -> Any:
        """See `Device.lying_in`."""
        kind = numpy_dtype(dtype)
        return self.cupy.ndarray(shape, kind, array.data + offset * kind.itemsize,
                                 tuple([step * kind.itemsize for step in stride]))

    def put(self, array: Any) -> Any:
        """See `Device.put`."""
        from lamella.core.dtypes import from_numpy_dtype

        made = self.make(from_numpy_dtype(array.dtype).name, array.shape,
                         tuple(step // array.itemsize for step in array.strides))
        made[...] = self.cupy.asarray(np.ascontiguousarray(array).reshape(array.shape))
        return made

    def send(self, memory: Any, host: Any) -> None:
        """See `Device.send`: memory that is not page-locked is read before the call returns."""
        memory.data.copy_from_host_async(host.ctypes.data, host.nbytes)

    def get(self, array: Any) -> Any:
        """See `Device.get`."""
        return self.cupy.asnumpy(array)

    # -- order ------------------------------------------------------------------------------------------------------

    def stream(self) -> Any:
        """See `Device.stream`."""
        return self.cupy.cuda.get_current_stream().ptr

    def recording(self) -> bool:
        """See `Device.recording`."""
        return bool(self.cupy.cuda.get_current_stream().is_capturing())

    def recorded(self, run: Callable[[], None]) -> Callable[[], None] | None:
        """See `Device.recorded`: a CUDA graph."""
        if not settings.cuda_graphs:
            return None
        stream = self.cupy.cuda.Stream(non_blocking=True)
        try:
            with stream:
                stream.begin_capture()
                try:
                    run()
                finally:
                    graph = stream.end_capture()
        except RuntimeError as error:
            log("not recorded as a CUDA graph: %s", error)
            return None
        return graph.launch


class _Module:
    """A built translation unit on one GPU.

    Attributes:
        file: its text, for errors.
    """

    def __init__(self, cupy: Any, text: str, architecture: str) -> None:
        from ...build import nvrtc

        built = nvrtc.compile(text, architecture)
        self.file = nvrtc.source_of(text)
        self.cupy, self.module = cupy, cupy.cuda.function.Module()
        try:
            self.module.load(built)
        except RuntimeError as error:
            raise BuildError("the driver did not load a module", str(self.file), [], str(error)) from error
        self._functions: dict[str, Any] = {}
        self._shared: dict[str, int] = {}

    def function(self, name: str, shared: int = 0) -> Any:
        """A kernel that may have so many bytes of dynamic shared memory."""
        found = self._functions.get(name)
        if found is None:
            found = self._functions[name] = self.module.get_function(name)
        if shared > self._shared.get(name, SHARED):
            driver = self.cupy.cuda.driver
            driver.funcSetAttribute(found.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
            self._shared[name] = shared
        return found


@cache
def of(index: int) -> CupyDevice:
    """The GPU of a number.

    Raises:
        RuntimeError: CuPy is not installed, or there is no such GPU.
    """
    from lamella.core.cuda import require

    require(index)
    import cupy

    from lamella.core.cuda.allocator import install

    install()
    return CupyDevice(cupy, index)
