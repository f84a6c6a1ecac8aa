#!/usr/bin/env python3
"""What single operators cost in lamella beside torch, at three sizes, in one interleaved run; the worst ratio first.

    python tools/bench/ops.py [--only WORD ...] [--size tiny medium large] [--seconds S] [--threads N] [--cpu]
                              [--numpy] [--json]

Tiny tensors are 4x4, medium ones have some 64 thousand elements, large ones some four million (less where an operator
does much work per element). Every row is timed in turns, lamella, torch, lamella, ..., and the best turn of each
counts. Both libraries run as a user finds them at medium and large sizes, on as many threads as there are cores; at
tiny sizes torch is held to one thread, where waking more can only cost it time. `--threads` fixes both instead.
lamella runs with its native kernels for small tensors (built in the first run), or, with `--numpy`, without. On a busy
machine `--cpu` counts the processor's time instead of the clock's, with one thread for each library.
"""
from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import timeit
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

from lamella.cli.bench import aligned, turns
from lamella.compile import native

SIZES = ("tiny", "medium", "large")
#: The median ratio to torch that a size is to stay below, and the ratio that no row is to pass.
TARGETS = {"tiny": 0.8, "large": 1.5}
LIMIT = 5.0
#: How long one row takes, about.
SECONDS = {"tiny": 0.06, "medium": 0.12, "large": 0.4}
#: size -> matrix side, side for products, side for factorisations, image (batch, channels, height), attention
#: (batch, heads, tokens, width), rows and width of an embedding, places looked up, cells of a recurrent layer
SHAPES: dict[str, Any] = {
    "tiny": (4, 4, 4, (1, 4, 4), (1, 1, 4, 4), (16, 4), 4, 4),
    "medium": (256, 128, 64, (4, 16, 32), (2, 4, 64, 32), (1000, 64), 1024, 64),
    "large": (2048, 768, 384, (8, 32, 112), (4, 8, 256, 64), (30000, 128), 16384, 512),
}

