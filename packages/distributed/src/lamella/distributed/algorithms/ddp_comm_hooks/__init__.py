"""Functions that carry gradients in the place of a plain mean: ``model.register_comm_hook(state, hook)``."""
