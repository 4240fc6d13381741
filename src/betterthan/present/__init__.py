"""Renderers: a finished table in, text out. They compute nothing."""
