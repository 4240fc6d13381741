"""Names of terms that are not those of systems."""

POSITION, UNDECIDED = "position", "undecided"
