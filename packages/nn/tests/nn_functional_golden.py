"""Writes nn_functional_torch.json: what torch gives for this package's samples. Needs torch in the environment.

python packages/nn/tests/nn_functional_golden.py
"""

import json
import warnings
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("nn_functional_torch.json")


def number_lists(value, is_tensor):
    """The tensors of a result as lists of rounded numbers."""
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in number_lists(v, is_tensor)]
    if not is_tensor(value):
        return []
    a = np.asarray(value.detach().numpy(), np.float64)
    return [[list(a.shape), [float(f"{x:.9g}") for x in a.reshape(-1)]]]


def main():
    import torch

    from lamella.core import Tensor
    from lamella.core.testing import map_tensors
    from lamella.nn.samples import functional_samples

    warnings.simplefilter("ignore")
    rows = {}
    for i, sample in enumerate(functional_samples()):
        name = sample.name.rpartition(".")[2]
        fn = getattr(torch.nn.functional, name)
        results = []
        for args, kwargs in sample.make(False):
            give = lambda t: torch.from_numpy(np.array(t._a)) if isinstance(t, Tensor) else t  # noqa: E731
            got = fn(*map_tensors(give, args), **map_tensors(give, kwargs))
            results.append(number_lists(got, lambda x: isinstance(x, torch.Tensor)))
        rows[f"{i}-{name}"] = results
    lines = ",\n".join(f" {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in rows.items())
    FILE.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
