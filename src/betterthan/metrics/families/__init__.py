"""Code shared by several metrics."""
