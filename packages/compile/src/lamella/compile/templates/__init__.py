"""Templates: lowerings that call functions of the C++ headers (products, convolutions, recurrent loops, attention)."""
