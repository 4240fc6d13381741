"""Shared server code: port, response headers, request limits."""
