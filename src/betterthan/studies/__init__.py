"""Simulated worlds with known truth, and experiments on them."""
