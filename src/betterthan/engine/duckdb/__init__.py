"""DuckDB: files and relations as tables, and the SQL queries on them."""
