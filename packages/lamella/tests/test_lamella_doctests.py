"""The examples in docstrings run."""

import doctest
import importlib
import pathlib

import pytest

import lamella.torch

ROOT = pathlib.Path(lamella.torch.__file__).parent.parent


def names():
    for path in sorted(ROOT.rglob("*.py")):
        if ">>>" in path.read_text("utf-8"):
            parts = path.relative_to(ROOT.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("name", list(names()))
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed
