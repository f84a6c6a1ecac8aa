"""The stand-in for NCCL has what CuPy has: names, parameters and numbers."""

from __future__ import annotations

import inspect
import re
from importlib.metadata import packages_distributions

import pytest


@pytest.fixture
def nccl():
    """CuPy's own module, which needs NCCL's library, and no GPU."""
    if "cupy" not in packages_distributions():
        pytest.skip("CuPy is not installed")
    cupy = pytest.importorskip("cupy")
    if getattr(cupy, "__standin__", False):
        pytest.skip("a stand-in is in CuPy's place")
    from cupy.cuda import nccl

    if not nccl.available:
        pytest.skip("CuPy finds no NCCL")
    return nccl


def test_numbers(nccl):
    from nccl_standin import library

    for name, value in library.NAMES.items():
        assert getattr(nccl, name) == value, name
    assert {n for n in dir(nccl) if n.startswith("NCCL_")} == set(library.NAMES)


def test_methods_and_their_parameters(nccl):
    from nccl_standin import library

    own = library.NcclCommunicator
    for name, parameters in library.METHODS.items():
        described = getattr(nccl.NcclCommunicator, name).__doc__
        found = re.match(rf"NcclCommunicator\.{name}\(self(?:, )?(.*)\)", described.replace("\n", " "))
        assert found and [p.split()[-1] for p in found[1].split(", ") if p] == parameters.split(), name
        assert list(inspect.signature(getattr(own, name)).parameters)[1:] == parameters.split(), name
    assert nccl.NcclCommunicator.__doc__.startswith("NcclCommunicator(int ndev, bytes commId, int rank, ")
    assert nccl.groupStart.__doc__.startswith("groupStart()") and nccl.groupEnd.__doc__.startswith("groupEnd()")


def test_the_stand_in_has_no_other_methods():
    from nccl_standin import library

    assert {n for n in vars(library.NcclCommunicator) if n[0] != "_"} == {*library.METHODS, "part"}


def test_numbers_of_the_backend(nccl):
    from lamella.distributed.nccl.types import OPERATIONS, TYPES

    assert {n: getattr(nccl, f"NCCL_{n.upper()}") for n in TYPES} == TYPES
    names = {"PRODUCT": "PROD"}
    assert {n: getattr(nccl, f"NCCL_{names.get(n, n)}") for n in OPERATIONS} == OPERATIONS


def test_ids_are_bytes_that_fit_a_message(nccl):
    found = nccl.get_unique_id()
    assert type(found) is bytes and len(found) == 128 and bytes.fromhex(found.hex()) == found
