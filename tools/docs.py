"""Write the reference pages from the code, and check that the documentation is whole.

`python tools/docs.py` writes docs/reference/ (the command line, Python, formats, schemas, a page for every finding),
docs/schemas/, and the marked tables in docs/contributing/. `--check` changes nothing and fails when one is out of
date, a link leads nowhere, a public name or verb is undocumented, or a file names a path of one machine.
tools/examples.py runs the examples, tools/site.py builds the site.
"""

import argparse
import ast
import inspect
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

import betterthan
from betterthan.base import spelling
from betterthan.base.plugins import GROUPS
from betterthan.cli.shared.command_help import reading_help
from betterthan.findings.registry import all_kinds
from betterthan.results.json_schema import schema_of
from betterthan.results.result import Result

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
FINDINGS = REFERENCE / "findings"
FORMATS = REFERENCE / "formats.md"
SCHEMAS = ROOT / "docs" / "schemas"
CONTRIBUTING = ROOT / "docs" / "contributing"
PACKAGE = ROOT / "src" / "betterthan"
#: Modules that users and other packages import; everything else is private.
SURFACES = {
    "betterthan": "users: verbs, results, evidence and errors",
    "betterthan.extend": "packages that add models, metrics, formats and other parts",
    "betterthan.testing": "tests of such packages",
}
# Paths of one person's machine have no place in a repository.
_MACHINE = re.compile(r"(?<![\w.])/(?:work|root|home|tmp)/\w")


def main() -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    pages = {
        REFERENCE / "command-line.md": command_line_page(),
        REFERENCE / "python.md": python_page(),
        **findings_pages(),
        FORMATS: formats_page(),
        REFERENCE / "schemas.md": schemas_page(),
        **schemas(),
        **pages_with_tables(),
    }
    if not parser.parse_args().check:
        for path in left_over(pages):
            path.unlink()
        for path, text in pages.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    problems = [*outdated(pages), *broken_links(), *undocumented(), *machine_paths(), *changelog()]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"docs: {len(problems)} problems")
    return 1 if problems else 0


def command_line_page() -> str:
    """Return every verb's help."""
    group: click.Group = import_module("betterthan.cli.main").betterthan
    parts = ["# The command line\n\nWritten by `make docs` from the commands themselves.\n"]
    with click.Context(group, info_name="betterthan") as context:
        for verb in group.list_commands(context):
            command = group.get_command(context, verb)
            if command is None:
                continue
            inner = click.Context(command, parent=context, info_name=verb, terminal_width=96, max_content_width=96)
            parts.append(f"## betterthan {verb}\n\n```text\n{command.get_help(inner)}\n```\n")
            if verb == "rank":
                reading = f"## Reading files\n\n```text\n{reading_help(inner)}\n```\n"
    parts.insert(1, reading)
    return "\n".join(parts)


def results() -> list[type[Result]]:
    """Return every result that a verb returns."""
    public = [getattr(betterthan, name) for name in betterthan.__all__]
    return [each for each in public if inspect.isclass(each) and issubclass(each, Result)]


def schema_path(result: type[Result]) -> Path:
    """Return where the JSON schema of a result is."""
    return SCHEMAS / f"{result.schema.replace('/', '-')}.json"


def schemas() -> dict[Path, str]:
    """Return the JSON schema of every result, by its file."""
    return {schema_path(each): json.dumps(schema_of(each), indent=1, ensure_ascii=False) + "\n" for each in results()}


def schemas_page() -> str:
    """Return the page that lists the JSON schemas."""
    rows = [
        f"| `{each.schema}` | `bt.{each.__name__}` | [{schema_path(each).name}](../schemas/{schema_path(each).name}) |"
        for each in sorted(results(), key=lambda each: each.schema)
    ]
    about = (
        "# JSON schemas\n\nThe JSON of every result follows a schema (JSON Schema, draft 2020-12), named in its field "
        "`schema`. [Results and JSON](results.md) explains what all documents share. Written by `make docs`.\n\n"
        "| schema | in Python | file |\n|---|---|---|\n"
    )
    return about + "\n".join(rows) + "\n"


def findings_pages() -> dict[Path, str]:
    """Return a page for every finding, spelled for the command line, and the list of them."""
    pages, rows = {}, []
    with spelling.spell_for("command line"):
        for code, kind in all_kinds().items():
            _, title, *told = str(kind).splitlines()
            heading = f"# {code}: {title[0].lower()}{title[1:].rstrip('.')}"
            parts = (re.sub(r"^([A-Z][^:]*):", r"**\1.**", part) for part in told)
            level = f"Level: {kind.level}. `betterthan explain {code}` prints this page. [All findings](index.md)"
            pages[FINDINGS / f"{code}.md"] = "\n\n".join([heading, *parts, level]) + "\n"
            rows.append(f"| [{code}]({code}.md) | {kind.level} | {title} |")
    about = (
        "# Findings\n\nA finding tells you something that the numbers alone do not: a *warning* about a problem, or "
        "*info* that is good to know. Each has a code and a page. `betterthan explain CODE` prints the page, and "
        "so does `print(bt.explain(code))`. Options are spelled for the command line: `--on-error skip` is "
        "`on_error='skip'` in Python. Written by `make docs` from the code.\n\n"
        "| code | level | what was found |\n|---|---|---|\n"
    )
    return {FINDINGS / "index.md": about + "\n".join(rows) + "\n", **pages}


