"""Data frames of any library through Narwhals, and tables in memory."""
