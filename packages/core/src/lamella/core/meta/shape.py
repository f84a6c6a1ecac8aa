"""Shape rules of views come from their kernels; this module has those of shape changes that copy."""
