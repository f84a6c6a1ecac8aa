"""The examples in the docstrings run as they are printed."""

import doctest
import importlib
import pkgutil

import pytest

from lamella import optim

MODULES = ["lamella.optim", *(m.name for m in pkgutil.walk_packages(optim.__path__, "lamella.optim."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
