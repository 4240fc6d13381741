"""Formats of other tools, one file each: found by being there, and imported where files may be theirs."""
