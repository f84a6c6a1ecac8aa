"""Batch normalisation is bound in functional/normalization.py."""
