"""Duels: two systems, in depth."""
