#!/usr/bin/env python3
"""Write the façade's list of torch's public names, which its messages about missing names read.

    python tools/torch_names.py          (in an environment with torch==2.13.0)
"""
from __future__ import annotations

import importlib
import pathlib
import pkgutil
import sys
import types
import warnings

TARGET = pathlib.Path(__file__).resolve().parent.parent / "packages/lamella/src/lamella/torch/names.txt"
MODULES = """
torch torch.nn torch.nn.functional torch.nn.init torch.nn.modules torch.nn.parameter torch.nn.parallel torch.nn.utils
torch.nn.utils.rnn torch.nn.utils.parametrize torch.nn.utils.parametrizations torch.nn.utils.prune torch.nn.attention
torch.optim torch.optim.lr_scheduler torch.optim.swa_utils torch.optim.optimizer
torch.autograd torch.autograd.functional torch.autograd.function torch.autograd.forward_ad torch.autograd.graph
torch.autograd.profiler
torch.utils torch.utils.data torch.utils.checkpoint torch.utils.data.distributed torch.utils.tensorboard
torch.utils.benchmark torch.utils.dlpack torch.random torch.cuda torch.cuda.amp torch.backends torch.backends.cudnn
torch.backends.cuda torch.backends.mps torch.backends.mkl torch.backends.mkldnn torch.backends.openmp torch.amp
torch.jit torch.library torch.func torch.linalg torch.fft torch.special torch.sparse torch.distributions torch.testing
torch.types torch.multiprocessing torch.compiler torch.fx torch.hub torch.onnx
torch.export torch.profiler
torch.signal torch.masked torch.nested torch.overrides torch.serialization torch.cpu torch.mps torch.xpu
torch.quantization torch.ao torch.accelerator torch.monitor torch.package torch.futures
torch.nn.parallel.distributed torch.distributed torch.distributed.distributed_c10d torch.distributed.device_mesh
torch.distributed.nn torch.distributed.nn.functional torch.distributed.algorithms torch.distributed.algorithms.join
torch.distributed.algorithms.ddp_comm_hooks torch.distributed.algorithms.ddp_comm_hooks.default_hooks
torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook torch.distributed.optim torch.distributed.fsdp
torch.distributed.fsdp.wrap torch.distributed.fsdp.api torch.distributed.fsdp.fully_sharded_data_parallel
torch.distributed.fsdp.sharded_grad_scaler torch.distributed.tensor torch.distributed.tensor.parallel
torch.distributed.tensor.placement_types torch.distributed.pipelining torch.distributed.checkpoint
torch.distributed.checkpoint.state_dict torch.distributed.elastic torch.distributed.elastic.multiprocessing.errors
torch.distributed.rendezvous torch.distributed.run torch.distributed.utils
""".split()


def public(module: types.ModuleType) -> list[str]:
    """Names that a program may use: no private ones, no foreign modules that a file happens to import."""
    keep = [m.name for m in pkgutil.iter_modules(getattr(module, "__path__", ())) if not m.name.startswith("_")]
    for name in dir(module):
        value = getattr(module, name, None)
        if name.startswith("_") or (isinstance(value, types.ModuleType) and not value.__name__.startswith("torch")):
            continue
        if getattr(value, "__module__", "") in ("typing", "collections.abc", "__future__"):
            continue
        keep.append(name)
    return sorted(set(keep))


def main() -> int:
    import torch

    warnings.filterwarnings("ignore")
    version = str(torch.__version__).split("+")[0]
    lines = [f"# torch {version}: a module, then its public names. Written by tools/torch_names.py."]
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError as e:
            print(f"left out {name}: {e}", file=sys.stderr)
            continue
        lines.append(" ".join([name, *public(module)]))
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(lines) - 1} modules, {sum(len(x.split()) - 1 for x in lines[1:])} names")
    return 0


if __name__ == "__main__":
    sys.exit(main())
