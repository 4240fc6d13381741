"""Check every text that people read against the style sheet, docs/contributing/words.md.

`python tools/words.py` reads the documentation, and the strings, docstrings, comments and names of the package. It
reports sentences that are too long, phrases and terms that the style sheet's tables replace, abbreviations and named
methods that the glossary lacks, and exceptions without a reason. It returns 1 when there are problems.
"""

import ast
import io
import json
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
SHEET = ROOT / "docs" / "contributing" / "words.md"
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
PACKAGE = ROOT / "src" / "betterthan"
LIMIT = 30
#: Pages that `make docs` writes from strings of the package, where they are checked.
GENERATED = {
    *(ROOT / "docs" / "reference" / "findings").glob("*.md"),
    *(ROOT / "docs" / "reference" / f"{name}.md" for name in ("command-line", "formats", "python", "schemas")),
}
#: Pages that `betterthan study` writes: results that are kept as they were.
RESULTS = {page for page in (ROOT / "docs" / "studies").glob("*.md") if page.stem not in {"index", "papers"}}
#: What stands for code, a value or a name: one word that is in no table.
BLANK = "□"
_CODE = re.compile(r"(`+)(.+?)\1", re.S)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ENDS = re.compile(r"(?<=[.!?])[\"”’')*_\]]*\s+(?=[\"“‘'(*_\[]*[A-Z0-9□])|\s·\s|\n\s*\n")
_SHORT = re.compile(r"\b(e\.g|i\.e|cf|vs|al|et al|etc|Fig|Sec|Eq|No|p|pp|approx|Dr)\.(?=\s)")
_ABBREVIATION = re.compile(r"(?<![\w.\-_/])[A-Z]{2,6}s?(?![\w\-_/])")
#: A method that is named after somebody; readers need to know what it is.
_NAMED = re.compile(
    r"\b([A-Z][A-Za-zé]+)['’]s? "
    r"(?:tests?|alpha|kappa|correction|tau|τ|W|Q|delta|d_z|models?|intervals?|critical difference)\b"
)
_QUERY = re.compile(
    r"\b(SELECT|FROM|CREATE|INSERT|UPDATE|DELETE|PRAGMA|COPY|ATTACH|DROP|WHERE|CASE|CAST|WITH|ON CONFLICT)\b"
)
#: Comments that programs read.
_DIRECTIVE = re.compile(r"(?:noqa|type:|pragma:|mypy:|ruff:|fmt:|words:|pylint:|!)")
_REASON = re.compile(r"(?:#|<!--)\s*words:\s*(.*?)\s*(?:-->|$)")


@dataclass(frozen=True)
class Text:
    """A paragraph, cell or string, with code blanked, and the line on which it begins.

    `for_developers` marks docstrings, comments and names: the sheet has a table for these alone. `name` is the name in
    code of which `words` are the parts.
    """

    path: Path
    line: int
    words: str
    reason: str | None = None
    for_developers: bool = False
    name: str = ""

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Return each sentence with its line."""
        text = _SHORT.sub(lambda found: found.group().replace(".", "·"), self.words)
        start = 0
        for end in [*_ENDS.finditer(text), None]:
            sentence = text[start : end.start() if end else len(text)]
            ahead = len(sentence) - len(sentence.lstrip())
            if sentence.strip():
                yield self.line + text.count("\n", 0, start + ahead), sentence.strip()
            start = end.end() if end else len(text)


@dataclass(frozen=True)
class Rule:
    """A phrase to avoid, and what to write instead; `…` in it stands for up to five words."""

    phrase: str
    instead: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Where it occurs, over line ends too; a part of a longer or hyphenated word is none."""
        gap = re.escape(self.phrase).replace(r"\ …\ ", r"\s+(?:[^\s.;:]+\s+){1,5}?").replace(r"\ ", r"\s+")
        return re.compile(rf"(?<![\w\-]){gap}(?![\w\-])", re.I)


