"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")

#: Tests that `make test-quick` leaves out, one beginning of a test's name per line; the comments there say how it was made.
_SLOW = tuple(
    line
    for line in Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that take long, so that everyday work can leave them out."""
    for item in items:
        if item.nodeid.startswith(_SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real evaluation data, which is not ours to ship."""
    if not _SHARED.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the shared data must be there in CI: {_SHARED}")
        pytest.skip("real evaluation data is not at ../shared/data")
    return _SHARED
