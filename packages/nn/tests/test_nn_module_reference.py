"""Every layer prints, names and initialises itself as torch's does.

`nn_modules_torch.json` was written by torch 2.13 after `manual_seed(0)`: what a layer prints, and for every entry of
its state_dict the shape and the first two and the last of its numbers.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from lamella import core, nn

ROWS = json.loads((Path(__file__).parent / "nn_modules_torch.json").read_text())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["make"])
def test_layer_is_torchs(row):
    core.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dropout=... of a single recurrent layer warns, as torch does
        module = eval(row["make"], {"nn": nn})
    assert repr(module) == row["repr"]
    if "Lazy" in row["make"]:
        return
    state = module.state_dict()
    assert list(state) == list(row["state"])
    for key, (shape, numbers) in row["state"].items():
        assert list(state[key].shape) == shape, key
        flat = state[key].flatten().tolist()
        assert flat[:2] + flat[-1:] == pytest.approx(numbers, rel=1e-5, abs=2e-7), key


def test_all_of_torchs_layers_are_there():
    for name in nn.modules.__all__:
        assert getattr(nn, name).__name__ == name
    assert {"Linear", "functional", "Parameter"} <= set(dir(nn))
    with pytest.raises(AttributeError, match="no attribute 'Lineer'"):
        _ = nn.Lineer


def test_constructor_arguments_that_make_no_sense_are_refused():
    cases = [
        (ValueError, "dropout probability", lambda: nn.Dropout(1.5)),
        (ValueError, "divisible by groups", lambda: nn.Conv2d(3, 4, 3, groups=2)),
        (ValueError, "strided", lambda: nn.Conv2d(3, 4, 3, stride=2, padding="same")),
        (ValueError, "'same' or 'valid'", lambda: nn.Conv2d(3, 4, 3, padding="full")),
        (ValueError, "padding_mode", lambda: nn.Conv1d(3, 4, 3, padding_mode="mirror")),
        (ValueError, "zeros", lambda: nn.ConvTranspose2d(3, 4, 3, padding_mode="reflect")),
        (ValueError, "num_groups", lambda: nn.GroupNorm(3, 4)),
        (ValueError, "padding_idx", lambda: nn.Embedding(4, 2, padding_idx=4)),
        (ValueError, "num_heads", lambda: nn.MultiheadAttention(6, 4)),
        (ValueError, "greater than zero", lambda: nn.LSTM(0, 3)),
        (TypeError, "type int", lambda: nn.GRU(3.0, 3)),
        (ValueError, "only supported for LSTM", lambda: nn.GRU(3, 4, proj_size=2)),
        (ValueError, "margin", lambda: nn.TripletMarginLoss(margin=0)),
        (TypeError, "unexpected keyword", lambda: nn.Module(size=3)),
        (ValueError, "max_val", lambda: nn.Hardtanh(1, 1)),
        (ValueError, "exactly one", lambda: nn.FractionalMaxPool2d(2)),
    ]
    for error, words, make in cases:
        with pytest.raises(error, match=words):
            make()
