"""Generated modules; see ops/*.yaml and tools/gen.py."""
