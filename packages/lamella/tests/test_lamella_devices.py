"""Parts of torch's tree that answer for devices and compilers that are not there."""


import pytest

from lamella import torch


def test_cuda_answers_questions():
    cuda = torch.cuda
    assert not cuda.is_available() and cuda.device_count() == 0 and not cuda.is_initialized()
    assert cuda.memory_allocated() == 0 and cuda.max_memory_allocated() == 0 and not cuda.is_bf16_supported()
    for call in (cuda.empty_cache, cuda.reset_peak_memory_stats, lambda: cuda.manual_seed(1),
                 lambda: cuda.manual_seed_all(1)):
        assert call() is None
    with cuda.stream(None), cuda.device(-1):
        pass


@pytest.mark.parametrize("call", [
    lambda: torch.cuda.synchronize(), lambda: torch.cuda.current_device(), lambda: torch.cuda.set_device(0),
    lambda: torch.cuda.Stream(), lambda: torch.cuda.get_device_name(0), lambda: torch.cuda.get_device_properties(0),
])
def test_cuda_refuses_actions(call):
    with pytest.raises(RuntimeError, match=r"^torch\.cuda\.\w+: there is no GPU that lamella can use\nhint: "):
        call()


def test_backend_switches_can_be_set():
    cudnn = torch.backends.cudnn
    cudnn.benchmark = True
    cudnn.deterministic = True
    try:
        with cudnn.flags(enabled=False):
            assert cudnn.enabled is False
        assert cudnn.enabled is True and cudnn.benchmark is True
    finally:
        cudnn.benchmark = cudnn.deterministic = False
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.matmul.allow_tf32 = False
    assert not torch.backends.mps.is_available() and not torch.backends.cuda.is_built()
    assert torch.backends.cpu.get_cpu_capability() in ("DEFAULT", "AVX2", "AVX512")


def test_autocast_disabled_does_nothing_and_says_nothing():
    with torch.autocast("cpu", enabled=False), torch.cuda.amp.autocast(enabled=False):
        assert (torch.ones(2) @ torch.ones(2)).dtype is torch.float32

    @torch.autocast("cuda", enabled=False)
    def f(x):
        return x + 1

    assert f(1) == 2


def test_autocast_enabled_warns_once(monkeypatch):
    import lamella.torch.amp.autocast_mode as mode

    monkeypatch.setattr(mode, "_said", set())
    with pytest.warns(UserWarning, match="no lower-precision kernels"), torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.ones(2).dtype is torch.float32
    with torch.autocast("cpu"):
        pass
    with pytest.warns(UserWarning, match="there is no GPU, so it is disabled"):
        torch.autocast("cuda")
    with pytest.raises(ValueError, match="device_type must be a str"):
        torch.autocast(0)


def scaled_step(scaler, grad):
    w = torch.tensor([1.0], requires_grad=True)
    opt = torch.optim.SGD([w], lr=1.0)
    scaler.scale((w * grad).sum()).backward()
    scaler.step(opt)
    scaler.update()
    return w.item()


def test_grad_scaler_disabled_passes_through():
    with pytest.warns(UserWarning, match="GradScaler: device is 'cuda' and there is no GPU"):
        scaler = torch.cuda.amp.GradScaler()
    assert not scaler.is_enabled() and scaler.get_scale() == 1.0 and scaler.state_dict() == {}
    assert scaled_step(scaler, 0.25) == 0.75


def test_grad_scaler_unscales_grows_and_backs_off():
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    assert scaled_step(scaler, 0.25) == 0.75 and scaler.get_scale() == 8.0
    assert scaled_step(scaler, 0.25) == 0.75 and scaler.get_scale() == 16.0
    assert scaled_step(scaler, float("inf")) == 1.0 and scaler.get_scale() == 8.0
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.get_scale() == 8.0


def test_grad_scaler_order_of_calls():
    scaler = torch.amp.GradScaler("cpu")
    with pytest.raises(RuntimeError, match=r"update: there was no step\(\)"):
        scaler.update()
    w = torch.tensor([1.0], requires_grad=True)
    opt = torch.optim.SGD([w], lr=1.0)
    scaler.scale(w.sum()).backward()
    scaler.unscale_(opt)
    with pytest.raises(RuntimeError, match="unscaled already"):
        scaler.unscale_(opt)
    scaler.step(opt)
    with pytest.raises(RuntimeError, match="called already"):
        scaler.step(opt)


def test_compile_compiles_and_compiler_answers():
    torch.compiler.reset()
    model = torch.nn.Linear(2, 2)
    fast = torch.compile(model, backend="eager")
    x = torch.ones(1, 2)
    assert torch.equal(fast(x), model(x)) and list(fast.parameters()) == list(model.parameters())
    seen = torch.compile(lambda t: t + torch.compiler.is_compiling(), backend="aot_eager", fullgraph=True)
    assert seen(torch.zeros(1)).item() == 1 and not torch.compiler.is_compiling()
    assert "inductor" in torch.compiler.list_backends()
    with pytest.raises(RuntimeError, match="unrecognized mode"):
        torch.compile(model, mode="fastest")


def test_jit_marks_leave_python_as_it_is():
    @torch.jit.script
    def f(x: int) -> int:
        return x + 1

    @torch.jit.ignore
    def g():
        return 1

    @torch.jit.ignore(drop=False)
    def h():
        return 2

    assert f(1) == 2 and g() == 1 and h() == 2 and not torch.jit.is_scripting()
    assert torch.jit.annotate(list[int], []) == [] and torch.jit.isinstance([1], list[int])


def test_data_parallel_without_gpus_calls_the_module():
    inner = torch.nn.Linear(2, 1)
    model = torch.nn.DataParallel(inner)
    x = torch.ones(3, 2)
    assert torch.equal(model(x), inner(x)) and list(model.state_dict()) == ["module.weight", "module.bias"]
    with pytest.raises(RuntimeError, match="there is no GPU"):
        torch.nn.DataParallel(inner, device_ids=[0])


def test_fork_rng():
    torch.manual_seed(3)
    a = torch.rand(2)
    torch.manual_seed(3)
    with torch.random.fork_rng():
        torch.rand(5)
    assert torch.equal(torch.rand(2), a)


def test_assert_close():
    close = torch.testing.assert_close
    close(torch.tensor([1.0]), torch.tensor([1.0 + 1e-6]))
    close({"a": [torch.tensor(1), 2.0]}, {"a": [torch.tensor(1), 2.0]})
    close(float("nan"), float("nan"), equal_nan=True)
    with pytest.raises(AssertionError, match=r"1 of 2 elements differ \(50.0%\)\ngreatest absolute"):
        close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 3.0]))
    with pytest.raises(AssertionError, match="the dtypes differ"):
        close(torch.tensor([1]), torch.tensor([1.0]))
    with pytest.raises(AssertionError, match="the shapes differ"):
        close(torch.zeros(2), torch.zeros(3))
    with pytest.raises(AssertionError, match=r"at item \['a'\]\[0\]"):
        close({"a": [1]}, {"a": [2]})
    with pytest.raises(ValueError, match="both tolerances or none"):
        close(1, 1, rtol=1.0)
