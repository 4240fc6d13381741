"""Replays: evidence that is at hand collected again by a policy, to see what it would have cost."""
