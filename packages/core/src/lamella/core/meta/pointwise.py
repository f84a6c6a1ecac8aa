"""Elementwise operators have a common shape rule (see `meta_elementwise`)."""
