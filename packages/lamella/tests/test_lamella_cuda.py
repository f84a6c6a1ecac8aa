"""torch.cuda on two devices of the stand-in for CuPy."""

import pickle
import subprocess
import sys
import warnings

import pytest

from lamella import torch

pytestmark = pytest.mark.usefixtures("cupy_on_numpy")
cuda = torch.cuda


def test_devices():
    assert cuda.is_available() and cuda.device_count() == 2 and cuda.current_device() == 0
    with cuda.device(1):
        assert cuda.current_device() == 1 and torch.ones(2, device="cuda").device.index == 1
        with cuda.device("cuda:0"):
            assert cuda.current_device() == 0
        with cuda.device(None), cuda.device(-1):
            assert cuda.current_device() == 1
    assert cuda.current_device() == 0
    cuda.set_device("cuda:1")
    try:
        assert cuda.current_device() == 1
        with cuda.device_of(torch.ones(1, device="cuda:0")):
            assert cuda.current_device() == 0
    finally:
        cuda.set_device(0)
    cuda.synchronize()
    cuda.synchronize(torch.device("cuda", 1))
    assert cuda.can_device_access_peer(0, 1) and cuda.is_initialized()


@pytest.mark.parametrize("call", [
    lambda: cuda.set_device(2), lambda: cuda.get_device_name(5), lambda: cuda.synchronize("cuda:3"),
    lambda: cuda.device(9), lambda: cuda.mem_get_info(2),
])
def test_devices_that_are_not_there(call):
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        call()


def test_a_device_that_is_no_gpu():
    with pytest.raises(ValueError, match="Expected a cuda device, but got: cpu"):
        cuda.get_device_name("cpu")


def test_properties():
    found = cuda.get_device_properties(1)
    assert found.name == cuda.get_device_name() == "Stand-in GPU" and found.total_memory == 2**34
    assert (found.major, found.minor) == cuda.get_device_capability(0) == (8, 0)
    assert found.multi_processor_count == 108 and found.warp_size == 32 and "total_memory=16384MB" in repr(found)
    assert cuda.is_bf16_supported() and cuda.is_tf32_supported() and "sm_80" in cuda.get_arch_list()
    free, total = cuda.mem_get_info()
    assert 0 < free <= total == 2**34


def test_streams_and_events():
    s, t = cuda.Stream(), cuda.Stream(device=1, priority=-1)
    assert s != t and s == s and s.device.index == 0 and t.device.index == 1 and s.query() and len({s, s, t}) == 2
    assert cuda.current_stream() == cuda.default_stream()
    with cuda.stream(s):
        assert cuda.current_stream() == s
        with cuda.stream(t):
            assert cuda.current_device() == 1 and cuda.current_stream() == t
        assert cuda.current_device() == 0 and cuda.current_stream() == s
    assert cuda.current_stream() == cuda.default_stream()
    start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
    with pytest.raises(ValueError, match="must be recorded"):
        start.elapsed_time(end)
    start.record()
    s.wait_event(start)
    s.wait_stream(cuda.current_stream())
    end.record(s)
    s.synchronize()
    end.synchronize()
    assert end.query() and start.elapsed_time(end) >= 0
    with pytest.raises(ValueError, match="enable_timing"):
        start.elapsed_time(s.record_event())
    external = cuda.ExternalStream(s.cuda_stream)
    assert external.cuda_stream == s.cuda_stream and "cuda_stream=0x" in repr(external)


def test_memory_is_counted():
    cuda.empty_cache()
    cuda.reset_peak_memory_stats()
    before = cuda.memory_allocated()
    x = torch.zeros(1000, device="cuda")
    assert cuda.memory_allocated() == before + 4096 and cuda.memory_allocated(1) == cuda.memory_stats(1).get(
        "allocated_bytes.all.current")
    view = x[10:]
    del x
    assert cuda.memory_allocated() == before + 4096
    del view
    assert cuda.memory_allocated() == before and cuda.max_memory_allocated() >= before + 4096
    assert cuda.memory_reserved() >= before + 4096 and cuda.max_memory_reserved() >= cuda.memory_reserved()
    cuda.empty_cache()
    assert cuda.memory_reserved() == before
    cuda.reset_peak_memory_stats()
    assert cuda.max_memory_allocated() == before
    stats = cuda.memory_stats()
    assert stats["allocated_bytes.all.peak"] == before and "reserved_bytes.all.current" in cuda.memory_summary()


def test_out_of_memory_frees_the_cache_and_tries_once_more():
    kept = torch.zeros(4 * 2**20, dtype=torch.uint8, device="cuda")
    cuda.empty_cache()
    base = cuda.memory_reserved()
    cuda.set_per_process_memory_fraction((base + 8 * 2**20) / 2**34)
    try:
        retries = cuda.memory_stats()["num_alloc_retries"]
        for _ in range(3):
            torch.zeros(6 * 2**20, dtype=torch.uint8, device="cuda")
        with pytest.raises(torch.OutOfMemoryError) as caught:
            torch.zeros(64 * 2**20, dtype=torch.uint8, device="cuda")
        text = str(caught.value)
        assert "Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 16.00 GiB" in text and "hint:" in text
        assert cuda.OutOfMemoryError is torch.OutOfMemoryError and isinstance(caught.value, RuntimeError)
        assert cuda.memory_stats()["num_alloc_retries"] > retries and cuda.memory_stats()["num_ooms"] > 0
        assert torch.ones(3, device="cuda").sum().item() == 3
    finally:
        cuda.set_per_process_memory_fraction(1.0)
    assert kept.sum().item() == 0


