"""Findings about ratings that are updated judgment by judgment."""

from betterthan.findings.kind import Kind

NET_WINS = Kind(
    "net-wins",
    "The ratings are wins minus losses, and systems were judged unequally often",
    "warning",
    "With trueskill(preset=wmt), ratings amount to wins minus losses here (correlation "
    "{correlation:.4f}), so a system that was judged less often has a rating nearer to 0, however good it"
    " is.",
    "Use bradley-terry or davidson, or judge all systems equally often.",
    "The preset sets β in proportion to the number of judgments, so that no outcome surprises and every "
    "win counts the same.",
    "",
    {"correlation": 0.99, "times": 1.2, "systems": 3},
    "correlation",
    background=(
        "In the published setting the least judged system is always judged next, which keeps the numbers "
        "equal. Here systems were judged different numbers of times."
    ),
)
