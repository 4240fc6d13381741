"""Bundled evidence: made by `worlds` with a fixed seed, so that its truth is known."""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """Return where a bundled file lies: arena.csv.gz, scores.csv.gz or truth.json."""
    return Path(str(files(__name__) / name))
