"""Ways of communicating around training loops."""
