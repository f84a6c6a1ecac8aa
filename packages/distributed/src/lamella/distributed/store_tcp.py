"""TCPStore: one rank keeps the keys, the others ask it over the network."""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
import threading
import time
import weakref
from datetime import timedelta
from typing import Any

from .errors import DistNetworkError, DistStoreError, QueueEmptyError
from .store_base import Answer, Store, Table

#: The key under which clients count themselves.
JOINED = "init/"
_LENGTH = struct.Struct("!I")
_LIMIT = 1 << 31  # bytes of one field; more means that somebody else is speaking
_ERRORS: dict[str, type[Exception]] = {"ValueError": ValueError, "QueueEmptyError": QueueEmptyError}


class TCPStore(Store):
    """A store that all ranks reach over the network; the master's process keeps the keys.

    Args:
        host_name: where the master is.
        port: its port (0 for the master: a free one, see the attribute ``port``).
        world_size: how many ranks join, the master included (None: not known).
        is_master: whether this process keeps the keys.
        timeout: how long to wait for the master, for ranks, and for keys.
        wait_for_workers: whether the master waits here until all ranks have joined.
        multi_tenant: whether further stores of this process may be masters on the same port, with the same keys.
        master_listen_fd: a listening socket's number, to be used instead of a new one.
        use_libuv: accepted for old programs.

    Raises:
        DistNetworkError: the port is taken, or the master does not answer within the time-out.
        DistStoreError: not all ranks joined within the time-out.

    Example:
        >>> from datetime import timedelta
        >>> master = TCPStore("localhost", 0, 1, True, timedelta(seconds=30))
        >>> other = TCPStore("localhost", master.port, 1, False, timedelta(seconds=30))
        >>> master.set("key", "value")
        >>> other.get("key")
        b'value'
    """

    def __init__(self, host_name: str, port: int, world_size: int | None = None, is_master: bool = False,
                 timeout: timedelta = timedelta(seconds=300), wait_for_workers: bool = True,
                 multi_tenant: bool = False, master_listen_fd: int | None = None, use_libuv: bool = True) -> None:
        if not isinstance(port, int) or not 0 <= port < 65536:
            raise ValueError(f"TCPStore: port must have value from 0 to 65535 but was {port}.")
        self.set_timeout(timeout)
        self.host = host_name
        self._server = _server(host_name, port, multi_tenant, master_listen_fd) if is_master else None
        self.port = port if self._server is None else self._server.port
        self._lock = threading.Lock()
        self._socket = _connect(host_name, self.port, timeout.total_seconds())
        weakref.finalize(self, self._socket.close)
        self.add(JOINED, 1)
        if is_master and wait_for_workers and world_size is not None:
            self._gather(world_size, timeout.total_seconds())

    def _gather(self, world_size: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (joined := self.add(JOINED, 0)) < world_size:
            if time.monotonic() > end:
                raise DistStoreError(f"TCPStore: Timed out after {seconds:g} seconds waiting for clients. "
                                     f"{joined}/{world_size} clients joined.\n"
                                     f"hint: every rank connects to {self.host}:{self.port}; did some not start?")
            time.sleep(0.005)

    @property
    def libuvBackend(self) -> bool:  # noqa: N802 - torch's name
        """Whether libuv serves the store: it does not."""
        return False

    def _ask(self, op: str, keys: list[str], values: Answer, seconds: float) -> Answer:
        message = [op.encode(), struct.pack("!dI", seconds, len(keys)), *(k.encode() for k in keys), *values]
        with self._lock:
            try:
                self._socket.settimeout(seconds + 60)
                _send(self._socket, message)
                status, *answer = _receive(self._socket)
            except BaseException as e:
                self._socket.close()  # an answer that comes later must not be taken for the next one's
                if not isinstance(e, (OSError, EOFError)):
                    raise
                raise DistNetworkError(
                    f"TCPStore.{op}: Connection was likely closed. Did the remote server shutdown or crash? "
                    f"(host={self.host}, port={self.port}, {e})") from None
        if status:
            raise _ERRORS.get(status.decode(), DistStoreError)(answer[0].decode())
        return answer

    def clone(self) -> TCPStore:
        twin = TCPStore.__new__(TCPStore)
        twin.host, twin.port, twin._patience, twin._server = self.host, self.port, self._patience, self._server
        twin._lock = threading.Lock()
        twin._socket = _connect(self.host, self.port, self._patience.total_seconds())
        weakref.finalize(twin, twin._socket.close)
        return twin

    def __repr__(self) -> str:
        return f"TCPStore({self.host}:{self.port}, {'client' if self._server is None else 'master'})"


class _Server:
    """Listens, and answers each client in a thread of its own."""

    def __init__(self, listening: socket.socket) -> None:
        self.port: int = listening.getsockname()[1]
        table, clients = Table(), set[socket.socket]()
        threading.Thread(target=_accept, args=(listening, table, clients), name="TCPStore", daemon=True).start()
        weakref.finalize(self, _shut, listening, table, clients)


_servers: weakref.WeakValueDictionary[int, _Server] = weakref.WeakValueDictionary()
_servers_lock = threading.Lock()


def _server(host: str, port: int, shared: bool, fd: int | None) -> _Server:
    with _servers_lock:
        found = _servers.get(port) if shared and port else None
        if found is not None:
            return found
        try:
            listening = socket.socket(fileno=fd) if fd is not None else _listen(host, port)
        except OSError as e:
            raise DistNetworkError(
                f"TCPStore: The server socket has failed to listen on any local network address. port: {port}, "
                f"code: -{e.errno}, name: {errno.errorcode.get(e.errno or 0, '?')}, message: {e.strerror}\n"
                "hint: another job has the port; set MASTER_PORT to a free one") from None
        made = _Server(listening)
        if shared:
            _servers[made.port] = made
        return made


def _listen(host: str, port: int) -> socket.socket:
    if host in ("localhost", "127.0.0.1"):  # nobody else is to reach it
        return socket.create_server(("127.0.0.1", port), backlog=4096)
    if socket.has_dualstack_ipv6():
        with contextlib.suppress(OSError):
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=4096, dualstack_ipv6=True)
    return socket.create_server(("", port), backlog=4096)


