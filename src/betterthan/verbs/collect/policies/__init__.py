"""Policies for choosing pairs, one file each: they return the chances of the pairs."""
