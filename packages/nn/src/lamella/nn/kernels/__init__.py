"""Array functions of the operators."""
