"""Rules that compute whole batches of networks' operators inside `vmap`; see lamella.autograd.transforms.batching."""

from . import activation, attention, conv, linear, loss, normalization, recurrent, windows

__all__ = ["activation", "attention", "conv", "linear", "loss", "normalization", "recurrent", "windows"]
