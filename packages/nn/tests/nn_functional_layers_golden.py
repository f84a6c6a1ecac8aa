"""Writes nn_functional_layers_torch.json: what torch gives for the samples of convolution, padding, pooling,
normalisation and vision. Needs torch in the environment.

python packages/nn/tests/nn_functional_layers_golden.py
"""

import json
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
from nn_functional_golden import number_lists

FILE = Path(__file__).with_name("nn_functional_layers_torch.json")
FAMILIES = ("conv", "padding", "pooling", "pooling_adaptive", "normalization", "vision")


def main():
    import torch

    from lamella.core import Tensor
    from lamella.core.testing import map_tensors

    def give(t):
        return torch.from_numpy(np.array(t._a)) if isinstance(t, Tensor) else t

    warnings.simplefilter("ignore")
    rows = {}
    for family in FAMILIES:
        for i, sample in enumerate(import_module(f"lamella.nn.samples.{family}").SAMPLES):
            name = sample.name.rpartition(".")[2]
            fn = getattr(torch.nn.functional, name)
            rows[f"{family}-{i}-{name}"] = [
                number_lists(fn(*map_tensors(give, args), **map_tensors(give, kwargs)), torch.is_tensor)
                for args, kwargs in sample.make(False)
            ]
    lines = ",\n".join(f" {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in rows.items())
    FILE.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