def test_random_state():
    torch.manual_seed(5)
    assert cuda.initial_seed() == 5
    state = cuda.get_rng_state()
    a = torch.rand(4, device="cuda")
    cuda.set_rng_state(state)
    assert torch.equal(torch.rand(4, device="cuda"), a)
    cuda.manual_seed_all(6)
    both = [torch.rand(4, device=f"cuda:{i}").cpu() for i in range(2)]
    assert torch.equal(*both) and not torch.equal(both[0], a.cpu())
    states = cuda.get_rng_state_all()
    with torch.random.fork_rng(devices=[0, 1]):
        torch.rand(7, device="cuda:1")
    assert all(map(torch.equal, states, cuda.get_rng_state_all()))
    cuda.set_rng_state_all(states)
    cuda.manual_seed(7)
    assert cuda.default_generators[0].initial_seed() == 7 != cuda.default_generators[1].initial_seed()
    g = torch.Generator("cuda:1").manual_seed(1)
    assert pickle.loads(pickle.dumps(g)).device == torch.device("cuda:1")


def test_graphs_come_in_order():
    g = cuda.CUDAGraph()
    with pytest.raises(RuntimeError, match="nothing has been recorded"):
        g.replay()
    with pytest.raises(RuntimeError, match="not recording"):
        g.capture_end()
    assert not cuda.is_current_stream_capturing()


def test_mixed_precision_helpers():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaler = torch.amp.GradScaler("cuda", init_scale=4.0)
        assert scaler.is_enabled() and cuda.amp.GradScaler().is_enabled()
    w = torch.ones(3, device="cuda", requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0)
    scaler.scale((w * 2).sum()).backward()
    assert w.grad.tolist() == [8.0] * 3
    scaler.step(optimizer)
    scaler.update()
    assert w.tolist() == [-1.0] * 3


def test_without_a_gpu_nothing_loads_cupy():
    code = (
        "import sys\nfrom lamella import torch\n"
        "assert not torch.cuda.is_available() and torch.cuda.device_count() == 0\n"
        "torch.manual_seed(1); torch.cuda.manual_seed_all(1); torch.cuda.empty_cache()\n"
        "assert torch.cuda.memory_allocated() == 0 and torch.cuda.memory_stats() == {}\n"
        "assert 'cupy' not in sys.modules\n"
        "try:\n    torch.ones(2, device='cuda')\nexcept RuntimeError as e:\n    print(e)\n"
    )
    import ctypes.util

    if ctypes.util.find_library("cuda"):
        pytest.skip("there is a driver here")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "driver" in done.stdout and "hint:" in done.stdout


def test_autocast_chooses_types():
    x, w = torch.randn(4, 8, device="cuda"), torch.randn(8, 8, device="cuda", requires_grad=True)
    with torch.autocast("cuda") as block:
        assert block.device == "cuda" and torch.is_autocast_enabled("cuda")
        h = x @ w
        assert h.dtype is torch.float16 and torch.nn.functional.linear(x, w).dtype is torch.float16
        assert h.exp().dtype is torch.float32 and torch.softmax(h, -1).dtype is torch.float32
        assert torch.relu(h).dtype is torch.float16 and (h + x).dtype is torch.float32
        assert torch.cat([h, x]).dtype is torch.float32 and h.sum().dtype is torch.float32
        assert torch.nn.functional.mse_loss(h, x[:, :8]).dtype is torch.float32
        assert (x.double() @ w.double()).dtype is torch.float64
        assert (x.cpu() @ w.cpu()).dtype is torch.float32
        with torch.autocast("cuda", enabled=False):
            assert (x @ w).dtype is torch.float32 and not torch.is_autocast_enabled("cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            assert (x @ w).dtype is torch.bfloat16 and torch.get_autocast_dtype("cuda") is torch.bfloat16
        assert (x @ w).dtype is torch.float16
    assert (x @ w).dtype is torch.float32 and not torch.is_autocast_enabled("cuda")
    h.sum().backward()
    assert w.grad.dtype is torch.float32


def test_autocast_casts_a_weight_once(monkeypatch):
    from lamella.torch.amp import rules

    layer = torch.nn.Linear(4, 4).to("cuda")
    x = torch.ones(2, 4, device="cuda")
    with torch.autocast("cuda"):
        layer(x)
        kept = dict(rules.current.kept)
        layer(layer(x))
        assert rules.current.kept == kept and len(kept) == 2
        with torch.no_grad():
            layer.weight.mul_(2)
        assert torch.allclose(layer(x).float(), torch.nn.functional.linear(x, layer.weight, layer.bias).float())
    assert not rules.current.kept


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_training_in_lower_precision(dtype):
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.GELU(), nn.Flatten(), nn.LayerNorm(8 * 25),
                        nn.Dropout(0.0), nn.Linear(8 * 25, 3))  # fmt: skip
    state = {k: v.clone() for k, v in net.state_dict().items()}
    x, y = torch.randn(6, 1, 5, 5), torch.tensor([0, 1, 2, 0, 1, 2])
    losses = {}
    for device in ("cpu", "cuda"):
        net.load_state_dict(state)
        net.to(device)
        scaler = torch.amp.GradScaler("cuda", init_scale=256.0, enabled=device == "cuda")
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
        found = losses[device] = []
        for _ in range(4):
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=dtype, enabled=device == "cuda"):
                loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            found.append(loss.item())
            assert loss.dtype is torch.float32
        assert all(p.dtype is torch.float32 for p in net.parameters())
    assert losses["cuda"] == pytest.approx(losses["cpu"], rel=0.05, abs=0.02)
    assert losses["cuda"][-1] < losses["cuda"][0] / 2


