"""Shape rules of the operators; see lamella.core.meta."""
