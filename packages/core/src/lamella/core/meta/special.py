"""Shape rules of special functions: all are elementwise, so nothing is needed here."""
