"""torch.optim: optimizers, from lamella.optim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._missing import lookup

if TYPE_CHECKING:
    from lamella.optim import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.optim",), submodules=(
    "adadelta", "adagrad", "adam", "adamax", "adamw", "asgd", "lbfgs", "lr_scheduler", "nadam", "optimizer",
    "radam", "rmsprop", "rprop", "sgd", "swa_utils",
))
