"""Operators of this family that are made of others: none."""
