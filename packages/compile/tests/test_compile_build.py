"""The build: compilers, the cache on disk, libraries."""

from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from lamella.compile.build import cache, compilers, instances, library, load, split
from lamella.compile.errors import BuildError, CompilerMissing
from lamella.dispatch.config import settings

SOURCE = """extern "C" int answer() { return %d; }
"""


def compiler_or_skip() -> compilers.Compiler:
    try:
        return compilers.find()
    except CompilerMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def folder(tmp_path):
    compiler_or_skip()
    with settings.using(cache_dir=str(tmp_path / "cache")):
        yield tmp_path / "cache"


def only(folder: Path, suffix: str) -> Path:
    [found] = [p for p in folder.rglob("*" + suffix) if "compilers" not in p.parts]
    return found


def answer(path: Path) -> int:
    return ctypes.CDLL(str(path)).answer()


def test_a_library_is_built_once(folder):
    first = load(SOURCE % 7)
    assert not first.hit and first.handle.answer() == 7
    assert load(SOURCE % 7) is first
    assert first.address("answer") and first.source.read_text() == SOURCE % 7
    assert first.command[-1] == str(first.path)


def test_the_key_depends_on_source_flags_and_compiler(folder):
    compiler = compilers.find()
    keys = {load(SOURCE % 1).path.name, load(SOURCE % 2).path.name}
    with settings.using(cxx_flags="-DSOMETHING"):
        keys.add(load(SOURCE % 1).path.name)
    assert len(keys) == 3
    assert compiler.version in compiler.key and compilers.cpu_model() in compiler.key


@pytest.mark.parametrize("module", [split, instances, library], ids=lambda module: module.__name__.split(".")[-1])
def test_the_key_depends_on_how_sources_are_built(folder, tmp_path, monkeypatch, module):
    first = load(SOURCE % 8)
    other = tmp_path / "other.py"
    other.write_text(Path(module.__file__).read_text() + "\n# another way\n")
    monkeypatch.setattr(module, "__file__", str(other))
    library.how.cache_clear()
    try:
        assert load(SOURCE % 8).path.name != first.path.name
    finally:
        monkeypatch.undo()
        library.how.cache_clear()


def test_what_the_compiler_says_is_in_the_error(folder):
    with pytest.raises(BuildError, match="refused") as caught:
        load('extern "C" int broken() { return nothing_of_this_name; }\n')
    assert "nothing_of_this_name" in str(caught.value) and ".cpp" in str(caught.value)
    assert caught.value.step == "build" and Path(caught.value.source).exists()
    assert len(str(caught.value).splitlines()) <= 6


@pytest.mark.parametrize("damage", ["truncate", "overwrite", "no sum", "empty", "sum"])
def test_damaged_entries_are_made_again(folder, damage):
    key = cache.digest("damage", damage)
    made = []

    def make(path: Path) -> None:
        made.append(path)
        path.write_bytes(b"content" * 100)

    path, hit = cache.entry(key, ".bin", make)
    assert not hit and cache.entry(key, ".bin", make)[1]
    if damage == "truncate":
        path.write_bytes(path.read_bytes()[:50])
    elif damage == "overwrite":
        path.write_bytes(b"CONTENT" * 100)
    elif damage == "sum":
        path.with_name(path.name + ".sum").write_bytes(b"\xff" * 70)
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.with_name(path.name + ".sum").unlink()
    assert cache.read(key, ".bin") is None
    again, hit = cache.entry(key, ".bin", make)
    assert again == path and not hit and path.read_bytes() == b"content" * 100 and len(made) == 2


