"""Poolings to a given size are bound in functional/pooling_adaptive.py."""
