"""The mode that records: every call that would have reached a backend becomes a node of a graph."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import numpy as np

from lamella.core.devices import device as device_class, device_of
from lamella.core.storage import address, owner_of
from lamella.core.tensor import CPU, CUDA, META, Tensor, VersionCounter
from lamella.dispatch.keys import AUTOGRAD_SHIFT, BACKEND_MASK
from lamella.dispatch.modes import TorchDispatchMode

from ..graph.clean import has_effect
from ..graph.memory import on_gpu
from ..graph.node import Graph, Node, Spec
from .breaks import Break, Unknown, Unready, user_line
from .fakes import FakeTensor, gpu, page_address, spec_of, stand_in, twin
from .limits import compare
from .scalars import Pins, SymFloat

#: Operators whose result is a Python value.
READS = {
    "aten::_local_scalar_dense": "a tensor's element becomes a Python number",
    "aten::is_nonzero": "a tensor decides a branch",
    "aten::equal": "the comparison of tensors decides a branch",
    "aten::allclose": "the comparison of tensors decides a branch",
}
#: Operators that change what a tensor object is, not only its elements.
REBINDS = frozenset(("aten::set_", "aten::resize_", "aten::resize_as_", "aten::set_.source_Tensor"))


class Value:
    """What a meta array stands for.

    Attributes:
        node: the node that made it.
        array: the meta array.
        root: the value in whose memory it lies (itself, unless it is a view).
        number: of an input, which one.
        key: key set of the tensor.
    """

    __slots__ = ("node", "array", "root", "number", "key")

    def __init__(self, node: Node, array: np.ndarray, root: Value | None = None, number: int = -1,
                 key: int = CPU) -> None:
        self.node, self.array, self.number, self.key = node, array, number, key
        self.root: Value = self if root is None else root


class Recorder(TorchDispatchMode):
    """Builds a graph from the calls of this thread.

    Attributes:
        graph: what was recorded.
        values: id of an array -> (array, value); holds the arrays, so that ids stay theirs.
        inputs: the tensor behind each input of the graph.
        arrays: its array.
        scalars: the run-time floats.
        notes, unfinished: see `lamella.dispatch.modes.recorder`.
    """

    records = True

    def __init__(self) -> None:
        self.notes: dict[Any, Any] = {}
        self.unfinished: dict[Any, str] = {}
        self.graph = Graph()
        self.values: dict[int, tuple[Any, Value]] = {}
        self.inputs: list[Tensor] = []
        self.arrays: list[np.ndarray] = []
        self.fakes: list[np.ndarray] = []
        self.pins = Pins()
        self.scalar_nodes: dict[str, Node] = {}
        self.page = page_address()
        self.gpu: int | None = None  # where tensors are on one
        self.lifted: Any = None  # told of every real tensor that is met; may make it an input itself
        self.profile: Any = None  # what Python tells of calls meanwhile

    def refuse(self, reason: str, hint: str = "", lasting: bool = True, ready: bool = True) -> NoReturn:
        """Say that the call cannot become a graph.

        Args:
            reason: one clause.
            hint: what to do.
            lasting: another call of the same kind would be refused, too.
            ready: false where it is no fault: this call has to run as it is, and the next one can be recorded.

        Raises:
            Break: always.
        """
        raise (Break if ready else Unready)(reason, user_line(), hint, lasting)

    def check_finished(self) -> None:
        """Refuse where something was begun that the function does not end."""
        for reason in self.unfinished.values():
            self.refuse(reason)

    # ------------------------------------------------------------------ inputs

    @property
    def key(self) -> int:
        """The key set of what the graph computes."""
        return CPU if self.gpu is None else CUDA

    def stands_on(self, t: Tensor) -> None:
        """Note the GPU that a tensor is on.

        Raises:
            Break: another tensor is on another one.
        """
        if t._ks & CUDA:
            self.use(t.device.index or 0)

    def use(self, index: int) -> None:
        """Note a GPU (see `stands_on`)."""
        if self.gpu not in (None, index):
            raise Break(f"tensors on cuda:{self.gpu} and cuda:{index}", user_line())
        self.gpu = gpu[0] = index

    def add_input(self, t: Tensor, stem: str, array: np.ndarray, shown: np.ndarray | None = None) -> Value:
        """Make a tensor an input of the graph.

        Args:
            t: the tensor that user code sees (real, or a fake for an argument).
            stem: a name for the node.
            array: the array that the program will be called with.
            shown: the meta array that stands for it; by default one like ``array``.
        """
        shown = stand_in(array) if shown is None else shown
        spec = spec_of(shown, t.device, self.page)
        node = Node(self.graph.name(stem), "input", None, (), None, spec)
        self.graph.nodes.append(node)
        value = Value(node, shown, None, len(self.inputs), CUDA if t._ks & CUDA else CPU)
        self.inputs.append(t)
        self.arrays.append(array)
        self.fakes.append(shown)
        self.values[id(array)] = (array, value)
        self.values[id(shown)] = (shown, value)
        return value

    def value_of(self, t: Tensor) -> Value:
        """The value that a tensor stands for; a real tensor that is met for the first time becomes an input."""
        a = t._a
        found = self.values.get(id(a))
        if found is not None:
            return found[1]
        if isinstance(t, FakeTensor) or a.size and address(a) - self.page in range(1 << 40) and not on_gpu(a):
            raise Break("a tensor was made out of another one's memory in a way that cannot be recorded", user_line())
        if not t._ks & (CPU | CUDA):
            raise Break(f"tensors on {t.device} are not compiled", user_line())
        self.stands_on(t)
        adopted = None if self.lifted is None else self.lifted(t)
        return self.add_input(t, "state", a) if adopted is None else adopted

    # ------------------------------------------------------------------ calls

    def __torch_dispatch__(
        self, func: Any, types: tuple[type, ...], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        profile = self.profile
        if profile is None:
            return self._handle(func, args, kwargs or {})
        sys.setprofile(None)  # there is no user code below, and much to be called
        try:
            return self._handle(func, args, kwargs or {})
        finally:
            sys.setprofile(profile)

    def _handle(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name = func.name
        if name in READS:
            raise Unknown(name, READS[name])
        if name in REBINDS:
            raise Break(f"{name} gives a tensor other memory", user_line())
        if name == "aten::as_strided" and self._from_outside(args, kwargs):
            raise Break("as_strided with an offset looks at memory around a tensor from outside", user_line())
        if has_effect(func):
            args, kwargs = _at_once(func, args, kwargs)
        twins: dict[int, tuple[Any, Any]] = {}
        metas = [self._twins(a, twins) for a in args]
        meta_kwargs = {k: self._twins(v, twins) for k, v in kwargs.items()}
        before = [t._a for t, _ in twins.values()]
        device = meta_kwargs.get("device")
        where = self._where(name, [t for t, _ in twins.values()], device)
        if device is not None:
            kwargs = {**kwargs, "device": self._check_device(device, meta_kwargs)}
        compare(name, args)
        result = self._meta(func, metas, meta_kwargs)
        originals = {id(m): t for t, m in twins.values()}
        for (t, m), a in zip(twins.values(), before, strict=True):
            if m._vc is not None and t._vc is None:
                t._vc = m._vc
            if m._a is not self.values[id(a)][1].array:
                raise Break(f"{name} gives a tensor other memory", user_line())
        return self._record(func, args, kwargs, result, originals, where)

    def _from_outside(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call says where in an input's memory it looks: offsets count from where that memory starts."""
        given = args[3] if len(args) > 3 else kwargs.get("storage_offset")
        return given is not None and self.value_of(args[0]).root.number >= 0

    def _check_device(self, device: Any, kwargs: dict[str, Any]) -> Any:
        """Let a call make its results without memory; returns the device, with its number."""
        kind = str(device).partition(":")[0]
        if kind not in ("cpu", "meta", "cuda"):
            raise Break(f"tensors on {device} are not compiled", user_line())
        del kwargs["device"]
        kwargs["device"] = device_class("meta")
        return device if kind != "cuda" else device_class("cuda", self.gpu)

    def _where(self, name: str, tensors: list[Tensor], device: Any) -> int:
        """The key set of a call's results.

        Raises:
            Break: it takes tensors from a GPU to the CPU, or mixes those of both.
        """
        on_cuda = [t for t in tensors if t._ks & CUDA]
        if device is not None:
            found = device_class(device)
            if found.type == "cuda":
                self.use(current_gpu(found.index, self.gpu))
                return CUDA
            if on_cuda:
                raise Break("a tensor is moved from the GPU", user_line())
            return CPU
        if not on_cuda:
            return CPU
        if name != "aten::copy_" and any(t._ks & CPU and t._a.ndim for t in tensors) or not tensors[0]._ks & CUDA and (
                name == "aten::copy_"):
            raise Break(f"{name}: tensors on the CPU and on a GPU", user_line())
        return CUDA

    def _meta(self, op: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        try:
            return op.table[META](*args, **kwargs)
        except Break:
            raise
        except NotImplementedError as error:
            raise Break(f"{op.name}: what its result looks like is not known beforehand ({error})", user_line(),
                        "register_fake tells it for operators of your own") from error

    def _twins(self, x: Any, twins: dict[int, tuple[Any, Any]]) -> Any:
        if isinstance(x, Tensor):
            found = twins.get(id(x))
            if found is None:
                found = twins[id(x)] = (x, twin(x, self.value_of(x).array, META))
            return found[1]
        if type(x) in (list, tuple):
            return type(x)([self._twins(each, twins) for each in x])
        return x

    def _encode(self, x: Any) -> Any:
        if isinstance(x, Tensor):
            return self.value_of(x).node
        if type(x) in (list, tuple):
            return type(x)([self._encode(each) for each in x])
        if isinstance(x, SymFloat):
            return self.scalar(x)
        if isinstance(x, tuple):
            return tuple(self._encode(each) for each in x)
        return x

    def scalar(self, x: SymFloat) -> Node:
        """The node of a run-time float."""
        node = self.scalar_nodes.get(x.expr)
        if node is None:
            from lamella.core import float64
            from lamella.core.devices import device

            spec = Spec((), (), float64, device("cpu"))
            node = Node(self.graph.name("scalar"), "scalar", self.pins.number(x), (), None, spec)
            self.scalar_nodes[x.expr] = node
            self.graph.nodes.append(node)
        return node

    def _record(self, op: Any, args: Any, kwargs: Any, result: Any, originals: dict[int, Any], key: int) -> Any:
        many = isinstance(result, (list, tuple))
        each = list(result) if many else [result]
        known = [not isinstance(r, Tensor) or id(r) in originals or id(r._a) in self.values for r in each]
        if not op.schema.is_mutable and all(known) and any(isinstance(r, Tensor) for r in each):
            return self._pack(result, [self._same(r, originals, key) for r in each])  # nothing new: an alias
        for r in each:
            if r is not None and not isinstance(r, Tensor):
                raise Unknown(op.name, "its result is a Python value")
        node = self.graph.add("call", _stem(op), op, tuple(self._encode(a) for a in args),
                              {k: self._encode(v) for k, v in kwargs.items()}, None, user_line())
        device = device_of(key, gpu[0])
        for i, r in enumerate(each):
            if r is not None and id(r) not in originals and id(r._a) not in self.values:
                self._new_value(node, i if many else None, r, device)
        node.spec = self._specs(each, many, device)
        return self._pack(result, [self._same(r, originals, key) for r in each])

    def _specs(self, each: list[Any], many: bool, device: Any) -> Any:
        found = tuple(None if r is None else spec_of(r._a, device, self.page) for r in each)
        return found if many else found[0]

    def _new_value(self, node: Node, item: int | None, r: Tensor, device: Any) -> None:
        a = r._a
        owner = owner_of(a)
        root = self.values.get(id(owner)) if owner is not a else None
        made = node
        if item is not None:
            made = self.graph.add("item", f"{node.name}_{item}", None, (node, item), None,
                                  spec_of(a, device, self.page), node.where)
        key = CUDA if device.type == "cuda" else CPU
        self.values[id(a)] = (a, Value(made, a, None if root is None else root[1].root, -1, key))

    def _same(self, r: Any, originals: dict[int, Any], key: int) -> Any:
        """The tensor that user code gets for a meta result."""
        if r is None or not isinstance(r, Tensor):
            return r
        found = originals.get(id(r))
        if found is not None:
            return found
        base = r._base
        r.__class__ = FakeTensor
        r._ks = (r._ks & ~BACKEND_MASK) | key
        if base is not None:
            real = originals.get(id(base), base)
            r._base = real if real._base is None else real._base
            if real._vc is None:
                real._vc = r._vc or VersionCounter()
            r._vc = real._vc
        return r

    def _pack(self, result: Any, each: list[Any]) -> Any:
        if isinstance(result, list):
            return each
        if isinstance(result, tuple):
            make = getattr(type(result), "_make", None)
            return tuple(each) if make is None else make(each)
        return each[0]


def _at_once(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call that is over when it returns: nobody waits in a program for what ``async_op`` begins."""
    names = [a.name for a in op.schema.arguments]
    kwargs = {k: False if k == "async_op" else v for k, v in kwargs.items()}
    return tuple(False if name == "async_op" else a for name, a in zip(names, args, strict=False)), kwargs


def _stem(op: Any) -> str:
    name = op.opname.strip("_")
    return name if name.isidentifier() else "call"


def recordable(t: Tensor) -> bool:
    """Whether a tensor is one that lies plainly on the CPU or on a GPU."""
    return t._ks & ~((t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT) in (CPU, CUDA)


def current_gpu(index: int | None, otherwise: int | None) -> int:
    """The number of a device argument's GPU: the one in use where it names none."""
    if index is not None:
        return index
    if otherwise is not None:
        return otherwise
    from lamella.core.cuda.devices import index_of

    return index_of(None)

