"""torch.nn.modules: the layers, by the files that torch keeps them in."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn",), submodules=(
    "activation", "adaptive", "batchnorm", "channelshuffle", "container", "conv", "distance", "dropout",
    "flatten", "fold", "instancenorm", "lazy", "linear", "loss", "module", "normalization", "padding",
    "pixelshuffle", "pooling", "rnn", "sparse", "transformer", "upsampling", "utils",
), elsewhere={"SyncBatchNorm": "lamella.distributed.sync_batch_norm"})
