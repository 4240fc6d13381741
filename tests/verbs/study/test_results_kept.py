"""The full results of every study are kept, with the settings that it has today."""

import re
from pathlib import Path

import pytest

from betterthan import __version__
from betterthan.verbs.study.experiments import base as experiments

KEPT = Path(__file__).parents[3] / "docs" / "studies"


@pytest.mark.parametrize("name", experiments.known_studies())
def test_every_study_has_its_page_table_and_picture(name: str) -> None:
    page = (KEPT / f"{name}.md").read_text(encoding="utf-8")
    assert (
        f"Repeated by `betterthan study '{experiments.written_out(experiments.build_study(name))}'" in page
    )  # the full form, not the quick one
    assert f"betterthan {__version__}|verb:study" in page
    assert re.search(r"Run on \d{4}-\d\d-\d\d\.", page)
    assert "## Beside the paper" in page
    assert f"![{name}]({name}.svg)" in page
    assert (KEPT / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")
    assert len((KEPT / f"{name}.csv").read_text(encoding="utf-8").splitlines()) > 1
    assert sum((KEPT / f"{name}.{ending}").stat().st_size for ending in ("md", "csv", "svg")) < 1_000_000
