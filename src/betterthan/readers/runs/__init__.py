"""Two runs of an evaluation, read from files or from folders of a tool."""
