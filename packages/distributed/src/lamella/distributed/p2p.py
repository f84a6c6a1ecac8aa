"""Messages between two ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ._gen import c10d as ops
from .collectives import _begun, _group, _member, _tensor
from .group import ProcessGroup, resolve, world
from .work import Work


def _message(op: Any, group: ProcessGroup, async_op: bool, tensor: Tensor, peer: int, tag: int) -> Work | None:
    op(tensor, peer, int(tag), group.name, async_op)
    return _begun(group) if async_op else None


def isend(tensor: Tensor, dst: int | None = None, group: Any = None, tag: int = 0,
          group_dst: int | None = None) -> Work | None:
    """Begin to send a tensor to a rank; it must not change until the work is over. Arguments as of `send`."""
    return _send("isend", tensor, dst, group, tag, group_dst, True)


def send(tensor: Tensor, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> None:
    """Send a tensor to a rank.

    Args:
        tensor: what to send.
        dst, group_dst: the global rank, or the rank in the group, that gets it.
        group: a group; the default one where None.
        tag: a number that the receiver must name, too.

    Raises:
        ValueError: no such rank, or this one.
    """
    _send("send", tensor, dst, group, tag, group_dst, False)


def _send(name: str, tensor: Tensor, dst: int | None, group: Any, tag: int, group_dst: int | None,
          async_op: bool) -> Work | None:
    found = _group(group, name)
    if found is None:
        return None
    to = _member(found, name, "dst", dst, group_dst)
    if to == found.rank():
        raise ValueError(message(name, "a rank cannot send to itself", f"rank {found.ranks[to]}"))
    return _message(ops.send, found, async_op, _tensor(tensor, name), to, tag)


def irecv(tensor: Tensor, src: int | None = None, group: Any = None, tag: int = 0,
          group_src: int | None = None) -> Work | None:
    """Begin to receive a tensor. Arguments as of `recv`."""
    return _recv("irecv", tensor, src, group, tag, group_src, True)


def recv(tensor: Tensor, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> int:
    """Receive a tensor from a rank.

    Args:
        tensor: what to write into; of the size and type that was sent.
        src, group_src: the global rank, or the rank in the group, that sends; any where None.
        group: a group; the default one where None.
        tag: the sender's.

    Returns:
        The global rank that sent; -1 outside the group.

    Raises:
        ValueError: no such rank, or this one.
        RuntimeError: what came has another size.
    """
    work = _recv("recv", tensor, src, group, tag, group_src, True)
    if work is None:
        return -1
    work.wait()
    if src is not None:
        return src
    return world().rank if work._result is None else work.source_rank()


def _recv(name: str, tensor: Tensor, src: int | None, group: Any, tag: int, group_src: int | None,
          async_op: bool) -> Work | None:
    found = _group(group, name)
    if found is None:
        return None
    if src is None and group_src is None:
        peer = -1
    else:
        peer = _member(found, name, "src", src, group_src)
        if peer == found.rank():
            raise ValueError(message(name, "a rank cannot receive from itself", f"rank {found.ranks[peer]}"))
    return _message(ops.recv_, found, async_op, _tensor(tensor, name), peer, tag)


class P2POp:
    """One message of a batch.

    Args:
        op: `isend` or `irecv`.
        tensor: what to send, or what to write into.
        peer, group_peer: the other rank.
        group: a group; the default one where None.
        tag: the same on both sides.
    """

    def __init__(self, op: Callable[..., Any], tensor: Tensor, peer: int | None = None, group: Any = None, tag: int = 0,
                 group_peer: int | None = None) -> None:
        if op not in (isend, irecv):
            raise ValueError(message("P2POp", "op must be isend or irecv", getattr(op, "__name__", repr(op))))
        self.op, self.tensor, self.tag = op, _tensor(tensor, "P2POp"), tag
        self.group = resolve(group, "P2POp")
        self.group_peer = _member(self.group, "P2POp", "peer", peer, group_peer)
        self.peer = self.group.ranks[self.group_peer]

    def __repr__(self) -> str:
        shown = f"{self.tensor.dtype}{list(self.tensor.shape)}"
        return f"P2POp({self.op.__name__}, peer={self.peer}, tag={self.tag}, {shown})"


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Work]:
    """Begin several messages at once, in an order that cannot block.

    Args:
        p2p_op_list: the messages, all of one group.

    Returns:
        A work for each.

    Raises:
        ValueError: no messages, or of different groups.
    """
    name = "batch_isend_irecv"
    if not isinstance(p2p_op_list, (list, tuple)) or not p2p_op_list or not all(
            isinstance(p, P2POp) for p in p2p_op_list):
        raise ValueError(message(name, "p2p_op_list must be a list of P2POp, and not empty"))
    if len({id(p.group) for p in p2p_op_list}) > 1:
        raise ValueError(message(name, "all messages must be of one group"))
    carriers = {p.tensor.device.type: p.group.transport(p.tensor.device.type, name) for p in p2p_op_list}
    works = []
    with ExitStack() as together:
        for carrier in carriers.values():
            together.enter_context(carrier.coalescing())
        for p in p2p_op_list:
            side = "group_dst" if p.op is isend else "group_src"
            works.append(p.op(p.tensor, group=p.group, tag=p.tag, **{side: p.group_peer}))
    return works
