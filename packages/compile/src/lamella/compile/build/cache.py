"""The cache on disk: files under the hash of all that they depend on.

An entry is a file and, beside it, ``<file>.sum`` with its length and hash. Files are written under another name and
renamed, so a reader never sees half of one; an entry that does not agree with its sum is made again. Of several
processes that want the same entry, one makes it and the others wait at a lock file.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from lamella.dispatch import logs
from lamella.dispatch.config import declare, settings

declare("cache_dir", str, "", "the folder of compiled programs; empty: the user's cache folder")
declare("cache_limit", int, 4096, "megabytes of compiled programs that are kept; the oldest are thrown away", minimum=1)

log = logs.get("cache")
DAY = 86_400  # seconds
_lock = threading.RLock()
_temporary: list[str] = []
_ready: dict[str, Path] = {}
_useless: set[Path] = set()  # entries that were to be thrown away and could not be


def digest(*parts: str | bytes) -> str:
    """A name for something that depends on ``parts``.

    Example:
        >>> len(digest("int main() {}", "g++ 12")), digest("ab", "c") == digest("a", "bc")
        (40, False)
    """
    state = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()[:40]


def directory() -> Path:
    """The cache folder; a temporary one where the wanted one cannot be written to."""
    with _lock:
        wanted = settings.cache_dir
        found = _ready[wanted] = _ready.get(wanted) or _prepare()
        return found


def _prepare() -> Path:
    try:
        path = wanted_directory()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path):
            pass
        _prune(path)
        return path
    except (OSError, RuntimeError) as error:
        return fall_back(error)


def wanted_directory() -> Path:
    """The cache folder that the settings name, whether it is there or not."""
    return Path(settings.cache_dir).expanduser() if settings.cache_dir else _default()


def _default() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "lamella"
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "lamella"


def fall_back(error: BaseException) -> Path:
    """Use a temporary folder from now on, and say so once."""
    with _lock:
        if not _temporary:
            _temporary.append(tempfile.mkdtemp(prefix="lamella-cache-"))
            atexit.register(shutil.rmtree, _temporary[0], ignore_errors=True)
            warnings.warn(f"compile: the cache folder cannot be written to ({error}); compiled programs go to a "
                          "temporary folder\nhint: LAMELLA_CACHE_DIR names another one", stacklevel=2)
        path = Path(_temporary[0])
        _ready[settings.cache_dir] = path
        return path


def entry(key: str, suffix: str, make: Callable[[Path], None]) -> tuple[Path, bool]:
    """The file of a key, made where it is not there.

    Args:
        key: a `digest`. suffix: of the file (".so").
        make: writes the file to the path that it gets.

    Returns:
        The path, and whether it was there.
    """
    path, *others = _places(key, suffix)
    for each in (path, *others):
        if good(each):
            log("hit %s", each.name)
            return each, True
    try:
        return path, _made(path, make)
    except OSError as error:
        if _temporary and path.is_relative_to(_temporary[0]):
            raise
        log("cannot write %s: %s", path, error)
        base = fall_back(error)
    path = _path(base, key, suffix)
    return path, good(path) or _made(path, make)


def _made(path: Path, make: Callable[[Path], None]) -> bool:
    """Make an entry under its lock; True where another process was faster."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(path):
        if good(path):
            log("hit %s, made by another process", path.name)
            return True
        _make(path, make)
    return False


def _path(base: Path, key: str, suffix: str) -> Path:
    return base / key[:2] / (key + suffix)


def _places(key: str, suffix: str) -> list[Path]:
    """Where an entry may lie: in the folder that is written to, and in one that can only be read."""
    found = [_path(directory(), key, suffix)]
    with contextlib.suppress(RuntimeError):  # there is no home folder
        other = _path(wanted_directory(), key, suffix)
        if other not in found and other not in _useless:
            found.append(other)
    return found


def _make(path: Path, make: Callable[[Path], None]) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem[:12] + "-", suffix=path.suffix)
    os.close(handle)
    part = Path(name)
    try:
        make(part)
        total = _sum(part.read_bytes())
        os.replace(part, path)
        write_text(path.with_name(path.name + ".sum"), total)
        log("wrote %s", path.name)
    finally:
        part.unlink(missing_ok=True)


def read(key: str, suffix: str) -> bytes | None:
    """The content of an entry, or None where there is no good one."""
    return next((data for path in _places(key, suffix) if (data := _content(path)) is not None), None)


def write(key: str, suffix: str, data: bytes) -> None:
    """Make an entry, over an older one; a folder that cannot be written to is left alone."""
    path = _path(directory(), key, suffix)
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(path, _writer(data))


def _writer(data: bytes) -> Callable[[Path], None]:
    def write_to(path: Path) -> None:
        path.write_bytes(data)

    return write_to


def good(path: Path) -> bool:
    """Whether an entry is there and whole."""
    return _content(path) is not None


def _content(path: Path) -> bytes | None:
    """What a whole entry holds; it counts as used now, where this user may say so."""
    try:
        wanted = path.with_name(path.name + ".sum").read_bytes()
        data = path.read_bytes()
    except OSError:
        return None
    if wanted == _sum(data).encode():
        with contextlib.suppress(OSError):
            os.utime(path)
        return data
    log("corrupt entry %s", path.name)
    return None


def drop(path: Path) -> None:
    """Throw an entry away."""
    log("threw away %s", path.name)
    for each in (path, path.with_name(path.name + ".sum")):
        try:
            each.unlink(missing_ok=True)
        except OSError:
            _useless.add(path)


def write_text(path: Path, text: str) -> None:
    """Write a small file at once; failing to is no error."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except OSError as error:
        log("cannot write %s: %s", path, error)


def _sum(data: bytes) -> str:
    return f"{len(data)} {hashlib.sha256(data).hexdigest()}"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file of an entry; where locks do not exist, nothing is held and the rename decides."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(path.with_name(path.name + ".lock"), "w") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _prune(base: Path) -> None:
    """Keep the folder below the limit, once a day: the entries that were not used for longest go first."""
    mark = base / "pruned"
    with contextlib.suppress(OSError):
        if time.time() - mark.stat().st_mtime < DAY:
            return
    mark.touch()
    used: dict[str, float] = {}
    files: dict[str, list[tuple[int, str]]] = {}
    for folder in base.iterdir():
        if len(folder.name) == 2 and folder.is_dir():
            for item in os.scandir(folder):
                with contextlib.suppress(OSError):  # another process may have removed it
                    stat = item.stat()
                    key = item.name.partition(".")[0]  # an entry's sum, lock and source go with it
                    used[key] = max(used.get(key, 0.0), stat.st_mtime)
                    files.setdefault(key, []).append((stat.st_size, item.path))
    room = settings.cache_limit * 2**20 - sum(size for found in files.values() for size, _ in found)
    for key in sorted(files, key=lambda key: used[key]):
        if room >= 0:
            break
        for size, name in files[key]:
            with contextlib.suppress(OSError):
                os.unlink(name)
                room += size
