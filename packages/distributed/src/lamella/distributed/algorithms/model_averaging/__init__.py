"""Ranks that train on their own and now and then take the mean of their models."""
