"""Escaping of user text for HTML, Markdown, LaTeX and the other output languages."""

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any
from unicodedata import category

#: Characters that control a reader's program instead of being shown. They are controls, line separators, marks that
#: reverse the text direction, and code points that XML forbids.
_STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "…": r"\dots{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "`": r"\textasciigrave{}",
    }
)
#: Signs of LaTeX that become another one where they follow each other.
_LIGATURES = re.compile(r"([-,'])(?=\1)")
#: What Markdown takes for markup anywhere: links, pictures, emphasis, code, HTML, entities, formulas, attributes; and
#: addresses that GitHub makes links of.
_MARKUP = re.compile(r"[\\`*_{}\[\]<>|~&$]|:(?=//)|(?<=www)\.", re.IGNORECASE)
#: What begins a list, a line or a heading at the start of a block, and what ends a heading.
_BLOCK = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+=](?:[-+=\s]|$))|(?=#))|(?<=\s)()(?=#+$)")
#: How long a message may be, in letters and lines.
LONGEST, _LINES = 600, 3
#: Names that every JavaScript object has already: the renderer looks values up among them, and fails.
_PROPERTIES = frozenset(
    {
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
        "__proto__",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
    }
)


def terminal_line(text: str) -> str:
    """Return one line for a terminal: what cannot be printed, a line break above all, is a question mark.

    >>> terminal_line("owl\\x1b[31m\\nyak")
    'owl?[31m?yak'
    """
    return text if text.isprintable() else "".join(map(_printed, text))


def terminal_rows(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the cells of a table, each as one line for a terminal."""
    return [[terminal_line(cell) for cell in row] for row in rows]


def _printed(character: str) -> str:
    if character.isprintable():
        return character
    return " " if category(character) == "Zs" else "?"


def terminal_text(text: str) -> str:
    """Return lines of text, and columns between tabs, that cannot steer a terminal.

    >>> terminal_text("owl\\x1b[31m\\nyak")
    'owl?[31m\\nyak'
    """
    return "\n".join("\t".join(map(terminal_line, line.split("\t"))) for line in text.split("\n"))


def brief(text: str, most: int = LONGEST) -> str:
    """Return a message that can be read, whatever it quotes: three lines at most, and no more letters than that.

    >>> brief(f"unknown system {'x' * 1000!r}; known: owl, yak")
    "unknown system 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxx'; known: owl, yak"
    """
    first, *more = text.split("\n", _LINES - 1)
    if more and "\n" in more[-1]:
        more[-1] = " ".join(more[-1].split())
    text = "\n".join([first, *more])
    if len(text) > most:
        text = re.sub(r"\S{100,}", lambda word: f"{word[0][:40]}…{word[0][-20:]}", text)
    if len(text) > most:
        text = f"{text[: 2 * most // 3]} … {text[3 - most // 3 :]}"
    return terminal_text(text)


def latex_text(text: str) -> str:
    r"""Return text for a cell of a LaTeX table; it cannot be an option of the row's end or of the rule before it.

    >>> latex_text("[50 %] a_b")
    '{}[50 \\%] a\\_b'
    """
    line = _LIGATURES.sub(r"\1{}", _joined(text).translate(_LATEX)).replace("–", "--")
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def latex_comment(text: str) -> str:
    """Return a comment of one line in LaTeX: a line break would end it."""
    return f"% {_joined(text)}\n"


def _joined(text: str) -> str:
    return terminal_line(" ".join(text.split()))


def markdown_text(text: str) -> str:
    r"""Return text that Markdown shows as it is within a line: no link, picture, emphasis or HTML.

    >>> markdown_text("![x](http://y) a|b")
    '!\\[x\\](http\\://y) a\\|b'
    """
    return _MARKUP.sub(r"\\\g<0>", " ".join(_shown(text).split()))


def markdown_line(text: str) -> str:
    r"""Return a whole paragraph, heading or entry of a list, which Markdown takes for nothing else.

    >>> markdown_line("# 1"), markdown_line("1. a"), markdown_line("- a")
    ('\\# 1', '1\\. a', '\\- a')
    """
    return _BLOCK.sub(r"\1\\", markdown_text(text))


def markdown_code(text: str) -> str:
    """Return text as a code span, whatever back quotes are in it."""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    line = " ".join(_shown(text).split())
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


def html_text(text: str) -> str:
    """Return text for an element or a quoted attribute of HTML.

    >>> html_text("<b>owl</b>\\x1b")
    '&lt;b&gt;owl&lt;/b&gt;�'
    """
    return escape(_shown(text))


def picture_text(text: str) -> str:
    """Return text for the values of a picture, which SVG can hold and the renderer does not take for its own names."""
    # A space without width makes another name of it, which looks the same.
    return f"{text}\u200b" if text in _PROPERTIES else _shown(text)


def json_text(document: Any, *, indent: int | None = None) -> str:
    """Return JSON in which numbers are finite, and what would steer a terminal is written as its code.

    >>> json_text({"name": "owl\\x9b"})
    '{"name":"owl\\\\u009b"}'
    """
    separators = (",", ":") if indent is None else None
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def script_json(document: Any) -> str:
    """Return JSON for the inside of an HTML script: no tag, comment or line separator can begin in it."""
    text = json_text(document)
    for character in ("<", ">", "&"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _shown(text: str) -> str:
    return _STEERING.sub("\ufffd", text)
