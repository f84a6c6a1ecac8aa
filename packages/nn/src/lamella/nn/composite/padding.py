"""Padding by a constant is core's; the modes are chosen in functional/padding.py."""
