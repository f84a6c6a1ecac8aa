"""`Launcher` from C++, or one of the same behaviour in Python where C++ extensions cannot be built."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import CompileError

POOL, VALUE, MAKE, SAME = range(4)


@cache
def launcher() -> Any:
    """The class to use. Its arguments, in order:

    slots: length of the table of pointers. steps: address of a segment, or (callable of (frame, scalars), slots
    that it fills). fixed: (slot, address, array). count: of inputs. inputs: pairs (slot, input). outputs: (kind,
    number, object, limit); kinds are POOL (slot; makes an array; how many are kept), VALUE (object), MAKE (called
    with inputs, outputs, frame), SAME (which output). symbols: (input, dimension, value). returned: how many
    outputs the caller gets. release: let other threads run meanwhile. framed: steps or outputs want the list of
    arrays by slot. array_type: numpy.ndarray. slow: called with (inputs, scalars) where a symbol differs or a call
    is under way. failed: called with (kernel, value, size); raises. space: of the module whose ``_threads`` tells
    how many threads to use. set_threads: address of omp_set_num_threads, or 0.
    """
    module = extension_module()
    return Launcher if module is None else module.Launcher


@cache
def extension_module() -> Any:
    """The extension with `Launcher` and `Inputs`, or None where it cannot be built."""
    from ..build.compilers import INCLUDE
    from ..build.extension import extension

    home = Path(__file__).parent
    try:
        headers = (home / "inputs.h", home / "construct.h", INCLUDE / "lamella" / "report.h")
        module = extension("lamella_launcher", home / "launcher.cpp", headers)
    except CompileError:
        return None
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=module.after_fork)
    return module


class Report(ctypes.Structure):
    """``lamella::Report``."""

    _fields_ = (("kernel", ctypes.c_char_p), ("value", ctypes.c_long), ("size", ctypes.c_long))


_segment = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(Report))


_setter = ctypes.CFUNCTYPE(None, ctypes.c_int)
_home = os.getpid()


class _Pool:
    """Arrays that are handed out again when nobody else holds them."""

    def __init__(self, make: Any, limit: int) -> None:
        self.make, self.limit, self.turn = make, limit, 0
        self.items: list[Any] = []

    def take(self) -> Any:
        items = self.items
        for k in range(len(items)):
            if sys.getrefcount(items[k]) == 2 and (items[k].base is None or sys.getrefcount(items[k].base) == 2):
                return items[k]
        made = self.make()
        if len(items) < self.limit:
            items.append(made)
        else:
            self.turn += 1
            items[self.turn % self.limit] = made
        return made


class Launcher:
    """See `launcher`."""

    def __init__(self, slots: int, steps: list[Any], fixed: list[Any], count: int, inputs: Any, outputs: list[Any],
                 symbols: list[Any], returned: int, release: bool, framed: bool, array_type: Any, slow: Any,
                 failed: Any, space: Any, set_threads: int) -> None:
        self.slots, self.count, self.inputs, self.symbols, self.returned = slots, count, inputs, symbols, returned
        self.steps: list[Any] = [_segment(step) if isinstance(step, int) else step for step in steps]
        self.outputs: list[tuple[int, int, Any]] = [
            (kind, number, _Pool(made, limit) if kind == POOL else made) for kind, number, made, limit in outputs]
        self.space, self.set_threads = space, _setter(set_threads) if set_threads and release else None
        self.slow, self.failed, self.array_type = slow, failed, array_type
        self._work = threading.Lock()
        self.frame: list[Any] = [None] * slots
        self.table = (ctypes.c_void_p * slots)()
        for slot, address, array in fixed:
            self.table[slot], self.frame[slot] = address, array
        self.sizes = (ctypes.c_long * max(1, len(symbols)))(*(value for _, _, value in symbols))

    @property
    def busy(self) -> bool:
        """Whether a call is under way."""
        return self._work.locked()

    def __call__(self, inputs: Any, scalars: Any = ()) -> list[Any]:
        if len(inputs) != self.count:
            raise TypeError(f"compiled program: takes {self.count} arrays (got {len(inputs)})")
        for i, array in enumerate(inputs):
            if type(array) is not self.array_type:
                raise TypeError(f"compiled program: takes NumPy arrays (argument {i} is {type(array).__name__})")
        for which, place, value in self.symbols:
            if inputs[which].shape[place] != value:
                return self.slow(inputs, scalars)
        if not self._work.acquire(blocking=False):
            return self.slow(inputs, scalars)
        try:
            return self._run(inputs, scalars)
        finally:
            self._work.release()

    def _run(self, inputs: Any, scalars: Any) -> list[Any]:
        frame = list(self.frame)
        table = (ctypes.c_void_p * self.slots)(*self.table)
        for slot, of in self.inputs:
            table[slot], frame[slot] = inputs[of].ctypes.data, inputs[of]
        results: list[Any] = [None] * len(self.outputs)
        for i, (kind, number, item) in enumerate(self.outputs):
            if kind == POOL:
                results[i] = frame[number] = item.take()
                table[number] = results[i].ctypes.data
        values = (ctypes.c_double * max(1, len(scalars)))()
        for i, value in enumerate(scalars):
            values[i] = value
        if self.set_threads is not None:
            self.set_threads(1 if os.getpid() != _home else self.space["_threads"])
        self._steps(frame, table, values, scalars)
        for i, (kind, number, item) in enumerate(self.outputs):
            if kind == VALUE:
                results[i] = item
            elif kind == SAME:
                results[i] = results[number]
            elif kind == MAKE:
                results[i] = item(inputs, results, frame)
        return results[: self.returned]

    def _steps(self, frame: list[Any], table: Any, values: Any, scalars: Any) -> None:
        for step in self.steps:
            if isinstance(step, tuple):
                step[0](frame, scalars)
                for slot in step[1]:
                    table[slot] = frame[slot].ctypes.data
                continue
            report = Report()
            if step(ctypes.addressof(table), ctypes.addressof(self.sizes), ctypes.addressof(values), report):
                self.failed((report.kernel or b"").decode(), report.value, report.size)
                raise IndexError("compiled program: index out of range")
