"""When choosing pairs saves judgments, and when all pairs alike are the better choice."""

from betterthan.collect.known import Known
from betterthan.findings import Finding


def collecting(known: Known, policy: str) -> tuple[Finding, ...]:
    """Say what a policy is good for."""
    del known, policy
    return ()
