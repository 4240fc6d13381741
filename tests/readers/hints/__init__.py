"""Tests of hints: readings that refusals suggest."""