def test_an_entry_of_another_user_is_read(folder, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    key = cache.digest("of another user")
    cache.write(key, ".bin", b"content")
    monkeypatch.setattr(os, "utime", refuse)
    assert cache.read(key, ".bin") == b"content"


def test_a_library_that_does_not_load_is_built_again(folder):
    code = f"""
import sys
from lamella.dispatch.config import settings
from lamella.compile.build import cache, compilers, library
settings.set_(cache_dir={str(folder)!r})
text = {SOURCE % 3!r}
compiler = compilers.find()
key = library.key_of(text, compiler)
path, hit = cache.entry(key, ".so", lambda path: path.write_bytes(b"no library at all") and None)
assert not hit
found = library.load(text)
assert found.path == path and not found.hit
print(found.handle.answer())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "3", done.stderr


def test_processes_that_want_the_same_build_it_once(folder, tmp_path):
    count = tmp_path / "count"
    slow = tmp_path / "slow-c++"
    real = shlex.join(compilers.find().command)
    slow.write_text(f'#!/bin/sh\ncase "$*" in *-shared*) echo x >> {count}; sleep 0.3;; esac\nexec {real} "$@"\n')
    slow.chmod(0o755)
    code = f"""
from lamella.dispatch.config import settings
from lamella.compile.build import load
settings.set_(cache_dir={str(folder)!r}, cxx={str(slow)!r})
print(load({SOURCE % 5!r}).handle.answer())
"""
    with settings.using(cxx=str(slow)):
        compilers.find()
    count.write_text("")
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [p.communicate()[0].strip() for p in running] == ["5", "5"]
    assert count.read_text() == "x\n"


def test_a_folder_that_cannot_be_written_to(tmp_path, monkeypatch):
    compiler_or_skip()
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(cache, "_temporary", [])
    monkeypatch.setattr(cache, "_ready", {})
    with settings.using(cache_dir=str(blocked / "cache")):
        with pytest.warns(UserWarning, match="LAMELLA_CACHE_DIR"):
            library = load(SOURCE % 11)
        assert library.handle.answer() == 11 and tmp_path not in library.path.parents
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert load(SOURCE % 12).handle.answer() == 12


def test_a_folder_that_can_only_be_read(tmp_path, monkeypatch):
    def refuse(path: Path) -> None:
        raise OSError(30, "Read-only file system")

    there, new = cache.digest("there"), cache.digest("new")
    with settings.using(cache_dir=str(tmp_path / "cache")):
        cache.write(there, ".bin", b"content")
        monkeypatch.setattr(cache, "_temporary", [])
        monkeypatch.setattr(cache, "_ready", {})
        monkeypatch.setattr(cache, "_prune", refuse)
        with pytest.warns(UserWarning, match="Read-only"):
            assert cache.read(there, ".bin") == b"content"
        path, hit = cache.entry(there, ".bin", lambda path: None)
        assert hit and tmp_path in path.parents
        with monkeypatch.context() as m:
            m.setattr(Path, "unlink", lambda self, missing_ok=False: refuse(self))
            cache.drop(path)
        path, hit = cache.entry(there, ".bin", lambda path: path.write_bytes(b"y") and None)
        assert not hit and tmp_path not in path.parents
        path, hit = cache.entry(new, ".bin", lambda path: path.write_bytes(b"x") and None)
        assert not hit and tmp_path not in path.parents and cache.entry(new, ".bin", lambda path: None)[1]


def test_a_folder_that_becomes_full(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_temporary", [])
    monkeypatch.setattr(cache, "_ready", {})
    full = tmp_path / "full"

    def make(path: Path) -> None:
        if full in path.parents:
            raise OSError(28, "No space left on device")
        path.write_bytes(b"x")

    with settings.using(cache_dir=str(full)), pytest.warns(UserWarning, match="No space left"):
        path, _ = cache.entry(cache.digest("full"), ".bin", make)
    assert path.read_bytes() == b"x" and full not in path.parents
    assert not list(full.rglob("*.bin"))


def pruned(monkeypatch) -> None:
    """Look for what is too much in the cache folder now."""
    mark = Path(settings.cache_dir, "pruned")
    if mark.exists():
        os.utime(mark, (0, 0))
    monkeypatch.setattr(cache, "_ready", {})
    cache.directory()


def entries(folder, count):
    """Write entries of 600 kB, each a second younger than the one before."""
    for n in range(count):
        cache.write(cache.digest(str(n)), ".bin", bytes(600_000))
        for each in folder.rglob(cache.digest(str(n)) + ".*"):
            os.utime(each, (n, n))


def test_old_entries_are_thrown_away(tmp_path, monkeypatch):
    with settings.using(cache_dir=str(tmp_path), cache_limit=1):
        entries(tmp_path, 3)
        monkeypatch.setattr(cache, "_ready", {})
        cache.directory()
        assert len(list(tmp_path.rglob("*.bin"))) == 3
        pruned(monkeypatch)
        left = [n for n in range(3) if cache._path(tmp_path, cache.digest(str(n)), ".bin").exists()]
        assert left == [2] and len(list(tmp_path.rglob("*.sum"))) == 1


def test_an_entry_that_is_used_stays_whole(tmp_path, monkeypatch):
    with settings.using(cache_dir=str(tmp_path), cache_limit=1):
        entries(tmp_path, 2)
        assert cache.read(cache.digest("0"), ".bin") is not None
        pruned(monkeypatch)
        assert cache.read(cache.digest("0"), ".bin") is not None
        assert cache.read(cache.digest("1"), ".bin") is None


def test_a_compiler_that_is_not_there(tmp_path):
    missing = str(tmp_path / "no-compiler")
    with settings.using(cxx=missing, cache_dir=str(tmp_path)), pytest.raises(CompilerMissing, match="LAMELLA_CXX"):
        compilers.find()


def test_a_compiler_that_does_not_compile(tmp_path):
    bad = tmp_path / "bad-c++"
    bad.write_text("#!/bin/sh\nif [ \"$1\" = --version ]; then echo bad 1.0; exit 0; fi\nexit 1\n")
    bad.chmod(0o755)
    with settings.using(cxx=str(bad), cache_dir=str(tmp_path)), pytest.raises(CompilerMissing, match="LAMELLA_CXX"):
        compilers.find()


def test_facts_of_a_compiler_are_asked_once(folder, tmp_path):
    real = shlex.join(compilers.find().command)
    calls = tmp_path / "calls"
    wrapped = tmp_path / "wrapped-c++"
    wrapped.write_text(f'#!/bin/sh\necho x >> {calls}\nexec {real} "$@"\n')
    wrapped.chmod(0o755)
    with settings.using(cxx=str(wrapped)):
        first = compilers.find()
        asked = calls.read_text()
        compilers.forget()
        assert compilers.find() == first and calls.read_text() == asked
    assert "-O3" in first.flags and "-shared" in first.flags
