"""Pages and an API for people and programs that judge."""
