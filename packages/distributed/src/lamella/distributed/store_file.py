"""FileStore: keys in a file that all ranks see. Every change is a record at its end; the file is locked meanwhile."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from .errors import QueueEmptyError
from .store_base import Answer, Store, late, work

_HEAD = struct.Struct("!BII")  # whether the key is deleted, the key's length, the value's length
_USERS, _DONE = "refcount/", "cleanup/"  # how many stores were opened on the file, and how many of them are gone
_QUEUE = "queue/"  # queue/key/first and queue/key/next: places; queue/key/place: a value


class FileStore(Store):
    """A store in a file, which must lie where all ranks see it and must not be an earlier job's.

    The file goes when the last of the stores that use it goes.

    Args:
        file_name: the file; it is made if it is not there.
        world_size: how many ranks use it (-1: not known).

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "store")
        >>> one, other = FileStore(path, 2), FileStore(path, 2)
        >>> one.set("key", "value")
        >>> other.get("key")
        b'value'
    """

    def __init__(self, file_name: str, world_size: int = -1) -> None:
        self.path = os.fspath(file_name)
        self._world_size = int(world_size)
        self._log = _Log(self.path)
        self._log.ask("add", [_USERS], [b"1"])
        weakref.finalize(self, _leave, self._log, self._world_size)

    def _ask(self, op: str, keys: list[str], values: Answer, seconds: float) -> Answer:
        end, pause = time.monotonic() + seconds, 0.001
        while True:
            answer = self._log.ask(op, keys, values)
            if answer is not None:
                return answer
            if time.monotonic() > end:
                raise late(op, self._log.missing(keys), seconds)
            time.sleep(pause)
            pause = min(2 * pause, 0.02)

    def clone(self) -> FileStore:
        twin = FileStore(self.path, self._world_size)
        twin.set_timeout(self.timeout)
        return twin


class _Log:
    """The file, and what it says as far as it was read."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.table: dict[str, bytes] = {}
        self.read = 0
        self.lock = threading.Lock()

    def ask(self, op: str, keys: list[str], values: Answer) -> Answer | None:
        """Answer a request, or None where it has to wait."""
        with self.lock, self._locked() as f:
            self._catch_up(f)
            if op in ("get", "multi_get", "wait"):
                if not all(k in self.table for k in keys):
                    return None
                return [] if op == "wait" else [self.table[k] for k in keys]
            if op.startswith("queue"):
                return self._queue(f, op, _QUEUE + keys[0], values)
            if op in ("list_keys", "num_keys"):
                known = {k: v for k, v in self.table.items() if not k.startswith(_QUEUE)}
                answer = work(known, op, keys, values)
                return [k for k in answer if k not in (_USERS.encode(), _DONE.encode())]
            before = {k: self.table.get(k) for k in keys}
            answer = work(self.table, op, keys, values)
            self._write(f, (k for k in before if self.table.get(k) != before[k]))
            return answer

    def missing(self, keys: list[str]) -> list[str]:
        """Those of the keys that had no value when the file was last read."""
        return [k for k in keys if k not in self.table]

    def _queue(self, f: BinaryIO, op: str, key: str, values: Answer) -> Answer | None:
        first, after = (int(self.table.get(f"{key}/{end}", b"0")) for end in ("first", "next"))
        if op == "queue_len":
            return [str(after - first).encode()]
        if op == "queue_push":
            self.table |= {f"{key}/{after}": values[0], f"{key}/next": str(after + 1).encode()}
            self._write(f, (f"{key}/{after}", f"{key}/next"))
            return []
        if first == after:
            if values[0] == b"1":
                return None
            raise QueueEmptyError(f"Store.queue_pop: queue is empty (key={key.removeprefix(_QUEUE)!r})")
        value = self.table.pop(f"{key}/{first}")
        self.table[f"{key}/first"] = str(first + 1).encode()
        self._write(f, (f"{key}/{first}", f"{key}/first"))
        return [value]

    @contextlib.contextmanager
    def _locked(self) -> Iterator[BinaryIO]:
        with open(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            yield f  # closing gives the lock back

    def _catch_up(self, f: BinaryIO) -> None:
        """Read what others have written since."""
        f.seek(self.read)
        rest = f.read()
        at = 0
        while len(rest) - at >= _HEAD.size:
            gone, k, v = _HEAD.unpack_from(rest, at)
            end = at + _HEAD.size + k + v
            if end > len(rest):
                break
            key = rest[end - v - k : end - v].decode()
            if gone:
                self.table.pop(key, None)
            else:
                self.table[key] = rest[end - v : end]
            at = end
        self.read += at
        if at < len(rest):  # a rank died while it wrote its record, which does not count then
            f.truncate(self.read)

    def _write(self, f: BinaryIO, keys: Iterable[str]) -> None:
        """Write down what became of keys, as one piece."""
        records = []
        for key in keys:
            name, value = key.encode(), self.table.get(key)
            records += [_HEAD.pack(value is None, len(name), len(value or b"")), name, value or b""]
        f.seek(self.read)
        self.read += f.write(b"".join(records))
        f.flush()


def _leave(log: _Log, world_size: int) -> None:
    """Count a store that goes; the last one takes the file with it."""
    with contextlib.suppress(OSError):
        gone = log.ask("add", [_DONE], [b"1"])
        users = int(log.table.get(_USERS, b"0"))
        if gone is not None and int(gone[0]) == users and users >= world_size:
            os.unlink(log.path)
