"""Comparison operators that are made of other operators."""
