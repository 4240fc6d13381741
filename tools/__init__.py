"""Tools of the project: documentation, checks and counts."""
