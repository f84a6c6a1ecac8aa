"""Messages on a connection: four bytes of length and a JSON object."""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import weakref
from typing import Any

Message = dict[str, Any]

_LENGTH = struct.Struct("!I")
#: Bytes of one message: before a connection has named itself, and after.
STRANGER, MEMBER = 4096, 64 << 20

_open: weakref.WeakSet[socket.socket] = weakref.WeakSet()


def _close_inherited() -> None:
    """In a forked child (a worker that loads data): its copies would keep a dead rank's connection open."""
    for sock in list(_open):
        sock.close()
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)


def prepare(sock: socket.socket) -> socket.socket:
    """Set a connection up: no delay, the system looks whether the other host lives, and no child inherits it."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    _open.add(sock)
    return sock


def keep(sock: socket.socket) -> socket.socket:
    """Close this socket in forked children."""
    _open.add(sock)
    return sock


def pack(message: Message) -> bytes:
    """A message as bytes.

    Example:
        >>> Unpacker().feed(pack({"t": "hello", "rank": 1}))
        [{'t': 'hello', 'rank': 1}]
    """
    body = json.dumps(message, separators=(",", ":")).encode()
    return _LENGTH.pack(len(body)) + body


class Unpacker:
    """Bytes as they come in, into messages.

    Attributes:
        limit: the bytes that one message may have; more is a ValueError.
    """

    def __init__(self, limit: int = STRANGER) -> None:
        self.limit = limit
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are whole, now that `data` has come."""
        self._rest += data
        found = []
        while len(self._rest) >= 4:
            (length,) = _LENGTH.unpack_from(self._rest)
            if length > self.limit:
                raise ValueError(f"a message of {length} bytes")
            if len(self._rest) < 4 + length:
                break
            message = json.loads(bytes(self._rest[4 : 4 + length]))
            if not isinstance(message, dict) or not isinstance(message.get("t"), str):
                raise ValueError("not a message")
            found.append(message)
            del self._rest[: 4 + length]
        return found


def say(text: str) -> None:
    """A line on stderr, whole."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
