"""Families of metrics and tasks of data sets, named by patterns."""

from fnmatch import fnmatchcase


def read_patterns(option: str, text: str) -> list[tuple[str, str]]:
    """Read `PATTERN=NAME|PATTERN=NAME`."""
    pairs = [part.split("=") for part in text.split("|") if part]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        raise ValueError(f"{option} must be PATTERN=NAME with | between several, got {text!r}")
    return [(pattern, name) for pattern, name in pairs]


def name_of(text: str, patterns: str) -> str:
    """Return the name of the first pattern that matches, else the text itself."""
    return next((name for pattern, name in read_patterns("", patterns) if fnmatchcase(text, pattern)), text)
