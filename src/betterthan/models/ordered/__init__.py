"""Judgments one by one: what depends on their order, and loops fast enough for millions of them."""
