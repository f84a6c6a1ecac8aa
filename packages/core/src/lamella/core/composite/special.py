"""Bodies of special functions: all are elementwise, so nothing is needed here."""
