"""Pictures by their name, from evidence."""
