"""Columns of a table: their roles, and the meaning of their values."""
