# Generated from packages/distributed/src/lamella/distributed/ops/c10d.yaml (sha256 8993c94a66f1097c). Do not edit:
# change the source and run `uv run tools/gen.py`.
"""The operators of namespace c10d."""

from lamella.dispatch.lazy import declare as _declare
from lamella.dispatch.registry import keys_in as _keys_in  # noqa: F401
from lamella.dispatch.state import state as _state

_allreduce_ = _declare(
    'c10d',
    'allreduce_(Tensor(a!) tensor, str op, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:allreduce_', 'CUDA': 'lamella.distributed.kernels:allreduce_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:7',
)
_allreduce_coalesced_ = _declare(
    'c10d',
    'allreduce_coalesced_(Tensor(a!)[] tensors, str op, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:allreduce_coalesced_', 'CUDA': 'lamella.distributed.kernels:allreduce_coalesced_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:12',
)
_reduce_ = _declare(
    'c10d',
    'reduce_(Tensor(a!) tensor, str op, int root, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:reduce_', 'CUDA': 'lamella.distributed.kernels:reduce_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:17',
)
_broadcast_ = _declare(
    'c10d',
    'broadcast_(Tensor(a!) tensor, int root, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:broadcast_', 'CUDA': 'lamella.distributed.kernels:broadcast_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:22',
)
_allgather_ = _declare(
    'c10d',
    'allgather_(Tensor(a!)[] outputs, Tensor input, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:allgather_', 'CUDA': 'lamella.distributed.kernels:allgather_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:27',
)
_allgather_into_ = _declare(
    'c10d',
    'allgather_into_(Tensor(a!) output, Tensor input, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:allgather_into_', 'CUDA': 'lamella.distributed.kernels:allgather_into_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:32',
)
_gather_ = _declare(
    'c10d',
    'gather_(Tensor(a!)[] outputs, Tensor input, int root, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:gather_', 'CUDA': 'lamella.distributed.kernels:gather_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:37',
)
_scatter_ = _declare(
    'c10d',
    'scatter_(Tensor(a!) output, Tensor[] inputs, int root, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:scatter_', 'CUDA': 'lamella.distributed.kernels:scatter_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:42',
)
_reduce_scatter_ = _declare(
    'c10d',
    'reduce_scatter_(Tensor(a!) output, Tensor[] inputs, str op, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:reduce_scatter_', 'CUDA': 'lamella.distributed.kernels:reduce_scatter_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:47',
)
_reduce_scatter_from_ = _declare(
    'c10d',
    'reduce_scatter_from_(Tensor(a!) output, Tensor input, str op, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:reduce_scatter_from_', 'CUDA': 'lamella.distributed.kernels:reduce_scatter_from_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:52',
)
_alltoall_ = _declare(
    'c10d',
    'alltoall_(Tensor(a!)[] outputs, Tensor[] inputs, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:alltoall_', 'CUDA': 'lamella.distributed.kernels:alltoall_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:57',
)
_alltoall_single_ = _declare(
    'c10d',
    'alltoall_single_(Tensor(a!) output, Tensor input, int[] output_splits, int[] input_splits, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:alltoall_single_', 'CUDA': 'lamella.distributed.kernels:alltoall_single_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:62',
)
_send = _declare(
    'c10d',
    'send(Tensor tensor, int dst, int tag, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:send', 'CUDA': 'lamella.distributed.kernels:send'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:67',
)
_recv_ = _declare(
    'c10d',
    'recv_(Tensor(a!) tensor, int src, int tag, str group, bool async_op=False) -> ()',
    kernels={'CPU': 'lamella.distributed.kernels:recv_', 'CUDA': 'lamella.distributed.kernels:recv_'},
    fake='lamella.distributed.kernels:nothing',
    tags=('effect',),
    where='c10d.yaml:72',
)


def allreduce_(tensor, op, group, async_op=False):
    """Reduce into `tensor` on every rank."""
    return _allreduce_(tensor, op, group, async_op)


def allreduce_coalesced_(tensors, op, group, async_op=False):
    """Reduce into each tensor on every rank, in one communication."""
    return _allreduce_coalesced_(tensors, op, group, async_op)


def reduce_(tensor, op, root, group, async_op=False):
    """Reduce into `tensor` on one rank."""
    return _reduce_(tensor, op, root, group, async_op)


def broadcast_(tensor, root, group, async_op=False):
    """Copy one rank's tensor to all."""
    return _broadcast_(tensor, root, group, async_op)


def allgather_(outputs, input, group, async_op=False):
    """All ranks' input, one tensor for each."""
    return _allgather_(outputs, input, group, async_op)


def allgather_into_(output, input, group, async_op=False):
    """All ranks' input, one after the other or stacked in one tensor."""
    return _allgather_into_(output, input, group, async_op)


def gather_(outputs, input, root, group, async_op=False):
    """All ranks' input on one rank; `outputs` is empty on the others."""
    return _gather_(outputs, input, root, group, async_op)


def scatter_(output, inputs, root, group, async_op=False):
    """One of the root's inputs on each rank; `inputs` is empty on the others."""
    return _scatter_(output, inputs, root, group, async_op)


def reduce_scatter_(output, inputs, op, group, async_op=False):
    """Input i of all ranks, reduced, on rank i."""
    return _reduce_scatter_(output, inputs, op, group, async_op)


def reduce_scatter_from_(output, input, op, group, async_op=False):
    """Part i of all ranks' input, reduced, on rank i."""
    return _reduce_scatter_from_(output, input, op, group, async_op)


def alltoall_(outputs, inputs, group, async_op=False):
    """Input i goes to rank i, output i comes from rank i."""
    return _alltoall_(outputs, inputs, group, async_op)


def alltoall_single_(output, input, output_splits, input_splits, group, async_op=False):
    """Parts of the first dimension go to and come from each rank; without splits, equal ones."""
    return _alltoall_single_(output, input, output_splits, input_splits, group, async_op)


def send(tensor, dst, tag, group, async_op=False):
    """Send to one rank."""
    return _send(tensor, dst, tag, group, async_op)


def recv_(tensor, src, tag, group, async_op=False):
    """Receive from one rank; from any where `src` is -1."""
    return _recv_(tensor, src, tag, group, async_op)


__all__ = ['allreduce_', 'allreduce_coalesced_', 'reduce_', 'broadcast_', 'allgather_', 'allgather_into_', 'gather_', 'scatter_', 'reduce_scatter_', 'reduce_scatter_from_', 'alltoall_', 'alltoall_single_', 'send', 'recv_']
