"""Sample sizes by formula and by simulation."""
