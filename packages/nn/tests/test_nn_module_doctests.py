"""The examples in the docstrings of modules and utilities run and print what they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

from lamella import core, nn

FILES = [
    "lamella.nn.containers",
    "lamella.nn.containers_parameter",
    "lamella.nn.init",
    "lamella.nn.module",
    "lamella.nn.module_convert",
    "lamella.nn.module_state",
    "lamella.nn.parameter",
    *(f"lamella.nn.modules.{m.name}" for m in pkgutil.iter_modules(nn.modules.__path__)),
    *(f"lamella.nn.utils.{m.name}" for m in pkgutil.iter_modules(nn.utils.__path__)),
]


@pytest.mark.parametrize("name", FILES)
def test_examples(name):
    core.manual_seed(0)
    found = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def test_layers_have_docstrings_with_examples():
    plain = [name for name in nn.modules.__all__ if not (getattr(nn, name).__doc__ or "").strip()]
    assert plain == []
