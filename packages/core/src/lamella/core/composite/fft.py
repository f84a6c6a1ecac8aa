"""Bodies of Fourier transforms: none, the public functions are made in functions/fft.py."""
