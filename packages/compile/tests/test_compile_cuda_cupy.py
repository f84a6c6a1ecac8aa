"""Compiled calls on tensors of a GPU, played by the stand-in for CuPy."""


import numpy as np
import pytest

from lamella import torch
from lamella.compile.graph import memory
from lamella.dispatch.config import settings


def test_the_default_backend_takes_tensors_on_a_gpu(gpu):
    x, y = torch.randn(64, 32, device="cuda"), torch.randn(32, device="cuda")

    @torch.compile(fullgraph=True)
    def f(x, y):
        return (x * y + 1).relu().sum(0)

    for _ in range(3):
        out = f(x, y)
    assert out.device == torch.device("cuda:0") and gpu.started
    np.testing.assert_allclose(out.cpu().numpy(), (x.cpu() * y.cpu() + 1).relu().sum(0).numpy(), rtol=1e-5)


def test_a_training_step_on_a_gpu(gpu):
    def model():
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 4))

    def step_of(net, compiled, x, t):
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)

        def step(x, t):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(x), t)
            loss.backward()
            optimizer.step()
            return loss.detach()

        return torch.compile(step, fullgraph=True) if compiled else step

    a, b = model(), model().cuda()
    x, t = torch.randn(32, 8), torch.randint(0, 4, (32,))
    eager, compiled = step_of(a, False, x, t), step_of(b, True, x, t)
    for _ in range(4):
        torch.testing.assert_close(compiled(x.cuda(), t.cuda()).cpu(), eager(x, t))
    for p, q in zip(a.parameters(), b.parameters(), strict=True):
        torch.testing.assert_close(q.detach().cpu(), p.detach(), rtol=1e-4, atol=1e-5)


def test_a_compiled_forward_in_an_eager_loop_on_a_gpu(gpu):
    torch.manual_seed(0)
    net = torch.nn.Linear(8, 4)
    other = torch.nn.Linear(8, 4)
    other.load_state_dict(net.state_dict())
    other.cuda()
    x = torch.randn(16, 8)
    forward = torch.compile(other, fullgraph=True)
    for _ in range(2):
        net.zero_grad()
        other.zero_grad()
        net(x).square().sum().backward()
        forward(x.cuda()).square().sum().backward()
        torch.testing.assert_close(other.weight.grad.cpu(), net.weight.grad, rtol=1e-4, atol=1e-5)


def test_results_that_leave_the_gpu_are_not_compiled(gpu):
    f = torch.compile(lambda x: (x + 1).cpu() * 2, fullgraph=True)
    with pytest.raises(RuntimeError, match="moved from the GPU"):
        f(torch.ones(3, device="cuda"))
    g = torch.compile(lambda x: (x + 1).cpu() * 2)
    assert g(torch.ones(3, device="cuda")).tolist() == [4, 4, 4]


def test_factories_and_views_and_writes_on_a_gpu(gpu):
    @torch.compile(fullgraph=True)
    def f(x):
        x.add_(torch.arange(4, device=x.device))
        return x[1:], torch.zeros(2, device="cuda"), x.t()

    x = torch.zeros(2, 4, device="cuda")
    for n in (1, 2, 3):
        rows, zeros, turned = f(x)
        assert rows.tolist() == [[0, n, 2 * n, 3 * n]] and turned.shape == (4, 2)
        assert zeros.is_cuda and rows.data_ptr() == x[1:].data_ptr()


def test_two_gpus_in_one_call(gpu):
    f = torch.compile(lambda x, y: x.sum() + y.sum(), fullgraph=True)
    with pytest.raises(RuntimeError, match="cuda:0 and cuda:1"):
        f(torch.ones(3, device="cuda:0"), torch.ones(3, device="cuda:1"))
    g = torch.compile(lambda x: x * 2 + 1, fullgraph=True)
    out = g(torch.ones(3, device="cuda:1"))
    assert out.device == torch.device("cuda:1") and out.tolist() == [3, 3, 3]


def test_memory_that_is_not_there_is_torchs_error(gpu, cupy_on_numpy):
    f = torch.compile(lambda x: (x * 2).sum(0) + x, fullgraph=True)
    x = torch.ones(256, 256, device="cuda")
    pool = cupy_on_numpy.get_default_memory_pool()
    pool.set_limit(size=pool.total_bytes())
    try:
        with pytest.raises(torch.OutOfMemoryError, match=r"Tried to allocate .*GPU 0 has a total capacity"):
            kept = [f(x) for _ in range(1000)]
        kept = None
    finally:
        pool.set_limit(size=0)
    assert kept is None and f(x)[0, 0] == 513


