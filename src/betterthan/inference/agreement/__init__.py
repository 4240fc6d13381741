"""Agreement between judges, metrics and orders."""
