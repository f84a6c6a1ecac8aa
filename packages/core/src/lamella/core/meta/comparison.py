"""Elementwise operators share one shape rule (see `meta_elementwise`)."""
