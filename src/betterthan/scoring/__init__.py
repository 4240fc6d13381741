"""Scores from outputs, and metrics against each other and against people."""
