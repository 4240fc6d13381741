"""What to judge next: policies, assignments, and replays that measure what a policy saves."""
