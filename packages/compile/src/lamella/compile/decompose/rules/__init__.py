"""The rules, by family of operators."""

from . import (  # noqa: F401 - each fills the table
    activation,
    batchnorm,
    classes,
    comparison,
    linear,
    lookup,
    loss,
    normalization,
    optim,
    padding,
    pointwise,
    pooling,
    reduction,
    shape,
    softmax,
    vision,
)
