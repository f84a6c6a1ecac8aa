"""Learning rate schedulers: they change ``param_groups[i]["lr"]`` of an optimizer epoch by epoch."""

from .base import LRScheduler as LRScheduler, _LRScheduler as _LRScheduler
from .compose import ChainedScheduler, SequentialLR
from .cycle import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from .decay import ConstantLR, CosineAnnealingLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
from .functions import LambdaLR, MultiplicativeLR
from .plateau import ReduceLROnPlateau

__all__ = [
    "LambdaLR",
    "MultiplicativeLR",
    "StepLR",
    "MultiStepLR",
    "ConstantLR",
    "LinearLR",
    "ExponentialLR",
    "SequentialLR",
    "CosineAnnealingLR",
    "ChainedScheduler",
    "ReduceLROnPlateau",
    "CyclicLR",
    "CosineAnnealingWarmRestarts",
    "OneCycleLR",
    "PolynomialLR",
    "LRScheduler",
]
