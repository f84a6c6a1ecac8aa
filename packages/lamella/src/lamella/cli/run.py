"""`lamella run`: a script as `__main__`, with `torch` being lamella."""

from __future__ import annotations

import builtins
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

from . import ranks
from .finder import install, uninstall

_MACHINERY = (os.path.dirname(os.path.abspath(__file__)) + os.sep, "<frozen runpy>", "<frozen importlib")


def run_script(path: str, args: Sequence[str], command: str = "run") -> int:
    """Run a file (or a folder or zip file with a `__main__.py`) as Python would.

    Args:
        path: the script.
        args: its arguments.
        command: the subcommand that runs it, for errors.

    Returns:
        The exit status.
    """
    if not os.path.exists(path):
        print(f"lamella {command}: there is no script {path!r} (in {os.getcwd()})", file=sys.stderr)
        return 2
    if not os.path.isfile(path) or path.endswith((".zip", ".pyz")):
        import runpy

        if os.path.isdir(path) and not os.path.exists(os.path.join(path, "__main__.py")):
            print(f"lamella run: the folder {path!r} has no __main__.py", file=sys.stderr)
            return 2
        _first_on_path(path)
        sys.argv = [path, *args]
        return _guarded(lambda: runpy.run_path(path, run_name="__main__"))
    _first_on_path(os.path.dirname(os.path.abspath(path)))
    sys.argv = [path, *args]
    return _guarded(lambda: _execute(path))


def _first_on_path(folder: str) -> None:
    """Put the program's folder where Python would: in the place of the folder that this command lives in."""
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    if sys.path and os.path.abspath(sys.path[0] or ".") == here:
        del sys.path[0]
    sys.path.insert(0, folder)


def run_module(name: str, args: Sequence[str]) -> int:
    """Run a module as `python -m` would.

    Args:
        name: the module.
        args: its arguments.

    Returns:
        The exit status.
    """
    import importlib.util
    import runpy

    _first_on_path(os.getcwd())
    finder = install()
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        found = None
    if found is None:
        uninstall(finder)
        print(f"lamella run: there is no module {name!r}", file=sys.stderr)
        return 2
    sys.argv = [name, *args]
    return _guarded(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True))


def _execute(path: str) -> None:
    """Compile and run a file in a new `__main__` module."""
    with io.open_code(os.path.abspath(path)) as f:
        source = f.read()
    code: CodeType = compile(source, path, "exec", dont_inherit=True)
    main = ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def _guarded(body: Callable[[], Any]) -> int:
    """Run the program; print an exception as Python would, without the frames of this package."""
    install()
    try:
        body()
    except SystemExit as e:
        return _status(e.code)
    except KeyboardInterrupt:
        if not ranks.several():
            print("\nKeyboardInterrupt", file=sys.stderr)
        return 130
    except BaseException as e:
        with ranks.failure():
            _print_without_machinery(e)
        return 1
    return 0


def _status(code: Any) -> int:
    if code is None or isinstance(code, int):
        return int(code or 0)
    with ranks.failure():
        print(code, file=sys.stderr)
    return 1


def _print_without_machinery(error: BaseException) -> None:
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        e = pending.pop()
        if e is None or id(e) in seen:
            continue
        seen.add(id(e))
        tb = e.__traceback__
        while tb is not None and tb.tb_frame.f_code.co_filename.startswith(_MACHINERY):
            tb = tb.tb_next
        e.__traceback__ = tb
        pending += [e.__cause__, e.__context__]
    hook = sys.excepthook
    if hook is not sys.__excepthook__:  # a program that prints exceptions its own way
        hook(type(error), error, error.__traceback__)
        return
    sys.stdout.flush()
    traceback.print_exception(error)
