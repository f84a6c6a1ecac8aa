"""The arithmetic of the optimizers, each written once over arrays or tensors.

A rule is a function ``update(xp, p, g, states, k, o)`` that changes the parameter ``p`` and its states in place, and a
function ``scalars(xp, counts, o)`` that computes, from the step count and the other per-parameter numbers, the
constants ``k`` of this step and the new numbers. Both use only operators (``+=``, ``*``, ``**``) and the few functions
of ``xp``, so the same lines run on NumPy arrays block by block (`rules.engine`), on tensors of any backend, under a
capturing mode, and with autograd for ``differentiable=True``.
"""

from .rule import Rule, all_rules, rule

__all__ = ["Rule", "all_rules", "rule"]
