"""Models that process judgments one by one, with loops fast enough for millions."""
