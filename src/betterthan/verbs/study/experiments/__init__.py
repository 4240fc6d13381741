"""Studies, one per file, discovered by name."""
