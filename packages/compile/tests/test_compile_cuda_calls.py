"""More calls on tensors of a GPU, played by the stand-in for CuPy: sizes that vary, numbers that vary, eager calls."""

import threading

import compile_standalone_helper as standalone

from lamella import torch
from lamella.torch import nn


def close(a, b):
    torch.testing.assert_close(a.detach().cpu(), b.detach().cpu(), rtol=1e-4, atol=1e-5)


def test_sizes_that_vary(gpu):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 4)).cuda()
    compiled = torch.compile(net, fullgraph=True)
    for n in (3, 5, 7, 33, 2):
        x = torch.randn(n, 8, device="cuda")
        found = []
        for each in (compiled, net):
            net.zero_grad()
            out = each(x)
            out.square().sum().backward()
            found.append([out, *(p.grad.clone() for p in net.parameters())])
        for a, b in zip(*found, strict=True):
            close(a, b)
    f = torch.compile(lambda x, k: torch.cat([x, x * k]).cumsum(0).softmax(-1), dynamic=True, fullgraph=True)
    for n in (2, 5, 9):
        x = torch.randn(n, 6, device="cuda")
        close(f(x, 2.0), torch.cat([x, x * 2.0]).cumsum(0).softmax(-1))


def test_learning_rates_that_vary(gpu):
    p, q = nn.Linear(4, 4).cuda(), nn.Linear(4, 4).cuda()
    q.load_state_dict(p.state_dict())

    def parts(net):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)

        def step(x):
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
            return loss.detach()

        return step, scheduler

    (eager, first), (step, second) = parts(p), parts(q)
    compiled = torch.compile(step, fullgraph=True)
    x = torch.randn(8, 4, device="cuda")
    for _ in range(5):
        close(compiled(x), eager(x))
        first.step(), second.step()
    for a, b in zip(p.parameters(), q.parameters(), strict=True):
        close(a, b)


def test_eager_calls_between_kernels(gpu):
    def f(x):
        return torch.linalg.svd(x * 2)[1] + torch.sort(x, -1)[0].sum()

    x = torch.randn(4, 4, device="cuda")
    close(torch.compile(f, fullgraph=True)(x), f(x))


def test_arguments_that_are_written_and_results_that_are_views_of_them(gpu):
    def f(buffer, x):
        buffer[1:3] += x
        return buffer[0], buffer.view(-1)

    compiled = torch.compile(f, fullgraph=True)
    a, b, x = torch.zeros(4, 2, device="cuda"), torch.zeros(4, 2, device="cuda"), torch.ones(2, 2, device="cuda")
    for _ in range(3):
        (row, flat), (other, same) = compiled(a, x), f(b, x)
        close(row, other)
        close(flat, same)
    assert flat.data_ptr() == a.data_ptr() and a[1, 0] == 3


def test_networks_and_autocast(gpu):
    torch.manual_seed(0)
    conv = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)).cuda().eval()
    x = torch.randn(2, 3, 8, 8, device="cuda")
    close(torch.compile(conv, fullgraph=True)(x), conv(x))
    lstm, x = nn.LSTM(4, 8, 2).cuda(), torch.randn(5, 3, 4, device="cuda")
    with torch.no_grad():
        close(torch.compile(lstm, fullgraph=True)(x)[0], lstm(x)[0])
    linear, x = nn.Linear(8, 4).cuda(), torch.randn(4, 8, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        out = torch.compile(linear, fullgraph=True)(x)
    assert out.dtype == torch.bfloat16
    torch.testing.assert_close(out.float().cpu(), linear(x).cpu(), rtol=5e-2, atol=5e-2)


def test_calls_of_several_threads(gpu):
    f = torch.compile(lambda x: (x @ x).relu().sum(0), fullgraph=True)
    given = [torch.randn(16, 16, device="cuda") for _ in range(4)]
    f(given[0])
    outs = [None] * 4

    def work(i):
        outs[i] = [f(given[i]) for _ in range(5)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for x, found in zip(given, outs, strict=True):
        for out in found:
            close(out, (x @ x).relu().sum(0))


def test_a_model_on_a_gpu_leaves_python(gpu, tmp_path):
    net = nn.Sequential(nn.Linear(8, 4), nn.Tanh()).cuda()
    found = torch.compile(net).emit("cuda", (torch.randn(2, 8, device="cuda"),), out=tmp_path)
    assert found.kernels and not found.eager and (tmp_path / "expected" / "out0.bin").exists()
    standalone.build(tmp_path)
    done = standalone.run(tmp_path)
    assert done.returncode == 0 and "TOO LARGE" not in done.stdout, done.stderr
