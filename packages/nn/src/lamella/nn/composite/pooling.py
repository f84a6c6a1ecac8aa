"""Poolings that are made of others are bound in functional/pooling.py."""
