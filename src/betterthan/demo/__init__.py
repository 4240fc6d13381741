"""Bundled evidence, simulated with a fixed seed, so that the truth is known."""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """Return the path of a bundled file: arena.csv.gz, scores.csv.gz or truth.json."""
    return Path(str(files(__name__) / name))
