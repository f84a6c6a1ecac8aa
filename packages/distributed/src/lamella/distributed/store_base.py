"""What all stores share: torch's methods over one request, and the table of keys that answers requests."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from .errors import DistStoreError, QueueEmptyError

Answer = list[bytes]
_TRUE, _FALSE = b"1", b"0"


class Store:
    """Keys and bytes that all ranks share; the base class of the stores.

    A rank that asks for a key waits until some rank has set it. Values are bytes; strings are stored as UTF-8.
    A subclass answers requests in `_ask`.

    Example:
        >>> from lamella.distributed.store import HashStore
        >>> store = HashStore()
        >>> store.set("address", "here")
        >>> store.get("address"), store.add("ranks", 2), store.check(["nobody"])
        (b'here', 2, False)
    """

    _patience = timedelta(seconds=300)

    def _ask(self, op: str, keys: list[str], values: Answer, seconds: float) -> Answer:
        """Do one request, waiting at most `seconds` for keys that are not there yet."""
        raise TypeError(f"Store.{op}: {type(self).__name__} is no store of its own\n"
                        "hint: use TCPStore, FileStore, HashStore or PrefixStore")

    def _do(self, op: str, keys: Sequence[str], values: Sequence[Any] = (), timeout: timedelta | None = None) -> Answer:
        given = [_bytes(op, v) for v in values]
        return self._ask(op, _keys(op, keys), given, _seconds(op, self._patience if timeout is None else timeout))

    @property
    def timeout(self) -> timedelta:
        """How long requests wait for keys."""
        return self._patience

    def set_timeout(self, timeout: timedelta) -> None:
        """Set how long requests wait for keys.

        Args:
            timeout: a `datetime.timedelta`.
        """
        _seconds("set_timeout", timeout)
        self._patience = timeout

    def set(self, key: str, value: str | bytes) -> None:
        """Set a key, whether or not it has a value."""
        self._do("set", [key], [value])

    def get(self, key: str) -> bytes:
        """A key's value, waiting for it.

        Raises:
            DistStoreError: nobody set it within the time-out.
        """
        return self._do("get", [key])[0]

    def add(self, key: str, amount: int) -> int:
        """Add to a counter, which starts at 0, and return its new value; all at once for all ranks.

        Raises:
            ValueError: the key holds something that is no number.
        """
        return int(self._do("add", [key], [str(int(amount))])[0])

    def append(self, key: str, value: str | bytes) -> None:
        """Append bytes to a key's value; a new key starts empty."""
        self._do("append", [key], [value])

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all keys have values, without waiting."""
        return self._do("check", keys) == [_TRUE]

    def wait(self, keys: Sequence[str], timeout: timedelta | None = None) -> None:
        """Wait until all keys have values.

        Args:
            keys: the keys.
            timeout: how long (None: the store's time-out).

        Raises:
            DistStoreError: some have none within the time-out; the error names them.
        """
        self._do("wait", keys, timeout=timeout)

    def compare_set(self, key: str, expected_value: str | bytes, desired_value: str | bytes) -> bytes:
        """Set a key if its value is the expected one (for a key without value: an empty string).

        Returns:
            The value afterwards; for a key without value that stays so, what was expected of it.
        """
        return self._do("compare_set", [key], [expected_value, desired_value])[0]

    def delete_key(self, key: str) -> bool:
        """Remove a key; whether there was one."""
        return self._do("delete_key", [key]) == [_TRUE]

    def num_keys(self) -> int:
        """How many keys have values, those that the store keeps for itself included."""
        return int(self._do("num_keys", [])[0])

    def list_keys(self) -> list[str]:
        """The keys that have values."""
        return [k.decode() for k in self._do("list_keys", [])]

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """The values of several keys, waiting for all of them."""
        return self._do("multi_get", keys)

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes]) -> None:
        """Set several keys.

        Raises:
            DistStoreError: there are not as many values as keys.
        """
        if len(keys) != len(values):
            raise DistStoreError(f"Store.multi_set: multiSet keys and values vectors must be of same size "
                                 f"({len(keys)} keys, {len(values)} values)")
        self._do("multi_set", keys, values)

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put a value at the end of a queue."""
        self._do("queue_push", [key], [value])

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take a queue's first value.

        Args:
            key: the queue.
            block: wait for a value while there is none.

        Raises:
            QueueEmptyError: there is none and `block` is False.
            DistStoreError: none came within the time-out.
        """
        return self._do("queue_pop", [key], [_TRUE if block else _FALSE])[0]

    def queue_len(self, key: str) -> int:
        """How many values a queue holds."""
        return int(self._do("queue_len", [key])[0])

    def barrier(self, key: str, world_size: int, timeout: timedelta | None = None) -> None:
        """Wait until `world_size` ranks have come here. The key can serve again when all have left.

        Raises:
            DistStoreError: some did not come within the time-out.
        """
        turn = (self.add(f"{key}/came", 1) - 1) // world_size
        if self.add(f"{key}/{turn}/came", 1) == world_size:
            self.set(f"{key}/{turn}/all", b"1")
        self.wait([f"{key}/{turn}/all"], timeout)

    def has_extended_api(self) -> bool:
        """Whether append, multi_get and multi_set are there."""
        return True

    def clone(self) -> Store:
        """The same keys, for another thread: a store of its own, with its own connection where there is one."""
        raise TypeError(f"Store.clone: {type(self).__name__} is no store of its own")


class Table:
    """Keys and queues in memory, which threads may use at the same time."""

    def __init__(self) -> None:
        self.keys: dict[str, bytes] = {}
        self.queues: dict[str, deque[bytes]] = {}
        self.changed = threading.Condition()
        self.closed = False

    def ask(self, op: str, keys: list[str], values: Answer, seconds: float) -> Answer:
        """Answer one request."""
        with self.changed:
            if op in ("get", "multi_get", "wait"):
                self._until(lambda: all(k in self.keys for k in keys), seconds,
                            lambda: late(op, [k for k in keys if k not in self.keys], seconds))
                return [] if op == "wait" else [self.keys[k] for k in keys]
            if op == "queue_pop":
                return [self._pop(keys[0], values[0] == _TRUE, seconds)]
            answer = self._queue(op, keys, values) if op.startswith("queue") else work(self.keys, op, keys, values)
            if op not in ("check", "num_keys", "list_keys", "queue_len"):
                self.changed.notify_all()
            return answer

    def close(self) -> None:
        """Let nobody wait any longer; what is there can still be had."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()

    def _until(self, ready: Callable[[], bool], seconds: float, error: Callable[[], Exception]) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if self.closed:
                raise ConnectionError("the store was closed")
            left = end - time.monotonic()
            if left <= 0:
                raise error()
            self.changed.wait(min(left, threading.TIMEOUT_MAX))

    def _queue(self, op: str, keys: list[str], values: Answer) -> Answer:
        if op == "queue_len":
            return [str(len(self.queues.get(keys[0], ()))).encode()]
        self.queues.setdefault(keys[0], deque()).append(values[0])
        return []

    def _pop(self, key: str, block: bool, seconds: float) -> bytes:
        if block:
            self._until(lambda: bool(self.queues.get(key)), seconds, lambda: late("queue_pop", [key], seconds))
        queue = self.queues.get(key)
        if not queue:
            raise QueueEmptyError(f"Store.queue_pop: queue is empty (key={key!r})")
        return queue.popleft()


def work(table: dict[str, bytes], op: str, keys: list[str], values: Answer) -> Answer:
    """Do a request that waits for nothing on a table of keys."""
    if op == "check":
        return [_TRUE if all(k in table for k in keys) else _FALSE]
    if op == "num_keys":
        return [str(len(table)).encode()]
    if op == "list_keys":
        return [k.encode() for k in table]
    if op in ("set", "multi_set"):
        table.update(zip(keys, values, strict=True))
        return []
    key = keys[0]
    if op == "append":
        table[key] = table.get(key, b"") + values[0]
        return []
    if op == "delete_key":
        return [_FALSE if table.pop(key, None) is None else _TRUE]
    if op == "add":
        try:
            table[key] = str(int(table.get(key, b"0")) + int(values[0])).encode()
        except ValueError:
            raise ValueError(f"Store.add: the key's value is no number (key={key!r}, "
                             f"value={table[key]!r})") from None
        return [table[key]]
    if op == "compare_set":
        expected, desired = values
        if table.get(key, b"") == expected:
            table[key] = desired
        return [table.get(key, expected)]
    raise DistStoreError(f"Store.{op}: there is no such request")


def late(op: str, keys: Sequence[str], seconds: float) -> DistStoreError:
    """The error of a request that waited in vain."""
    return DistStoreError(f"Store.{op}: wait timeout after {round(seconds * 1000)}ms, keys: {', '.join(keys)}\n"
                          "hint: the rank that sets them ended, waits elsewhere, or uses another store")


def _seconds(op: str, timeout: Any) -> float:
    if not isinstance(timeout, timedelta):
        raise TypeError(f"Store.{op}: timeout must be a datetime.timedelta (got {type(timeout).__name__})")
    return max(timeout.total_seconds(), 0.0)


def _keys(op: str, keys: Sequence[str]) -> list[str]:
    if isinstance(keys, str) or not all(isinstance(k, str) for k in keys):
        raise TypeError(f"Store.{op}: keys must be strings (got {keys!r})")
    return list(keys)


def _bytes(op: str, value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"Store.{op}: a value must be a str or bytes (got {type(value).__name__})")
