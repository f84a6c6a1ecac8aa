"""Sampling by a grid is made of other operators in functional/grid.py."""
