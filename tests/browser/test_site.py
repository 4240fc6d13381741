"""The documentation site from disk: nothing is fetched, and its search finds the page that answers each question."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import betterthan
from tests.scripts import load_script

ROOT = Path(__file__).parents[2]
QUESTIONS = re.findall(
    r"^\| (.+?) \| \[.+?\]\((.+?)\) \|$", (ROOT / "docs" / "questions.md").read_text("utf-8"), flags=re.M
)


def _found(page: Any, question: str) -> list[str]:
    """Type a question into the search box, and return the pages of the first three results."""
    box = page.locator("input.md-search__input")
    box.fill("")
    box.press("End")  # the page listens to keys
    page.wait_for_function("document.querySelectorAll('.md-search-result__item').length === 0")
    box.fill(question)
    box.press("End")
    page.wait_for_selector(".md-search-result__item a", state="attached")
    links = page.eval_on_selector_all(
        ".md-search-result__item", "items => items.slice(0, 3).map(item => item.querySelector('a').href)"
    )
    return [unquote(link).partition("?")[0].partition("#")[0] for link in links]


def test_the_search_finds_a_page_for_every_question(browser: Any, tmp_path: Path) -> None:
    site: Path = load_script("tools/site.py", "site_tool").built(tmp_path)
    page = browser.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name=betterthan.__version__).click()
    assert betterthan.__version__ in page.locator(".md-banner").inner_text()
    assert len(QUESTIONS) >= 20
    missed = {}
    for question, wanted in QUESTIONS:
        found = _found(page, question)
        if (site / wanted).with_suffix(".html").as_uri() not in found:
            missed[question] = [link.rpartition(f"/{betterthan.__version__}/")[2] for link in found]
    assert missed == {}
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []
    assert said == []
    page.close()


def test_versions_are_listed_the_newest_first(tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.0", "0.2.0"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").write_text("")
    (tmp_path / "other").mkdir()
    listed = re.findall(r'href="([^"]+)"', load_script("tools/site.py", "site_tool").version_list(tmp_path))
    assert listed == ["0.10.0/index.html", "0.9.0/index.html", "0.2.0/index.html"]
