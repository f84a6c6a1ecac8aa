"""Train the character-level GPT of char_gpt.py on several processes, each with its share of every batch.

An ordinary data-parallel script for PyTorch: `DistributedDataParallel` averages the gradients while backward goes on,
`DistributedSampler` deals out the windows of text, and rank 0 prints and saves. It runs unchanged on both:

    torchrun --nproc-per-node 2 examples/ddp_char_gpt.py --steps 200            # PyTorch
    lamella run --nproc 2 examples/ddp_char_gpt.py --steps 200                  # lamella
    mpiexec -n 2 lamella run examples/ddp_char_gpt.py --steps 200               # the same, on one or many machines

`--losses FILE` writes the loss of every step on a line of its own. The same seed and number of processes give the same
losses, up to rounding, in every framework that follows PyTorch's random numbers.
"""

import argparse
import contextlib
import os
import time

import torch
import torch.distributed as dist
from char_gpt import CharGPT, make_optimizer, read_text, warm_cosine
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Windows(Dataset):
    """The windows of ``context`` characters of a text, with the characters that follow theirs."""

    def __init__(self, data, context):
        self.data, self.context = data, context

    def __len__(self):
        return (len(self.data) - 1) // self.context

    def __getitem__(self, i):
        start, end = i * self.context, (i + 1) * self.context
        return self.data[start:end], self.data[start + 1 : end + 1]


def batches(windows, args, start):
    """Yield this rank's batches from the one numbered ``start`` on, pass after pass, each in another order."""
    sampler = DistributedSampler(windows, shuffle=True, seed=args.seed, drop_last=True)
    loader = DataLoader(windows, batch_size=args.batch, sampler=sampler, drop_last=True)
    epoch, skip = divmod(start, len(loader))
    while True:
        sampler.set_epoch(epoch)
        for i, batch in enumerate(loader):
            if i >= skip:
                yield batch
        epoch, skip = epoch + 1, 0


def backward(model, stream, args, device):
    """Backward of ``--accumulate`` batches, with one exchange of gradients; return the loss, averaged over all."""
    total = torch.zeros((), device=device)
    for i in range(args.accumulate):
        x, y = (part.to(device) for part in next(stream))
        last = i == args.accumulate - 1
        with contextlib.nullcontext() if last else model.no_sync():
            loss = model(x, y)[1] / args.accumulate
            loss.backward()
        total += loss.detach()
    dist.all_reduce(total)
    return (total / dist.get_world_size()).item()


def train(model, optimizer, scheduler, stream, args, device, first):
    """Train from step ``first`` on; return the losses, which are the same on all ranks."""
    losses, begin = [], time.perf_counter()
    for step in range(first, args.steps):
        optimizer.zero_grad(set_to_none=True)
        losses.append(backward(model, stream, args, device))
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if dist.get_rank() == 0 and (step % args.every == 0 or step == args.steps - 1):
            pace = 1000 * (time.perf_counter() - begin) / len(losses)
            print(f"step {step:5}  loss {losses[-1]:.4f}  {pace:.0f} ms/step", flush=True)
    return losses


def parse():
    parser = argparse.ArgumentParser(description="Train a character-level GPT on several processes.")
    parser.add_argument("--steps", type=int, default=200, help="optimizer steps (default 200)")
    parser.add_argument("--batch", type=int, default=6, help="windows per rank and backward (default 6)")
    parser.add_argument("--accumulate", type=int, default=1, help="backwards per step, exchanged once (default 1)")
    parser.add_argument("--layers", type=int, default=4, help="transformer blocks (default 4)")
    parser.add_argument("--width", type=int, default=128, help="numbers per character, a multiple of 4 (default 128)")
    parser.add_argument("--lr", type=float, default=1e-3, help="highest learning rate (default 0.001)")
    parser.add_argument("--dropout", type=float, default=0.0, help="dropout probability (default 0.0)")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, order and dropout (default 0)")
    parser.add_argument("--backend", help="nccl, gloo, mpi, ... (default: nccl where there is a GPU, else gloo)")
    parser.add_argument("--every", type=int, default=20, help="steps between two lines of progress (default 20)")
    parser.add_argument("--losses", metavar="FILE", help="write the loss of every step to FILE")
    parser.add_argument("--checkpoint", metavar="FILE", help="save model and optimizer to FILE at the end")
    parser.add_argument("--resume", metavar="FILE", help="go on from a checkpoint")
    args = parser.parse_args()
    if min(args.steps, args.batch, args.accumulate, args.layers, args.every) < 1:
        parser.error("--steps, --batch, --accumulate, --layers and --every must be at least 1")
    if args.width < 4 or args.width % 4:
        parser.error("--width must be a multiple of 4, the number of attention heads")
    return args


def run(args):
    gpu = args.backend == "nccl"
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if gpu else torch.device("cpu")
    if gpu:
        torch.cuda.set_device(device)
    rank = dist.get_rank()
    torch.manual_seed(args.seed)
    text = read_text()
    characters = sorted(set(text))
    number = {c: i for i, c in enumerate(characters)}
    data = torch.tensor([number[c] for c in text], dtype=torch.long)
    network = CharGPT(len(characters), layers=args.layers, width=args.width, dropout=args.dropout).to(device)
    model = DDP(network, device_ids=[device.index] if gpu else None)
    optimizer = make_optimizer(model, args.lr)
    scheduler = warm_cosine(optimizer, args.steps, warmup=min(100, max(1, args.steps // 10)))
    first = 0
    if args.resume:
        saved = torch.load(args.resume, map_location=device)
        network.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        scheduler.load_state_dict(saved["scheduler"])
        first = saved["step"]
    torch.manual_seed(args.seed + 1 + rank)  # dropout differs from rank to rank
    if rank == 0:
        count = sum(p.numel() for p in model.parameters())
        print(f"{dist.get_world_size()} ranks over {dist.get_backend()}; {len(text)} characters; {count} parameters")

    stream = batches(Windows(data, network.context), args, first * args.accumulate)
    losses = train(model, optimizer, scheduler, stream, args, device, first)
    if rank == 0 and args.losses:
        with open(args.losses, "w") as file:
            file.writelines(f"{loss:.9g}\n" for loss in losses)
    if rank == 0 and args.checkpoint:
        torch.save({"model": network.state_dict(), "optimizer": optimizer.state_dict(),
                    "scheduler": scheduler.state_dict(), "step": args.steps}, args.checkpoint)
    dist.barrier()  # nobody leaves before the checkpoint is written


def main():
    args = parse()
    if args.backend is None:
        args.backend = "nccl" if torch.cuda.is_available() else "gloo"
    dist.init_process_group(args.backend)
    run(args)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
