"""Files that other tools wrote, or that follow their layouts: not ours to ship."""

import os
from pathlib import Path

import pytest

_SAMPLES = Path(__file__).parents[4] / "shared" / "formats" / "samples"


@pytest.fixture(scope="session")
def samples() -> Path:
    """Return the folder of sample files."""
    if not _SAMPLES.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the samples must be there in CI: {_SAMPLES}")
        pytest.skip("samples of other tools are not at ../shared/formats/samples")
    return _SAMPLES
