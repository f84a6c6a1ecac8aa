"""Optimizers and learning rate schedulers, by torch's names.

``from lamella import optim; optim.AdamW(model.parameters(), lr=1e-3)``. Each optimizer's step is one operator call for
a parameter group (`operators`), its arithmetic is written once (`rules`), and `lr_scheduler` changes rates epoch by
epoch.
"""

from __future__ import annotations

from . import lr_scheduler as lr_scheduler
from ._adafactor import Adafactor as Adafactor
from ._muon import Muon as Muon
from .adadelta import Adadelta as Adadelta
from .adagrad import Adagrad as Adagrad
from .adam import Adam as Adam
from .adamax import Adamax as Adamax
from .adamw import AdamW as AdamW
from .asgd import ASGD as ASGD
from .lbfgs import LBFGS as LBFGS
from .nadam import NAdam as NAdam
from .optimizer import Optimizer as Optimizer
from .radam import RAdam as RAdam
from .rmsprop import RMSprop as RMSprop
from .rprop import Rprop as Rprop
from .sgd import SGD as SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]
