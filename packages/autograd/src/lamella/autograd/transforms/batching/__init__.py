"""Batching: the level of `vmap`, its tensors, and for each operator the rule that computes a whole batch at once.

A rule is ``fn(level, op, args, kwargs)``, registered by the operator's full name with `rule`. The package that declares
an operator keeps its rules in a module ``<package>.batching`` (core's are here), which is imported when an operator of
that package first meets a batched tensor. An operator without a rule runs once per element of the batch (`fallback`).
"""

from .level import BatchedTensor, BatchLevel
from .rules import rule, rule_of

__all__ = ["BatchLevel", "BatchedTensor", "rule", "rule_of"]
