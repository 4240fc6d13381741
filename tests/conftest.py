"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")

_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real evaluation data, which is not ours to ship."""
    if not _SHARED.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the shared data must be there in CI: {_SHARED}")
        pytest.skip("real evaluation data is not at ../shared/data")
    return _SHARED
