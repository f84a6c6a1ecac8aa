"""Operators of this family that are made of other operators."""
