"""The report of few and of many systems, with any names, on phones and large screens: it fits, is fast, and is read aloud."""

from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from tests.browser.conftest import BUDGET
from tests.browser.test_report import HOSTILE, Opened, hostile, violations

WIDTHS = (320, 768, 1440)


@pytest.mark.parametrize("systems", sorted(BUDGET))
def test_it_fits_is_fast_and_accessible(systems: int, pages: dict[int, Path], browser: Any, artefacts: Path) -> None:
    path = pages[systems]
    assert path.stat().st_size < BUDGET[systems]
    opened = Opened(browser, path)
    page = opened.page
    assert page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0") < 1000
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.screenshot(path=artefacts / f"report-{systems}-{width}-{scheme}.png")
        if width == 320 and systems == 13:  # the small and the large layout differ
            assert violations(page) == []
    # Whether colours can be told apart does not depend on how many rows there are, but takes long for many.
    rules = {"rules": {"color-contrast": {"enabled": False}}} if systems > 13 else {}
    assert violations(page, **rules) == []
    opened.check()
    page.close()


def test_two_hundred_systems_scroll_sort_and_compare(browser: Any, pages: dict[int, Path]) -> None:
    opened = Opened(browser, pages[200])
    frames = opened.page.evaluate(
        """async () => {
          const times = [], whole = document.documentElement.scrollHeight;
          let last = performance.now();
          for (let step = 0; step < 30; step += 1) {
            scrollTo(0, (whole * step) / 30);
            await new Promise(requestAnimationFrame);
            times.push(performance.now() - last);
            last = performance.now();
          }
          return times.sort((a, b) => a - b)[15];
        }"""
    )
    assert frames < 100  # milliseconds; 17 where nothing else runs
    opened.page.locator("select[data-pick=b]").select_option(label="system-150")
    assert "won, tied, lost" in opened.page.locator(".duel").inner_text()
    opened.page.locator("input[data-filter]").first.fill("system-15")
    assert opened.page.locator("table.board").first.locator("tbody tr:visible").count() == 10
    entry = opened.page.locator("details[data-entry]", has=opened.page.get_by_text("system-150", exact=True))
    entry.locator("summary").click()
    entry.locator("tbody tr").first.wait_for()
    assert entry.locator("tbody tr").count() == 199
    opened.check()
    opened.page.close()


def test_hostile_names_fit_a_phone_and_show_in_full(browser: Any, tmp_path: Path, artefacts: Path) -> None:
    path = tmp_path / "hostile.html"
    bt.report(hostile(), path, title="x" * 200, resamples=50)
    opened = Opened(browser, path)
    page = opened.page
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=artefacts / "report-hostile-wide.png", full_page=True)
    long = page.locator("table.board").first.locator("tbody th .name", has_text="x" * 300)
    assert long.get_attribute("title") == "x" * 300
    for place, name in enumerate(HOSTILE[:3]):
        page.locator("#highlight").select_option(label=name)
        assert page.locator("table.board").first.locator("tr.marked th").inner_text() == name, place
    assert violations(page) == []
    opened.check()
    page.close()
