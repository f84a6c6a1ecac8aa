"""A backend of one's own in some thirty lines, and a small model that trains on it.

The "device" keeps its memory in NumPy arrays that only its own kernels touch; real hardware would put its buffers and
its launches in their place. It has an allocator, copies, and four kernels of its own. Everything else runs on the CPU.

    python examples/backend_privateuse.py
"""

from collections import Counter

import numpy as np

from lamella import torch
from lamella.core import rename_privateuse1_backend
from lamella.core.backend import cpu_fallback, tensor_on
from lamella.dispatch import Library

KEY = "PrivateUse1"
launched = Counter()  # what the device computed itself


def allocate(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    return tensor_on(KEY, np.empty(size, (dtype or torch.get_default_dtype()).np))


def copy_(self, src, non_blocking=False):
    np.copyto(self._a, src._a, casting="unsafe")  # to the device, from it, and within it
    return self


def linear(x, weight, bias=None):
    return x @ weight.T if bias is None else x @ weight.T + bias


def kernel(name, compute):
    def run(*tensors):
        launched[name] += 1
        return tensor_on(KEY, np.asarray(compute(*[t if t is None else t._a for t in tensors])))

    return run


rename_privateuse1_backend("toy")
lib = Library("aten", "IMPL", KEY)
lib.impl("empty.memory_format", allocate)
lib.impl("copy_", copy_)
KERNELS = {"linear": linear, "matmul": np.matmul, "square": np.square, "relu": lambda a: np.maximum(a, 0)}
for name, compute in KERNELS.items():
    lib.impl(name, kernel(name, compute))
Library("_", "IMPL", KEY).fallback(cpu_fallback, with_keyset=True)


def main():
    """Fit a line on the device and return the last loss."""
    torch.manual_seed(0)
    x = torch.randn(64, 3).to("toy")
    y = x @ torch.tensor([[1.0], [-2.0], [0.5]], device="toy")
    model = torch.nn.Linear(3, 1).to("toy")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss)
    print(f"gradients on {model.weight.grad.device}; computed by the device: {dict(launched)}")
    return loss.item()


if __name__ == "__main__":
    main()