def _accept(listening: socket.socket, table: Table, clients: set[socket.socket]) -> None:
    while True:
        try:
            client, _ = listening.accept()
        except OSError:  # shut
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        clients.add(client)
        threading.Thread(target=_answer, args=(client, table, clients), name="TCPStore", daemon=True).start()


def _answer(client: socket.socket, table: Table, clients: set[socket.socket]) -> None:
    try:
        while True:
            op, numbers, *rest = _receive(client)
            seconds, count = struct.unpack("!dI", numbers)
            try:
                keys = [k.decode() for k in rest[:count]]
                reply = [b"", *table.ask(op.decode(), keys, rest[count:], seconds)]
            except (RuntimeError, ValueError) as e:
                reply = [type(e).__name__.encode(), str(e).encode()]
            _send(client, reply)
    except (OSError, EOFError, ValueError, struct.error):  # gone, or somebody who speaks otherwise
        pass
    finally:
        clients.discard(client)
        client.close()


def _shut(listening: socket.socket, table: Table, clients: set[socket.socket]) -> None:
    """Answer what can be answered, and hang up."""
    table.close()
    for s in (listening, *list(clients)):
        with contextlib.suppress(OSError):
            s.shutdown(socket.SHUT_RDWR if s is listening else socket.SHUT_RD)
    listening.close()
    end = time.monotonic() + 1
    while clients and time.monotonic() < end:
        time.sleep(0.001)


def _connect(host: str, port: int, seconds: float) -> socket.socket:
    """Connect to the master, which may start later than this rank."""
    end, pause = time.monotonic() + seconds, 0.005
    while True:
        left = end - time.monotonic()
        try:
            made = socket.create_connection((host, port), timeout=max(left, 0.001))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return made
        except OSError as e:
            if left <= pause:
                raise DistNetworkError(
                    f"TCPStore: The client socket has timed out after {round(seconds * 1000)}ms while trying to "
                    f"connect to ({host}, {port}): {e}\n"
                    "hint: is the master (rank 0) running, and is its address the one that it listens on?") from None
        time.sleep(pause)
        pause = min(2 * pause, 0.25)


def _send(to: socket.socket, fields: list[bytes]) -> None:
    parts: list[Any] = [_LENGTH.pack(len(fields))]
    for f in fields:
        parts += [_LENGTH.pack(len(f)), f]
    to.sendall(b"".join(parts))


def _receive(of: socket.socket) -> list[bytes]:
    count = _LENGTH.unpack(_exactly(of, 4))[0]
    if count > _LIMIT >> 8:
        raise ValueError("not a store's message")
    fields = []
    for _ in range(count):
        length = _LENGTH.unpack(_exactly(of, 4))[0]
        if length > _LIMIT:
            raise ValueError("not a store's message")
        fields.append(_exactly(of, length))
    return fields


def _exactly(of: socket.socket, length: int) -> bytes:
    got = bytearray()
    while len(got) < length:
        part = of.recv(min(length - len(got), 1 << 20))
        if not part:
            raise EOFError("the other side closed the connection")
        got += part
    return bytes(got)
