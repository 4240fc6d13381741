"""Formats of other tools with tables, text or archives, one file each, discovered automatically."""
