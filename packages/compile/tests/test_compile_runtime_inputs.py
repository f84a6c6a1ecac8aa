"""The check of a program's tensors, from the extension and in Python."""

from __future__ import annotations

import numpy as np
import pytest

from lamella import torch
from lamella.compile.runtime import inputs as module
from lamella.compile.runtime.inputs import Want, inputs


@pytest.fixture(params=["extension", "python"], autouse=True)
def flavour(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(module, "extension_module", lambda: None)
    elif module.extension_module() is None:
        pytest.skip("no C++ compiler here")


def test_exact_layouts():
    x = torch.ones(2, 3)
    check = inputs([Want.of(x)])
    assert check((x,))[0] is x._a and check([torch.zeros(2, 3)]) is not None
    for other in (torch.ones(3, 2), torch.ones(2, 3, 1), torch.ones(2, 3).double(), torch.ones(3, 2).t(),
                  torch.ones(2, 3).requires_grad_(), torch.ones(2, 3, device="meta"), 5, None):
        assert check((other,)) is None
    assert check(()) is None and check((x, x)) is None


def test_sizes_that_may_change():
    check = inputs([Want(1, np.dtype("f4"), (None, 3), "rows")])
    for n in (2, 3, 50):
        assert check((torch.ones(n, 3),)) is not None
    for other in (torch.ones(0, 3), torch.ones(1, 3), torch.ones(2, 4), torch.ones(3, 4).t(), torch.ones(5, 6)[:, ::2],
                  torch.ones(8, 3)[::2]):
        assert check((other,)) is None
    assert inputs([Want(1, np.dtype("f4"), (None, 3))])((torch.ones(8, 3)[::2],)) is not None


def test_leaves():
    leaf, inner = torch.ones(3).requires_grad_(), torch.ones(3).requires_grad_() * 2
    assert inputs([Want.of(leaf, True)])((leaf,)) is not None and inputs([Want.of(leaf, True)])((inner,)) is None
    assert inputs([Want.of(leaf, False)])((inner,)) is not None and inputs([Want.of(leaf, False)])((leaf,)) is None
    assert inputs([Want.of(leaf)])((inner,)) is not None


def test_what_is_no_list():
    with pytest.raises(TypeError):
        inputs([])(7)
