"""Operators that a program calls from Python, between its native segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lamella.core.faults import reword
from lamella.core.tensor import CPU, Tensor, wrap
from lamella.dispatch import registry
from lamella.dispatch.errors import message
from lamella.dispatch.schema_bind import default_of

from ..graph import calls
from ..graph.interpret import FUNCTIONAL
from ..graph.memory import lying_in
from .facts import Call, Formula, Ref, Slot, number_of, numbers_of
from .memory import maker, numpy_dtype

Fill = Callable[[list[Any], Any], Any]


class Host:
    """The memory that calls work on; a program on another device has one of its own kind.

    Attributes:
        key: key set of tensors there.
    """

    key = CPU

    def part(self, root: Any, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
        """The view of a root's memory; offset in elements from the root's first element."""
        if 0 in shape:
            return np.empty(shape, root.dtype)
        if root.flags.c_contiguous:
            return np.ndarray(shape, root.dtype, root, offset * root.itemsize, [s * root.itemsize for s in stride])
        return lying_in(root, root.dtype, shape, stride, offset)

    def maker(self, dtype: str, shape: tuple[int, ...], stride: tuple[int, ...]) -> Callable[[], Any]:
        """A function that makes an array of this layout (strides in elements)."""
        return maker(dtype, shape, stride)

    def copy(self, target: Any, source: Any) -> None:
        """Copy elements."""
        np.copyto(target, source)

    def address(self, array: Any) -> int:
        """Where an array's first element lies."""
        return array.__array_interface__["data"][0]

    def may_overlap(self, a: Any, b: Any) -> bool:
        """Whether two arrays may have memory in common."""
        return np.may_share_memory(a, b)


class Frame:
    """What calls know of the program's memory.

    Attributes:
        slots: of the program. symbols: values of symbolic sizes. fixed: slot -> array, where that never changes.
        scalars: name -> number of a run-time scalar. memory: where it is.
    """

    def __init__(self, slots: list[Slot], symbols: Mapping[str, int], fixed: Mapping[int, Any],
                 scalars: Mapping[str, int], memory: Any = None) -> None:
        self.slots, self.symbols, self.fixed, self.scalars = slots, symbols, fixed, scalars
        self.memory = Host() if memory is None else memory

    def numbers(self, values: Any) -> tuple[int, ...]:
        """Sizes as numbers."""
        return numbers_of(values, self.symbols)


def caller(call: Call, frame: Frame) -> Callable[[list[Any], Any], None]:
    """A function of (arrays by slot, scalars) that calls the operator and puts its results into their slots."""
    op: Any = registry.find(call.op)
    if op is None:
        raise RuntimeError(message("compiled program", "there is no operator of this name any more", call.op))
    kernel = _kernel(op, frame.memory.key)
    args, kwargs, outs = call.args, call.kwargs, call.outs
    if op.schema.is_mutable:
        return _writer(op, call, frame)
    fill_args, fill_kwargs = _filler(args, frame), _filler(kwargs, frame)
    store = [_storer(n, frame) for n in outs]
    inside = sorted({ref.slot for ref in refs(args) + refs(kwargs)})

    def run(arrays: list[Any], scalars: Any) -> None:
        results = _called(op, kernel, fill_args(arrays, scalars), fill_kwargs(arrays, scalars))
        for put, result in zip(store, results, strict=False):
            put(arrays, result._a if isinstance(result, Tensor) else result, inside)

    return run


def _kernel(op: Any, key: int) -> Callable[..., Any]:
    """The eager kernel; of operators that mean something else in a graph, what they mean there."""
    kernel, special = op.table[key], FUNCTIONAL.get(op.name)
    return kernel if special is None else lambda *args, **kwargs: special(kernel, args, kwargs)


def _called(op: Any, kernel: Callable[..., Any], args: Any, kwargs: Any) -> list[Any]:
    """The kernel's results; errors read as those of the operator's own call."""
    try:
        return _flat(kernel(*args, **kwargs))
    except Exception:
        given = op.schema.arguments[len(args):]
        reword(op.opname, (*args, *(kwargs.get(a.name, default_of(a)) for a in given)))
        raise


def _writer(op: Any, call: Call, frame: Frame) -> Callable[[list[Any], Any], None]:
    """A call that writes to arguments, which are to be left alone: it gets copies, which are results."""
    memory = frame.memory
    kernel = op.table[memory.key]
    own = calls.own_results(op)
    taken = [ref for ref in calls.written_values(op, call.args, call.kwargs)]
    fresh = dict(zip(map(id, taken), call.outs[len(own) :], strict=True))
    fill_args, fill_kwargs = _filler(call.args, frame, fresh), _filler(call.kwargs, frame, fresh)
    store = [_storer(n, frame) for n in call.outs[: len(own)]]
    copies = [(_filler(ref, frame), _target(fresh[id(ref)], frame), fresh[id(ref)]) for ref in taken]
    inside = sorted({ref.slot for ref in refs(call.args) + refs(call.kwargs)})

    def run(arrays: list[Any], scalars: Any) -> None:
        for read, target, slot in copies:
            old, new = read(arrays, scalars)._a, target(arrays)
            if memory.address(new) != memory.address(old):
                memory.copy(new, old)
            if slot is not None:
                arrays[slot] = new
        results = _called(op, kernel, fill_args(arrays, scalars), fill_kwargs(arrays, scalars))
        for put, place in zip(store, own, strict=True):
            put(arrays, results[place]._a, inside)

    return run


