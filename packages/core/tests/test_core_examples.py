"""The examples in the docstrings of public functions and methods."""

import doctest

import numpy as np
import pytest

from lamella import core
from lamella.core import creation, dtypes as dt, functions
from lamella.core.tensor import Tensor

pytest.importorskip("lamella.autograd")

NAMES = {k: v for k, v in vars(core).items() if not k.startswith("_")}
NAMES |= {**{n: getattr(creation, n) for n in creation.__all__}, **functions.FUNCTIONS, "np": np, "dt": dt}
PARSER = doctest.DocTestParser()


def _tests():
    seen = set()
    for where, table in (("", functions.FUNCTIONS), ("Tensor.", functions.METHODS)):
        for name, fn in table.items():
            doc = getattr(fn, "__doc__", None)
            if doc and ">>>" in doc and fn not in seen:
                seen.add(fn)
                yield where + name, doc


TESTS = dict(_tests())


@pytest.mark.parametrize("name", TESTS)
def test_example(name):
    test = PARSER.get_doctest(TESTS[name], dict(NAMES), name, None, 0)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_public_functions_have_docstrings():
    bare = [n for n, f in functions.FUNCTIONS.items() if not (getattr(f, "__doc__", None) or "").strip()]
    assert bare == []
    assert Tensor.__doc__
