"""Replays: existing evidence collected again by a policy, to measure what it would have cost."""
