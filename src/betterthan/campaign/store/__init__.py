"""Where a campaign is stored: SQLite or PostgreSQL, written by one thread."""
