"""Names of terms other than systems."""

POSITION, UNDECIDED = "position", "undecided"
#: With the number of systems that share a place in a ranking: tie2, tie3 …
TIE = "tie"
#: With two comparisons that share a system; of patterns that lack answers; and of answers that are missing.
DEPENDENCE, INCOMPLETE, MISSING = "dependence", "incomplete", "missing"
