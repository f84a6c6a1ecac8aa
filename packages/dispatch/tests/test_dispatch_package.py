"""The package's public names, docstrings and examples."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

from lamella import dispatch

MODULES = [name for _, name, _ in pkgutil.iter_modules(dispatch.__path__) if name not in ("codegen", "__main__")]


def test_every_public_name_exists():
    for name in dispatch.__all__:
        assert getattr(dispatch, name) is not None
        assert name in dir(dispatch)


def test_names_do_not_turn_into_modules():
    for module in MODULES:
        importlib.import_module(f"lamella.dispatch.{module}")
    assert not any(inspect.ismodule(getattr(dispatch, name)) for name in dispatch.__all__)


def test_an_unknown_name(text):
    assert text(AttributeError, getattr, dispatch, "Librery") == (
        "lamella.dispatch: there is no name 'Librery'\nhint: did you mean 'Library'?"
    )
    with pytest.raises(ImportError):
        from lamella.dispatch import nothing_like_it  # noqa: F401


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    found = importlib.import_module(f"lamella.dispatch.{module}")
    assert found.__doc__
    failed, _ = doctest.testmod(found)
    assert failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_public_functions_have_docstrings(module):
    found = importlib.import_module(f"lamella.dispatch.{module}")
    bare = []
    for name, value in vars(found).items():
        if name.startswith("_") or getattr(value, "__module__", None) != found.__name__:
            continue
        if inspect.isfunction(value) or inspect.isclass(value):
            if not value.__doc__:
                bare.append(name)
            for method, function in vars(value).items() if inspect.isclass(value) else ():
                if inspect.isfunction(function) and not method.startswith("_") and not function.__doc__:
                    bare.append(f"{name}.{method}")
    if module == "schema_parser":
        bare = []  # the grammar in the module's docstring documents the parser's methods
    assert bare == []


def test_the_readme_runs(capsys):
    text = (Path(__file__).parent.parent / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 3
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
    out = capsys.readouterr().out
    assert "shop::total for {CPU}" in out and "shop.double.default (4,)" in out
