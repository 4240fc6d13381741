"""Choosing the next comparison: a policy computes the chances in a second process."""
