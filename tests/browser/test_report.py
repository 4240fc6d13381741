"""The report, opened in a real browser: what works, what is asked of the network (nothing), who can use it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import betterthan as bt
from tests.arenas import arena

HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><img src=x onerror='window.hacked = 1'>",
    '"><b>bold</b>',
    "{{ 7 * 7 }}",
    '=HYPERLINK("http://example.invalid")',
    "🦉" * 3,
    "نظام الترجمة",
    "x" * 300,
    "a" + "\u0301" * 40,
    "-->",
    "&lt;script&gt;",
    "\u2028line",
    "constructor",
    "__proto__",
    "toString",
]


def hostile(seed: int = 0, judgments: int = 3000) -> dict[str, Any]:
    """Judgments of systems whose names attack the page, by judges whose names do too."""
    rng = np.random.default_rng(seed)
    one = rng.integers(len(HOSTILE), size=judgments)
    two = (one + rng.integers(1, len(HOSTILE), size=judgments)) % len(HOSTILE)
    names = np.array(HOSTILE, dtype=object)
    wins = rng.random(judgments) < 1 / (1 + np.exp(0.2 * (one - two)))
    return {
        "left": names[one],
        "right": names[two],
        "winner": np.where(wins, "left", "right"),
        "item": rng.integers(100, size=judgments).astype(str),
        "judge": names[rng.integers(len(HOSTILE), size=judgments)],
    }


class Opened:
    """A page, with everything it asked for and complained about."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.page = browser.new_page(viewport={"width": 1000, "height": 800}, **options)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(path.as_uri())

    def check(self) -> None:
        outside = [url for url in self.requests if not url.startswith(("data:", "file:"))]
        assert outside == []
        assert sum(url.startswith("file:") for url in self.requests) == 1
        assert self.complaints == []


@pytest.fixture(scope="module")
def votes_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "votes.html"
    bt.report(arena(judgments=900), path, title="Votes", resamples=200)
    return path


@pytest.fixture(scope="module")
def scores_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "scores.html"
    bt.report(_scores(), path, resamples=200)
    return path


def test_the_page_asks_for_nothing_and_complains_of_nothing(
    browser: Any, votes_report: Path, scores_report: Path, artefacts: Path
) -> None:
    for path in (votes_report, scores_report):
        opened = Opened(browser, path)
        assert opened.page.locator("h1").inner_text()
        opened.page.screenshot(path=artefacts / f"report-{path.stem}.png", full_page=True)
        opened.check()
        opened.page.close()


def violations(page: Any, **options: Any) -> list[tuple[str, list[str]]]:
    """Return what axe has to say against a page."""
    found = Axe().run(page, options=options).response["violations"]
    return [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]


def test_no_accessibility_violation(browser: Any, votes_report: Path, scores_report: Path) -> None:
    for path in (votes_report, scores_report):
        opened = Opened(browser, path)
        for entry in opened.page.locator("details").all():
            entry.evaluate("entry => { entry.open = true; }")
        opened.page.locator("details table").first.wait_for()
        for scheme in ("light", "dark"):
            opened.page.emulate_media(color_scheme=scheme)
            assert violations(opened.page) == []
        opened.check()
        opened.page.close()


def test_sorting_and_filtering(browser: Any, votes_report: Path) -> None:
    page = Opened(browser, votes_report).page
    table = page.locator("table.board").first
    names = lambda: [row.locator("th").inner_text() for row in table.locator("tbody tr:visible").all()]  # noqa: E731
    at_first = names()
    heading = table.locator("thead button", has_text="Elo")
    heading.click()
    assert names() == at_first[::-1]
    assert table.locator("thead th", has=page.get_by_text("Elo", exact=True)).get_attribute("aria-sort") == "ascending"
    heading.click()
    assert names() == at_first
    at = 1 + [head.inner_text() for head in table.locator("thead th").all()].index("won")
    cells = table.locator(f"tbody tr td:nth-child({at})")
    wins = lambda: [float(cell.get_attribute("data-value")) for cell in cells.all()]  # noqa: E731
    won = wins()
    table.locator("thead button", has_text="won").click()
    assert wins() == sorted(won)
    page.locator("input[data-filter]").first.fill("OW")
    assert names() == ["owl"]
    assert page.locator("[data-count]").first.inner_text() == f"1 of {len(won)} systems shown"
    page.close()


