"""Where ranks that nothing else brings together find each other: ``env://``, ``tcp://host:port``, ``file:///path``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from lamella.dispatch.errors import did_you_mean, message

from .launch import world_from_environment
from .store import FileStore, Store, TCPStore

__all__ = ["register_rendezvous_handler", "rendezvous"]

Found = tuple[Store, int, int]
Handler = Callable[..., Iterator[Found]]


class Address(NamedTuple):
    """An init_method taken apart.

    Attributes:
        url: the parts of the URL.
        rank, world_size: what was given or what the URL says, -1 where neither does.
    """

    url: SplitResult
    rank: int
    world_size: int


def parse(url: str, rank: int = -1, world_size: int = -1) -> Address:
    """Take an init_method apart.

    Args:
        url: ``scheme://...``, perhaps with ``?rank=0&world_size=2``.
        rank, world_size: what the program gives itself; -1 where it leaves them out.

    Raises:
        ValueError: the URL gives them too, or is none.

    Example:
        >>> parse("tcp://10.1.1.20:23456?rank=1&world_size=2")[1:]
        (1, 2)
    """
    parts = urlsplit(url)
    if not parts.scheme or "://" not in url:
        raise ValueError(message("rendezvous", "init_method must be a URL", repr(url),
                                 hint="env://, tcp://host:port or file:///path"))
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    found = []
    for name, given in (("rank", rank), ("world_size", world_size)):
        if name in query and given != -1:
            raise ValueError(message("rendezvous", f"{name} is given in the URL and as an argument",
                                     f"{url!r}, {name}={given}", hint="leave one of them out"))
        try:
            found.append(int(query.get(name, given)))
        except ValueError:
            raise ValueError(message("rendezvous", f"{name} must be an integer", repr(query[name]))) from None
    return Address(parts, *found)


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **kwargs: Any) -> Iterator[Found]:
    """Meet the other ranks.

    Args:
        url: where: ``env://`` (MASTER_ADDR, MASTER_PORT and, where they are not given, RANK and WORLD_SIZE),
            ``tcp://host:port`` (rank 0's), ``file:///path`` (a file that all see), or a scheme that
            `register_rendezvous_handler` was given.
        rank: this rank.
        world_size: how many ranks there are.
        **kwargs: for the scheme's handler: ``timeout``, a `datetime.timedelta`.

    Returns:
        An iterator whose first item is (store, rank, world_size).

    Raises:
        RuntimeError: nobody handles the scheme.
        ValueError: a part of the address is missing.
    """
    if not isinstance(url, str):
        raise RuntimeError(f"`url` must be a string. {type(url)}: {url}")
    for name, value in (("rank", rank), ("world_size", world_size)):
        if not isinstance(value, int):
            raise RuntimeError(f"`{name}` must be an integer. {value}")
    scheme = parse(url, rank, world_size).url.scheme
    if scheme not in _handlers:
        raise RuntimeError(message("rendezvous", f"No rendezvous handler for {scheme}://", repr(url),
                                   hint=did_you_mean(scheme, list(_handlers))))
    query = "&".join(f"{k}={v}" for k, v in (("rank", rank), ("world_size", world_size)) if v != -1)
    return _handlers[scheme](f"{url}{'&' if '?' in url else '?'}{query}" if query else url, **kwargs)


def register_rendezvous_handler(scheme: str, handler: Handler) -> None:
    """Say how ranks meet at URLs of a scheme.

    Args:
        scheme: what stands before ``://``.
        handler: a generator function of the URL (rank and world_size are in its query) that yields
            (store, rank, world_size).

    Raises:
        RuntimeError: the scheme has a handler.
    """
    if scheme in _handlers:
        raise RuntimeError(f"Rendezvous handler for {scheme}:// already registered")
    _handlers[scheme] = handler


def _problem(scheme: str, rule: str, hint: str | None = None) -> ValueError:
    text = f"Error initializing torch.distributed using {scheme}:// rendezvous: {rule}"
    return ValueError(text if hint is None else f"{text}\nhint: {hint}")


def _complete(at: Address) -> tuple[int, int]:
    if at.rank == -1:
        raise _problem(at.url.scheme, "rank parameter missing", "pass rank=, or ?rank= in the URL")
    if at.world_size == -1:
        raise _problem(at.url.scheme, "world size parameter missing", "pass world_size=, or ?world_size= in the URL")
    return at.rank, at.world_size


def _file(url: str, timeout: timedelta | None = None, **_: Any) -> Iterator[Found]:
    at = parse(url)
    path = unquote(at.url.netloc + at.url.path)
    if not path:
        raise _problem("file", "path missing", "file:///folder/file")
    rank, size = _complete(at)
    store = FileStore(path, size)
    if timeout is not None:
        store.set_timeout(timeout)
    yield store, rank, size
    raise RuntimeError("Unable to perform rerendezvous using file:// method")


def _tcp(url: str, timeout: timedelta | None = None, **_: Any) -> Iterator[Found]:
    at = parse(url)
    if at.url.port is None:
        raise _problem("tcp", "port number missing", "tcp://host:port")
    rank, size = _complete(at)
    yield _meet(at.url.hostname or "localhost", at.url.port, rank, size, timeout), rank, size
    raise RuntimeError("Unable to perform re-rendezvous using tcp:// method")


def _env(url: str, timeout: timedelta | None = None, **_: Any) -> Iterator[Found]:
    at, launched = parse(url), world_from_environment()

    def value(name: str) -> str:
        if not os.environ.get(name):
            raise _problem("env", f"environment variable {name} expected, but not set",
                           "`lamella run` and torchrun set it")
        return os.environ[name]

    rank = at.rank if at.rank != -1 else launched.rank if launched else int(value("RANK"))
    size = at.world_size if at.world_size != -1 else launched.world_size if launched else int(value("WORLD_SIZE"))
    yield _meet(value("MASTER_ADDR"), int(value("MASTER_PORT")), rank, size, timeout), rank, size
    raise RuntimeError("Unable to perform re-rendezvous using env:// method")


def _meet(host: str, port: int, rank: int, world_size: int, timeout: timedelta | None) -> Store:
    """The store at an address: rank 0 keeps it, unless torchrun does."""
    served = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    patience = timedelta(minutes=30) if timeout is None else timeout
    return TCPStore(host, port, world_size, rank == 0 and not served, patience, multi_tenant=True)


_handlers: dict[str, Handler] = {"tcp": _tcp, "env": _env, "file": _file}
