"""lamella's tensors in other libraries: what those libraries need to be told.

- `lamella.interop.einops`: einops' operations and layers. Loads by itself where a program imports `lamella.torch` and
  einops, in either order.
- `lamella.interop.safetensors`: files of tensors, under safetensors.torch's names.

NumPy, SciPy, JAX, CuPy and torch need nothing from here: they take tensors by `__array__` and DLPack.
"""
