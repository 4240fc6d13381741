"""Check every text that people read against the style sheet, docs/contributing/words.md.

`python tools/words.py` reads the documentation and the strings of the package. It reports sentences that are too long,
phrases and terms that the style sheet's tables replace, abbreviations and named methods that the glossary lacks, and
exceptions without a reason. It returns 1 when there are problems.
"""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
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
#: Folders with a class or function per thing that people choose by name; its docstring is its description.
DOCUMENTED = ("cli", "models", "options", "studies/experiments", "metrics")
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
_REASON = re.compile(r"(?:#|<!--)\s*words:\s*(.*?)\s*(?:-->|$)")


@dataclass(frozen=True)
class Text:
    """A paragraph, cell or string, with code blanked, and the line on which it begins."""

    path: Path
    line: int
    words: str
    reason: str | None = None

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
    allowed: frozenset[tuple[str, str]]
    abbreviations: frozenset[str]
    names: frozenset[str]

    @staticmethod
    def read(sheet: Path = SHEET, glossary: Path = GLOSSARY) -> "Sheet":
        """Read the tables."""
        text = sheet.read_text(encoding="utf-8")
        rules = tuple(
            Rule(phrase, cells[1])
            for title in ("One term per concept", "Phrases to avoid")
            for cells in rows(section(text, title))
            for phrase in re.findall(r"`([^`]+)`", cells[0])
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
        return Sheet(rules, allowed, frozenset(known), frozenset(names))

    def problems(self, text: Text) -> Iterator[str]:
        """Return what is wrong with a text."""
        where = str(text.path.relative_to(ROOT) if text.path.is_relative_to(ROOT) else text.path)
        if any(phrase == "*" and where.startswith(path) for path, phrase in self.allowed):
            return
        if text.reason is not None:
            if len(text.reason.split()) < 3:
                yield f"{where}:{text.line}: the exception has no reason; say why in three words or more"
            return
        for line, sentence in text.sentences():
            length = sum(any(sign.isalnum() or sign == BLANK for sign in word) for word in sentence.split())
            if length > LIMIT:
                yield f"{where}:{line}: {length} words, more than {LIMIT}: {_shown(sentence)}"
            for rule in self.rules:
                if rule.pattern.search(sentence) and (where, rule.phrase) not in self.allowed:
                    yield f"{where}:{line}: {rule.phrase!r}; write: {rule.instead} ({_shown(sentence)})"
            for found in _NAMED.finditer(sentence):
                if found[1] not in self.names:
                    yield f"{where}:{line}: {found.group()} is not among the glossary's statistical terms"
            # Strings of the package also have names of columns, placeholders of help and parts of queries in capitals.
            for found in _ABBREVIATION.finditer(sentence) if text.path.suffix in {".md", ".ipynb"} else ():
                if not {found.group(), found.group().removesuffix("s")} & self.abbreviations:
                    yield f"{where}:{line}: {found.group()} is not in the glossary's abbreviations"


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
    """Return the strings of a module that are texts, and the docstrings that people read."""
    source = path.read_text(encoding="utf-8") if content is None else content
    tree, lines = ast.parse(source), source.splitlines()
    docstrings = dict(_docstrings(tree))
    inside: set[int] = set()
    nouns: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"counted", "Column"}:
            nouns |= {id(part) for part in node.args}
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in node.values}
        if id(node) in inside or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        if id(node) in docstrings:
            text = _prose(node.value) if docstrings[id(node)] in _public_names(path) else ""  # type: ignore[union-attr,arg-type]
        else:
            text = _joined(node)
        if _is_text(text) or id(node) in nouns:
            yield Text(path, node.lineno, text, _reason(lines, node.lineno, node.end_lineno or node.lineno))


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Return the docstrings of a module with the name of what they describe; a module has the name `_`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield id(first.value), getattr(node, "name", "_")


@cache
def _public_names(path: Path) -> set[str]:
    """Return the names in a module whose docstrings reach people: what the package exports, with its methods."""
    if not path.is_relative_to(PACKAGE):
        return set()
    import betterthan  # noqa: PLC0415 (only where the package's own files are read)

    tree = ast.parse(path.read_text(encoding="utf-8"))
    described = path.parent in {PACKAGE / folder for folder in DOCUMENTED}
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            exported = getattr(getattr(betterthan, node.name, None), "__module__", "")
            if exported.replace(".", "/") == str(path.relative_to(PACKAGE.parent).with_suffix("")):
                names |= {each.name for each in ast.walk(node) if isinstance(each, ast.ClassDef | ast.FunctionDef)}
            elif described:
                names.add(node.name)
    return {name for name in names if not name.startswith("_")}


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
    """Return a docstring without its examples, in Python or of the command line; lines stay where they are."""
    example = re.compile(r"^\s*(?:>>> |\x08\n).*?(?=\n\s*\n|\Z)", re.S | re.M)
    return _blanked(example.sub(lambda found: "\n" * found.group().count("\n"), docstring)).rstrip()


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
    for found in re.finditer(r"^## [^\n]*\(unreleased\)\n.*?(?=^## |\Z)", text, flags=re.S | re.M):
        before = text.count("\n", 0, found.start())
        for each in markdown(path, found.group()):
            yield Text(path, each.line + before, each.words, each.reason)


def texts() -> Iterator[Text]:
    """Return every text that people read."""
    pages = {ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"}
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
    for page in sorted(PACKAGE.glob("reports/page/*/*")):
        yield from {".html": template, ".js": script}.get(page.suffix, lambda _: ())(page)
    yield from catalogue(PACKAGE / "web" / "words" / "en.toml")


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
