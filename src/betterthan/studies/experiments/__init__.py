"""Studies, one per file, found by their names."""
