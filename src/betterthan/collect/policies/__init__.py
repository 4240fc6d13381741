"""Policies of choosing pairs, one file each, found by its name: what is known in, chances of the pairs out."""
