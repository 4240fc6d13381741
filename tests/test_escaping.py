"""What comes from a file stays text: another program reads it back as it was, or finds nothing that it would obey."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import betterthan as bt
from betterthan.base import escaping
from betterthan.present import pictures
from betterthan.present.table import Column, Table
from betterthan.results.data_frames import csv_text

#: Letters of every plane, controls and surrogates included, among what means something somewhere.
SIGNS = (
    *"\\`*_{}[]<>|~&$#%^!-+=.,'\"()/:@;\n\r\t ",
    "www.",
    "http://",
    "1. ",
    "&lt;",
    "&#60;",
    "</script>",
    "<!--",
    "]]>",
    "\\input{x}",
    "![x](http://y)",
    "\x00",
    "\x07",
    "\x1b[2J",
    "\x7f",
    "\x85",
    "\x9b",
    "\u200f",
    "\u2028",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\ufffe",
    "\ud800",
)
TEXTS = st.lists(st.sampled_from(SIGNS) | st.characters(), max_size=12).map("".join)
#: Those without what no document may hold: of them nothing may be lost.
CLEAN = TEXTS.map(
    lambda text: re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]", "", text)
)
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def blanks(text: str) -> str:
    return " ".join(text.split())


def inert(text: str, keep: str = "") -> bool:
    """Does a text hold nothing that a terminal or a display obeys?"""
    return not any(
        unicodedata.category(sign) in {"Cc", "Cs"} or unicodedata.bidirectional(sign) in BIDI
        for sign in text
        if sign not in keep
    )


@given(TEXTS)
def test_a_terminal_is_never_steered(text: str) -> None:
    assert escaping.terminal_line(text).isprintable()
    assert all(part.isprintable() for line in escaping.terminal_text(text).split("\n") for part in line.split("\t"))
    assert escaping.terminal_line("naïve 名前 👍") == "naïve 名前 👍"
    assert len(escaping.terminal_line(text)) == len(text)
    assert inert(escaping.brief(text), "\n\t")
    assert escaping.brief(text).count("\n") < 3


@pytest.mark.parametrize("text", ["x" * 10**6, "x y " * 10**6, "\n" * 10**6, "\x1b" * 10**6])
def test_a_message_stays_short(text: str) -> None:
    error = bt.PlanError(f"unknown system {text!r}", where=text, allowed=text, remedy="Choose another one.")
    said = str(error)
    assert len(said) <= escaping.LONGEST
    assert said.count("\n") < 3
    assert said.endswith(" Choose another one.")


#: A reader of LaTeX's text mode: what commands and characters of a cell show. Anything else is an error.
_SHOWN = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "dots": "…",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textquotedbl": '"',
    "textasciigrave": "`",
}
_TOKEN = re.compile(r"\\([a-zA-Z]+)\{\}|\\([{}$&#%_])|(\{\})|(--)|([^\\{}$&#%_~^\"`<>|])", re.DOTALL)


def latex_shows(source: str) -> str:
    shown, place = [], 0
    while place < len(source):
        token = _TOKEN.match(source, place)
        assert token, f"LaTeX would obey {source[place:]!r}"
        command, sign, _, dash, plain = token.groups()
        shown.append(_SHOWN[command] if command else sign or ("–" if dash else plain or ""))
        place = token.end()
    return "".join(shown)


@given(TEXTS)
@example("[0.5, 0.7]")
@example("*")
@example("a--b,,c''")
def test_latex_shows_the_text(text: str) -> None:
    source = escaping.latex_text(text)
    assert latex_shows(source) == escaping.terminal_line(blanks(text))
    assert not source.startswith(("[", "*"))  # an option of the end of the row before
    comment = escaping.latex_comment(text)
    assert comment.startswith("% ")
    assert comment.removesuffix("\n").isprintable()


def test_latex_compiles_whatever_begins_a_row(latex: Callable[[str], Path]) -> None:
    hostile = ["[1em]", "*", "a\n\\input{/etc/hostname}", "?`", "--", "^^M", "%", "\x07", "\\\\", "'' ,, ``", "]"]
    hostile = [name.encode("ascii", "replace").decode() for name in hostile]
    table = Table([Column("[name]", "left"), Column("*")], [[name, name] for name in hostile], frozenset({0, 1, 2}))
    assert latex(escaping.latex_comment("bleu\n\\undefined") + table.to_latex()).stat().st_size > 5_000


MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown_shows(source: str, *around: str) -> str:
    """Return the text of a paragraph, heading or cell; anything but text in it is an error."""
    (inline,) = [token for token in MARKDOWN.parse(source) if token.type == "inline"]
    assert [token.type for token in MARKDOWN.parse(source) if token.type not in around] == ["inline"]
    assert {token.type for token in inline.children or ()} <= {"text"}
    return "".join(token.content for token in inline.children or ())


@given(CLEAN)
@example("![x](http://y)")
@example("- a")
@example("1. a")
@example("# a")
@example("a #")
@example("===")
@example("+ ")
@example("&lt;b&gt;")
def test_markdown_shows_the_text(text: str) -> None:
    wanted, source = blanks(text), escaping.markdown_line(text)
    if wanted:
        assert markdown_shows(source, "paragraph_open", "paragraph_close") == wanted
        assert markdown_shows(f"## {source}", "heading_open", "heading_close") == wanted
        item = "bullet_list_open", "list_item_open", "list_item_close", "bullet_list_close"
        assert markdown_shows(f"- {source}", *item, "paragraph_open", "paragraph_close") == wanted
        code = list(MARKDOWN.parse(escaping.markdown_code(text))[1].children or ())
        assert [each.type for each in code] == ["code_inline"]
        assert code[0].content == wanted
    assert not re.search(r"https?://|www\.", source, re.IGNORECASE)  # GitHub makes links of them
    table = MARKDOWN.parse(Table([Column(text), Column("b")], [[text, "1"]]).to_markdown())
    cells = [token for token in table if token.type == "inline"]
    assert ["".join(each.content for each in cell.children or ()) for cell in cells] == [wanted, "b", wanted, "1"]
    assert {each.type for cell in cells for each in cell.children or ()} <= {"text"}


@given(TEXTS)
def test_markdown_steers_nothing(text: str) -> None:
    assert inert(escaping.markdown_text(text))
    assert inert(escaping.markdown_code(text))


class _Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text, self.tags = "", list[str]()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.text += "".join(value or "" for name, value in attrs if name == "title")


def html_shows(source: str) -> tuple[str, list[str]]:
    reader = _Read()
    reader.feed(source)
    reader.close()
    return reader.text, reader.tags


@given(TEXTS, CLEAN)
def test_html_shows_the_text(text: str, clean: str) -> None:
    assert html_shows(f"<p>{escaping.html_text(clean)}</p>") == (clean, ["p"])
    assert html_shows(f'<p title="{escaping.html_text(clean)}"></p>') == (clean, ["p"])
    assert html_shows(escaping.html_text(text))[1] == []
    assert inert(escaping.html_text(text), "\n\r\t")


@given(TEXTS)
def test_json_is_read_back(text: str) -> None:
    for written in (escaping.json_text({text: text}), escaping.json_text([text], indent=1), escaping.script_json(text)):
        assert inert(written, "\n")
    assert json.loads(escaping.json_text({text: text})) == {text: text}
    script = escaping.script_json({text: text})
    assert json.loads(script) == {text: text}
    assert not re.search("[<>&]", script)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
def test_csv_is_read_back(rows: list[tuple[str, str]]) -> None:
    written = csv_text({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})
    assert [tuple(row) for row in csv.reader(io.StringIO(written, newline=""))] == [("a", "b"), *rows]


@given(TEXTS, CLEAN)
def test_xml_can_hold_what_pictures_show(text: str, clean: str) -> None:
    assert escaping.picture_text(clean) == clean
    read = ElementTree.fromstring(f"<text>{escaping.html_text(escaping.picture_text(text))}</text>").text or ""
    assert read == escaping.picture_text(text).replace("\r\n", "\n").replace("\r", "\n")


def test_names_of_javascript_and_hostile_ones_are_drawn() -> None:
    names = [
        "constructor",
        "toString",
        "valueOf",
        "__proto__",
        "hasOwnProperty",
        "<script>alert(1)</script>",
        "\x1b[2J",
        "\ufffe",
        "\u202eowl",
        "]]>",
        "&amp;",
        "\ud800",
        "datum.x",
        "",
        " ",
    ]
    place = [float(place) for place in range(1, len(names) + 1)]
    picture = pictures.ranks.draw(
        system=names,
        low=place,
        lower=place,
        middle=place,
        upper=place,
        high=place,
        cluster=[1] * len(names),
        label="\\input{x}",
        title="</svg>",
    )
    root = ElementTree.fromstring(picture.to_svg())
    shown = {(each.text or "").strip("\u200b") for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"constructor", "__proto__", "<script>alert(1)</script>", "]]>", "&amp;", "�owl"} <= shown
    assert not [each for each in root.iter() if each.tag.endswith(("script", "image", "}a"))]
