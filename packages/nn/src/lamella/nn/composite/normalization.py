"""Normalisations that are made of others are bound in functional/normalization.py."""
