"""A real browser, a folder for what it saw, and reports of few and of many systems."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt

ARTEFACTS = Path(__file__).parent.parent.parent / "test-artefacts"
#: Bytes of a report, by the number of systems.
BUDGET = {2: 1_000_000, 13: 1_000_000, 60: 2_000_000, 200: 6_000_000}
#: The browser talks to nobody: no updates, no synchronisation.
_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=_QUIET)
        yield found
        found.close()


@pytest.fixture(scope="session")
def artefacts() -> Path:
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS


def field(systems: int) -> dict[str, Any]:
    """Judgments of many systems with ties and judges; one has a long name, and one is written from right to left."""
    rng = np.random.default_rng(systems)
    judgments = 100 * systems
    one = rng.integers(systems, size=judgments)
    two = (one + rng.integers(1, systems, size=judgments)) % systems
    names = np.array([f"system-{place:03d}" for place in range(systems)], dtype=object)
    names[0] = "a-name-that-is-much-too-long-for-a-column-of-a-table-and-goes-on-for-a-while-v2.1"
    names[1] = "نظام الترجمة الآلية"
    draw, win = rng.random(judgments), 0.85 / (1 + np.exp(6 / systems * (one - two)))
    return {
        "left": names[one],
        "right": names[two],
        "judge": rng.integers(12, size=judgments).astype(str),
        "winner": np.where(draw < win, "left", np.where(draw < win + 0.15, "tie", "right")),
    }


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    found = {systems: tmp_path_factory.mktemp("pages") / "page.html" for systems in BUDGET}
    for systems, path in found.items():
        bt.report(field(systems), path, resamples=50, model="bradley-terry,davidson", scale="elo")
    return found