def _shown(page: Any) -> dict[str, str]:
    return {
        row.locator("dt").inner_text(): row.locator("dd").inner_text() for row in page.locator(".duel dl div").all()
    }


def _percent(text: str) -> list[float]:
    return [float(number) / 100 for number in re.findall(r"(-?[\d.]+) %", text)]


def test_the_pair_explorer_shows_the_numbers_of_the_verbs(browser: Any, votes_report: Path) -> None:
    page = Opened(browser, votes_report).page
    pairs = bt.compare_all(arena(judgments=900), "bradley-terry", resamples=200)
    main = bt.report(arena(judgments=900), resamples=200).parts[0].main
    picks = [page.locator(f"select[data-pick={side}]") for side in "ab"]
    for one, two in ((0, 1), (3, 1), (2, 3), (4, 0)):
        a, b = pairs.systems[one], pairs.systems[two]
        picks[0].select_option(label=a)
        picks[1].select_option(label=b)
        shown = _shown(page)
        duel = bt.compare(arena(judgments=900), a, b)
        assert shown["won, tied, lost"] == ", ".join(f"{number:g}" for number in pairs.record[:, one, two])
        effect = duel.effect("superiority")
        expected = [round(value, 3) for value in (effect.value, effect.low, effect.high)]
        assert _percent(shown["win rate, ties half (95 % confidence interval)"]) == pytest.approx(expected, abs=6e-4)
        assert float(shown["expected score by bradley-terry"]) == pytest.approx(pairs.values[one, two], abs=6e-5)
        assert float(shown["p (bradley-terry by item and judge)"]) == pytest.approx(pairs.p[one, two], abs=1e-3)
        corrected = float(shown["p, corrected for all pairs jointly"])
        assert corrected == pytest.approx(pairs.p_adjusted[one, two], abs=1e-3)
        better = a if pairs.values[one, two] > 0.5 else b
        significant = pairs.p_adjusted[one, two] <= 0.05
        said = page.locator(".conclusion").inner_text()
        notes = page.locator(".facts > p.muted").all_inner_texts()
        first, second = (main[name] for name in (a, b))
        apart = first.rank_high < second.rank_low or second.rank_high < first.rank_low
        assert bool(notes) == (apart != significant)  # what seems to disagree is explained
        assert said.startswith(f"{better} is significantly better" if significant else f"{a} and {b} do not differ")
    page.locator("[data-swap]").click()
    assert picks[0].input_value() == "0"
    picks[1].select_option("0")
    assert "different" in page.locator(".duel").inner_text()
    page.close()


def test_a_system_has_its_record_and_is_highlighted_everywhere(browser: Any, votes_report: Path) -> None:
    opened = Opened(browser, votes_report)
    page = opened.page
    pairs = bt.compare_all(arena(judgments=900), "bradley-terry")
    entry = page.locator("details[data-entry]", has=page.get_by_text(pairs.systems[2], exact=True)).first
    entry.locator("summary").click()
    entry.locator("tbody tr").first.wait_for()
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in entry.locator("tbody tr").all()
    }
    assert set(rows) == set(pairs.systems) - {pairs.systems[2]}
    for other, cells in rows.items():
        at = pairs.systems.index(other)
        assert [float(cell) for cell in cells[:3]] == pairs.record[:, 2, at].tolist()
        assert _percent(cells[3]) == pytest.approx([pairs.share[2, at]], abs=6e-4)
    page.locator("#highlight").select_option(label=pairs.systems[2])
    marked = page.locator("tr.marked, details.marked, .strip.marked").all_inner_texts()
    assert len(marked) >= 4  # in every board, among the systems and in the pictures
    assert all(pairs.systems[2] in text for text in marked)
    entry.get_by_role("button", name=f"Compare with {pairs.systems[0]}").click()
    assert [page.locator(f"select[data-pick={side}]").input_value() for side in "ab"] == ["2", "0"]
    opened.check()
    page.close()