def test_launches_that_fail_name_kernel_and_file(gpu):
    from lamella.compile.runtime.cuda.cupy_device import of

    class Broken:
        file = "where/it/is.cu"

        def function(self, name, shared):
            def start(*_):
                raise RuntimeError("CUDA_ERROR_INVALID_VALUE: invalid argument")

            return start

    with pytest.raises(RuntimeError, match=r"k7_add: the GPU did not start.*where/it/is\.cu.*\n.*INVALID_VALUE"):
        of(0).launch(Broken(), "k7_add", (1, 1, 1), (2048, 1, 1), 0, [])


def test_modules_are_loaded_once_and_take_more_shared_memory_where_it_is_asked_for(cupy_on_numpy, monkeypatch):
    from types import SimpleNamespace

    from lamella.compile.build import nvrtc
    from lamella.compile.runtime.cuda import cupy_device

    set_, loaded = [], []

    class Module:
        def load(self, cubin):
            loaded.append(cubin)

        def get_function(self, name):
            return SimpleNamespace(ptr=name)

    cuda = SimpleNamespace(
        function=SimpleNamespace(Module=Module), Device=cupy_on_numpy.cuda.Device,
        driver=SimpleNamespace(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES=8,
                               funcSetAttribute=lambda *given: set_.append(given)))
    monkeypatch.setattr(nvrtc, "compile", lambda text, arch: f"{text} for {arch}".encode())
    device = cupy_device.CupyDevice(SimpleNamespace(cuda=cuda, ndarray=cupy_on_numpy.ndarray))
    module = device.module("text")
    assert device.module("text") is module and loaded == [b"text for sm_80"]
    for shared in (0, 48 * 1024, 64 * 1024, 64 * 1024, 32 * 1024, 96 * 1024):
        module.function("k", shared)
    assert set_ == [("k", 8, 64 * 1024), ("k", 8, 96 * 1024)]


def test_checks_of_indices_are_errors_of_the_call(gpu):
    with settings.using(cuda_checks=True):
        f = torch.compile(lambda w, i: torch.nn.functional.embedding(i, w) * 2, fullgraph=True)
        w, i = torch.randn(8, 4, device="cuda"), torch.tensor([1, 7], device="cuda")
        torch.testing.assert_close(f(w, i), w[i] * 2)
        with pytest.raises(IndexError, match=r"test_compile_cuda_cupy.*index out of range \(index=9, size=8\)"):
            f(w, torch.tensor([1, 9], device="cuda"))
        torch.testing.assert_close(f(w, i), w[i] * 2)


def test_dump_folders_of_a_gpu_reproduce(gpu, tmp_path):
    from lamella.compile.dump import reproduce

    with settings.using(compile_dump=str(tmp_path)):
        torch.compile(lambda x, y: (x @ y + 1).relu(), fullgraph=True)(*torch.randn(2, 8, 8, device="cuda"))
    folder = tmp_path / "program_0"
    assert "__global__" in (folder / "program.cu").read_text() and (folder / "plan.txt").exists()
    assert reproduce(folder) < 1e-4


def test_the_backend_cuda_refuses_tensors_on_the_cpu(gpu):
    with pytest.raises(RuntimeError, match="compiles for tensors on a GPU"):
        torch.compile(lambda x: x + 1, backend="cuda", fullgraph=True)(torch.ones(3))


class Stream:
    """A stream that records; ``made`` holds the graphs."""

    made: list = []
    refuses = False

    def __init__(self, non_blocking=False):
        assert non_blocking  # the default stream cannot be recorded
        self.inside = self.recording = False

    def __enter__(self):
        self.inside = True
        return self

    def __exit__(self, *exc):
        self.inside = False

    def begin_capture(self, mode=None):
        assert self.inside and not self.recording
        self.recording = True

    def end_capture(self):
        assert self.recording
        self.recording = False
        if self.refuses:
            raise RuntimeError("cudaErrorStreamCaptureInvalidated")
        self.made.append(Graph())
        return self.made[-1]


class Graph:
    def __init__(self):
        self.launched = 0

    def launch(self, stream=None):
        self.launched += 1


