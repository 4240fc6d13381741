"""Sufficient statistics: the last sight of rows."""
