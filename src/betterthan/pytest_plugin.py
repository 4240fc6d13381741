"""A fixture of pytest that gates a new version of a system: it is there wherever betterthan is installed."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="session")
def betterthan_gate() -> Callable[..., Any]:
    """Return a function that fails the test unless a new version is shown to be not worse than an old one.

    It takes the scores of both (files, folders, data frames or dicts) and the options of `bt.gate` and of reading:

        def test_the_new_prompt(betterthan_gate):
            betterthan_gate("runs/new.csv", "runs/old.csv", score="correct", not_worse_than=0.02)

    An inconclusive gate fails too; `inconclusive="skip"` skips the test instead. What it returns is the result.
    """
    # Every run of pytest loads this file, few use it.
    import betterthan as bt  # noqa: PLC0415
    from betterthan.options import GateOptions, declared_options  # noqa: PLC0415
    from betterthan.readers import read_versions  # noqa: PLC0415

    def gate(new: Any, old: Any, *, inconclusive: str = "fail", **options: Any) -> bt.Gate:
        __tracebackhide__ = True
        own = {name: options.pop(name) for name in declared_options(GateOptions) if name in options}
        if own.get("slices") is not None:
            options["dataset"] = own["slices"]
        evidence, names = read_versions(new, old, **options)
        if names:
            own |= {"new": names[0], "old": names[1]}
        found = bt.gate(evidence, **own)
        if found.decision == "inconclusive" and inconclusive == "skip":
            pytest.skip(found.verdict)
        if found.decision != "pass":
            pytest.fail(f"{found.to_text()}", pytrace=False)
        return found

    return gate
