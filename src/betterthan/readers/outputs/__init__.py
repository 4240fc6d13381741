"""Outputs of systems with their references, from tables and from lines of text."""