@dataclass(frozen=True)
class Sheet:
    """What the style sheet forbids, the files that may use some of it, and the abbreviations that are known."""

    rules: tuple[Rule, ...]
    developer_rules: tuple[Rule, ...]
    allowed: frozenset[tuple[str, str]]
    abbreviations: frozenset[str]
    names: frozenset[str]
    pending_names: frozenset[str]

    @staticmethod
    def read(sheet: Path = SHEET, glossary: Path = GLOSSARY) -> "Sheet":
        """Read the tables."""
        text = sheet.read_text(encoding="utf-8")
        concepts, phrases, in_code = (
            tuple(
                Rule(phrase, cells[1])
                for cells in rows(section(text, title))
                for phrase in re.findall(r"`([^`]+)`", cells[0])
            )
            for title in ("One term per concept", "Phrases to avoid", "Phrases to avoid in code")
        )
        allowed = frozenset(
            (cells[0].strip("`"), phrase)
            for cells in rows(section(text, "Exceptions"))
            for phrase in re.findall(r"`([^`]+)`", cells[1])
        )
        defined = glossary.read_text(encoding="utf-8")
        spelled = " ".join(cells[0] for cells in rows(section(defined, "Abbreviations")))
        known = {*re.findall(r"\w+", spelled), *re.findall(r"`(\w+)`", section(text, "Abbreviations"))}
        names = re.findall(r"[A-Z][A-Za-zé]+", section(defined, "Statistical terms"))
        pending = re.findall(r"`(\w+)`", section(text, "Names that are still to change"))
        return Sheet(concepts + phrases, in_code, allowed, frozenset(known), frozenset(names), frozenset(pending))

    def problems(self, text: Text) -> Iterator[str]:
        """Return what is wrong with a text."""
        where = str(text.path.relative_to(ROOT) if text.path.is_relative_to(ROOT) else text.path)
        if any(phrase == "*" and where.startswith(path) for path, phrase in self.allowed):
            return
        if text.name in self.pending_names:
            return
        if text.reason is not None:
            if len(text.reason.split()) < 3:
                yield f"{where}:{text.line}: the exception has no reason; say why in three words or more"
            return
        for line, sentence in text.sentences():
            length = sum(any(sign.isalnum() or sign == BLANK for sign in word) for word in sentence.split())
            if length > LIMIT:
                yield f"{where}:{line}: {length} words, more than {LIMIT}: {_shown(sentence)}"
            for rule in self.rules + (self.developer_rules if text.for_developers else ()):
                if rule.pattern.search(sentence) and not self._allows(where, rule.phrase):
                    yield f"{where}:{line}: {rule.phrase!r}; write: {rule.instead} ({_shown(sentence)})"
            for found in _NAMED.finditer(sentence):
                if found[1] not in self.names:
                    yield f"{where}:{line}: {found.group()} is not among the glossary's statistical terms"
            # Strings of the package also have names of columns, placeholders of help and parts of queries in capitals.
            for found in _ABBREVIATION.finditer(sentence) if text.path.suffix in {".md", ".ipynb"} else ():
                if not {found.group(), found.group().removesuffix("s")} & self.abbreviations:
                    yield f"{where}:{line}: {found.group()} is not in the glossary's abbreviations"

    def _allows(self, where: str, phrase: str) -> bool:
        """Whether a file, or a folder around it, may use a phrase."""
        return any(
            phrase == each and (where == path or (path.endswith("/") and where.startswith(path)))
            for path, each in self.allowed
        )


def section(text: str, title: str) -> str:
    """Return what stands below a heading of the second level.

    >>> section("## A\\none\\n## B\\ntwo\\n", "B")
    'two\\n'
    """
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, flags=re.S | re.M)
    if found is None:
        raise SystemExit(f"there is no section {title!r}")
    return found.group(1)


def rows(text: str) -> list[list[str]]:
    """Return the cells of a Markdown table's rows, without its head.

    >>> rows("| a | b |\\n|---|---|\\n| 1 | 2 |\\n")
    [['1', '2']]
    """
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _shown(sentence: str) -> str:
    text = " ".join(sentence.split())
    return text if len(text) <= 90 else f"{text[:87]}…"


def _blanked(text: str) -> str:
    """Replace code and addresses by one word each; a link is its text. Line ends stay where they are."""
    text = _CODE.sub(lambda found: BLANK + "\n" * found.group().count("\n"), text)
    text = _LINK.sub(r"\1", text)
    text = re.sub(r"https?://\S+", BLANK, text)
    return _TAG.sub("", text)


def markdown(path: Path, content: str | None = None) -> Iterator[Text]:
    """Return the paragraphs, list entries, headings and table cells of a page; code blocks are left out."""
    block: list[str] = []
    begun, fence, reason = 1, "", None
    lines = (path.read_text(encoding="utf-8") if content is None else content).splitlines()
    for number, line in enumerate([*lines, ""], start=1):
        stripped = line.strip()
        mark = re.match(r"(```+|~~~+)", stripped)
        starts = re.match(r"\s*([-*>]|\d+\.)\s|#|\||<!--", line)
        if block and (not stripped or mark or starts or fence):
            yield Text(path, begun, _blanked("\n".join(block)), reason)
            block, reason = [], None
        if not stripped:
            reason = None
        if fence:
            fence = "" if mark and stripped.startswith(fence) else fence
        elif mark:
            fence = mark.group(1)
        elif exception := _REASON.match(stripped):
            reason = exception.group(1)
        elif stripped.startswith("<!--"):
            continue
        elif stripped.startswith("|"):
            if not re.fullmatch(r"[|:\s-]+", stripped):
                # A vertical bar inside code belongs to its cell.
                cells = _CODE.sub(BLANK, line).strip().strip("|").split("|")
                yield from (Text(path, number, _blanked(cell.strip()), reason) for cell in cells)
        elif stripped.startswith("#"):
            yield Text(path, number, _blanked(stripped.lstrip("# ")), reason)
        elif stripped:
            begun = begun if block else number
            block.append(re.sub(r"^\s*([-*>]|\d+\.)\s+", "", line) if starts else line)


