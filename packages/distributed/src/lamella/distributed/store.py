"""Stores: keys and bytes that ranks share while they find each other (torch.distributed's Store and its kinds)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from .errors import QueueEmptyError
from .store_base import Answer, Store, Table
from .store_file import FileStore
from .store_tcp import TCPStore

__all__ = ["FileStore", "HashStore", "PrefixStore", "QueueEmptyError", "Store", "TCPStore"]


class HashStore(Store):
    """A store for the threads of one process.

    Example:
        >>> store = HashStore()
        >>> store.set("key", "value")
        >>> store.get("key")
        b'value'
    """

    def __init__(self) -> None:
        self._table = Table()

    def _ask(self, op: str, keys: list[str], values: Answer, seconds: float) -> Answer:
        return self._table.ask(op, keys, values, seconds)

    def clone(self) -> HashStore:
        twin = HashStore()
        twin._table, twin._patience = self._table, self._patience
        return twin


class PrefixStore(Store):
    """A part of another store: its keys all begin with ``prefix/``.

    Args:
        prefix: what comes before each key.
        store: the store that holds them; its time-out counts.

    Example:
        >>> whole = HashStore()
        >>> PrefixStore("job", whole).set("key", "value")
        >>> whole.list_keys()
        ['job/key']
    """

    def __init__(self, prefix: str, store: Store) -> None:
        if not isinstance(prefix, str) or not isinstance(store, Store):
            raise TypeError("PrefixStore: needs a prefix (str) and a Store "
                            f"(got {type(prefix).__name__}, {type(store).__name__})")
        self.prefix = prefix
        self._store = store

    @property
    def underlying_store(self) -> Store:
        """The store that holds the keys."""
        return self._store

    @property
    def _underlying_non_prefix_store(self) -> Store:
        store = self._store
        while isinstance(store, PrefixStore):
            store = store._store
        return store

    @property
    def timeout(self) -> timedelta:
        """How long requests wait for keys: as long as the other store's do."""
        return self._store.timeout

    def set_timeout(self, timeout: timedelta) -> None:
        """Set how long requests of the other store wait for keys."""
        self._store.set_timeout(timeout)

    def _do(self, op: str, keys: Sequence[str], values: Sequence[Any] = (), timeout: timedelta | None = None) -> Answer:
        return super()._do(op, keys, values, self._store.timeout if timeout is None else timeout)

    def _ask(self, op: str, keys: list[str], values: Answer, seconds: float) -> Answer:
        answer = self._store._ask(op, [f"{self.prefix}/{k}" for k in keys], values, seconds)
        if op != "list_keys":
            return answer
        start = f"{self.prefix}/".encode()
        return [k.removeprefix(start) for k in answer if k.startswith(start)]

    def clone(self) -> PrefixStore:
        return PrefixStore(self.prefix, self._store.clone())
