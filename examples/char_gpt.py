"""Train a character-level GPT on the Python documentation and let it write.

The text is `pydoc_data.topics`, the language reference that every Python carries for `help()`, so nothing is
downloaded; it differs a little from one Python version to the next. The network is GPT-2's in small: pre-norm
blocks, causal self-attention, GELU, and the input embedding used again as the output layer.

    lamella run examples/char_gpt.py --steps 300
    python examples/char_gpt.py --steps 300

`--losses FILE` writes the loss of every step on a line of its own: with dropout off, the same seed gives the same
batches and weights in every framework that follows PyTorch's random numbers, so two such files can be compared.
"""

import argparse
import math
import time

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    """Causal self-attention with ``heads`` heads over a sequence of shape (batch, time, width)."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in self.qkv(x).split(width, dim=2)
        )
        y = F.scaled_dot_product_attention(
            q, k, v, dropout_p=self.dropout if self.training else 0.0, is_causal=True
        )
        return self.drop(self.out(y.transpose(1, 2).reshape(batch, length, width)))


class Block(nn.Module):
    """One transformer block: attention, then a two-layer network, each on a normalised copy of its input."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads, dropout)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(dropout)
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class CharGPT(nn.Module):
    """A GPT over ``vocabulary`` characters that sees ``context`` of them at a time."""

    def __init__(self, vocabulary, context=64, layers=4, heads=4, width=128, dropout=0.0):
        super().__init__()
        self.context = context
        self.token = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(context, width)
        self.drop = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(width, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.token.weight
        self.apply(self._init)
        for name, parameter in self.named_parameters():
            if name.endswith(("attention.out.weight", "mlp.2.weight")):
                nn.init.normal_(parameter, mean=0.0, std=0.02 / math.sqrt(2 * layers))

    @staticmethod
    def _init(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, indices, targets=None):
        length = indices.shape[1]
        x = self.token(indices) + self.position(torch.arange(length, device=indices.device))
        x = self.drop(x)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1))

    @torch.no_grad()
    def generate(self, indices, count, temperature=0.8):
        """Continue ``indices`` (batch, time) by ``count`` characters."""
        for _ in range(count):
            logits, _ = self(indices[:, -self.context :])
            probabilities = F.softmax(logits[:, -1] / temperature, dim=-1)
            indices = torch.cat((indices, torch.multinomial(probabilities, num_samples=1)), dim=1)
        return indices


def read_text():
    """Return the Python documentation's topics as one string of the characters that are common in it."""
    from pydoc_data import topics

    text = "\n\n".join(topics.topics[name] for name in sorted(topics.topics))
    return "".join(c for c in text if c == "\n" or " " <= c <= "~")


def make_optimizer(model, lr, weight_decay=0.1):
    """AdamW that decays the matrices and leaves biases and norm scales alone."""
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.99))


def warm_cosine(optimizer, steps, warmup):
    """Rise linearly for ``warmup`` steps, then fall along a cosine to a tenth of the rate."""

    def share(step):
        if step < warmup:
            return (step + 1) / warmup
        progress = (step - warmup) / max(1, steps - warmup)
        return 0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, progress)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, share)


def train(model, data, args):
    """Train ``model`` in place on random windows of ``data``; return the losses."""
    optimizer = make_optimizer(model, args.lr)
    scheduler = warm_cosine(optimizer, args.steps, warmup=min(100, max(1, args.steps // 10)))
    window = torch.arange(model.context + 1)
    losses, start = [], time.perf_counter()
    model.train()
    for step in range(args.steps):
        offsets = torch.randint(len(data) - model.context, (args.batch,))
        chunk = data[offsets[:, None] + window].to(args.device)
        _, loss = model(chunk[:, :-1].contiguous(), chunk[:, 1:].contiguous())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        if step % args.every == 0 or step == args.steps - 1:
            pace = 1000 * (time.perf_counter() - start) / (step + 1)
            rate = scheduler.get_last_lr()[0]
            print(f"step {step:5}  loss {losses[-1]:.4f}  lr {rate:.2e}  {pace:.0f} ms/step", flush=True)
    return losses


def parse():
    parser = argparse.ArgumentParser(description="Train a character-level GPT on the Python documentation.")
    parser.add_argument("--steps", type=int, default=500, help="optimizer steps (default 500)")
    parser.add_argument("--batch", type=int, default=12, help="windows of 64 characters per step (default 12)")
    parser.add_argument("--lr", type=float, default=1e-3, help="highest learning rate (default 0.001)")
    parser.add_argument("--dropout", type=float, default=0.0, help="dropout probability (default 0.0)")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, batches and sample (default 0)")
    parser.add_argument("--device", default="cpu", help="where to train (default cpu)")
    parser.add_argument("--every", type=int, default=20, help="steps between two lines of progress (default 20)")
    parser.add_argument("--sample", type=int, default=300, help="characters to write at the end (default 300)")
    parser.add_argument("--losses", metavar="FILE", help="write the loss of every step to FILE")
    args = parser.parse_args()
    if args.steps < 1 or args.batch < 1 or args.every < 1:
        parser.error("--steps, --batch and --every must be at least 1")
    return args


def main():
    args = parse()
    torch.manual_seed(args.seed)
    text = read_text()
    characters = sorted(set(text))
    number = {c: i for i, c in enumerate(characters)}
    data = torch.tensor([number[c] for c in text], dtype=torch.long)
    model = CharGPT(len(characters), dropout=args.dropout).to(args.device)
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(text)} characters, {len(characters)} different ones; {count} parameters")

    losses = train(model, data, args)
    if args.losses:
        with open(args.losses, "w") as file:
            file.writelines(f"{loss:.9g}\n" for loss in losses)
    if args.sample > 0:
        model.eval()
        prompt = torch.tensor([[number["\n"]]], device=args.device)
        written = model.generate(prompt, args.sample)[0].tolist()
        print("-" * 40 + "".join(characters[i] for i in written))


if __name__ == "__main__":
    main()
