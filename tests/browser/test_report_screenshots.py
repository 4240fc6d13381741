"""The report's layout is the stored one (see `screenshot.py`)."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.screenshot import check, compared, differs, in_boxes

CASES = [(13, 320, "light"), (13, 320, "dark"), (13, 1440, "light"), (13, 1440, "dark"), (200, 1440, "light")]


def opened(browser: Any, path: Path, case: tuple[int, int, str]) -> Any:
    _, width, scheme = case
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page.goto(path.as_uri())
    return in_boxes(page)


def name_of(case: tuple[int, int, str]) -> str:
    return "report-{}-{}-{}.png".format(*case)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_layout_is_the_stored_one(
    case: tuple[int, int, str], browser: Any, pages: dict[int, Path], artefacts: Path
) -> None:
    page = opened(browser, pages[case[0]], case)
    # A board of 200 systems in full is many times the same row.
    found = compared(page, name_of(case), 2400 if case[0] > 13 else None)
    page.close()
    check(found, name_of(case), artefacts)


def test_defects_are_seen(browser: Any, pages: dict[int, Path]) -> None:
    case = (13, 1440, "light")
    page = opened(browser, pages[13], case)
    defects = (
        ".drawn { display: none; }",  # a column is missing
        ".page { --accent: #7a1fa2 !important; }",  # another colour of intervals
        ".board td { padding-top: .5rem; }",  # rows are higher
        ".contents { visibility: hidden; }",
    )
    for defect in defects:
        style = page.add_style_tag(content=defect)
        assert differs(compared(page, name_of(case))) != "", defect
        style.evaluate("style => style.remove()")
    assert differs(compared(page, name_of(case))) == ""
    page.close()
