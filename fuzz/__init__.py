"""Hostile files, options, plans and signatures: `make fuzz` runs them until time is up, always the same for a seed."""
