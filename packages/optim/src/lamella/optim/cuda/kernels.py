"""The kernel of a step: all parameters of a group at once, each element read and written once.

The arrays' addresses are a table on the GPU; a block takes a chunk of one parameter. 16-bit parameters are computed in
float32 and rounded once, where the CPU rounds after each operation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cupy
import numpy as np

from ..rules.engine import update_device_arrays
from ..rules.rule import Rule
from .trace import statements

CHUNK, THREADS = 1 << 14, 256
#: dtype name -> (type in memory, type computed in, load, store).
TYPES = {
    "float32": ("float", "float", "{}", "{}"),
    "float64": ("double", "double", "{}", "{}"),
    "bfloat16": ("unsigned short", "float", "from_bfloat16({})", "to_bfloat16({})"),
    "float16": ("unsigned short", "float", "from_half({})", "to_half({})"),
}
CONVERSIONS = """
__device__ inline float from_bfloat16(unsigned short bits) {
    union { unsigned int u; float f; } x;
    x.u = (unsigned int)bits << 16;
    return x.f;
}
__device__ inline unsigned short to_bfloat16(float value) {
    union { unsigned int u; float f; } x;
    x.f = value;
    if (value != value) return 0x7FC0;
    return (unsigned short)((x.u + 0x7FFF + (x.u >> 16 & 1)) >> 16);
}
#ifdef __CUDACC__
__device__ inline float from_half(unsigned short bits) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));
    return f;
}
__device__ inline unsigned short to_half(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
#else
__device__ inline float from_half(unsigned short bits) {
    union { unsigned short u; _Float16 f; } x;
    x.u = bits;
    return (float)x.f;
}
__device__ inline unsigned short to_half(float value) {
    union { unsigned short u; _Float16 f; } x;
    x.f = (_Float16)value;
    return x.u;
}
#endif
"""


def text(rule: Rule, present: tuple[bool, ...], constants: int, dtype: str, o: dict[str, Any]) -> tuple[str, str]:
    """A step's kernel in CUDA C++.

    Args:
        rule: the rule.
        present: whether there is an array for parameter, gradient and each state.
        constants: how many constants a step has.
        dtype: the parameters' type.
        o: the options.

    Returns:
        The kernel's name and its text.
    """
    memory, computed, load, store = TYPES[dtype]
    lines, written = statements(rule, present, constants, o)
    name = f"lamella_{rule.name}_{dtype}"
    given = "".join(f", double c{i}" for i in range(constants))
    body = [f"const T k{i} = (T)c{i};" for i in range(constants)]
    there = [i for i, has in enumerate(present) if has]
    for row, i in enumerate(there):
        body.append(f"M* a{i} = (M*)at[{row} * count + t];")
    loop = [f"T x{i} = {load.format(f'a{i}[i]')};" for i in there] + lines
    loop += [f"a{i}[i] = {store.format(f'x{i}')};" for i in written]
    parts = [
        f"typedef {memory} M;", f"typedef {computed} T;", CONVERSIONS if memory != computed else "",
        f'extern "C" __global__ void __launch_bounds__({THREADS}) {name}(const unsigned long long* at, '
        f"const long long* sizes, const int* owner, const long long* first, int count{given}) {{",
        "    const int t = owner[blockIdx.x];", f"    long long stop = first[blockIdx.x] + {CHUNK};",
        "    if (stop > sizes[t]) stop = sizes[t];", *(f"    {line}" for line in body),
        "    for (long long i = first[blockIdx.x] + threadIdx.x; i < stop; i += blockDim.x) {",
        *(f"        {line}" for line in loop), "    }", "}", "",
    ]  # fmt: skip
    return name, "\n".join(parts)


_kernels: dict[Any, Any] = {}


def kernel(rule: Rule, present: tuple[bool, ...], constants: int, dtype: str, o: dict[str, Any]) -> Any:
    """A step's kernel, built once for each form that its options give it."""
    form = tuple([o.get(n) if kind == "bool" or rule.name == "rprop" else bool(o.get(n)) for kind, n in rule.options])
    key = rule.name, present, dtype, form
    made = _kernels.get(key)
    if made is None:
        name, code = text(rule, present, constants, dtype, o)
        made = _kernels[key] = cupy.RawKernel(code, name, ("--std=c++17",))
    return made


@lru_cache(64)
def _chunks(sizes: tuple[int, ...], device: int) -> tuple[Any, Any, Any, int]:
    """Tables on a GPU: sizes, and for each block its parameter and first element; the number of blocks."""
    owner: list[int] = []
    first: list[int] = []
    for t, n in enumerate(sizes):
        starts = range(0, n, CHUNK)
        owner += [t] * len(starts)
        first += starts
    tables = np.array(sizes, np.int64), np.array(owner, np.int32), np.array(first, np.int64)
    return (*(cupy.asarray(a) for a in tables), len(owner))


_addresses: dict[tuple[int, bytes], Any] = {}


def _table(addresses: Any, device: int) -> Any:
    """Addresses on a GPU; those of steps before, where they are the same, are there already."""
    given = np.array(addresses, np.uint64)
    key = device, given.tobytes()
    found = _addresses.get(key)
    if found is None:
        if len(_addresses) >= 32:
            _addresses.clear()
        found = _addresses[key] = cupy.asarray(given)
    return found


def _fits(arrays: Sequence[Any]) -> bool:
    """Whether a parameter's arrays are of one type and lie in memory in one order without gaps."""
    p = arrays[0]
    return p.dtype.name in TYPES and all(
        a is None or a.dtype == p.dtype and a.shape == p.shape and a.flags.c_contiguous for a in arrays
    )


def update_gpu_arrays(rule: Rule, lists: Sequence[Sequence[Any]], values: tuple[Any, ...], o: dict[str, Any]) -> None:
    """Apply a rule to parameters of one element type that share a step, each on its GPU.

    Args:
        rule: what to do.
        lists: the parameters' arrays, the gradients', and those of each state (empty where there is none).
        values: the constants of this step.
        o: the options.
    """
    places: dict[int, list[int]] = {}
    for i, p in enumerate(lists[0]):
        places.setdefault(p.device.id, []).append(i)
    for device, mine in places.items():
        with cupy.cuda.Device(device):
            cut = lists if len(places) == 1 else [[a[i] for i in mine] if a else a for a in lists]
            _update(rule, cut, values, o, device)


def _update(rule: Rule, lists: Any, values: tuple[Any, ...], o: dict[str, Any], device: int) -> None:
    rows: list[list[Any]] = [[a[i] if a else None for a in lists] for i in range(len(lists[0]))]
    one = [row for row in rows if _fits(row)]
    if len(one) < len(rows):
        rest = [row for row in rows if not _fits(row)]
        kept: Any = [[row[j] for row in rest] if a else [] for j, a in enumerate(lists)]
        update_device_arrays(rule, kept, values, o)
    one = [row for row in one if row[0].size]
    if not one:
        return
    present = tuple([a is not None for a in one[0]])
    addresses = [row[j].data.ptr for j, has in enumerate(present) if has for row in one]
    sizes, owner, first, blocks = _chunks(tuple([math.prod(row[0].shape) for row in one]), device)
    run = kernel(rule, present, len(values), one[0][0].dtype.name, o)
    table = _table(addresses, device)
    run((blocks,), (THREADS,), (table, sizes, owner, first, np.int32(len(one)), *map(np.float64, values)))
