"""Options of every verb, each declared once: checks, command line, signature and plan file follow from it."""
