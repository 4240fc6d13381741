"""Choosing the ranking model by its predictions of held-out judgments."""
