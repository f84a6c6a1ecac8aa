"""Several ranks train one model: process groups, collectives and what is built on them, by torch.distributed's names.

Process groups and collectives load at once; what needs modules or optimizers (`parallel`, `fsdp`, `optim`, ...) when it
is first used.
"""

from __future__ import annotations

from typing import Any

import lamella.autograd  # noqa: F401  (gives tensors their gradients)

from . import mpi as _mpi, nccl as _nccl, single as _single  # noqa: F401  (they register backends)
from .backend import Backend, Transport, register_backend
from .collectives import (
    _all_gather_base,
    _get_default_group,
    _get_process_group_name,
    _rank_not_in_group,
    _reduce_scatter_base,
    _resolve_process_group,
    all_gather,
    all_gather_into_tensor,
    all_gather_single,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    monitored_barrier,
    reduce,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
    scatter,
)
from .errors import DistBackendError, DistError, DistNetworkError, DistStoreError, QueueEmptyError
from .group import (
    GroupMember,
    ProcessGroup,
    get_backend,
    get_backend_config,
    get_global_rank,
    get_group_rank,
    get_node_local_rank,
    get_pg_count,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    is_initialized,
)
from .init import default_pg_timeout, destroy_process_group, init_process_group, new_group
from .monitor.debug import DebugLevel, get_debug_level, set_debug_level, set_debug_level_from_env
from .objects import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from .p2p import P2POp, batch_isend_irecv, irecv, isend, recv, send
from .reduce_op import ReduceOp, _make_nccl_premul_sum
from .subgroups import new_subgroups, new_subgroups_by_enumeration, split_group, supports_complex
from .threads import transport as _threads  # noqa: F401
from .work import Future, Work

#: name -> module that has it, loaded when it is asked for
_LATER = {
    "DeviceMesh": "device_mesh", "init_device_mesh": "device_mesh",
    "Store": "store", "TCPStore": "store", "FileStore": "store", "HashStore": "store", "PrefixStore": "store",
    "DistributedDataParallel": "parallel", "GradBucket": "parallel", "BuiltinCommHookType": "parallel",
    "Join": "algorithms.join",
    "SyncBatchNorm": "sync_batch_norm", "ZeroRedundancyOptimizer": "optim",
    "FullyShardedDataParallel": "fsdp", "fully_shard": "fsdp",
}
_MODULES = ("algorithms", "checkpoint", "device_mesh", "fsdp", "functional_collectives", "launch", "mpi", "nccl", "nn",
            "optim", "parallel", "pipelining", "rendezvous", "store", "tensor", "threads")

__all__ = [
    "Backend", "DebugLevel", "DistBackendError", "DistError", "DistNetworkError", "DistStoreError", "Future",
    "GroupMember", "P2POp", "ProcessGroup", "QueueEmptyError", "ReduceOp", "Transport", "Work", "all_gather",
    "all_gather_into_tensor", "all_gather_object", "all_gather_single", "all_reduce", "all_reduce_coalesced",
    "all_to_all", "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast", "broadcast_object_list",
    "default_pg_timeout", "destroy_process_group", "gather", "gather_object", "get_backend", "get_backend_config",
    "get_debug_level", "get_global_rank", "get_group_rank", "get_node_local_rank", "get_pg_count",
    "get_process_group_ranks", "get_rank", "get_world_size", "group", "init_process_group", "irecv", "is_available",
    "is_backend_available", "is_gloo_available", "is_initialized", "is_mpi_available", "is_nccl_available", "isend",
    "monitored_barrier", "new_group", "new_subgroups", "new_subgroups_by_enumeration", "recv", "recv_object_list",
    "reduce", "reduce_scatter", "reduce_scatter_single", "reduce_scatter_tensor", "register_backend", "scatter",
    "scatter_object_list", "send", "send_object_list", "set_debug_level", "set_debug_level_from_env", "split_group",
    "supports_complex", "_all_gather_base", "_get_default_group", "_get_process_group_name",
    "_make_nccl_premul_sum", "_rank_not_in_group",
    "_reduce_scatter_base", "_resolve_process_group", *_LATER,
]


def is_available() -> bool:
    """Whether processes can work together: yes."""
    return True


def is_mpi_available() -> bool:
    """Whether there is an MPI library; MPI is not started."""
    try:
        _mpi.load()
    except RuntimeError:
        return False
    return True


def is_gloo_available() -> bool:
    """Whether "gloo" can be asked for: it means "mpi" here."""
    return is_mpi_available()


def is_nccl_available() -> bool:
    """Whether CuPy is installed with NCCL."""
    return _nccl.is_available()


def is_backend_available(backend: str) -> bool:
    """Whether a backend is registered, and what it needs is installed."""
    from .backend import real_name, registered

    needs = {"mpi": is_mpi_available, "nccl": is_nccl_available}
    backend = backend.lower()
    return registered(backend) and needs.get(real_name(backend), is_available)()


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _LATER:
        value: Any = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
