"""The builder that rules write with: each method adds one primitive call to the graph and returns its node.

Operands are nodes and, wherever a number may stand, Python numbers, symbolic sizes (`Expr`) and run-time scalars. Equal
calls within one rule are made once.
"""

from __future__ import annotations

import math
from typing import Any

from lamella.core import dtypes as dt
from lamella.dispatch import registry

from ..graph.node import Graph, Node, Spec
from ..loops.index import Expr, product
from . import specs
from .specs import dense, is_number, kept, wide, wrapped
from .table import Keep

_found: dict[str, tuple[Any, str]] = {}


def operator(name: str) -> tuple[Any, str]:
    """An overload, and the stem of the names of its nodes."""
    known = _found.get(name)
    if known is None:
        op = registry.find(name)
        if op is None:
            raise Keep(f"the operator {name} is not there")
        known = _found[name] = op, op.opname.strip("_") or "call"
    return known


class Builder:
    """Adds calls to a graph.

    Attributes:
        graph: the graph under construction.
        line: the user's line that the calls come from.
        device: the device of results without operands.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.line = ""
        self.device: Any = None
        self._known: dict[Any, Node] = {}
        self._constants: dict[Any, Node] = {}

    def begin(self, line: str, device: Any) -> None:
        """Start a rule: equal calls are shared up to the next start."""
        self.line, self.device = line, device
        self._known = {}

    def forget(self, mark: int) -> None:
        """Take off the nodes that a rule has added at the end of the graph, from number ``mark`` on."""
        gone = {n for n in self.graph.nodes[mark:] if n.kind == "constant"}
        if gone:
            self._constants = {k: n for k, n in self._constants.items() if n not in gone}
        del self.graph.nodes[mark:]
        self._known = {}

    # ------------------------------------------------------------------ the base of all

    def call(self, name: str, *args: Any, spec: Any, **kwargs: Any) -> Node:
        """Add a call with a given spec."""
        key = (name, _key(args), _key(kwargs))
        found = self._known.get(key)
        if found is None:
            op, stem = operator(name)
            found = self._known[key] = self.graph.add("call", stem, op, args, kwargs, spec, self.line)
        return found

    def constant(self, key: Any, array: Any) -> Node:
        """An array that is part of the program; equal keys give one node."""
        found = self._constants.get(key)
        if found is None:
            spec = dense(array.shape, dt.from_numpy_dtype(array.dtype), self.device)
            found = self._constants[key] = self.graph.add("constant", "constant", array, spec=spec, where=self.line)
        return found

    def pointwise(self, name: str, promote: str, *operands: Any, **kwargs: Any) -> Any:
        """Add an elementwise call."""
        return self.call(name, *operands, spec=specs.pointwise(name, promote, operands), **kwargs)

    # ------------------------------------------------------------------ arithmetic

    def add(self, x: Any, y: Any) -> Any:
        """x + y."""
        return self.pointwise("aten::add.Tensor", "arith", x, y)

    def sub(self, x: Any, y: Any) -> Any:
        """x - y."""
        return self.pointwise("aten::sub.Tensor", "arith", x, y)

    def mul(self, x: Any, y: Any) -> Any:
        """x * y; a factor of 1 that changes no type is left out."""
        if type(y) in (int, float) and y == 1 and (type(y) is int or x.spec.dtype.category >= 2):
            return x
        return self.pointwise("aten::mul.Tensor", "arith", x, y)

    def div(self, x: Any, y: Any) -> Any:
        """x / y."""
        return self.pointwise("aten::div.Tensor", "float", x, y)

    def pow(self, x: Any, y: Any) -> Any:
        """x to the power of y, one of which may be a number."""
        if is_number(y):
            return self._power(x, y)
        return self.pointwise("aten::pow.Scalar" if is_number(x) else "aten::pow.Tensor_Tensor", "arith", x, y)

    def _power(self, x: Node, y: Any) -> Node:
        if x.spec.dtype.category >= 2:
            if y == 2:
                return self.mul(x, x)
            if y == 0.5:
                return self.sqrt(x)
            if y == 1:
                return x
            if y == 3:
                return self.mul(self.mul(x, x), x)
            if y == -1:
                return self.reciprocal(x)
        return self.pointwise("aten::pow.Tensor_Scalar", "arith", x, y)

    def maximum(self, x: Any, y: Any) -> Any:
        """The larger one; nan wins."""
        return self.pointwise("aten::maximum", "arith", x, y)

    def minimum(self, x: Any, y: Any) -> Any:
        """The smaller one; nan wins."""
        return self.pointwise("aten::minimum", "arith", x, y)

    def clamp(self, x: Any, low: Any, high: Any) -> Any:
        """x within [low, high]."""
        return self.minimum(self.maximum(x, low), high)

    def unary(self, name: str, x: Node) -> Node:
        """A function of each element: `exp`, `neg`, ..."""
        promote = "arith" if name in _ARITH else "float"
        return self.call("aten::" + name, x, spec=specs.pointwise(name, promote, (x,)))

    def __getattr__(self, name: str) -> Any:
        if name in _ARITH or name in _FLOAT:
            return lambda x: self.unary(name, x)
        if name in _COMPARE:
            return lambda x, y: self.pointwise(f"aten::{name}.Tensor", "compare", x, y)
        raise AttributeError(name)

    def isnan(self, x: Node) -> Node:
        """Whether elements are nan."""
        return self.pointwise("aten::isnan", "compare", x)

    def isinf(self, x: Node) -> Node:
        """Whether elements are infinite."""
        return self.pointwise("aten::isinf", "compare", x)

    def logical(self, name: str, *operands: Node) -> Node:
        """`and`, `or`, `xor` or `not` of truth values."""
        return self.pointwise("aten::logical_" + name, "compare", *operands)

    def where(self, condition: Node, x: Any, y: Any) -> Node:
        """x where the condition holds, else y; at most one of them is a number."""
        if is_number(y):
            return self.masked_fill(x, self.logical("not", condition), y)
        if is_number(x):
            return self.masked_fill(y, condition, x)
        d = specs.result_type((x, y))
        shape = specs.broadcast("where", [n.spec.shape for n in (condition, x, y)])
        return self.call("aten::where.self", condition, self.to(x, d), self.to(y, d), spec=dense(shape, d, self.device))

    def masked_fill(self, x: Node, mask: Node, value: Any) -> Node:
        """x with a number where the mask holds."""
        shape = specs.broadcast("masked_fill", [x.spec.shape, mask.spec.shape])
        x = self.expand(x, shape)  # the operator broadcasts the mask alone
        return self.call("aten::masked_fill.Scalar", x, mask, value, spec=dense(shape, x.spec.dtype, self.device))

    def to(self, x: Any, dtype: Any) -> Any:
        """x as another element type."""
        if x.spec.dtype is dtype:
            return x
        return self.call("aten::_to_copy", x, dtype=dtype, spec=dense(x.spec.shape, dtype, x.spec.device))

    def wide(self, x: Any) -> Any:
        """x in the type that kernels compute in: float32 for 16 bits; None stays None."""
        return x if x is None else self.to(x, wide(x.spec.dtype))

    def copy(self, x: Node) -> Node:
        """The same elements in memory of their own."""
        return self.call("aten::clone", x, spec=dense(x.spec.shape, x.spec.dtype, x.spec.device))

    def full(self, shape: Any, value: Any, dtype: Any) -> Node:
        """A tensor of one number."""
        shape = tuple(shape)
        return self.call("aten::full", list(shape), value, dtype=dtype, device=self.device,
                         spec=dense(shape, dtype, self.device))

    def iota(self, n: Any, dtype: Any = dt.int64) -> Node:
        """0, 1, ..., n - 1."""
        return self.call("aten::arange.start_step", 0, n, 1, dtype=dtype, device=self.device,
                         spec=dense((n,), dtype, self.device))

    # ------------------------------------------------------------------ reductions

    def sum(self, x: Node, dims: Any = None, keepdim: bool = False) -> Node:
        """The sum over dimensions (None: all), in the type of x (16 bits: in float32, so widen x first)."""
        return self._reduce("aten::sum.dim_IntList", x, dims, keepdim, specs.sum_type(x.spec.dtype))

    def amax(self, x: Node, dims: Any = None, keepdim: bool = False) -> Node:
        """The largest element over dimensions; nan wins."""
        return self._reduce("aten::amax", x, dims, keepdim, x.spec.dtype)

    def amin(self, x: Node, dims: Any = None, keepdim: bool = False) -> Node:
        """The smallest element over dimensions; nan wins."""
        return self._reduce("aten::amin", x, dims, keepdim, x.spec.dtype)

    def argmax(self, x: Node, dim: int, keepdim: bool, name: str = "argmax") -> Node:
        """Where the largest element along a dimension stands first."""
        dims = wrapped(dim, len(x.spec.shape))
        return self.call("aten::" + name, x, dims[0], keepdim,
                         spec=dense(kept(x.spec.shape, dims, keepdim), dt.int64, x.spec.device))

    def _reduce(self, name: str, x: Node, dims: Any, keepdim: bool, dtype: Any) -> Node:
        shape = x.spec.shape
        dims = wrapped(dims, len(shape))
        if not dims:
            return self.to(x, dtype)
        return self.call(name, x, list(dims), keepdim, spec=dense(kept(shape, dims, keepdim), dtype, x.spec.device))

    def mean(self, x: Node, dims: Any = None, keepdim: bool = False) -> Node:
        """The mean over dimensions."""
        n = product([x.spec.shape[i] for i in wrapped(dims, len(x.spec.shape))])
        total = self.sum(x, dims, keepdim)
        return total if type(n) is int and n == 1 else self.div(total, n)

    # ------------------------------------------------------------------ shapes

    def view(self, x: Node, shape: Any) -> Node:
        """The elements in another shape; one size may be -1."""
        shape = _sizes(x.spec.shape, tuple(shape))
        if shape == x.spec.shape:
            return x
        return self.call("aten::view", x, list(shape), spec=dense(shape, x.spec.dtype, x.spec.device))

    def unsqueeze(self, x: Node, dim: int) -> Node:
        """A dimension of size 1 more."""
        shape = list(x.spec.shape)
        shape.insert(dim if dim >= 0 else dim + len(shape) + 1, 1)
        return self.view(x, shape)

    def expand(self, x: Node, shape: Any) -> Node:
        """x broadcast to a shape."""
        shape = tuple(shape)
        if shape == x.spec.shape:
            return x
        lead = len(shape) - len(x.spec.shape)
        steps = tuple(0 if i < lead or x.spec.shape[i - lead] == 1 and n != 1 else x.spec.stride[i - lead]
                      for i, n in enumerate(shape))
        return self.call("aten::expand", x, list(shape), spec=Spec(shape, steps, x.spec.dtype, x.spec.device))

    def permute(self, x: Node, dims: Any) -> Node:
        """The dimensions in another order."""
        if list(dims) == list(range(len(dims))):
            return x
        s = x.spec
        spec = Spec(tuple(s.shape[i] for i in dims), tuple(s.stride[i] for i in dims), s.dtype, s.device)
        return self.call("aten::permute", x, list(dims), spec=spec)

    def t(self, x: Node) -> Node:
        """The transposed matrix."""
        return self.permute(x, (1, 0))

    def slice(self, x: Node, dim: int, start: Any, stop: Any) -> Node:
        """A run of places along a dimension."""
        shape = list(x.spec.shape)
        if isinstance(shape[dim], int) and start == 0 and stop == shape[dim]:
            return x
        shape[dim] = stop - start
        return self.call("aten::slice.Tensor", x, dim, start, stop, 1,
                         spec=Spec(tuple(shape), x.spec.stride, x.spec.dtype, x.spec.device))

    def cat(self, parts: list[Node], dim: int) -> Node:
        """Tensors of one type, one after the other."""
        parts = [p for p in parts if not any(n == 0 for n in p.spec.shape if isinstance(n, int))] or parts[:1]
        if len(parts) == 1:
            return parts[0]
        shape = list(parts[0].spec.shape)
        shape[dim] = sum(p.spec.shape[dim] for p in parts)
        return self.call("aten::cat", parts, dim, spec=dense(tuple(shape), parts[0].spec.dtype, parts[0].spec.device))

    def pad(self, x: Node, before: Any, after: Any, value: Any = 0) -> Node:
        """x with numbers around; ``before`` and ``after`` have an entry for each dimension."""
        flat = [k for pair in zip(reversed(before), reversed(after), strict=True) for k in pair]
        shape = tuple(n + a + b for n, a, b in zip(x.spec.shape, before, after, strict=True))
        return self.call("aten::constant_pad_nd", x, flat, value, spec=dense(shape, x.spec.dtype, x.spec.device))

    # ------------------------------------------------------------------ looking up, products

    def gather(self, x: Node, dim: int, index: Node) -> Node:
        """x at an index along a dimension."""
        return self.call("aten::gather", x, dim, index, spec=dense(index.spec.shape, x.spec.dtype, x.spec.device))

    def index_select(self, x: Node, dim: int, index: Node) -> Node:
        """The entries along a dimension that an index names."""
        shape = list(x.spec.shape)
        shape[dim] = index.spec.shape[0]
        return self.call("aten::index_select", x, dim, index, spec=dense(tuple(shape), x.spec.dtype, x.spec.device))

    def mm(self, x: Node, y: Node) -> Node:
        """The product of two matrices."""
        return self.call("aten::mm", x, y, spec=dense((x.spec.shape[0], y.spec.shape[1]), x.spec.dtype, x.spec.device))

    def addmm(self, bias: Node, x: Node, y: Node) -> Node:
        """bias + the product of two matrices."""
        spec = dense((x.spec.shape[0], y.spec.shape[1]), x.spec.dtype, x.spec.device)
        return self.call("aten::addmm", bias, x, y, spec=spec)

    def bmm(self, x: Node, y: Node) -> Node:
        """The products of two batches of matrices."""
        shape = (x.spec.shape[0], x.spec.shape[1], y.spec.shape[2])
        return self.call("aten::bmm", x, y, spec=dense(shape, x.spec.dtype, x.spec.device))


def _key(value: Any) -> Any:
    """What tells arguments apart: 1, 1.0 and True are three values, and so are 0.0 and -0.0."""
    kind = type(value)
    if kind is Node:
        return value
    if kind is list or kind is tuple:
        return tuple([_key(each) for each in value])
    if kind is dict:
        return tuple([(k, _key(v)) for k, v in value.items()])
    if kind is float:
        return kind, value, math.copysign(1, value)
    return kind, value


def _sizes(have: tuple[Any, ...], shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """The shape with a -1 replaced by what is left."""
    if -1 not in [n for n in shape if isinstance(n, int)]:
        return shape
    at = next(i for i, n in enumerate(shape) if isinstance(n, int) and n == -1)
    rest = product([n for i, n in enumerate(shape) if i != at])
    whole = product(have)
    missing = whole // rest if isinstance(whole, Expr) or isinstance(rest, Expr) or rest else 0
    return (*shape[:at], missing, *shape[at + 1 :])


_ARITH = frozenset("neg abs sign trunc".split())
_FLOAT = frozenset("exp exp2 expm1 log log1p sqrt rsqrt reciprocal sin tanh erf erfc sigmoid lgamma".split())
_COMPARE = frozenset("eq ne lt le gt ge".split())
