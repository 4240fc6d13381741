"""The command line: one file per verb; each parses, calls one library function, prints."""
