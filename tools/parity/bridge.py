"""Carry values between torch and the candidate, and say how two results differ."""
from __future__ import annotations

import contextlib
import importlib
import inspect
import signal
import traceback

import numpy as np
import torch

VERBOSE = False


class Slow(Exception):
    """A case took longer than it may."""


class Skip(Exception):
    """A case that cannot be carried across; it counts neither way."""


@contextlib.contextmanager
def limit(seconds):
    def ring(*_):
        raise Slow(f"no answer in {seconds} s")

    old = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


class Bridge:
    """Turns torch values into the candidate's and back to NumPy."""

    def __init__(self, name):
        self.name = name
        self.mod = importlib.import_module(name)
        self.is_torch = self.mod is torch
        self.Tensor = self.mod.Tensor

    def dtype(self, d):
        return getattr(self.mod, str(d).split(".")[-1])

    def tensor(self, t, memo):
        if id(t) in memo:
            return memo[id(t)]
        if t.layout is not torch.strided or t.is_quantized:
            raise Skip("a layout other than strided")
        d = t.detach()
        if d.is_conj():
            d = d.resolve_conj()
        if d.is_neg():
            d = d.resolve_neg()
        if d.dtype is torch.bfloat16:
            out = self.mod.from_numpy(d.float().numpy()).to(self.mod.bfloat16)
        else:
            out = self.mod.from_numpy(d.clone(memory_format=torch.preserve_format).numpy())
        if t.requires_grad:
            out.requires_grad_(True)
        memo[id(t)] = out
        return out

    def give(self, v, memo=None):
        memo = {} if memo is None else memo
        if isinstance(v, torch.nn.Parameter):
            p = self.mod.nn.Parameter(self.tensor(v.detach(), {}), requires_grad=v.requires_grad)
            return p
        if isinstance(v, torch.Tensor):
            return self.tensor(v, memo)
        if isinstance(v, torch.Size):
            return tuple(v)
        if isinstance(v, tuple) and hasattr(v, "_fields"):
            return type(v)(*(self.give(x, memo) for x in v))
        if isinstance(v, (list, tuple)):
            return type(v)(self.give(x, memo) for x in v)
        if isinstance(v, dict):
            return {k: self.give(x, memo) for k, x in v.items()}
        if isinstance(v, torch.dtype):
            return self.dtype(v)
        if isinstance(v, torch.device):
            return str(v)
        if isinstance(v, torch.memory_format):
            return getattr(self.mod, str(v).split(".")[-1])
        if isinstance(v, torch.layout):
            return getattr(self.mod, str(v).split(".")[-1])
        if isinstance(v, torch.nn.Module):
            cls = resolve(self.mod, f"nn.{type(v).__name__}")
            if cls is None:
                raise Skip("a torch module as argument")
            if isinstance(v, torch.nn.TransformerEncoderLayer):
                return cls(v.linear1.in_features, v.self_attn.num_heads, v.linear1.out_features, v.dropout.p,
                           activation=v.activation.__name__, layer_norm_eps=v.norm1.eps, norm_first=v.norm_first,
                           batch_first=v.self_attn.batch_first, bias=v.linear1.bias is not None)
            return cls()
        if isinstance(v, torch.Generator):
            raise Skip("a torch generator as argument")
        if str(getattr(v, "__module__", "")).startswith("torch.") and inspect.isroutine(v):
            return resolve(self.mod, f"nn.functional.{v.__name__}") or resolve(self.mod, v.__name__) or v
        return v

    def numpy(self, t):
        if isinstance(t, torch.Tensor):
            t = t.detach()
            if t.is_conj():
                t = t.resolve_conj()
            if t.is_neg():
                t = t.resolve_neg()
            return (t.float() if t.dtype in (torch.bfloat16, torch.float16) else t).numpy(force=True)
        t = t.detach()
        if "bfloat16" in str(t.dtype) or "float16" in str(t.dtype):
            t = t.to(self.mod.float32)
        return np.asarray(t.numpy())


def resolve(root, path):
    for part in path.split("."):
        root = getattr(root, part, None)
        if root is None:
            return None
    return root


def leaves(v, is_tensor):
    if is_tensor(v):
        return [v]
    if isinstance(v, (list, tuple)):
        return [x for y in v for x in leaves(y, is_tensor)]
    if isinstance(v, dict):
        return [x for y in v.values() for x in leaves(y, is_tensor)]
    return [v]


def short(e):
    line = str(e).strip().splitlines()[0] if str(e).strip() else ""
    return f"{type(e).__name__}: {line}"[:160]


def noted(error):
    """The short form of an error that a case raised; its traceback is printed under --verbose."""
    if VERBOSE:
        traceback.print_exception(error)
    return short(error)


def compare(bridge, want, got, shape_only, tol):
    """None where both agree, else one line that says how they differ."""
    w = leaves(want, lambda x: isinstance(x, torch.Tensor))
    g = leaves(got, lambda x: isinstance(x, bridge.Tensor))
    if len(w) != len(g):
        return f"{len(g)} outputs instead of {len(w)}"
    for i, (a, b) in enumerate(zip(w, g)):
        if isinstance(a, torch.Tensor):
            if not isinstance(b, bridge.Tensor):
                return f"output {i} is a {type(b).__name__}, not a Tensor"
            if tuple(a.shape) != tuple(b.shape):
                return f"output {i} has shape {tuple(b.shape)} instead of {tuple(a.shape)}"
            if str(a.dtype).split(".")[-1] != str(b.dtype).split(".")[-1]:
                return f"output {i} has dtype {b.dtype} instead of {a.dtype}"
            if shape_only:
                continue
            if a.is_quantized or a.layout is not torch.strided:
                raise Skip("a layout other than strided")
            x, y = bridge.numpy(a), bridge.numpy(b)
            low = str(a.dtype) in ("torch.bfloat16", "torch.float16")
            rt, at = (2e-2, 2e-2) if low else tol
            if a.dtype in (torch.float32, torch.complex64):  # also where the sample has integers
                rt, at = max(rt, 1e-4), max(at, 1e-5)
            if x.dtype.kind in "fc":
                if not np.allclose(y, x, rtol=rt, atol=at, equal_nan=True):
                    with np.errstate(all="ignore"):
                        d = np.abs(y.astype(np.complex128) - x.astype(np.complex128))
                    return f"output {i} differs by up to {np.nanmax(d) if d.size else 0:.3g}"
            elif not np.array_equal(x, y):
                return f"output {i} differs in {int((x != y).sum())} of {x.size} elements"
        elif isinstance(a, (int, float, complex, bool)) and not shape_only:
            if isinstance(b, bridge.Tensor):
                b = b.item()
            if a != b and not np.allclose(a, b, rtol=tol[0], atol=tol[1], equal_nan=True):
                return f"output {i} is {b} instead of {a}"
    return None


def differentiable(v, mod_tensor, kinds):
    return [x for x in leaves(v, lambda y: isinstance(y, mod_tensor))
            if isinstance(x, mod_tensor) and x.requires_grad and str(x.dtype).split(".")[-1] in kinds]


HOME = Bridge("torch")
