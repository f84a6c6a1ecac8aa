"""One vector of parameters: its shard on this rank, its whole while it is needed.

A `Handle` owns the parameters of one unit that have one element type. Between uses only the shard exists. The layers
compute with *leaves*: one parameter object for each parameter, made once, whose memory comes and goes. Graphs save
leaves, so when their memory is given up after forward nothing in the graph keeps it, and when it comes back for
backward the graph sees it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd import no_grad
from lamella.core.tensor import Tensor, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from ..layers import Parameter
from .layout import FlatLayout, RowLayout

__all__ = ["FlatParameter", "Handle", "Piece", "repoint"]


class FlatParameter(Parameter):
    """This rank's shard of the parameters of one `FullyShardedDataParallel` unit, as the optimizer sees them.

    Attributes:
        _fqns, _shapes, _numels: the names, shapes and sizes of the parameters in it.
    """

    _fqns: list[str]
    _shapes: list[Any]
    _numels: list[int]


def repoint(t: Tensor, a: Any) -> None:
    """Give a tensor, and what graphs save in its place, another array; nothing counts as written."""
    t._a = a
    if t._twin is not None:
        t._twin._a = a


class Piece:
    """One parameter of a handle.

    Attributes:
        names: its names below the unit's module.
        places: the modules and names that it is a parameter of, in the same order.
        spread: how it lies on a mesh where it is spread over ranks already (tensor parallelism); else None. It is then
            this rank's part of it that is divided.
        leaf: what layers compute with.
        core: the leaf, or the tensor inside that has its memory.
        param: what the optimizer gets, where it gets single parameters.
        mine: the array of this rank's part.
        empty: an array of the shape with no memory of its own.
        dim: the dimension that is divided.
        dressed: whether the optimizer gets a DTensor over this rank's part, not the part itself.
    """

    __slots__ = ("names", "places", "shape", "spread", "leaf", "core", "param", "mine", "empty", "dressed", "dim",
                 "summoned", "grad")

    def __init__(self, names: list[str], places: list[tuple[Any, str]], full: Any, dtype: Any, dim: int = 0) -> None:
        self.names = names
        self.places = places
        self.spread = getattr(full, "_spec", None)
        self.shape = tuple(self.inside(full).shape)
        self.param: Any = full
        self.mine: Any = None
        self.dressed = False
        self.dim = dim
        self.summoned: Any = None
        self.grad: Any = None
        self.leaf: Any
        self.core: Any
        self.empty: Any
        self.make_leaf(dtype, full.device, full.requires_grad)

    def make_leaf(self, dtype: Any, device: Any, requires_grad: bool) -> None:
        """Make the leaf, whose elements are NaN while it has no memory."""
        with no_grad():
            nothing = core.full((), float("nan") if dtype.is_floating_point else 0, dtype=dtype, device=device)
            self.empty = nothing.expand(self.shape)._a
        leaf = wrap(self.empty, nothing._ks & BACKEND_MASK)
        if self.spread is not None:
            from ..tensor import DTensor

            meta = self.spread.tensor_meta._replace(dtype=dtype)
            leaf = DTensor(leaf, type(self.spread)(self.spread.mesh, self.spread.placements, meta))
        self.leaf = Parameter(leaf, requires_grad=requires_grad)
        self.core = self.inside(self.leaf)

    def inside(self, t: Any) -> Any:
        """The tensor that has the memory of this rank's part of a parameter that is spread; others themselves."""
        return t if self.spread is None else t._local_tensor

    def take_grad(self) -> Any:
        """The leaf's gradient, on this rank, which the leaf then has no more."""
        g, self.leaf._grad = self.leaf._grad, None
        return g if g is None or self.spread is None else g.to_local()

    @property
    def name(self) -> str:
        """Its first name below the unit's module."""
        return self.names[0]

    @property
    def local(self) -> Any:
        """The tensor over this rank's part: the parameter, or what is inside it."""
        return self.param._local_tensor if self.dressed else self.param

    def give_grad(self, g: Tensor) -> None:
        """Add this rank's part of the gradient to what the optimizer will see."""
        old = self.local_grad()
        if old is not None:
            old.add_(g.to(old.dtype))
        elif self.dressed:
            from ..tensor import DTensor

            self.param._grad = DTensor(g, self.param._spec)
        else:
            self.param._grad = g

    def local_grad(self) -> Any:
        """This rank's part of the gradient, or None."""
        g = self.param._grad
        return g.to_local() if self.dressed and g is not None else g

    def show(self, tensor: Any) -> None:
        """Make a tensor the parameter of the modules."""
        for module, name in self.places:
            module._parameters[name] = tensor


