"""Small programs written for torch give the same numbers on lamella."""

import io

import pytest

from lamella import torch as lamella_torch


def regression(torch):
    """The loop of the first page of every tutorial."""
    torch.manual_seed(0)
    model = torch.nn.Linear(10, 1)
    x, y = torch.randn(32, 10), torch.randn(32, 1)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(20):
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


def convnet(torch):
    """Convolutions, batch norm, pooling, a loader that shuffles, a schedule, clipping."""
    nn, F = torch.nn, torch.nn.functional

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
            self.head = nn.Linear(4 * 4 * 4, 3)

        def forward(self, x):
            return self.head(torch.flatten(self.features(x), 1))

    torch.manual_seed(1)
    data = torch.utils.data.TensorDataset(torch.randn(24, 1, 8, 8), torch.randint(3, (24,)))
    loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3, nesterov=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=9)
    losses = []
    for _ in range(3):
        for x, y in loader:
            loss = F.cross_entropy(net(x), y, label_smoothing=0.1)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            schedule.step()
            losses += [loss.item(), float(norm), opt.param_groups[0]["lr"]]
    net.eval()
    with torch.no_grad():
        losses.append(net(data.tensors[0]).abs().mean().item())
    return losses


def recurrent(torch):
    """An LSTM over embeddings, packed into one state dict, saved, loaded, and trained on."""
    nn = torch.nn

    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(11, 6, padding_idx=0)
            self.rnn = nn.LSTM(6, 5, num_layers=2, batch_first=True, bidirectional=True)
            self.out = nn.Linear(10, 4)

        def forward(self, x):
            return self.out(self.rnn(self.embed(x))[0])

    def train(model, steps):
        opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        for _ in range(steps):
            loss = nn.CrossEntropyLoss()(model(x).transpose(1, 2), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())

    torch.manual_seed(2)
    x, y = torch.randint(11, (3, 7)), torch.randint(4, (3, 7))
    losses = []
    model = Tagger()
    train(model, 4)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    other = Tagger()
    other.load_state_dict(torch.load(file))
    train(other, 4)
    return losses


def attention(torch):
    """A causal transformer block with dropout off, weight tying, warm-up."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, width=16, heads=4):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            self.heads = heads

        def forward(self, x):
            b, t, c = x.shape
            q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.norm1(x)).split(c, dim=2))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.proj(y.transpose(1, 2).contiguous().view(b, t, c))
            return x + self.mlp(self.norm2(x))

    torch.manual_seed(3)
    embed, block, head = nn.Embedding(13, 16), Block(), nn.Linear(16, 13, bias=False)
    head.weight = embed.weight
    params = [*embed.parameters(), *block.parameters()]
    opt = torch.optim.AdamW(params, lr=3e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: min(1.0, (i + 1) / 4))
    tokens = torch.randint(13, (4, 9))
    losses = []
    for _ in range(8):
        logits = head(block(embed(tokens[:, :-1])))
        loss = F.cross_entropy(logits.reshape(-1, 13), tokens[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        warm.step()
        losses.append(loss.item())
    with torch.no_grad():
        probabilities = F.softmax(head(block(embed(tokens)))[:, -1], dim=-1)
        losses += torch.multinomial(probabilities, 1).flatten().tolist()
    return losses


def function_and_hooks(torch):
    """A Function of one's own, hooks, double backward."""

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * g

    torch.manual_seed(4)
    x = torch.randn(5, requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g.sum().item()))
    y = Cube.apply(x).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (g * g).sum().backward()
    return [y.item(), *g.tolist(), *x.grad.tolist(), *seen]


PROGRAMS = [regression, convnet, recurrent, attention, function_and_hooks]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_runs_and_repeats(program):
    numbers = program(lamella_torch)
    assert numbers == program(lamella_torch)
    assert all(n == n and abs(n) < 1e6 for n in numbers)


@pytest.mark.torch
@pytest.mark.parametrize("program", PROGRAMS)
def test_program_gives_torchs_numbers(program):
    torch = pytest.importorskip("torch")
    assert program(lamella_torch) == pytest.approx(program(torch), rel=1e-4, abs=1e-6)
