"""Formats of other tools with JSON files, one file each, imported only for JSON input."""
