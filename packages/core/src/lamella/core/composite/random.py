"""Random operators that are made of others are bound in functions/random.py."""
