"""Tests on data that is not ours to ship: `make test-data` runs them where the data is."""

import os
from pathlib import Path

import pytest

_FOLDER = Path(os.environ.get("BETTERTHAN_DATA") or Path(__file__).parents[2] / "shared").absolute()


def pytest_configure() -> None:
    """Say what is missing before any test runs."""
    for place in (_FOLDER / "data", _FOLDER / "formats" / "samples"):
        if not place.is_dir():
            raise pytest.UsageError(
                f"there is no folder {place}, so tests on outside data cannot run. Say where the data is: "
                "BETTERTHAN_DATA=FOLDER make test-data"
            )


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of evaluation data."""
    return _FOLDER / "data"


@pytest.fixture(scope="session")
def samples() -> Path:
    """Return the folder of files that other tools wrote."""
    return _FOLDER / "formats" / "samples"
