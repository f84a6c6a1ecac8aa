"""Bodies of linear algebra: none, its composites are functions over other operators (functions/linalg.py)."""
