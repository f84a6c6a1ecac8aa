"""torch.distributed's tree: where programs look for its names, and what stands in the façade itself."""

import importlib
import json

import pytest

from lamella import torch
from lamella.torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl,
    apply_activation_checkpointing,
    checkpoint_wrapper,
    offload_wrapper,
)
from lamella.torch.distributed.elastic.multiprocessing.errors import record

#: modules of torch's tree -> names that public programs import from them
TREE = {
    "distributed": """all_gather all_gather_into_tensor all_gather_object all_reduce all_to_all all_to_all_single
        barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather gather_object get_backend
        get_process_group_ranks get_rank get_world_size group init_process_group init_device_mesh irecv isend
        is_available is_gloo_available is_initialized is_mpi_available is_nccl_available is_torchelastic_launched
        monitored_barrier new_group recv reduce reduce_scatter reduce_scatter_tensor rendezvous scatter send Backend
        DeviceMesh DistBackendError DistNetworkError DistStoreError FileStore GroupMember HashStore P2POp PrefixStore
        ProcessGroup QueueEmptyError ReduceOp Store TCPStore Work register_rendezvous_handler get_debug_level
        set_debug_level DebugLevel breakpoint default_pg_timeout _get_default_group _all_gather_base""",
    "distributed.distributed_c10d": "_get_default_group _resolve_process_group all_reduce ReduceOp GroupMember",
    "distributed.rendezvous": "rendezvous register_rendezvous_handler",
    "distributed.constants": "default_pg_timeout",
    "distributed.device_mesh": "DeviceMesh init_device_mesh",
    "distributed.nn": "all_reduce functional",
    "distributed.nn.functional": "all_gather all_reduce broadcast reduce_scatter all_to_all_single",
    "distributed._functional_collectives": "all_reduce all_gather_tensor reduce_scatter_tensor",
    "distributed.algorithms.join": "Join Joinable JoinHook",
    "distributed.algorithms.ddp_comm_hooks.default_hooks": "allreduce_hook fp16_compress_hook bf16_compress_hook",
    "distributed.algorithms.ddp_comm_hooks.powerSGD_hook": "PowerSGDState powerSGD_hook",
    "distributed.algorithms.ddp_comm_hooks": "DDPCommHookType register_ddp_comm_hook default_hooks",
    "distributed.algorithms.ddp_comm_hooks.post_localSGD_hook": "PostLocalSGDState post_localSGD_hook",
    "distributed.algorithms.ddp_comm_hooks.debugging_hooks": "noop_hook",
    "distributed.algorithms.model_averaging.averagers": "PeriodicModelAverager",
    "distributed.algorithms.model_averaging.utils": "average_parameters",
    "distributed.algorithms._checkpoint.checkpoint_wrapper": "checkpoint_wrapper CheckpointImpl",
    "distributed.optim": "ZeroRedundancyOptimizer",
    "distributed.fsdp": """FullyShardedDataParallel ShardingStrategy MixedPrecision BackwardPrefetch CPUOffload
        StateDictType FullStateDictConfig ShardedStateDictConfig fully_shard FSDPModule MixedPrecisionPolicy""",
    "distributed.fsdp.wrap": """transformer_auto_wrap_policy size_based_auto_wrap_policy ModuleWrapPolicy
        enable_wrap wrap""",
    "distributed.fsdp.api": "StateDictType FullStateDictConfig",
    "distributed.fsdp.fully_sharded_data_parallel": "FullyShardedDataParallel CPUOffload BackwardPrefetch",
    "distributed.fsdp.sharded_grad_scaler": "ShardedGradScaler",
    "distributed._composable.fsdp": "fully_shard MixedPrecisionPolicy",
    "distributed.tensor": "DTensor Shard Replicate Partial distribute_tensor distribute_module init_device_mesh",
    "distributed.tensor.placement_types": "Replicate Shard",
    "distributed.tensor.parallel": """parallelize_module ColwiseParallel RowwiseParallel SequenceParallel
        PrepareModuleInput""",
    "distributed._tensor": "DTensor Shard Replicate distribute_tensor",
    "distributed.pipelining": "PipelineStage Schedule1F1B ScheduleGPipe pipeline SplitPoint",
    "distributed.pipelining.schedules": "Schedule1F1B",
    "distributed.pipelining.stage": "PipelineStage",
    "distributed.checkpoint": "save load async_save FileSystemReader FileSystemWriter",
    "distributed.checkpoint.state_dict": """get_model_state_dict set_model_state_dict get_optimizer_state_dict
        set_optimizer_state_dict get_state_dict set_state_dict StateDictOptions""",
    "distributed.elastic.multiprocessing.errors": "record",
    "distributed.run": "main get_args_parser",
    "distributed.launch": "main",
    "nn.parallel": "DistributedDataParallel DataParallel",
    "nn.parallel.distributed": "DistributedDataParallel",
    "nn": "SyncBatchNorm",
    "utils.data.distributed": "DistributedSampler",
}


@pytest.mark.parametrize("module", TREE)
def test_names_are_where_torch_has_them(module):
    found = importlib.import_module(f"lamella.torch.{module}")
    missing = [name for name in TREE[module].split() if not hasattr(found, name)]
    assert missing == []


def test_the_function_rendezvous_keeps_its_name():
    importlib.import_module("lamella.torch.distributed.rendezvous")
    assert callable(torch.distributed.rendezvous)
    store, rank, size = next(iter(torch.distributed.rendezvous("tcp://localhost:0", 0, 1)))
    store.set("a", "b")
    assert (rank, size) == (0, 1) and isinstance(store, torch.distributed.TCPStore)