def test_launches_that_repeat_become_a_cuda_graph(gpu, cupy_on_numpy, monkeypatch):
    monkeypatch.setattr(cupy_on_numpy.cuda, "Stream", type("Stream", (Stream,), {"made": []}), raising=False)
    f = torch.compile(lambda x, y: torch.add(x, y.sum(0), out=None).softmax(1).sum(0) @ y, fullgraph=True)
    x, y = torch.randn(16, 16, device="cuda"), torch.randn(16, 16, device="cuda")
    f(x, y)
    (entry,) = f.compiled.entries
    made, real = [], entry.program.device.make

    def make(*layout):
        made[:] = made or [real(*layout)]
        return made[0]

    monkeypatch.setattr(entry.program.device, "make", make)
    for _ in range(4):
        f(x, y)
    graphs = cupy_on_numpy.cuda.Stream.made
    assert len(graphs) == 1 and graphs[0].launched == 3
    count = len(gpu.started)
    f(x, y)
    assert len(gpu.started) == count and graphs[0].launched == 4


def test_a_recording_that_fails_is_given_up(gpu, cupy_on_numpy, monkeypatch):
    refusing = type("Stream", (Stream,), {"made": [], "refuses": True})
    monkeypatch.setattr(cupy_on_numpy.cuda, "Stream", refusing, raising=False)
    from lamella.compile.runtime.cuda.cupy_device import of

    assert of(0).recorded(lambda: None) is None

    with settings.using(cuda_graphs=False):
        assert of(0).recorded(lambda: 1 / 0) is None


def test_step_counts_on_the_cpu_go_along_in_one_copy(gpu, monkeypatch):
    from lamella.compile.runtime.cuda.cupy_device import CupyDevice

    sent, put, got = [], [], []
    for name, list_ in (("send", sent), ("put", put), ("get", got)):
        real = getattr(CupyDevice, name)
        monkeypatch.setattr(CupyDevice, name,
                            lambda self, *given, real=real, list_=list_: (list_.append(given), real(self, *given))[1])
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)).cuda()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)

    @torch.compile(fullgraph=True)
    def step(x):
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    x = torch.ones(8, 4, device="cuda")
    for n in range(1, 5):
        step(x)
        assert [s["step"].item() for s in optimizer.state.values()] == [n] * 4
        sent.clear(), put.clear(), got.clear()
        assert all(s["step"].device.type == "cpu" for s in optimizer.state.values())
    step(x)
    assert len(sent) == 1 and not put and not got


def test_compiled_dropout_draws_eagers_numbers(gpu):
    def f(x):
        return torch.nn.functional.dropout(x, 0.5), torch.nn.functional.dropout(x + 1, 0.25)

    x = torch.ones(100, device="cuda")
    compiled = torch.compile(f, fullgraph=True)
    torch.cuda.manual_seed(5)
    wanted = [f(x) for _ in range(3)]
    torch.cuda.manual_seed(5)
    for a, b in wanted:
        c, d = compiled(x)
        assert torch.equal(a, c) and torch.equal(b, d)
    assert not torch.equal(wanted[0][0], wanted[1][0])


def test_losses_that_are_kept_do_not_stop_replay(gpu, cupy_on_numpy, monkeypatch):
    monkeypatch.setattr(cupy_on_numpy.cuda, "Stream", type("Stream", (Stream,), {"made": []}), raising=False)
    w = torch.ones(8, 8, device="cuda")

    @torch.compile(fullgraph=True)
    def step(x):
        loss = (x @ w).sum()
        w.sub_(x * 0.1)
        return loss

    x = torch.ones(8, 8, device="cuda")
    losses = [step(x) for _ in range(5)]
    assert len({loss.data_ptr() for loss in losses}) == 5 and losses[0].item() == 512
    (graph,) = cupy_on_numpy.cuda.Stream.made
    assert graph.launched == 4


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.bool])
def test_memory_on_a_gpu_is_told_from_the_hosts(gpu, dtype):
    x = torch.ones(4, 2, dtype=dtype, device="cuda")
    assert memory.on_gpu(x._a) and not memory.on_gpu(x.cpu()._a)
    assert memory.may_overlap(x._a, x[1:]._a) and not memory.may_overlap(x[:2]._a, x[2:]._a)
    assert not memory.may_overlap(x._a, x.cpu()._a)
    part = memory.lying_in(x._a, dtype.np, (2,), (3,), 1)
    assert memory.on_gpu(part) and memory.may_overlap(part, x._a)