def _scores() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    base = rng.normal(size=80)
    return {name: np.round(base + rng.normal(size=80) + 0.3 * place, 3) for place, name in enumerate("vwxyz")}


def test_pictures_answer_the_pointer(browser: Any, votes_report: Path) -> None:
    opened = Opened(browser, votes_report)
    page = opened.page
    row = page.locator("table.board").first.locator("tbody tr").nth(1)
    name = row.locator("th").inner_text()
    settled = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    row.scroll_into_view_if_needed()
    page.evaluate(settled)  # scrolling hides tips, at the next frame
    row.locator("td.drawn").hover()
    said = page.locator(".tip").inner_text()
    assert said.startswith(name)
    assert row.locator("td").nth(2).inner_text() in said  # the score
    assert all(name in text for text in page.locator("tr.hot, .strip.hot").all_inner_texts())
    assert page.locator("tr.hot").count() >= 2
    cells, number = page.locator("[data-cells]"), 5
    cells.scroll_into_view_if_needed()
    page.evaluate(settled)
    box = cells.bounding_box()
    page.mouse.move(box["x"] + 2.5 * box["width"] / number, box["y"] + 0.5 * box["height"] / number)
    pairs = bt.compare_all(arena(judgments=900), "bradley-terry")
    tip = page.locator(".tip").inner_text().replace("\u2068", "").replace("\u2069", "").splitlines()
    assert tip[0] == f"{pairs.systems[0]} against {pairs.systems[2]}"
    assert _percent(tip[1])[0] == pytest.approx(pairs.share[0, 2], abs=6e-4)
    assert tip[2] == "{:g} won, {:g} tied, {:g} lost".format(*pairs.record[:, 0, 2])
    page.mouse.down()
    page.mouse.up()
    assert [page.locator(f"select[data-pick={side}]").input_value() for side in "ab"] == ["0", "2"]
    page.locator("figure.picture .strip").nth(2).click()
    marked = page.locator("#highlight option:checked").inner_text()
    assert page.locator(".strip.marked .label").inner_text() == marked
    assert page.locator(".cross.marked:visible").count() == 2
    opened.check()
    page.close()