POINTWISE = {
    "add": "T.add(a, b)", "add row": "T.add(a, row)", "mul number": "T.mul(a, 2.5)", "div": "T.div(a, b)",
    "exp": "T.exp(a)", "log": "T.log(p)", "tanh": "T.tanh(a)", "sigmoid": "T.sigmoid(a)", "sin": "T.sin(a)",
    "erf": "T.erf(a)", "sqrt": "T.sqrt(p)", "abs": "T.abs(a)", "round": "T.round(a)", "where": "T.where(m, a, b)",
    "where number": "T.where(m, a, 0.0)", "clamp": "T.clamp(a, -0.5, 0.5)", "maximum": "T.maximum(a, b)",
    "pow 2": "T.pow(a, 2)", "pow 2.5": "T.pow(p, 2.5)", "lerp": "T.lerp(a, b, 0.3)", "addcmul": "T.addcmul(a, a, b)",
    "gt": "T.gt(a, b)", "eq number": "T.eq(a, 0.5)", "isnan": "T.isnan(a)", "logical_and": "T.logical_and(m, n)",
    "remainder": "T.remainder(a, p)", "atan2": "T.atan2(a, b)", "add_": "s.add_(b)",
    "to half": "a.half()", "half to float": "h.float()", "to bfloat16": "a.bfloat16()",
    "bfloat16 to float": "bf.float()", "to int64": "a.long()", "bool to float": "m.float()", "add half": "T.add(h, h)",
    "mul bfloat16": "T.mul(bf, bf)",
}
REDUCTIONS = {
    "sum": "T.sum(a)", "sum 0": "T.sum(a, 0)", "sum 1": "T.sum(a, 1)", "mean 0": "T.mean(a, 0)", "var": "T.var(a)",
    "var 0": "T.var(a, 0)", "std 1": "T.std(a, 1)", "max": "T.max(a)", "max 0": "T.max(a, 0)", "max 1": "T.max(a, 1)",
    "amax 1": "T.amax(a, 1)", "argmax": "T.argmax(a)", "argmax 1": "T.argmax(a, 1)", "norm": "T.norm(a)",
    "norm 1": "T.norm(a, dim=1)", "logsumexp 0": "T.logsumexp(a, 0)", "logsumexp 1": "T.logsumexp(a, 1)",
    "cumsum 0": "T.cumsum(a, 0)", "cumsum 1": "T.cumsum(a, 1)", "cumprod 1": "T.cumprod(a, 1)",
    "cummax 0": "T.cummax(a, 0)", "cummax 1": "T.cummax(a, 1)", "prod": "T.prod(a)", "prod 0": "T.prod(a, 0)",
    "any": "T.any(n)", "all 1": "T.all(m, 1)", "count_nonzero": "T.count_nonzero(m)",
}
SORTING = {
    "sort": "T.sort(v)", "sort rows": "T.sort(a, 1)", "argsort ints": "T.argsort(i)", "topk": "T.topk(a, 3)",
    "kthvalue": "T.kthvalue(a, 2)", "median 1": "T.median(a, 1)", "unique": "T.unique(i)",
    "searchsorted": "T.searchsorted(edges, a)", "bincount": "T.bincount(i)", "histc": "T.histc(a, 10, -3, 3)",
}
INDEXING = {
    "gather": "T.gather(a, 1, at)", "scatter": "T.scatter(a, 1, at, b)", "scatter_add": "T.scatter_add(a, 1, at, b)",
    "scatter_reduce": "T.scatter_reduce(a, 1, at, b, 'amax')", "index_select 0": "T.index_select(a, 0, at[0])",
    "index_select 1": "T.index_select(a, 1, at[0])", "index": "a[at[0], at[1]]",
    "index_put add": "T.index_put(table, (ids,), looked, accumulate=True)", "index_add": "T.index_add(a, 0, at[0], b)",
    "masked_select": "T.masked_select(a, m)", "masked_fill": "T.masked_fill(a, m, 0.5)", "nonzero": "T.nonzero(m)",
    "take": "T.take(a, at)", "embedding": "F.embedding(ids, table)",
}
SHAPE = {
    "cat": "T.cat((a, b), 1)", "stack": "T.stack((a, b))", "t contiguous": "a.t().contiguous()",
    "permute contiguous": "img.permute(0, 2, 3, 1).contiguous()", "flip": "T.flip(a, (1,))", "roll": "T.roll(a, 1, 1)",
    "repeat": "row.repeat(N, 1)", "pad": "F.pad(a, (1, 1, 1, 1))", "tril": "T.tril(a)", "outer": "T.outer(row, row)",
    "clone": "a.clone()", "full": "T.full((N, N), 1.5)", "arange": "T.arange(N * N)",
}
ALGEBRA = {
    "matmul": "T.matmul(x, y)", "addmm": "T.addmm(x, x, y)", "bmm": "T.bmm(z, z)",
    "einsum": "T.einsum('bij,bkj->bik', z, z)", "solve": "T.linalg.solve(l, l)", "cholesky": "T.linalg.cholesky(l)",
    "svd": "T.linalg.svd(l, full_matrices=False)", "inv": "T.linalg.inv(l)", "fft": "T.fft.fft(a)",
    "rfft2": "T.fft.rfft2(a)",
}
_DOWN = "grad({0}, {1})"
NETWORK = {
    "softmax": "F.softmax(a, 1)", "log_softmax": "F.log_softmax(a, 1)", "gelu": "F.gelu(a)",
    "gelu tanh": "F.gelu(a, approximate='tanh')", "silu": "F.silu(a)", "relu": "F.relu(a)",
    "dropout": "F.dropout(a, 0.1, True)", "layer_norm": "F.layer_norm(a, (N,), row, row)",
    "group_norm": "F.group_norm(img, 2, channels, channels)", "conv2d": "F.conv2d(img, kernel, padding=1)",
    "max_pool2d": "F.max_pool2d(img, 2)", "avg_pool2d": "F.avg_pool2d(img, 2)",
    "adaptive_avg_pool2d": "F.adaptive_avg_pool2d(img, 3)", "nearest": "F.interpolate(img, scale_factor=2)",
    "bilinear": "F.interpolate(img, scale_factor=2, mode='bilinear', align_corners=False)",
    "grid_sample": "F.grid_sample(img, where_at, align_corners=False)", "unfold": "F.unfold(img, 3)",
    "attention": "F.scaled_dot_product_attention(q, q, q)", "embedding_bag": "F.embedding_bag(bags, table)",
    "lstm cell": "cell(cx, (cx, cx))",
}
BACKWARD = {
    "exp": ("T.exp(ga)", "ga"), "softmax": ("F.softmax(ga, 1)", "ga"), "log_softmax": ("F.log_softmax(ga, 1)", "ga"),
    "cross_entropy": ("F.cross_entropy(ga, labels)", "ga"), "gelu": ("F.gelu(ga)", "ga"), "silu": ("F.silu(ga)", "ga"),
    "dropout": ("F.dropout(ga, 0.1, True)", "ga"), "matmul": ("T.matmul(gx, y)", "gx"), "sum 0": ("T.sum(ga, 0)", "ga"),
    "layer_norm": ("F.layer_norm(ga, (N,), grow, row)", "(ga, grow)"),
    "group_norm": ("F.group_norm(gimg, 2, channels, channels)", "gimg"),
    "batch_norm": ("F.batch_norm(gimg, None, None, channels, channels, True)", "gimg"),
    "conv1d": ("F.conv1d(gline, gtaps, padding=1)", "(gline, gtaps)"),
    "conv2d": ("F.conv2d(gimg, gkernel, padding=1)", "(gimg, gkernel)"),
    "conv_transpose2d": ("F.conv_transpose2d(gimg, gkernel, padding=1)", "(gimg, gkernel)"),
    "depthwise conv2d": ("F.conv2d(gimg, gdepth, padding=1, groups=C)", "(gimg, gdepth)"),
    "max_pool2d": ("F.max_pool2d(gimg, 2)", "gimg"), "avg_pool2d": ("F.avg_pool2d(gimg, 2)", "gimg"),
    "bilinear": ("F.interpolate(gimg, scale_factor=2, mode='bilinear', align_corners=False)", "gimg"),
    "attention": ("F.scaled_dot_product_attention(gq, q, q)", "gq"),
    "embedding": ("F.embedding(ids, gtable)", "gtable"),
    "lstm cell": ("cell(gcx, (cx, cx))[0]", "gcx"),
}
CASES: dict[str, str] = {}
for _group in (POINTWISE, REDUCTIONS, SORTING, INDEXING, SHAPE, ALGEBRA, NETWORK):
    CASES.update(_group)