def python(path: Path, content: str | None = None) -> Iterator[Text]:
    """Return a module's docstrings, comments and names, and the strings that are texts."""
    source = path.read_text(encoding="utf-8") if content is None else content
    tree, lines = ast.parse(source), source.splitlines()
    docstrings = dict(_docstrings(tree))
    inside: set[int] = set()
    nouns: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"counted", "Column"}:
            nouns |= {id(part) for part in node.args}
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lazy_exports":
            inside |= {id(part) for part in ast.walk(node)}  # names of code
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in node.values}
        if id(node) in inside or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        documents = id(node) in docstrings
        text = _prose(str(node.value)) if documents else _joined(node)  # type: ignore[union-attr]
        if documents or _is_text(text) or id(node) in nouns:
            reason = _reason(lines, node.lineno, node.end_lineno or node.lineno)
            # What a command's docstring says is its help.
            is_help = path.parent == PACKAGE / "cli" and docstrings.get(id(node), False)
            yield Text(path, node.lineno, text, reason, for_developers=documents and not is_help)
    yield from _comments(path, source)
    yield from _names(path, tree, lines)


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, bool]]:
    """Return the ids of the nodes that are docstrings, and whether what they document is decorated."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield id(first.value), bool(getattr(node, "decorator_list", ()))


def _comments(path: Path, source: str) -> Iterator[Text]:
    """Return comments, with consecutive lines as one text; comments that programs read are left out."""
    block: list[str] = []
    begun = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        words = token.string.lstrip("#: ")
        if token.type != tokenize.COMMENT or _DIRECTIVE.match(words):
            continue
        alone = token.line.lstrip().startswith("#")
        if block and not (alone and token.start[0] == last + 1):
            yield _comment(path, begun, block, source)
            block = []
        begun, last = (begun if block else token.start[0]), token.start[0]
        block.append(words)
    if block:
        yield _comment(path, begun, block, source)


def _comment(path: Path, line: int, block: list[str], source: str) -> Text:
    reason = _reason(source.splitlines(), line, line + len(block) - 1)
    return Text(path, line, _blanked("\n".join(block)), reason, for_developers=True)


def _names(path: Path, tree: ast.Module, lines: list[str]) -> Iterator[Text]:
    """Return the names of a module, its classes and its functions, as words.

    >>> [text.words for text in _names(Path("told_apart.py"), ast.parse("class ToldApart: ..."), [""])]
    ['told apart', 'Told Apart']
    """
    named = [(1, path.stem)]
    named += [
        (node.lineno, node.name)
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for line, name in named:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.replace("_", " ")).strip()
        yield Text(path, line, words, _reason(lines, line, line), for_developers=True, name=name)


def _joined(node: ast.Constant | ast.JoinedStr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    values = (getattr(part, "value", None) for part in parts)
    text = "".join(value if isinstance(value, str) else BLANK for value in values)
    return _blanked(_filled(text)).replace("\n", " ")


def _filled(template: str) -> str:
    """Replace the placeholders of a finding's template: by their noun or their plural where they have one.

    >>> _filled("{found:of item} {found:is/are} {share:percent} as {name}")
    '□ item are □ as □'
    """
    for pattern, put in ((r"\{\w+:of ([^{}]+)\}", rf"{BLANK} \1"), (r"\{\w+:[^{}/]*/([^{}/]*)\}", r"\1")):
        template = re.sub(pattern, put, template)
    return re.sub(r"\{[^{}]*\}", BLANK, template)


def _prose(docstring: str) -> str:
    """Return a docstring without examples, headings of sections and names of parameters; lines stay where they are.

    >>> _prose("Fit.\\n\\n    Returns\\n    -------\\n    Fit\\n        What was found.").split("\\n")
    ['Fit.', '', '', '', '', '        What was found.']
    """
    example = re.compile(r"^\s*(?:>>> |\x08\n).*?(?=\n\s*\n|\Z)", re.S | re.M)
    text = example.sub(lambda found: "\n" * found.group().count("\n"), docstring)
    text = re.sub(r"^ *[A-Z][a-z]+\n *---+$", "\n", text, flags=re.M)
    # The line above an indented one names a parameter or a type.
    text = re.sub(r"^( *)\S.*\n(?=\1    \S)", "\n", text, flags=re.M)
    return _blanked(text).rstrip()


def _is_text(text: str) -> bool:
    """Whether a string is prose: words and a space, and no query, path, pattern or type."""
    words = re.findall(r"(?<![\w.\-_/\\])[A-Za-z][a-z'’]+(?![\w_/\\])", text)
    prose = len(words) >= 2 or (bool(words) and BLANK in text)
    return prose and " " in text.strip() and not _QUERY.search(text) and not re.search(r"\\|\w\[\w", text)


def _reason(lines: list[str], first: int, last: int) -> str | None:
    for line in lines[max(0, first - 2) : last]:
        if found := _REASON.search(line):
            return found.group(1)
    return None


def catalogue(path: Path) -> Iterator[Text]:
    """Return the texts of a catalogue of messages."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for name, value in tomllib.loads("\n".join(lines)).items():
        line = next((at for at, line in enumerate(lines, start=1) if line.startswith(f"{name} ")), 1)
        yield Text(path, line, re.sub(r"\{[^{}]*\}", BLANK, str(value)))