def test_functions_of_ones_own_under_autocast():
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
        def forward(ctx, a, b):
            seen.append((a.dtype, torch.is_autocast_enabled("cuda")))
            ctx.save_for_backward(a, b)
            return a @ b

        @staticmethod
        @torch.amp.custom_bwd(device_type="cuda")
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g @ b.t(), a.t() @ g

    a = torch.ones(2, 2, device="cuda", dtype=torch.float16, requires_grad=True)
    with torch.autocast("cuda"):
        out = Product.apply(a, a)
    out.sum().backward()
    assert seen == [(torch.float32, False)] and a.grad.tolist() == [[4, 4], [4, 4]]


def test_accelerator_and_versions():
    accelerator = torch.accelerator
    assert accelerator.is_available() and accelerator.device_count() == 2
    assert accelerator.current_accelerator() == torch.device("cuda") and accelerator.current_device_index() == 0
    with accelerator.device_index(1):
        assert accelerator.current_device_index() == 1
    accelerator.synchronize()
    assert accelerator.memory_allocated() == cuda.memory_allocated()
    assert torch.version.cuda == "13.0" and torch.backends.cuda.is_built()


def test_batches_in_pinned_memory():
    from collections import namedtuple

    x = torch.arange(6.0).reshape(6, 1)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x), batch_size=4, pin_memory=True)
    for a, b in loader:
        assert a.is_pinned() and b.is_pinned()
        assert torch.equal(a.to("cuda", non_blocking=True).cpu(), b)
    pair = namedtuple("pair", "a b")(torch.ones(2), [torch.ones(1), "text"])
    made = torch.utils.data._utils.pin_memory.pin_memory({"p": pair})
    assert made["p"].a.is_pinned() and made["p"].b[0].is_pinned() and made["p"].b[1] == "text"
    assert type(made["p"]) is type(pair) and not torch.ones(1).is_pinned()


def test_data_parallel_on_one_gpu():
    inner = torch.nn.Linear(2, 1)
    model = torch.nn.DataParallel(inner, device_ids=[1])
    assert str(inner.weight.device) == "cuda:1" and str(model(torch.ones(3, 2)).device) == "cuda:1"
    back = torch.nn.DataParallel(torch.nn.Linear(2, 1), output_device="cpu")
    assert back.device_ids == [0] and back(torch.ones(3, 2)).is_cpu
    with pytest.raises(RuntimeError, match="not shared between GPUs yet"):
        torch.nn.DataParallel(inner, device_ids=[0, 1])


def test_scaler_leaves_out_steps_that_are_not_finite():
    w = [torch.ones(2, device=f"cuda:{i}", requires_grad=True) for i in range(2)]
    optimizer = torch.optim.SGD(w, lr=1.0)
    scaler = torch.amp.GradScaler("cuda", init_scale=8.0, growth_interval=1)
    for factor, scale, value in ((1.0, 16.0, 0.0), (float("inf"), 8.0, 0.0), (1.0, 16.0, -1.0)):
        optimizer.zero_grad()
        scaler.scale((w[0] * factor).sum() + w[1].sum().to("cuda:0")).backward()
        scaler.step(optimizer)
        scaler.update()
        assert scaler.get_scale() == scale and [t.tolist() for t in w] == [[value] * 2] * 2


def test_memory_that_a_stream_uses_waits_for_it(monkeypatch):
    from lamella.core.cuda import allocator

    side = cuda.Stream()
    x = torch.ones(300000, device="cuda")
    x.record_stream(side)
    x.record_stream(side)
    monkeypatch.setattr(type(side.record_event()._made), "done", property(lambda self: False))
    used, held = cuda.memory_allocated(), len(allocator._waiting)
    del x
    assert cuda.memory_allocated() < used and len(allocator._waiting) == held + 1
    torch.ones(3, device="cuda")
    assert len(allocator._waiting) == held + 1
    monkeypatch.undo()
    torch.ones(3, device="cuda")
    assert not allocator._waiting
    with pytest.raises(RuntimeError, match="only the memory of GPUs"):
        torch.ones(3).record_stream(side)
