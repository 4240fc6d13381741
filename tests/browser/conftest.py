"""A real browser, and a folder for what it saw."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ARTEFACTS = Path(__file__).parent.parent.parent / "test-artefacts"
#: The browser talks to nobody: no updates, no synchronisation.
_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
          "--disable-component-update", "--disable-sync"]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    place = shutil.which("chromium")
    if place is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium must be there in CI: tools/need.sh chromium installs it")
        pytest.skip("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=place, args=_QUIET)
        yield found
        found.close()


@pytest.fixture(scope="session")
def artefacts() -> Path:
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS
