"""Render texts as safe HTML: no scripts, no external resources, no links."""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from betterthan.base import optional_library

#: Everything that a page gets from a text: these elements with these attributes, whose values `_kept` checks.
TAGS = frozenset(
    {
        "p",
        "br",
        "hr",
        "h4",
        "h5",
        "h6",
        "em",
        "strong",
        "s",
        "code",
        "pre",
        "span",
        "blockquote",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
)
ATTRIBUTES = {
    **{tag: frozenset({"dir"}) for tag in ("p", "h4", "h5", "h6", "blockquote", "ul", "table")},
    "ol": frozenset({"dir", "start"}),
    "pre": frozenset({"tabindex", "dir"}),
    "span": frozenset({"class"}),
}
_PREFIX = "hl-"
_VALUES = {
    "dir": re.compile("auto|ltr"),
    "tabindex": re.compile("0"),
    "start": re.compile("[0-9]{1,9}"),
    "class": re.compile(_PREFIX + "[a-z0-9]{1,4}"),
}
#: Styles of Pygments whose colours can all be read on a light and on a dark background (WCAG 2.2 AA, 4.5 to 1).
STYLES = {"light": "xcode", "dark": "monokai"}
#: Longer code is shown without colours: some of Pygments' expressions take very long on text made to slow them down.
_LONG_CODE = 20_000
#: What no page can show: control characters other than tab and line feed, and halves of surrogate pairs.
_UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def to_html(text: str, *, markdown: bool = False) -> str:
    """Return a text as safe HTML: paragraphs and line breaks as they are, or as Markdown.

    Links and images of Markdown become text, so that nothing is loaded and nobody leaves the page; headings begin at
    level 4, below those of the page.

    >>> to_html("1 < 2\\nand so on")
    '<p dir="auto">1 &lt; 2<br>and so on</p>'
    """
    lines = _UNSHOWN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return clean(_parser().render(lines) if markdown else _paragraphs(lines))


def clean(html: str) -> str:
    """Reduce any HTML to what `TAGS` and `ATTRIBUTES` allow, including our own: no text relies on its rendering
    alone.
    """
    cleaned: str = _part("nh3").clean(html, **_ALLOWED)
    return cleaned.strip()


def css() -> str:
    """Return the colours of highlighted code as a stylesheet: light, or dark where the reader prefers that."""
    return "".join(
        f"@media (prefers-color-scheme: {scheme}) {{\n{_rules(style)}\n}}\n" for scheme, style in STYLES.items()
    )


def _paragraphs(text: str) -> str:
    """Keep paragraphs and line breaks; spaces before words stay, so that a stylesheet may show them (pre-wrap)."""
    blocks = [block.strip("\n").rstrip() for block in re.split(r"\n[^\S\n]*\n", text)]
    return "".join(f'<p dir="auto">{escape(block).replace(chr(10), "<br>")}</p>' for block in blocks if block.strip())


def _kept(tag: str, attribute: str, value: str) -> str | None:
    """Return an attribute's value if it is one of ours; nh3 asks about those that it removes as well."""
    del tag
    return value if attribute in _VALUES and _VALUES[attribute].fullmatch(value) else None


_ALLOWED: dict[str, Any] = {
    "tags": set(TAGS),
    "attributes": {tag: set(names) for tag, names in ATTRIBUTES.items()},
    "attribute_filter": _kept,
    "url_schemes": set(),
    "link_rel": None,
    "clean_content_tags": {"script", "style"},
}


@lru_cache(maxsize=1)
def _parser() -> Any:
    """Return a parser of CommonMark with tables and strikethrough, without HTML."""
    parser = _part("markdown_it").MarkdownIt("commonmark", {"html": False, "highlight": _highlighted})
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.push("plain_links", _plain_links)
    parser.core.ruler.push("of_this_page", _of_this_page)
    return parser


def _plain_links(state: Any) -> None:
    """Replace links by their text with the address in brackets, and images by the text that describes them."""
    for token in state.tokens:
        if token.children:
            token.children = _without_links(token.children)


def _without_links(tokens: Sequence[Any]) -> list[Any]:
    text_token = _part("markdown_it.token").Token
    kept: list[Any] = []
    opened: list[tuple[int, Any]] = []
    for token in tokens:
        if token.type == "link_open":
            opened.append((len(kept), token))
        elif token.type == "link_close":
            start, link = opened.pop()
            address = str(link.attrs.get("href", ""))
            said = "".join(each.content for each in kept[start:])
            if link.markup != "autolink" and address and address != said:
                kept.append(text_token("text", "", 0, content=f" ({address})"))
        elif token.type == "image":
            kept.append(text_token("text", "", 0, content=token.content))
        else:
            kept.append(token)
    return kept


def _of_this_page(state: Any) -> None:
    """Put headings below those of the page, and let the reader's script decide in which direction blocks are read."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1:]) + 3, 6)}"
        if token.nesting == 1 and "dir" in ATTRIBUTES.get(token.tag, ()):
            token.attrSet("dir", "auto")
        if token.type == "code_block":  # indented, without a language: shown as a fenced one
            token.type, token.tag, token.info = "fence", "code", ""


def _highlighted(code: str, language: str, attributes: str) -> str:
    """Return a block of code with classes for colours; plain where its language is not known."""
    del attributes
    inner = escape(code)
    if language and len(code) <= _LONG_CODE:
        pygments, lexers = _part("pygments"), _part("pygments.lexers")
        try:
            lexer = lexers.get_lexer_by_name(language, stripnl=False)
        except _part("pygments.util").ClassNotFound:
            pass
        else:
            formatter = _part("pygments.formatters").HtmlFormatter(nowrap=True, classprefix=_PREFIX)
            inner = pygments.highlight(code, lexer, formatter)
    return f'<pre tabindex="0" dir="ltr"><code>{inner}</code></pre>'  # tabindex: who has no mouse can scroll it


def _rules(style: str) -> str:
    """Return a rule per class: colour, bold, italic; backgrounds are the page's own."""
    names = _part("pygments.token").STANDARD_TYPES
    rules = []
    for kind, look in _part("pygments.styles").get_style_by_name(style):
        said = [f"color:#{look['color']}"] if look["color"] else []
        said += ["font-weight:bold"] if look["bold"] else []
        said += ["font-style:italic"] if look["italic"] else []
        if names.get(kind) not in {None, "", "err"} and said:  # what a lexer does not know is no error of a judge's
            rules.append(f".{_PREFIX}{names[kind]}{{{';'.join(said)}}}")
    return "\n".join(rules)


def _part(module: str) -> Any:
    """Import what renders, or name the command that installs it."""
    return optional_library(module, "campaign", "a campaign")
