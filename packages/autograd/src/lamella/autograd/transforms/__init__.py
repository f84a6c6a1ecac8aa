"""Function transforms: reverse mode, forward mode and batching as layers of the dispatcher that nest."""
