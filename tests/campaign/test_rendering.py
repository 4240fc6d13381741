"""Texts in a page: they keep what they say, and nothing in them runs, loads, styles or leads anywhere."""

import re
import sys
import time
from html import unescape
from html.parser import HTMLParser

import pytest
from pygments.styles import get_style_by_name

from betterthan.base.errors import MissingExtraError
from betterthan.campaign import safe_html
from tests.campaign.attacks import ATTACKS

VOID = {"br", "hr"}
VALUES = {"dir": r"auto|ltr", "tabindex": r"0", "start": r"\d+", "class": r"hl-[a-z0-9]+"}


class Seen(HTMLParser):
    """What a parser that is not ours finds in HTML: elements, attributes, text; anything else is refused."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in safe_html.TAGS, tag
        for name, value in attrs:
            assert name in safe_html.ATTRIBUTES.get(tag, ()), (tag, name)
            assert re.fullmatch(VALUES[name], value or ""), (tag, name, value)
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        pytest.fail(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        pytest.fail(f"declaration {decl!r}")

    def unknown_decl(self, data: str) -> None:
        pytest.fail(f"declaration {data!r}")

    def handle_pi(self, data: str) -> None:
        pytest.fail(f"instruction {data!r}")


def test_the_corpus_is_not_small_and_has_no_doubles() -> None:
    assert len(set(ATTACKS)) == len(ATTACKS) >= 60


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_stays_inert(attack: str) -> None:
    for around in ("{}", "before {} after", "- item\n\n  {}", "**{}**", "> {}\n\n{}"):
        for markdown in (False, True):
            Seen(safe_html.to_html(around.replace("{}", attack), markdown=markdown))


@pytest.mark.parametrize(
    "html",
    [
        *ATTACKS,
        '<p dir="evil" class="x">x</p>',
        '<pre tabindex="7">x</pre>',
        '<ol start="-1"><li>x</li></ol>',
        '<span class="btn">x</span>',
    ],
)
def test_html_is_cleaned_whoever_wrote_it(html: str) -> None:
    Seen(safe_html.clean(html.encode(errors="replace").decode()))


@pytest.mark.parametrize("attack", ATTACKS)
def test_plain_text_shows_every_character(attack: str) -> None:
    shown = Seen(safe_html.to_html(attack)).text
    expected = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", "\ufffd", attack)
    assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", expected)


def test_the_parser_of_these_tests_does_see_attacks() -> None:
    for html in ("<script>1</script>", '<p onclick="x">y</p>', '<p dir="evil">x</p>', '<span class="evil">x</span>'):
        with pytest.raises(AssertionError):
            Seen(html)


def test_plain_text_keeps_paragraphs_lines_and_spaces() -> None:
    assert safe_html.to_html("one\ntwo\r\n\r\n  three\rfour\n\n\n\n") == (
        '<p dir="auto">one<br>two</p><p dir="auto">  three<br>four</p>'
    )
    assert safe_html.to_html("") == safe_html.to_html(" \n ") == safe_html.to_html("", markdown=True) == ""
    assert safe_html.to_html("*not* `Markdown`") == '<p dir="auto">*not* `Markdown`</p>'


def test_markdown_keeps_what_it_means() -> None:
    text = "# Title\n\n*a* **b** ~~c~~ `d`\n\n3. x\n4. y\n\n> q\n\n| h |\n|---|\n| 1 |\n\n---\n"
    seen = Seen(html := safe_html.to_html(text, markdown=True))
    for tag in ("h4", "em", "strong", "s", "code", "ol", "li", "blockquote", "table", "th", "td", "hr"):
        assert tag in seen.tags, tag
    assert 'start="3"' in html


def test_links_and_images_become_text() -> None:
    text = "[here](https://example.org/a) <https://example.org> ![a cat](cat.png) [https://x.org](https://x.org)"
    assert safe_html.to_html(text, markdown=True) == (
        '<p dir="auto">here (https://example.org/a) https://example.org a cat https://x.org</p>'
    )


def test_code_is_highlighted_by_classes_that_the_stylesheet_has() -> None:
    html = safe_html.to_html("```python\nif x: return '<b>'\n```", markdown=True)
    classes = set(re.findall(r'class="([^"]+)"', html))
    assert {"hl-k", "hl-s1"} <= classes
    assert "style=" not in html
    assert Seen(html).text == "if x: return '<b>'\n"
    assert safe_html.css().count(".hl-k{") == 2  # light and dark
    assert "url(" not in safe_html.css()


@pytest.mark.parametrize("language", ["", "no-such-language", "PYTHON", "html", "text"])
def test_code_in_any_language_keeps_its_text(language: str) -> None:
    code = "\n  <a> & 'b'\n\n\tx\n"
    assert Seen(safe_html.to_html(f"```{language}\n{code}```", markdown=True)).text == code


def test_indented_code_is_shown_like_a_fenced_one() -> None:
    assert safe_html.to_html("    x = 1", markdown=True) == '<pre tabindex="0" dir="ltr"><code>x = 1\n</code></pre>'


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("scheme", "background"), [("light", "f4f4f4"), ("dark", "1c1c1c")])
def test_colours_of_code_can_be_read(scheme: str, background: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    block = safe_html.css().split("@media")[1 if scheme == "light" else 2]
    assert f"prefers-color-scheme: {scheme}" in block
    for colour in set(re.findall(r"color:#(\w{6})", block)):
        light, dark = sorted((_luminance(colour), _luminance(background)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, colour


def test_styles_exist() -> None:
    assert get_style_by_name("xcode")
    assert get_style_by_name("monokai")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "*a " * 20_000,
        "> " * 5_000 + "x",
        "`" * 20_001,
        "<" * 20_000,
        "|a" * 5000 + "\n" + "|-" * 5000,
        "```python\n" + "'" * 100_000 + "\n```",
        "&" * 50_000,
        "![" * 10_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text: str) -> None:
    begun = time.process_time()
    Seen(safe_html.to_html(text, markdown=True))
    assert time.process_time() - begun < 5


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nh3", None)
    with pytest.raises(MissingExtraError) as refused:
        safe_html.to_html("x")
    assert str(refused.value) == "a campaign needs nh3, which is not installed. Run: pip install 'betterthan[campaign]'"


def test_entities_are_not_decoded_twice() -> None:
    assert unescape(safe_html.to_html("&amp;lt;")) == '<p dir="auto">&amp;lt;</p>'
