"""What DistributedDataParallel checks of its arguments, and what it says of itself."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Sequence
from typing import Any

from lamella.core import device, ones, zeros
from lamella.dispatch.errors import message

from ..group import get_backend, resolve
from .buckets import GradBucket

_NAME = "DistributedDataParallel"


def group_of(process_group: Any, device_mesh: Any, module: Any) -> Any:
    """The group that two arguments mean. In a mesh with further dimensions, the module gives up its DTensors."""
    if device_mesh is None:
        return resolve(process_group, _NAME)
    if process_group is not None:
        raise RuntimeError(message(_NAME, "Cannot specify both process_group and device_mesh arguments"))
    if device_mesh.ndim != 1:
        raise RuntimeError(message(_NAME, "Only 1D device mesh is supported", str(device_mesh)))
    if device_mesh._get_root_mesh() != device_mesh:
        from ..tensor.parallel.ddp import _pre_dp_module_transform

        _pre_dp_module_transform(module)
    return device_mesh.get_group(mesh_dim=0)


def parameters(params: Sequence[Any], some_are_late: bool) -> None:
    """Some parameter must require grad, and all must have memory."""
    if not any(p.requires_grad for p in params) and not some_are_late:
        raise RuntimeError(message(_NAME, "DistributedDataParallel is not needed when a module doesn't have any "
                                   "parameter that requires a gradient"))
    for p in params:
        if type(p).__name__ in ("UninitializedParameter", "UninitializedBuffer"):
            rule = "Modules with uninitialized parameters can't be used with `DistributedDataParallel`"
            raise RuntimeError(message(_NAME, rule, hint="run forward once before, so that they get their shapes"))


def devices(params: Sequence[Any], device_ids: Any, output_device: Any) -> tuple[str, bool]:
    """The type of the parameters' device, and whether there are several of the type."""
    if device_ids is not None and len(device_ids) > 1:
        raise ValueError(message(_NAME, "device_ids can only be None or contain a single element", list(device_ids)))
    where = {p.device for p in params}
    kinds = {d.type for d in where}
    if len(kinds) != 1:
        raise ValueError(message(_NAME, "the module's parameters must be on the same type of devices", sorted(kinds)))
    kind = next(iter(kinds))
    if (kind == "cpu" or len(where) > 1) and (device_ids or output_device):
        rule = "device_ids and output_device arguments only work with single-device GPU modules"
        raise ValueError(message(_NAME, rule, f"device_ids {device_ids}, output_device {output_device}, parameters on "
                                 f"{', '.join(sorted(map(str, where)))}"))
    return kind, len(where) > 1


def index_of(d: Any) -> int:
    """A GPU's number."""
    return d if isinstance(d, int) else device(d).index or 0


def buffers(old: bool | None, new: bool | None) -> tuple[bool, bool]:
    """Whether buffers are taken from rank 0 before each forward, and at first."""
    if old is not None:
        if new is not None:
            text = ("Both `broadcast_buffers` and `forward_sync_buffers` were specified. `broadcast_buffers` is "
                    "deprecated and its value is ignored when `forward_sync_buffers` is provided.")
        else:
            text = ("`broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead, which leaves the broadcast "
                    "when the model is wrapped as it is.")
        warnings.warn(text, FutureWarning, stacklevel=3)
    if new is not None:
        return bool(new), True
    on = True if old is None else bool(old)
    return on, on


def default_group(group: Any) -> None:
    """Only objects on the default group can be stored: another one cannot be found again."""
    try:
        if group is resolve(None, _NAME):
            return
    except ValueError:
        pass
    raise RuntimeError(message(_NAME, "DDP Pickling/Unpickling are only supported when using DDP with the default "
                               "process group"))


def comm_hook(hook: Any) -> None:
    """A communication hook must be callable; what it says of its argument must be right."""
    if not callable(hook):
        raise TypeError(message("register_comm_hook", "Communication hook must be callable", type(hook).__name__))
    bucket = inspect.signature(hook).parameters.get("bucket")
    said = inspect.Parameter.empty if bucket is None else bucket.annotation
    if said is not inspect.Parameter.empty and said is not GradBucket and not isinstance(said, str):
        rule = "Communication hook: bucket annotation should be dist.GradBucket"
        raise ValueError(message("register_comm_hook", rule, str(said)))


def flag(on: bool, where: Any) -> Any:
    """One element, 1 or 0."""
    return ones(1, device=where) if on else zeros(1, device=where)


def logging_data(ddp: Any) -> dict[str, Any]:
    """Facts of a DistributedDataParallel, by torch's names."""
    reducer = ddp.reducer
    hook = reducer.hook
    unused = [reducer.params[i] for i in reducer.unused]
    return {
        "world_size": ddp.process_group.size(),
        "rank": ddp.process_group.rank(),
        "module_name": type(ddp.module).__name__,
        "backend_name": str(get_backend(ddp.process_group)),
        "device_ids": "" if ddp.device_ids is None else ", ".join(map(str, ddp.device_ids)),
        "output_device": -1 if ddp.output_device is None else ddp.output_device,
        "broadcast_buffers": int(ddp.forward_sync_buffers),
        "bucket_cap_bytes": ddp.bucket_bytes_cap,
        "find_unused_parameters": int(ddp.find_unused_parameters),
        "gradient_as_bucket_view": int(ddp.gradient_as_bucket_view),
        "static_graph": int(ddp.static_graph),
        "dtypes": ", ".join(sorted({str(p.dtype).rpartition(".")[2] for p in reducer.params})),
        "total_parameter_size_bytes": sum(p.numel() * p.element_size() for p in reducer.params),
        "num_parameter_tensors": len(reducer.params),
        "bucket_sizes": ", ".join(str(b.nbytes()) for b in reducer.buckets),
        "has_rebuilt_buckets": int(reducer.rebuilt),
        "iteration": reducer.iterations,
        "unused_parameter_size": sum(p.numel() * p.element_size() for p in unused),
        "comm_hook": "" if hook is None else getattr(hook[1], "__qualname__", repr(hook[1])),
        "is_multi_device_module": int(ddp.is_multi_device_module),
    }