CASES.update({f"{_name}, backward": _DOWN.format(*_parts) for _name, _parts in BACKWARD.items()})


def _names(torch: Any, size: str) -> dict[str, Any]:
    """What the statements use, in one library and at one size; both libraries get the same numbers."""
    import numpy

    rng = numpy.random.default_rng(0)
    n, product, factor, (batch, c, side), attention, (rows, width), places, cells = SHAPES[size]

    def make(*shape: int) -> Any:
        return torch.tensor(rng.standard_normal(shape, dtype=numpy.float32))

    def whole(high: int, *shape: int) -> Any:
        return torch.tensor(rng.integers(0, high, shape))

    def grad(y: Any, x: Any) -> Any:
        if not y.ndim:
            return torch.autograd.grad(y, x)
        if y.shape not in seeds:
            seeds[y.shape] = torch.ones_like(y.detach())
        return torch.autograd.grad(y, x, seeds[y.shape])

    seeds: dict[Any, Any] = {}
    a, b, square = make(n, n), make(n, n), make(factor, factor)
    names = {
        "T": torch, "F": torch.nn.functional, "N": n, "C": c, "grad": grad, "a": a, "b": b, "s": a.clone(),
        "row": make(n), "p": a.abs() + 0.5, "v": a.reshape(-1).clone(), "m": a > 0, "n": b > 9, "h": a.half(),
        "bf": a.bfloat16(), "i": whole(n * 2, n * n), "at": whole(n, n, n), "edges": torch.sort(make(n))[0],
        "x": make(product, product), "y": make(product, product), "z": make(8 if n > 4 else 1, product, product // 2),
        "l": square @ square.t() + factor * torch.eye(factor), "table": make(rows, width), "ids": whole(rows, places),
        "looked": make(places, width), "bags": whole(rows, places // 4, 4), "img": make(batch, c, side, side),
        "channels": make(c), "kernel": make(c, c, 3, 3), "depth": make(c, 1, 3, 3), "line": make(batch, c, side * side),
        "taps": make(c, c, 3), "where_at": make(batch, side, side, 2).clamp(-1.2, 1.2), "q": make(*attention),
        "labels": whole(n, n), "cell": torch.nn.LSTMCell(cells, cells), "cx": make(min(cells, 64), cells),
    }
    names["z"] = names["z"][:, : product // 2]
    for name in ("a", "x", "img", "line", "kernel", "taps", "depth", "q", "table", "row", "cx"):
        names["g" + name] = names[name].clone().requires_grad_()
    return names


@dataclass
class Row:
    """One operator at one size: nanoseconds in each library, or why there are none."""

    name: str
    size: str
    ns: dict[str, float]
    failed: str = ""

    @property
    def ratio(self) -> float | None:
        """lamella's time over torch's."""
        return self.ns["lamella"] / self.ns["torch"] if len(self.ns) == 2 else None


def _time(name: str, size: str, spaces: dict[str, dict[str, Any]], seconds: float, clock: Any = perf_counter) -> Row:
    """Measure one operator at one size for about ``seconds``."""
    timers: dict[str, tuple[timeit.Timer, int]] = {}
    for library, names in spaces.items():
        timer = timeit.Timer(CASES[name], timer=clock, globals=names)
        try:
            timer.timeit(1)
            once = timer.timeit(1)
        except Exception as e:  # an operator that a library lacks has no time in it
            return Row(name, size, {}, f"{library}: {type(e).__name__}: {e}".splitlines()[0])
        if once < 1e-2:
            once = min(timer.repeat(3, 3)) / 3
        timers[library] = timer, max(1, int(1e-3 / once))
    return Row(name, size, turns(timers, 40, seconds))


def measure(only: Sequence[str] = (), sizes: Sequence[str] = SIZES, seconds: float = 0.0, threads: int = 0,
            progress: bool = False, clock: Any = perf_counter) -> list[Row]:
    """Time the operators in both libraries.

    Args:
        only: parts of names (default: all operators).
        sizes: of ``SIZES``.
        seconds: how long one row takes, about (default: SECONDS).
        threads: fix both libraries to this many threads.
        progress: say on standard error how far it is.
        clock: what tells the time.

    Returns:
        A row per operator and size, the worst ratio first.
    """
    import torch as theirs

    from lamella import torch as ours

    rows: list[Row] = []
    chosen = [name for name in CASES if not only or any(word in name for word in only)]
    for size in sizes:
        theirs.set_num_threads(threads or (1 if size == "tiny" else os.cpu_count() or 1))
        if threads:
            ours.set_num_threads(threads)
        spaces = {"lamella": _names(ours, size), "torch": _names(theirs, size)}
        for k, name in enumerate(chosen):
            if progress:
                print(f"\r{size} {k + 1}/{len(chosen)} {name:30s}", end="", file=sys.stderr)
            rows.append(_time(name, size, spaces, seconds or SECONDS[size], clock))
            gc.collect()
    if progress:
        print("\r" + " " * 50 + "\r", end="", file=sys.stderr)
    return sorted(rows, key=lambda r: -(r.ratio or 1e9))


def report(rows: Sequence[Row]) -> str:
    """The rows as text, the worst first, and what the sizes come to."""
    lines: list[list[str]] = [["operator", "size", "lamella", "torch", "ratio"]]
    for row in rows:
        times = [_shown(row.ns[x]) if x in row.ns else "-" for x in ("lamella", "torch")]
        lines.append([row.name, row.size, *times, "-" if row.ratio is None else f"{row.ratio:.2f}"])
    text = aligned(lines)
    text += [f"{row.name}, {row.size}: {row.failed}" for row in rows if row.failed]
    for size in SIZES:
        ratios = [r.ratio for r in rows if r.size == size and r.ratio is not None]
        if ratios:
            target = f", target {TARGETS[size]}" if size in TARGETS else ""
            over = sum(x > LIMIT for x in ratios)
            text.append(f"{size}: median {statistics.median(ratios):.2f}{target}; {len(ratios)} rows, {over} above 5")
    return "\n".join(text)


def _shown(ns: float) -> str:
    return f"{ns / 1e3:.2f} us" if ns < 1e6 else f"{ns / 1e6:.2f} ms"


def main(argv: Sequence[str] | None = None) -> int:
    """The command: measure and print."""
    parser = argparse.ArgumentParser(prog="ops.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="operators whose name has one of these")
    parser.add_argument("--size", nargs="*", default=list(SIZES), choices=SIZES, help="these sizes alone")
    parser.add_argument("--seconds", type=float, default=0.0, help="time for one row, about")
    parser.add_argument("--threads", type=int, default=0, help="hold both libraries to this many threads")
    parser.add_argument("--cpu", action="store_true", help="count processor time, on one thread")
    parser.add_argument("--numpy", action="store_true", help="leave lamella's native kernels out")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    native.disable() if args.numpy else native.enable()
    threads, clock = (1, thread_time) if args.cpu else (args.threads, perf_counter)
    rows = measure(args.only, args.size, args.seconds, threads, sys.stderr.isatty(), clock)
    if args.json:
        print(json.dumps([{"operator": r.name, "size": r.size, "ns": r.ns, "ratio": r.ratio, "failed": r.failed}
                          for r in rows], indent=1))
    else:
        print(report(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
