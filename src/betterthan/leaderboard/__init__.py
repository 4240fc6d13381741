"""Leaderboards: the result most people come for."""