class Handle:
    """Parameters of one element type, divided among the ranks of a group.

    Args:
        pieces: the parameters, with their whole values in `Piece.param`.
        style: "flat" (the optimizer gets one vector), "pieces" (each parameter's part of the vector) or "rows" (each
            parameter's rows).
        group: the ranks among which the vector is divided; None: it is not.
        compute: the element type of the leaves.
        dress: in style "rows", makes what stands for a whole tensor of this rank's part, of a tensor like the whole and
            of the dimension that is divided.

    Attributes:
        shard: this rank's part of the vector.
        flat: the vector as a parameter, in style "flat".
        whole: whether the leaves have their memory.
        all_gather: somebody's own way to collect shards.
        unfinished: gradients that are not yet summed up among the ranks with the same shard.
    """

    def __init__(self, pieces: list[Piece], style: str, group: Any, compute: Any,
                 dress: Callable[[Tensor, Any, int], Any] | None = None) -> None:
        self.pieces = pieces
        self.style = style
        self.group = group
        self.world = 1 if group is None else group.size()
        self.rank = 0 if group is None else group.rank()
        first = pieces[0].param
        self.dtype, self.compute = first.dtype, compute
        layout = RowLayout if style == "rows" else FlatLayout
        self.layout = layout([p.shape for p in pieces], self.world, [p.dim for p in pieces])
        self.flat: Any = None
        self.whole = False
        self.summoned = False
        self.all_gather: Any = None
        self.unfinished: Tensor | None = None
        self._pending: Any = None
        with no_grad():
            self.shard = core.zeros(self.layout.length, dtype=self.dtype, device=first.device)
        self._parts = self.layout.parts[self.rank]
        for i, (piece, part) in enumerate(zip(pieces, self._parts, strict=True)):
            if not first.is_meta:
                flat = self.layout.to_rows(i, piece.inside(piece.param)._a).reshape(-1)
                self.shard._a[part.here] = flat[part.there]
        self._hand_over(dress)

    # -- this rank's part ------------------------------------------------------------------------------------------

    def _hand_over(self, dress: Any) -> None:
        """Put what the optimizer will see in the place of the whole parameters."""
        if self.style == "flat":
            self.flat = FlatParameter(self.shard, requires_grad=self.pieces[0].param.requires_grad)
            self.flat._fqns = [p.name for p in self.pieces]
            self.flat._shapes = [core.Size(p.shape) for p in self.pieces]
            self.flat._numels = list(self.layout.sizes)
            for piece in self.pieces:
                for module, name in piece.places:
                    del module._parameters[name]
                    module.__dict__[name] = piece.leaf
                piece.param = None
            return
        for i, piece in enumerate(self.pieces):
            piece.param._grad = None
            if dress is not None:
                part = core.empty(self.layout.local_shape(i, self.rank), dtype=self.dtype, device=self.shard.device)
                part._a = self.layout.from_rows(i, part._a)
                whole = dress(part, piece.param, piece.dim)
                piece.param = Parameter(whole, requires_grad=piece.param.requires_grad)
                piece.param.__dict__["_fsdp_managed"] = True
                piece.dressed = True
                piece.show(piece.param)
        self.point()

    def point(self) -> None:
        """Let the parts that the optimizer sees lie in the shard."""
        if self.flat is not None:
            repoint(self.flat, self.shard._a)
            return
        for i, piece in enumerate(self.pieces):
            a = piece.mine = self.layout.own(i, self.rank, self.shard._a)
            piece.local._base = None
            repoint(piece.local, a)

    def sync(self) -> None:
        """Take over parts that somebody gave other memory (``p.data = ...``, ``model.to(...)``)."""
        if self.flat is not None:
            if self.flat._a is not self.shard._a:
                self._check_size("flat parameter", self.flat._a.size, self.shard._a.size)
                self._adopt(wrap(self.flat._a.reshape(-1), self.flat._ks & BACKEND_MASK))
            return
        if all(p.local._a is p.mine for p in self.pieces):
            return
        like = next(p.local for p in self.pieces if p.local._a is not p.mine)
        shard = core.zeros(self.layout.length, dtype=like.dtype, device=like.device)
        for i, (piece, part) in enumerate(zip(self.pieces, self._parts, strict=True)):
            self._check_size(piece.name, piece.local._a.size, part.size)
            if not like.is_meta:
                moved = piece.local.detach().to(device=like.device, dtype=like.dtype)
                shard._a[part.here] = self.layout.to_rows(i, moved._a).reshape(-1)
        self._adopt(shard)

    def _check_size(self, name: str, got: int, wanted: int) -> None:
        if got != wanted:
            raise RuntimeError(message("FSDP", f"{name} was given data of another size", {"got": got, "needs": wanted},
                                       hint="change whole parameters within summon_full_params()"))

    def _adopt(self, shard: Tensor) -> None:
        moved = shard.device != self.shard.device or shard.dtype != self.dtype
        if self.compute == self.dtype:
            self.compute = shard.dtype
        self.shard, self.dtype = shard, shard.dtype
        if moved:
            for piece in self.pieces:
                piece.make_leaf(self.compute, shard.device, piece.leaf.requires_grad)
                if self.flat is not None:
                    for module, name in piece.places:
                        module.__dict__[name] = piece.leaf
        self.point()

    def params(self) -> list[Any]:
        """What the optimizer gets."""
        return [self.flat] if self.flat is not None else [p.param for p in self.pieces]

    def wanted(self, piece: Piece) -> bool:
        """Whether a parameter is to get a gradient."""
        return (self.flat if self.flat is not None else piece.param).requires_grad

    # -- the whole -------------------------------------------------------------------------------------------------

    def gather(self, local: Tensor) -> tuple[Any, Tensor]:
        """Begin to collect a vector of all ranks' shards: the work, and where they will be."""
        if self.world == 1:
            return None, local
        size, own = self.world * local.numel(), self.all_gather
        if own is not None:
            out = own.allocate(size, dtype=local.dtype, device=local.device)
            return own(output_tensor=out, input_tensor=local, group=self.group, async_op=True), out
        out = core.empty(size, dtype=local.dtype, device=local.device)
        return dist.all_gather_into_tensor(out, local, group=self.group, async_op=True), out

    def _apart(self, gathered: Tensor) -> list[Any]:
        """The whole parameters' arrays in a vector of all shards."""

        def empty(n: int) -> Any:
            return core.empty(n, dtype=gathered.dtype, device=gathered.device)._a

        return self.layout.whole(gathered._a, empty)

    def start(self) -> None:
        """Begin to fetch the whole parameters, if that is not under way."""
        if self.whole or self._pending is not None:
            return
        if self.summoned:
            raise RuntimeError(message("FSDP", "forward and backward cannot run within summon_full_params()"))
        with no_grad():
            self.sync()
            if self.shard.is_meta:
                raise RuntimeError(message("FSDP", "parameters are on the meta device", self.pieces[0].name,
                                           hint="model.to_empty(device=...) and initialise them before training"))
            local = wrap(self.shard._a, self.shard._ks & BACKEND_MASK)
            if self.compute != self.dtype:
                local = local.to(self.compute)
            work, out = self.gather(local)
        self._pending = (work, out, local)

    def finish(self) -> None:
        """Wait for the whole parameters and give them to the leaves."""
        if self.whole or self._pending is None:
            return
        (work, out, _), self._pending = self._pending, None
        if work is not None:
            work.wait()
        arrays = self._apart(out)
        for piece, a in zip(self.pieces, arrays, strict=True):
            leaf, want = piece.leaf, self.wanted(piece)
            repoint(piece.core, a)
            if leaf.requires_grad != want:
                leaf.requires_grad_(want)
            if self.flat is None:
                piece.show(leaf)
        self.whole = True

    def release(self) -> None:
        """Give up the whole parameters."""
        if self._pending is not None:
            work, self._pending = self._pending[0], None
            if work is not None:
                work.wait()
        if not self.whole:
            return
        for piece in self.pieces:
            repoint(piece.core, piece.empty)
            if self.flat is None:
                piece.show(piece.param)
        self.whole = False

    # -- the whole in full precision, for people and state dicts -----------------------------------------------------

    def full_arrays(self, shard: Tensor | None = None) -> list[Any]:
        """The whole parameters (or what lies beside them in the same places), in full precision."""
        with no_grad():
            if shard is None:
                self.sync()
                shard = wrap(self.shard._a, self.shard._ks & BACKEND_MASK)
            work, out = self.gather(shard)
            if work is not None:
                work.wait()
        return self._apart(out)

    def grad_shard(self) -> Tensor | None:
        """This rank's gradients as they lie in the shard; None where there are none at all."""
        if self.flat is not None:
            return self.flat._grad
        if all(p.local_grad() is None for p in self.pieces):
            return None
        with no_grad():
            out = core.zeros(self.layout.length, dtype=self.dtype, device=self.shard.device)
            for piece, part in zip(self.pieces, self._parts, strict=True):
                g = piece.local_grad()
                if g is not None and part.size:
                    out._a[part.here] = g._a.reshape(-1)
        return out

    def summon(self, show: bool = True, grads: bool = False) -> None:
        """Put whole parameters, in full precision, into the modules; all ranks call it, those that ``show`` get them.

        Args:
            show: whether this rank's modules get them.
            grads: whole gradients too; ranks without any take part with zeros.
        """
        self.release()
        arrays = self.full_arrays()
        whole_grads: Sequence[Any] = [None] * len(arrays)
        if grads:
            mine = self.grad_shard()
            if mine is None:
                mine = core.zeros(self.layout.length, dtype=self.dtype, device=self.shard.device)
            whole_grads = self.full_arrays(mine)
        self.summoned = True
        if not show:
            return
        ks = self.shard._ks & BACKEND_MASK
        for piece, a, g in zip(self.pieces, arrays, whole_grads, strict=True):
            if self.flat is not None:
                piece.summoned = Parameter(wrap(a, ks), requires_grad=self.flat.requires_grad)
                for module, name in piece.places:
                    module.__dict__.pop(name, None)
                piece.show(piece.summoned)
            else:
                piece.summoned = piece.param
                piece.grad = piece.param._grad
                repoint(piece.param, a)
            piece.summoned._grad = None if g is None else wrap(g, ks)

    def dismiss(self, writeback: bool, grads: bool = False) -> None:
        """Take the whole parameters out again; with ``writeback`` what was written to them stays."""
        self.summoned = False
        for piece, part in zip(self.pieces, self._parts, strict=True):
            now, piece.summoned = piece.summoned, None
            if now is None:
                continue
            if writeback:
                now = piece.places[0][0]._parameters.get(piece.places[0][1], now)
                self._check_size(piece.name, now._a.size, len(piece.empty.reshape(-1)))
                self.shard._a[part.here] = now._a.reshape(-1)[part.there]
                if grads and now._grad is not None and self.grad_part(piece, part) is not None:
                    self.grad_part(piece, part)[...] = now._grad._a.reshape(-1)[part.there]
            if self.flat is not None:
                for module, name in piece.places:
                    module._parameters.pop(name, None)
                    module.__dict__[name] = piece.leaf
            else:
                piece.param._grad, piece.grad = piece.grad, None
                piece.show(piece.param)
        self.point()

    def grad_part(self, piece: Piece, part: Any) -> Any:
        """The array of this rank's gradient of a parameter, as a vector; None where there is none."""
        if self.flat is not None:
            g = self.flat._grad
            return None if g is None else g._a[part.here]
        g = piece.grad if piece.grad is not None else piece.local_grad()
        return None if g is None or not part.size else g._a.reshape(-1)
