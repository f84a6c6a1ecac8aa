"""Optimizers on a GPU: a step of a parameter group is one kernel, made from the rule's own arithmetic."""
