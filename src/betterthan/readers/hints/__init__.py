"""Hints about reading: when files cannot be read, readings of their columns are proposed, tried on a sample, and shown.

`candidates` proposes readings by names and values, `trial` carries them out, and `advice` adds those that work to a
refusal as complete commands. Nothing here is imported while files can be read, and a trial never asks for advice.
"""
