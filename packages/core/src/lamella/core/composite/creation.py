"""Factories made of other factories are bound in functions/creation.py."""