def test_pictures_answer_the_keyboard(browser: Any, votes_report: Path) -> None:
    opened = Opened(browser, votes_report)
    page = opened.page
    names = page.locator("table.board").first.locator(".pick")
    names.first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == names.nth(1).inner_text()
    page.keyboard.press("Enter")
    assert names.nth(1).get_attribute("aria-pressed") == "true"
    assert page.locator("#highlight option:checked").inner_text() == names.nth(1).inner_text()
    pairs = bt.compare_all(arena(judgments=900), "bradley-terry")
    page.locator("[data-cells]").focus()
    for key in ("Home", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight"):  # the first key enters the matrix
        page.keyboard.press(key)
    said = page.locator("figure [role=status]").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert said.startswith(f"{pairs.systems[1]} against {pairs.systems[3]}; ")
    page.keyboard.press("Enter")
    assert [page.locator(f"select[data-pick={side}]").input_value() for side in "ab"] == ["1", "3"]
    for figure in ("figure.picture", "figure.matrix"):
        page.locator(f"{figure} .enlarge").first.click()
        assert page.locator(f"dialog[open] {figure}").count() == 1
        assert violations(page) == []
        page.keyboard.press("Escape")
        assert page.locator(f"dialog {figure}").count() == 0
        assert page.locator(f"main {figure}").count() >= 1
    width = "document.querySelector('[data-cells]').offsetWidth"
    before = page.evaluate(width)
    page.get_by_role("button", name="Smaller cells").click()
    assert page.evaluate(width) < before
    opened.check()
    page.close()


def test_the_mean_of_a_pair_is_that_of_compare(browser: Any, scores_report: Path) -> None:
    page = Opened(browser, scores_report).page
    number = lambda text: [float(each) for each in re.findall(r"-?\d+\.?\d*(?:e-\d+)?", text.replace("−", "-"))]  # noqa: E731
    for a, b in ("vw", "zx"):
        for side, name in zip("ab", (a, b), strict=True):
            page.locator(f"select[data-pick={side}]").select_option(label=name)
        duel = bt.compare(_scores(), a, b)
        shown = {text.split(" (")[0]: value for text, value in _shown(page).items() if "difference" in text}
        effect = duel.effect("mean_difference")
        assert number(shown["mean difference"]) == pytest.approx([effect.value, effect.low, effect.high], rel=1e-3)
        assert number(shown["median difference"]) == pytest.approx([duel.median_difference], rel=1e-3)
        [p] = [value for text, value in _shown(page).items() if "of this pair alone" in text]
        assert number(p) == pytest.approx([duel.p], abs=6e-5)
    page.close()


def test_scores_have_a_picture_of_the_pair(browser: Any, scores_report: Path, artefacts: Path) -> None:
    opened = Opened(browser, scores_report)
    assert opened.page.locator(".duel .joint circle").count() == 80
    bars = [int(bar.get_attribute("data-item").split()[0]) for bar in opened.page.locator(".differences rect").all()]
    assert sum(bars) == 80
    models = opened.page.locator(".by-model tbody tr")
    assert [row.locator("th").inner_text() for row in models.all()] == ["mean", "median", "bradley-terry"]
    tests = [row.locator("td").nth(1).inner_text() for row in models.all()]
    assert tests == ["paired t-test", "Mood's median test", "sign test"]
    assert opened.page.locator(".deciding tbody tr").count() == 10
    assert opened.page.locator(".duel dt", has_text="mean difference").count() == 1
    opened.page.locator(".pairs").screenshot(path=artefacts / "report-pair.png")
    opened.page.set_viewport_size({"width": 320, "height": 800})
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320
    opened.check()
    opened.page.close()


def test_the_theme_changes_and_everything_can_be_reached_by_keyboard(
    browser: Any, votes_report: Path, artefacts: Path
) -> None:
    page = Opened(browser, votes_report, color_scheme="light").page
    color = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    light = color()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "theme"
    page.keyboard.press("Enter")
    assert color() != light
    page.screenshot(path=artefacts / "report-dark.png")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + (document.activeElement.dataset.pick || '')"))
    assert {"BUTTON", "INPUT", "SELECTa", "SELECTb", "SUMMARY"} <= reached
    page.close()


def test_it_prints(browser: Any, votes_report: Path, artefacts: Path) -> None:
    page = Opened(browser, votes_report).page
    page.emulate_media(media="print")
    assert not page.locator("#theme").is_visible()
    assert page.pdf(path=artefacts / "report.pdf")[:4] == b"%PDF"
    page.close()


def test_hostile_names_are_text(browser: Any, tmp_path: Path, artefacts: Path) -> None:
    path = tmp_path / "hostile.html"
    bt.report(hostile(), path, title="<script>window.hacked = 1</script>", resamples=100)
    opened = Opened(browser, path)
    assert opened.page.evaluate("window.hacked") is None
    assert opened.page.locator("img[src=x]").count() == 0
    assert opened.page.locator("b").count() == 0
    shown = {row.inner_text() for row in opened.page.locator("table.board").first.locator("tbody th").all()}
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    for side in "ab":
        opened.page.locator(f"select[data-pick={side}]").select_option(label=HOSTILE[0 if side == "a" else 1])
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 1000
    opened.page.screenshot(path=artefacts / "report-hostile.png", full_page=True)
    opened.check()
    opened.page.close()


def test_several_data_sets_are_one_report(browser: Any, tmp_path: Path, artefacts: Path) -> None:
    rng = np.random.default_rng(3)
    rows = {"instance": [], "system": [], "metric": [], "score": []}  # type: dict[str, list[Any]]
    for metric in ("bleu", "chrf"):
        for item in range(40):
            for place, system in enumerate(("owl", "yak", "elk")):
                for name, value in (
                    ("instance", f"i{item}"),
                    ("system", system),
                    ("metric", metric),
                    ("score", rng.normal(place)),
                ):
                    rows[name].append(value)
    path = tmp_path / "several.html"
    page = bt.report(rows, path, resamples=100)
    opened = Opened(browser, path)
    assert opened.page.locator("article[data-part]").count() == 2
    assert violations(opened.page) == []
    assert opened.page.locator("#overview").count() == 1
    leaders = opened.page.locator("table.leaders tbody tr").all_inner_texts()
    assert [row.split("\t")[1].strip() for row in leaders] == [part.main.rows[0].system for part in page.parts]
    opened.page.set_viewport_size({"width": 320, "height": 800})
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert opened.page.locator("article .duel").nth(1).inner_text()
    opened.page.screenshot(path=artefacts / "report-several.png", full_page=True)
    opened.check()
    opened.page.close()


def test_without_javascript_the_page_still_answers(browser: Any, votes_report: Path) -> None:
    page = Opened(browser, votes_report, java_script_enabled=False).page
    assert page.locator(".tile .big").first.inner_text() == "owl"
    board = page.locator("table.board").first
    assert board.locator("tbody tr").count() == 5
    assert board.locator("td.drawn svg circle").count() == 5
    assert page.locator("noscript").first.is_visible()
    page.close()


def test_intervals_are_drawn_where_their_numbers_are(browser: Any, votes_report: Path) -> None:
    page = Opened(browser, votes_report).page
    for row in bt.report(arena(judgments=900), resamples=200).parts[0].main:
        drawn = (
            page.locator("table.board").first.locator("tbody tr", has=page.get_by_text(row.system, exact=True)).first
        )
        at = drawn.evaluate(
            "row => ['x1', 'x2', 'cx'].map((name) => parseFloat(row.querySelector(`.drawn > svg > [${name}]`).getAttribute(name)))"
        )
        low, high, middle = at
        assert low < middle < high
        assert (middle - low) / (high - low) == pytest.approx((row.score - row.low) / (row.high - row.low), abs=0.01)
    page.close()


def test_a_fragment_lives_in_another_page_and_keeps_its_style(browser: Any, tmp_path: Path) -> None:
    fragment = bt.report(arena(judgments=300), resamples=50, embed=True).html
    host = tmp_path / "host.html"
    host.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Host</title><style>h2 {color: rgb(255, 0, 0)}</style>"
        f"<main><h1>Host</h1><h2>Mine</h2>{fragment}</main>",
        "utf-8",
    )
    opened = Opened(browser, host)
    color = "node => getComputedStyle(node).color"
    assert opened.page.get_by_text("Mine").evaluate(color) == "rgb(255, 0, 0)"
    assert opened.page.locator("#boards-0").evaluate(color) != "rgb(255, 0, 0)"
    assert "<h1" not in fragment
    opened.page.locator("select[data-pick=b]").select_option("2")
    assert opened.page.locator(".conclusion").inner_text()
    opened.page.locator(".contents a", has_text="Methods").click()
    assert opened.page.evaluate("scrollY") > 500
    assert violations(opened.page) == []
    opened.check()
    opened.page.close()
