"""What the stand-in defines itself: functions of CuPy that NumPy has not, or not in this form."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import host, memory, runtime
from .arrays import TABLE, _wrap_key, bare, here, ndarray, refuse_bfloat16, wrapped
from .functions import OWN, _not_array, ufunc

#: Bodies for kernels in CUDA C++, by the kernel's name.
kernels: dict[str, Any] = {}


def own(module: str, name: str | None = None) -> Any:
    """Register a function as `module.name`."""

    def register(fn: Any) -> Any:
        OWN[module, name or fn.__name__] = fn
        return fn

    return register


@own("cupy")
def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    return a.get(stream, order, out, blocking) if isinstance(a, ndarray) else np.asarray(a, order=order)  # type: ignore[call-overload]


@own("cupy")
def get_array_module(*args: Any) -> Any:
    import cupy

    return cupy if any(isinstance(a, ndarray) for a in args) else np


@own("cupy")
def is_available() -> bool:
    return True


@own("cupy")
def get_default_memory_pool() -> Any:
    return memory.DEFAULT


@own("cupy")
def get_default_pinned_memory_pool() -> Any:
    return runtime.PINNED


@own("cupy")
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    if not isinstance(dst, ndarray):
        _not_array(dst)
    here(dst)
    if where is not None:
        refuse_bfloat16("copyto", dst, src)
    np.copyto(dst._n, bare(src), casting, True if where is None else bare(where))  # type: ignore[arg-type]


@own("cupy")
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if not isinstance(condition, ndarray):
        _not_array(condition)
    if x is None and y is None:
        return condition.nonzero()
    refuse_bfloat16("where", x, y)
    return wrapped(np.where(bare(condition), bare(x), bare(y)))


@own("cupy")
def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    return np.may_share_memory(bare(a), bare(b))


@own("cupy")
def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    return np.shares_memory(bare(a), bare(b))


@own("cupy")
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    n = arr.shape[axis] if axis is not None else arr.size
    np.put_along_axis(bare(arr), bare(indices) % max(n, 1), bare(values), axis)


@own("cupy")
def from_dlpack(array: Any, *, device: Any = None, copy: Any = None) -> Any:
    return array if isinstance(array, ndarray) else wrapped(np.from_dlpack(array))


@own("cupy")
def matmul(a: Any, b: Any, out: Any = None, **kwargs: Any) -> Any:
    if not (isinstance(a, ndarray) and isinstance(b, ndarray)):
        raise TypeError("Argument 'a' has incorrect type (expected cupy._core.core._ndarray_base)")
    return _product(np.matmul, a, b, out, kwargs)


def _product(fn: Any, a: Any, b: Any, out: Any, kwargs: dict[str, Any]) -> Any:
    x, y = bare(a), bare(b)
    low = x.dtype.itemsize == 2 and x.dtype.kind not in "iu"
    result = fn(x.astype(np.float32), y.astype(np.float32)).astype(x.dtype) if low and x.dtype == y.dtype else fn(x, y)
    if out is None:
        return wrapped(result)
    if not isinstance(out, ndarray):
        _not_array(out)
    np.copyto(out._n, result, casting=kwargs.get("casting", "same_kind"))
    return out


@own("cupy")
def einsum(*operands: Any, **kwargs: Any) -> Any:
    kwargs.pop("optimize", None)
    if kwargs:
        raise TypeError(f"einsum() got an unexpected keyword argument '{next(iter(kwargs))}'")
    return wrapped(np.einsum(*[bare(x) for x in operands]))


@own("cupy")
def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None) -> Any:
    return a.clip(a_min, a_max, out)


@own("cupyx")
def scatter_add(a: Any, slices: Any, value: Any) -> None:
    a.scatter_add(slices, value)


OWN["cupyx", "scatter_max"] = lambda a, slices, value: np.maximum.at(a._n, _wrap_key(slices, a.shape), bare(value))
OWN["cupyx", "scatter_min"] = lambda a, slices, value: np.minimum.at(a._n, _wrap_key(slices, a.shape), bare(value))
OWN["cupyx", "rsqrt"] = ufunc("rsqrt", TABLE["modules"]["cupyx"]["rsqrt"], lambda x: (1 / np.sqrt(x)).astype(x.dtype))


@own("cupyx", "empty_pinned")
def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> np.ndarray:
    return runtime.pinned(np.empty(shape, dtype, order))  # type: ignore[call-overload]


@own("cupyx", "zeros_pinned")
def zeros_pinned(shape: Any, dtype: Any = float, order: str = "C") -> np.ndarray:
    return runtime.pinned(np.zeros(shape, dtype, order))  # type: ignore[call-overload]


class Kernel:
    """A kernel in CUDA C++: it runs the body in Python that a test registered under its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _body(self) -> Any:
        if self.name not in kernels:
            raise NotImplementedError(f"the stand-in for CuPy cannot run the kernel {self.name}: register a body")
        return kernels[self.name]


class RawKernel(Kernel):
    """`cupy.RawKernel`."""

    def __init__(self, code: str, name: str, options: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(name)
        self.code, self.options = code, options

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, stream: Any = None) -> None:
        here(*args)
        if self.name in kernels:
            kernels[self.name](*[a._n if isinstance(a, ndarray) else a for a in args])
        elif "__shared__" in self.code or "__sync" in self.code or not host.available():
            self._body()
        else:
            host.run(self.code, self.name, grid, block, [a._n if isinstance(a, ndarray) else a for a in args])


class RawModule:
    """`cupy.RawModule`."""

    def __init__(self, *, code: Any = None, path: Any = None, options: tuple[str, ...] = (), backend: str = "nvrtc",
                 **kwargs: Any) -> None:  # fmt: skip
        self.code, self.file_path, self.options, self.backend = code, path, options, backend

    def compile(self, log_stream: Any = None) -> None:
        pass

    def get_function(self, name: str) -> RawKernel:
        return RawKernel(self.code, name, self.options)


class ElementwiseKernel(Kernel):
    """`cupy.ElementwiseKernel`: the body gets inputs and outputs, and gives the outputs where the call has none."""

    def __init__(self, in_params: str, out_params: str, operation: str, name: str = "kernel", *args: Any,
                 **kwargs: Any) -> None:  # fmt: skip
        super().__init__(name)
        self.in_params, self.out_params, self.operation, self.kwargs = in_params, out_params, operation, kwargs
        self.nin, self.nout = in_params.count(",") + 1, out_params.count(",") + 1

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        here(*args)
        results = self._body()(*[a._n if isinstance(a, ndarray) else a for a in args])
        results = results if isinstance(results, tuple) else (results,)
        done = tuple(args[self.nin :]) or tuple(wrapped(np.asarray(r)) for r in results)
        return done if len(done) > 1 else done[0]


class ReductionKernel(ElementwiseKernel):
    """`cupy.ReductionKernel`: a body in Python as for ElementwiseKernel."""


for _cls in (ndarray, ufunc, RawKernel, RawModule, ElementwiseKernel, ReductionKernel):
    OWN["cupy", _cls.__name__] = _cls