def test_one_process_is_a_group():
    dist = torch.distributed
    dist.init_process_group()
    try:
        assert dist.is_initialized() and dist.get_rank() == 0 and dist.group.WORLD is not None
        sampler = torch.utils.data.DistributedSampler(range(4), shuffle=False)
        assert (sampler.num_replicas, sampler.rank, list(sampler)) == (1, 0, [0, 1, 2, 3])
        x = torch.ones(2)
        dist.all_reduce(x)
        assert x.tolist() == [1, 1]
        with pytest.warns(FutureWarning, match="reduce_op is deprecated"):
            assert dist.reduce_op.SUM == dist.ReduceOp.SUM
    finally:
        dist.destroy_process_group()
    assert not dist.is_initialized()


def test_record_writes_down_what_happened(tmp_path, monkeypatch):
    path = tmp_path / "error.json"
    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", str(path))

    @record
    def main(code=None):
        if code is not None:
            raise SystemExit(code)
        raise ValueError("boo")

    with pytest.raises(SystemExit):
        main(0)
    assert not path.exists()
    with pytest.raises(ValueError, match="boo"):
        main()
    told = json.loads(path.read_text())["message"]
    assert told["message"] == "ValueError: boo" and "in main" in told["extraInfo"]["py_callstack"]
    monkeypatch.delenv("TORCHELASTIC_ERROR_FILE")
    with pytest.raises(ValueError, match="boo"):
        main()


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.calls = torch.nn.Linear(3, 3), 0

    def forward(self, x, scale=1.0):
        self.calls += 1
        return torch.relu(self.fc(x)) * scale


@pytest.mark.parametrize("impl", list(CheckpointImpl))
def test_checkpointed_modules_compute_again(impl):
    torch.manual_seed(0)
    plain = Block()
    wrapped = checkpoint_wrapper(Block(), checkpoint_impl=impl)
    wrapped.load_state_dict(plain.state_dict())
    assert list(wrapped.state_dict()) == list(plain.state_dict()) == [n for n, _ in wrapped.named_parameters()]
    x = torch.randn(4, 3, requires_grad=True)
    for module in (plain, wrapped):
        module(x, scale=2.0).sum().backward()
    assert torch.equal(plain.fc.weight.grad, wrapped.fc.weight.grad) and (plain.calls, wrapped.calls) == (1, 2)
    offloaded = offload_wrapper(plain)
    plain.fc.weight.grad = None
    offloaded(x, scale=2.0).sum().backward()
    assert torch.equal(plain.fc.weight.grad, wrapped.fc.weight.grad)


def test_checkpointing_is_applied_to_parts():
    model = torch.nn.Sequential(Block(), torch.nn.Sequential(Block(), torch.nn.Linear(3, 2)))
    keys = list(model.state_dict())
    apply_activation_checkpointing(model, check_fn=lambda m: isinstance(m, Block))
    assert [type(m).__name__ for m in (model[0], model[1], model[1][0], model[1][1])] == [
        "CheckpointWrapper", "Sequential", "CheckpointWrapper", "Linear"]
    assert list(model.state_dict()) == keys
    model(torch.ones(1, 3)).sum().backward()

    def policy(module, recurse, nonwrapped_numel):
        return True if recurse else nonwrapped_numel >= 10

    model = torch.nn.Sequential(Block(), torch.nn.Linear(3, 1))
    apply_activation_checkpointing(model, auto_wrap_policy=policy, checkpoint_wrapper_fn=offload_wrapper)
    assert type(model[0]) is Block and type(model[0].fc).__name__ == "OffloadWrapper"
    assert type(model[1]) is torch.nn.Linear


def test_a_module_in_several_places_is_wrapped_once_in_each_parent():
    """As torch does: a wrapper for each parent, and the second place below the same parent stays as it is."""
    nn = torch.nn
    layer = nn.Linear(2, 2)
    model = nn.ModuleDict({"a": layer, "b": nn.Sequential(nn.ReLU(), layer), "c": nn.Sequential(layer, layer)})
    apply_activation_checkpointing(model, check_fn=lambda m: isinstance(m, nn.Linear))
    places = [model["a"], model["b"][1], model["c"][0], model["c"][1]]
    assert [type(m).__name__ for m in places] == [*["CheckpointWrapper"] * 3, "Linear"]
    assert places[0] is not places[1] and places[3] is layer



def test_what_is_not_finite_on_one_rank_ends_the_step_on_all():
    from lamella.distributed.threads import spawn
    from lamella.torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler

    def step():
        w = torch.nn.Parameter(torch.ones(1))
        opt, scaler = torch.optim.SGD([w], lr=1.0), ShardedGradScaler("cpu", init_scale=4.0)
        values = []
        for bad in (True, False):
            w.grad = torch.tensor([float("inf") if bad and torch.distributed.get_rank() == 1 else 4.0])
            scaler.step(opt)
            scaler.update()
            values.append((w.item(), scaler.get_scale()))
        return values

    assert spawn(step, 2) == [[(1.0, 2.0), (-1.0, 2.0)]] * 2


def test_torchruns_options(capsys):
    from lamella.torch.distributed.run import main, parse_args

    asked = parse_args(["--nproc_per_node=2", "--rdzv-backend", "c10d", "x.py", "--lr", "1"])
    assert asked.nproc_per_node == "2" and asked.training_script_args == ["--lr", "1"]
    assert main(["--nnodes=2", "x.py"]) == 2
    assert "on one machine (--nnodes=2)\nhint: `mpiexec" in capsys.readouterr().err
