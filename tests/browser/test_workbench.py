"""The workbench in a real browser: files dropped, options changed, few and many systems, hostile names, any width."""

import csv
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.base import spelling
from betterthan.web.workbench.open_files import Files
from betterthan.web.workbench.session import WorkbenchSession
from betterthan.web.workbench.workbench_server import Served, served_workbench
from tests.browser.conftest import field
from tests.browser.screenshot import check, compared, in_boxes
from tests.browser.test_report import HOSTILE, hostile, violations
from tests.browser.test_report_sizes import WIDTHS

VOTES = Path(__file__).parent.parent.parent / "examples" / "votes.csv"
NAMES = (*HOSTILE, "constructor", "__proto__", "toString")


class Bench:
    """A page of a workbench, with everything it asked for and complained about."""

    def __init__(self, browser: Any, served_at: Served) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
        self.page = self.context.new_page()
        self.base = served_at.address.partition("/?")[0]
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(served_at.address)
        self.settled()

    def settled(self) -> None:
        """Wait until every panel has its answer."""
        self.page.wait_for_selector("[aria-busy]", state="detached")

    def tab(self, name: str) -> None:
        self.page.locator(f"#tab-{name}").click()
        self.settled()

    def text(self, name: str) -> str:
        return self.page.locator(f"[data-panel={name}]").inner_text()

    def wrong(self, name: str) -> str:
        return self.page.locator(f"[data-wrong={name}]").inner_text()

    def choose(self, option: str, value: str) -> None:
        control = self.page.locator(f"#{option}")
        if control.evaluate("(node) => node.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
            control.dispatch_event("change")
        self.settled()

    def close(self) -> None:
        outside = [url for url in self.requests if not url.startswith((f"{self.base}/", "data:", "blob:"))]
        self.context.close()
        assert outside == []
        assert self.complaints == []


@pytest.fixture(scope="module")
def bench(browser: Any) -> Iterator[Callable[..., Bench]]:
    """Return a function that serves files and opens them in the browser."""
    with ExitStack() as stack:
        stack.enter_context(spelling.spell_for("command line"))

        def opened(*files: Path, **rank: str) -> Bench:
            session = stack.enter_context(WorkbenchSession(Files([str(file) for file in files])))
            keys = [file.key for file in session.files.all()]
            at = stack.enter_context(served_workbench(session, state={"files": keys, "rank": rank}).in_background())
            return Bench(browser, at)

        yield opened


def written(columns: dict[str, Any], path: Path) -> Path:
    """Write columns as CSV, whatever is in them."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))
    return path


def test_options_change_what_is_seen(bench: Callable[..., Bench]) -> None:
    opened = bench(VOTES)
    page = opened.page
    assert "token" not in page.url
    assert page.evaluate("document.cookie") == ""  # no script can read the token
    assert "Read as judgments" in page.locator("#read-line").inner_text()
    board = bt.rank(str(VOTES)).board
    assert board.shown(board.rows[0].score) in opened.text("board")
    opened.choose("rank-scale", "log")
    logs = bt.rank(str(VOTES), scale="log", ci="none").board
    assert f"{logs.rows[0].score:.2f}" in opened.text("board")
    page.get_by_role("group", name="Models").first.get_by_role("button", name="davidson").click()
    opened.settled()
    assert "davidson" in opened.text("board")
    # A wrong option is told as on the command line, and corrected.
    opened.choose("rank-level", "95")
    assert opened.wrong("board") == "--level must be a number of at least 0.5 and below 1, got 95.0; 95 % is 0.95."
    opened.choose("rank-level", "0.9")
    assert opened.wrong("board") == ""
    # Rows are filtered, systems left out.
    page.locator("summary", has_text="Rows").click()
    opened.choose("read-exclude", "fjord")
    assert "fjord" not in opened.text("board")
    # What was said outlives a reload, in this tab.
    page.reload()
    opened.settled()
    assert "fjord" not in opened.text("board")
    assert "davidson" in opened.text("board")
    opened.tab("code")
    assert "--exclude fjord" in opened.text("code")
    opened.close()


def test_every_tab_by_keyboard(bench: Callable[..., Bench], tmp_path: Path) -> None:
    opened = bench(VOTES)
    page = opened.page
    page.locator("#tab-board").focus()
    seen = []
    for _ in range(6):
        seen.append(page.evaluate("document.activeElement.dataset.tab"))
        opened.settled()
        assert violations(page, rules={"color-contrast": {"enabled": seen[-1] in {"pairs", "diagnosis"}}}) == []
        page.keyboard.press("ArrowRight")
    assert seen == ["board", "pairs", "diagnosis", "pictures", "data", "code"]
    opened.tab("pairs")
    first = opened.text("duel")
    page.get_by_role("button", name="Compare with fjord").click()
    opened.settled()
    assert page.locator("#b").input_value() == "fjord"
    assert opened.text("duel") != first
    assert bt.compare(str(VOTES), "aurora", "fjord").verdict in opened.text("duel")
    opened.tab("pictures")
    page.locator("#kind").select_option("meetings")
    opened.settled()
    assert page.locator("[data-panel=pictures] img").evaluate("(image) => image.complete && image.naturalWidth > 0")
    with page.expect_download() as found:
        page.get_by_role("button", name="Download picture as png").click()
    found.value.save_as(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    opened.tab("board")
    with page.expect_download() as found:
        page.get_by_role("button", name="Download board as csv").click()
    found.value.save_as(tmp_path / "board.csv")
    assert (tmp_path / "board.csv").read_text("utf-8") == bt.rank(str(VOTES)).to_csv()
    opened.close()


def test_files_are_dropped_corrected_and_closed(bench: Callable[..., Bench]) -> None:
    opened = bench()
    page = opened.page
    assert "No file is open yet." in page.locator("#read-line").inner_text()
    for name in ("pairs", "diagnosis", "pictures", "data", "code", "board"):
        opened.tab(name)
        assert opened.text(name) == "Open a file to see results."
        assert opened.wrong(name) == ""
    drop = """(text) => {
        const files = new DataTransfer();
        files.items.add(new File([text], "dropped <b>.csv"));
        document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, "x,y,z\nowl,yak,a\nyak,owl,a\nowl,yak,a\nowl,yak,tie\n")
    page.get_by_text("dropped <b>.csv", exact=True).first.wait_for()
    page.locator("#read-line.warning").wait_for()
    assert page.locator("#read-line").inner_text().startswith("dropped <b>.csv: ")
    page.locator("summary", has_text="Columns").click()
    for option, column in (("left", "x"), ("right", "y"), ("outcome", "z")):
        opened.choose(f"read-{option}", column)
    page.locator("#read-line:not(.warning)").wait_for()
    assert "left = x, right = y, outcome = z" in page.locator("#read-line").inner_text()
    assert "owl" in opened.text("board")
    page.reload()  # uploads stay open
    opened.settled()
    page.get_by_text("owl").first.wait_for()
    page.set_input_files("#picker", str(VOTES))
    page.get_by_text("votes.csv", exact=True).first.wait_for()
    page.get_by_role("button", name="Reset all options").click()
    page.get_by_text("aurora").first.wait_for()
    for name in ("votes.csv", "dropped <b>.csv"):
        page.get_by_role("button", name=f"Close {name}").click()
        page.get_by_role("button", name=f"Close {name}").wait_for(state="detached")
    page.get_by_text("No file is open yet.").wait_for()
    assert opened.text("board") == "Open a file to see results."
    opened.close()


def test_hostile_names_are_names(bench: Callable[..., Bench], tmp_path: Path) -> None:
    columns = hostile(judgments=1500)
    more = {"left": NAMES[-3:], "right": NAMES[:3], "winner": ["left"] * 3, "item": ["1"] * 3, "judge": NAMES[-3:]}
    both = {
        name: [*values, *more[name], *(reversed(more[name]) if name in {"left", "right"} else more[name])]
        for name, values in columns.items()
    }
    opened = bench(written(both, tmp_path / "<img src=x onerror=alert(1)>.csv"), resamples="50")
    page = opened.page
    for name in ("pairs", "diagnosis", "pictures", "data", "code", "board"):
        opened.tab(name)
        assert opened.wrong(name) == ""
    shown = page.locator("[data-panel=board] tbody th").all_inner_texts()
    assert {"constructor", "__proto__", "toString", "{{ 7 * 7 }}"} <= set(shown)
    assert page.evaluate("window.hacked") is None
    opened.tab("pairs")
    page.locator("#a").select_option("__proto__")
    opened.settled()
    opened.choose("b", NAMES[1])
    assert "__proto__" in opened.text("duel")
    assert NAMES[1] in opened.text("duel")
    opened.close()


@pytest.mark.parametrize("systems", [2, 13, 60, 200])
def test_it_fits_and_is_accessible(systems: int, bench: Callable[..., Bench], tmp_path: Path, artefacts: Path) -> None:
    opened = bench(written(field(systems), tmp_path / "field.csv"), resamples="50")
    page = opened.page
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for name in ("board", "pairs"):
            opened.tab(name)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                if systems == 13:
                    page.screenshot(path=artefacts / f"workbench-{name}-{width}-{scheme}.png")
    rules = {"rules": {"color-contrast": {"enabled": False}}} if systems > 13 else {}
    assert violations(page, **rules) == []
    if systems == 13:  # the small layout, dark
        page.set_viewport_size({"width": 320, "height": 800})
        assert violations(page) == []
    assert re.search(rf"{systems * (systems - 1) // 2:,} pairs? differ", opened.text("pairs"))
    opened.close()


def test_two_tabs_do_not_disturb_each_other(bench: Callable[..., Bench]) -> None:
    opened = bench(VOTES)
    other = opened.context.new_page()
    other.goto(f"{opened.base}/")
    other.locator("#rank-model").fill("win-rate")
    opened.choose("rank-model", "davidson")
    other.get_by_text("by win-rate").first.wait_for()
    assert "davidson" in opened.text("board")
    assert "win-rate" not in opened.text("board")
    opened.close()


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1440, "light")])
def test_the_layout_is_the_stored_one(
    width: int, scheme: str, browser: Any, bench: Callable[..., Bench], artefacts: Path
) -> None:
    first = bench(VOTES)
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        bypass_csp=True,
        storage_state=first.context.storage_state(),
    )
    page = context.new_page()
    page.goto(first.base)
    page.wait_for_selector("table.board .drawn circle")
    page.wait_for_selector("[aria-busy]", state="detached")
    name = f"workbench-{width}-{scheme}.png"
    found = compared(in_boxes(page), name)
    context.close()
    first.close()
    check(found, name, artefacts)
