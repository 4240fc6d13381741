"""Build evidence from validated columns: rankings, score tables, and item contributions."""
