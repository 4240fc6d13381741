"""Pictures: finished numbers in, a chart out. They compute nothing; each kind has a file of its own."""
