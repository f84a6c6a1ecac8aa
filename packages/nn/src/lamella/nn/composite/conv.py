"""Convolutions that are made of others are bound in functional/conv.py."""