def template(path: Path, content: str | None = None) -> Iterator[Text]:
    """Return the texts of a page's template, and what it says to people who do not see it."""
    source = path.read_text(encoding="utf-8") if content is None else content
    # Line ends stay, so that a text is found where it is.
    source = re.sub(r"\{[#%].*?[#%]\}", lambda found: "\n" * found.group().count("\n"), source, flags=re.S)
    source = re.sub(r"\{\{.*?\}\}", BLANK, source, flags=re.S)
    labels = r'(?:aria-label|title|placeholder|alt)="([^"]+)"'
    blocks = r"</?(?:p|h\d|li|ul|div|section|figure|figcaption|th|td|caption|label|button|summary|dt|dd|option)\b[^>]*>"
    for number, line in enumerate(source.split("\n"), start=1):
        for text in [*re.findall(labels, line), *re.split(blocks, line)]:
            words = _blanked(re.sub(r"<code>.*?</code>", BLANK, text)).strip()
            if _is_text(words):
                yield Text(path, number, words)


def script(path: Path, content: str | None = None) -> Iterator[Text]:
    """Return the strings of a page's script that are texts."""
    source = path.read_text(encoding="utf-8") if content is None else content
    for number, line in enumerate(source.split("\n"), start=1):
        for one, two in re.findall(r'"([^"]*)"|`([^`]*)`', "" if line.lstrip().startswith("//") else line):
            words = re.sub(r"\$\{.*?\}", BLANK, one or two)
            if _is_text(words):
                yield Text(path, number, words)


def changelog(path: Path) -> Iterator[Text]:
    """Return what the changelog says of versions that are not released."""
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(r"^## Unreleased\n.*?(?=^## |\Z)", text, flags=re.S | re.M):
        before = text.count("\n", 0, found.start())
        for each in markdown(path, found.group()):
            yield Text(path, each.line + before, each.words, each.reason)


def texts() -> Iterator[Text]:
    """Return every text that people read."""
    names = ("README", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT")
    pages = {ROOT / f"{name}.md" for name in names} | {*(ROOT / ".github").rglob("*.md")}
    pages |= {*(ROOT / "docs").rglob("*.md")} - GENERATED - RESULTS
    for page in sorted(pages):
        yield from _sheet_prose(page) if page == SHEET else markdown(page)
    for notebook in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield from markdown(notebook, "".join(cell["source"]))
    yield from changelog(ROOT / "CHANGELOG.md")
    for module in sorted(PACKAGE.rglob("*.py")):
        yield from python(module)
    for page in sorted(PACKAGE.glob("verbs/report/page/*/*")):
        yield from {".html": template, ".js": script}.get(page.suffix, lambda _: ())(page)
    yield from catalogue(PACKAGE / "web" / "campaign" / "words" / "en.toml")


def _sheet_prose(page: Path) -> Iterator[Text]:
    """Return the style sheet without its tables, which name what they forbid."""
    content = re.sub(r"^\|.*$", "", page.read_text(encoding="utf-8"), flags=re.M)
    return markdown(page, content)


def main() -> int:
    """Print the problems; return the exit code."""
    sheet = Sheet.read()
    number, problems = 0, list[str]()
    for text in texts():
        number += 1
        problems += sheet.problems(text)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"words: {number:,} texts, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