def left_over(pages: dict[Path, str]) -> list[Path]:
    """Return pages of findings that no longer exist."""
    return sorted(set(FINDINGS.glob("*.md")) - set(pages))


def formats_page() -> str:
    """Return the page that lists every format."""
    lines = [
        "# File formats",
        "",
        "The file formats that are read. betterthan recognises them automatically; `--from NAME` "
        '(`format="NAME"`) chooses one. Written by `make docs`.',
        "",
        "| format | kind | looks like |",
        "|---|---|---|",
        *(f"| `{name}` | {kind} | {about} |" for name, kind, about in sorted(betterthan.formats())),
    ]
    return "\n".join(lines) + "\n"


def pages_with_tables() -> dict[Path, str]:
    """Return the pages of which a part is written from the code, between `<!-- NAME: … -->` and `<!-- end -->`."""
    tables: dict[str, Callable[[], str]] = {
        "folders": folders_table,
        "surfaces": surfaces_table,
        "entry points": entry_points_table,
    }
    pages = {}
    for page in sorted(CONTRIBUTING.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for name, table in tables.items():
            before, mark, rest = text.partition(f"<!-- {name}: written by make docs -->\n")
            if mark:
                end = rest.index("<!-- end -->")
                text = pages[page] = f"{before}{mark}\n{table()}\n\n{rest[end:]}"
    return pages


def folders_table() -> str:
    """Return a row for every package, with the first paragraph of its docstring; imports point down the table."""
    rows = ["| folder | holds |", "|---|---|"]
    for folder in packages():
        about = ast.get_docstring(ast.parse((PACKAGE / folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        first = about.partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        rows.append(f"| `{folder}/` | {first} |")
    return "\n".join(rows)


def packages() -> list[str]:
    """Return the folders of the package and of its verbs, in the order of the import contracts."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = [
        f"{container}.{name}" if container else name
        for contract in contracts
        if contract["type"] == "layers"
        for container in contract.get("containers", [""])
        for layer in contract["layers"]
        for name in sorted(layer.split(" | "))
    ]
    order = [name.removeprefix("betterthan.").replace(".", "/") for name in layers]
    found = sorted(str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.glob("*/__init__.py"))
    verbs = sorted(str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.glob("verbs/*/__init__.py"))
    top = sorted(found, key=lambda folder: order.index(folder) if folder in order else len(order))
    inside = sorted(verbs, key=lambda folder: order.index(folder) if folder in order else len(order))
    after = top.index("verbs") + 1
    return [*top[:after], *inside, *top[after:]]


def surfaces_table() -> str:
    """Return the public modules with their names."""
    rows = ["| module | for | names |", "|---|---|---|"]
    for module, about in SURFACES.items():
        if find_spec(module) is not None:
            loaded = import_module(module)
            names = getattr(loaded, "__all__", None) or [name for name in dir(loaded) if not name.startswith("_")]
            rows.append(f"| `{module}` | {about} | {' · '.join(f'`{name}`' for name in names)} |")
    return "\n".join(rows)


def entry_points_table() -> str:
    """Return the groups of entry points."""
    rows = [f"| `{group}` | {what} | {name} |" for group, (what, name) in GROUPS.items()]
    return "\n".join(["| group | an entry point is | its name |", "|---|---|---|", *rows])


def python_page() -> str:
    """Return every public name with its signature, docstring and members."""
    public = {getattr(betterthan, name): f"[bt.{name}](#bt{name.lower()})" for name in betterthan.__all__}
    public[Result] = "[every result](#every-result)"
    parts = [
        "# Python\n\nWritten by `make docs` from the docstrings; `import betterthan as bt`.\n",
        f"\n## Every result\n\n{_documented(Result)}\n",
        *_members(Result, public),
    ]
    for name in betterthan.__all__:
        thing = getattr(betterthan, name)
        shown = "" if inspect.isclass(thing) and issubclass(thing, Exception) else _signature(thing)
        parts.append(f"\n## bt.{name}\n\n```py\nbt.{name}{shown}\n```\n\n{_documented(thing)}\n")
        if inspect.isclass(thing):
            bases = [public[each] for each in thing.__mro__[1:] if each in public]
            parts += [f"It also has what {' and '.join(bases)} has.\n"] if bases else []
            parts += _members(thing, public)
    return "\n".join(parts) + "\n"


def _members(thing: type, public: dict[object, str]) -> list[str]:
    """Return the members of a class, and those it inherits from a class of ours that is not on the page."""
    found: dict[str, object] = {}
    for each in thing.__mro__:
        if each.__module__.startswith("betterthan") and (each is thing or each not in public):
            found = {**found, **{name: value for name, value in vars(each).items() if name not in found}}
    return [shown for name, value in found.items() if not name.startswith("_") and (shown := _member(name, value))]


def _member(name: str, value: object) -> str:
    if isinstance(value, property):
        return f"- **`.{name}`** {_indented(_documented(value))}"
    function = value.__func__ if isinstance(value, classmethod) else value
    if inspect.isfunction(function):
        shown = re.sub(r"^\((?:self|cls)(?:, )?", "(", _signature(function))
        return f"- **`.{name}{shown}`** {_indented(_documented(function))}"
    return ""


def _indented(text: str) -> str:
    """Return a text as the content of a list's entry."""
    return re.sub(r"\n(?=[^\n])", "\n    ", text)


def _signature(thing: object) -> str:
    text = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.signature(thing)))  # type: ignore[arg-type]
    return re.sub(r"betterthan\.[\w.]*\.(\w+)", r"\1", text)


def _documented(thing: object) -> str:
    """Return a docstring as Markdown: its sections as lists, its examples as code."""
    about, *sections = re.split(r"^(Parameters|Returns|Examples)\n-+\n", inspect.getdoc(thing) or "", flags=re.M)
    parts = [_with_code(about.strip())]
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        parts.append(_with_code(text.strip()) if title == "Examples" else f"**{title}**\n\n{_listed(text.strip())}")
    return "\n\n".join(parts)


def _listed(section: str) -> str:
    """Return the entries of a docstring's section as a list.

    >>> print(_listed("level : float, default 0.95\\n    Confidence\\n    level."))
    - `level` (float, default 0.95): Confidence level.
    """
    entries = []
    for entry in re.split(r"\n(?=\S)", section):
        head, _, text = entry.partition("\n")
        name, _, kind = head.partition(" : ")
        shown = f"`{name}`" + (f" ({kind})" if kind else "")
        entries.append(f"- {shown}: {' '.join(text.split())}")
    return "\n".join(entries)


def _with_code(text: str) -> str:
    return re.sub(r"((?:^>>> .*\n?(?:^(?!\n).*\n?)*)+)", r"```pycon\n\1\n```", text, flags=re.M)


def outdated(pages: dict[Path, str]) -> list[str]:
    """Return the written pages that differ from the code."""
    stale = [path.relative_to(ROOT) for path, text in pages.items() if not _same(path, text)]
    stale += [path.relative_to(ROOT) for path in left_over(pages)]
    return [f"{path} is out of date; run: make docs" for path in stale]


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def broken_links() -> list[str]:
    """Return links in Markdown files that lead to no file."""
    problems = []
    for page in _tracked("*.md"):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
        targets = [target for target in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in target]
        lost = [target for target in targets if not (page.parent / target).exists()]
        problems += [f"{page.relative_to(ROOT)}: the link {target} leads nowhere" for target in lost]
    return problems


def undocumented() -> list[str]:
    """Return public names and verbs that the guides never mention."""
    written = {REFERENCE / "python.md", REFERENCE / "command-line.md", *FINDINGS.glob("*.md")}
    guides = "\n".join(page.read_text(encoding="utf-8") for page in _tracked("*.md") if page not in written)
    verbs: list[str] = list(import_module("betterthan.cli.main").VERBS)
    wanted = [*(f"bt.{name}" for name in betterthan.__all__), *(f"betterthan {verb}" for verb in verbs)]
    return [f"{name} is mentioned in no guide" for name in wanted if name not in guides]


def machine_paths() -> list[str]:
    """Return tracked text that names a path of one machine."""
    problems = []
    for path in _tracked("*.md", "*.py", "*.toml", "*.sh", "Makefile"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if _MACHINE.search(line):
                problems += [f"{path.relative_to(ROOT)}:{number}: a path of one machine"]
    return problems


def changelog() -> list[str]:
    """Return a problem where the changelog or the citation does not know the version."""
    wanted = {
        "CHANGELOG.md": f"\n## {betterthan.__version__} ",
        "CITATION.cff": f"\nversion: {betterthan.__version__}\n",
    }
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in wanted}
    return [
        f"{name} does not name {betterthan.__version__}" for name, line in wanted.items() if line not in texts[name]
    ]


def _tracked(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


if __name__ == "__main__":
    sys.exit(main())
