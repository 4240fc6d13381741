"""Material to be judged: items and outputs, read from files and rendered as safe HTML."""
