"""Operators whose bodies are other operators."""
