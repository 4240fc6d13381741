"""A user's own metrics: a function, or a program."""