def refs(value: Any) -> list[Ref]:
    """The tensors among arguments."""
    if isinstance(value, Ref):
        return [value]
    if isinstance(value, (list, tuple)):
        return [ref for each in value for ref in refs(each)]
    return [ref for each in value.values() for ref in refs(each)] if isinstance(value, dict) else []


def _flat(result: Any) -> list[Any]:
    if not isinstance(result, (list, tuple)):
        return [result]
    return [one for each in result for one in (each if isinstance(each, (list, tuple)) else (each,))]


def _filler(value: Any, frame: Frame, fresh: Mapping[int, int | None] | None = None) -> Fill:
    """A function of (arrays, scalars) that gives the argument."""
    if isinstance(value, Ref):
        slot = (fresh or {}).get(id(value), value.slot)
        return _tensor(value, value.slot if slot is None else slot, frame)
    if isinstance(value, Formula):
        return _formula(value.text, frame)
    if isinstance(value, (list, tuple)):
        parts = [_filler(each, frame, fresh) for each in value]
        if all(isinstance(part, _Constant) for part in parts):
            return _Constant(type(value)(part.value for part in parts))  # type: ignore[attr-defined]
        kind = type(value)
        return lambda arrays, scalars: kind([part(arrays, scalars) for part in parts])
    if isinstance(value, dict):
        items = {k: _filler(each, frame, fresh) for k, each in value.items()}
        return lambda arrays, scalars: {k: part(arrays, scalars) for k, part in items.items()}
    return _Constant(value)


class _Constant:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, arrays: list[Any], scalars: Any) -> Any:
        return self.value


def _tensor(ref: Ref, slot: int, frame: Frame) -> Fill:
    key, part = frame.memory.key, frame.memory.part
    if ref.shape is None:
        if slot in frame.fixed:
            return _Constant(wrap(frame.fixed[slot], key))
        return lambda arrays, scalars: wrap(arrays[slot], key)
    shape, stride = frame.numbers(ref.shape), frame.numbers(ref.stride)
    offset = number_of(ref.offset, frame.symbols)
    if slot in frame.fixed:
        return _Constant(wrap(part(frame.fixed[slot], shape, stride, offset), key))
    return lambda arrays, scalars: wrap(part(arrays[slot], shape, stride, offset), key)


def _formula(text: str, frame: Frame) -> Fill:
    code = compile(text, "<size>", "eval")
    names = {name: k for name, k in frame.scalars.items() if name in code.co_names}
    if not names:
        return _Constant(eval(code, {"__builtins__": {}}, dict(frame.symbols)))  # noqa: S307
    symbols = dict(frame.symbols)
    return lambda arrays, scalars: eval(  # noqa: S307
        code, {"__builtins__": {}}, {**symbols, **{name: scalars[k] for name, k in names.items()}})


def _target(slot: int | None, frame: Frame) -> Callable[[list[Any]], Any]:
    """A function that gives the memory of a result."""
    if slot is None:
        raise RuntimeError("compiled program: the new value of a written argument has no memory")
    if frame.slots[slot].kind != "extern":
        return lambda arrays: arrays[slot]
    make = _maker(slot, frame)
    return lambda arrays: make()


def _layout(slot: int, frame: Frame) -> tuple[tuple[int, ...], tuple[int, ...], Any]:
    found = frame.slots[slot]
    kind = numpy_dtype(found.dtype)
    shape = frame.numbers(found.shape)
    return shape, tuple(step * kind.itemsize for step in frame.numbers(found.stride)), kind


def _maker(slot: int, frame: Frame) -> Callable[[], Any]:
    found = frame.slots[slot]
    return frame.memory.maker(found.dtype, frame.numbers(found.shape), frame.numbers(found.stride))


def _storer(slot: int | None, frame: Frame) -> Callable[[list[Any], Any, list[int]], None]:
    """A function of (arrays, result, slots among the arguments) that puts a result where it belongs."""
    if slot is None:
        return lambda arrays, result, inside: None
    at, copy, may_overlap = slot, frame.memory.copy, frame.memory.may_overlap
    if frame.slots[slot].kind != "extern":
        return lambda arrays, result, inside: copy(arrays[at], result)
    make, (shape, steps, kind) = _maker(slot, frame), _layout(slot, frame)

    def put(arrays: list[Any], result: Any, inside: list[int]) -> None:
        same = result.dtype == kind and result.shape == shape and (
            result.size == 0 or all(n == 1 or a == b for n, a, b in zip(shape, result.strides, steps, strict=True)))
        if same and not any(may_overlap(result, arrays[n]) for n in inside):
            arrays[at] = result
            return
        arrays[at] = make()
        copy(arrays[at], result)

    return put
