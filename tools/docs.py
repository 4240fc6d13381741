"""Write the reference pages from the code, and check that the documentation is whole.

`python tools/docs.py` writes docs/reference/ (the command line, Python, formats, schemas, a page for every finding)
and docs/schemas/; `--check` changes nothing and fails when one is out of date, a link leads nowhere, a public name or
verb is undocumented, or a file speaks of one machine. tools/examples.py runs the examples, tools/site.py builds the
site.
"""

import argparse
import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click

import betterthan
from betterthan.cli.verb import reading_help
from betterthan.findings.registry import all_kinds
from betterthan.results.result import Result
from betterthan.results.schema import schema_of
from betterthan.spelling import spell_for

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
FINDINGS = REFERENCE / "findings"
FORMATS = REFERENCE / "formats.md"
SCHEMAS = ROOT / "docs" / "schemas"
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
    with spell_for("command line"):
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


def python_page() -> str:
    """Return every public name with its signature and docstring."""
    parts = ["# Python\n\nWritten by `make docs` from the docstrings; `import betterthan as bt`.\n"]
    for name in betterthan.__all__:
        thing = getattr(betterthan, name)
        shown = "" if inspect.isclass(thing) and issubclass(thing, Exception) else _signature(thing)
        parts.append(f"\n## bt.{name}\n\n```py\nbt.{name}{shown}\n```\n\n{_documented(thing)}\n")
        if inspect.isclass(thing):
            parts += [_member(name, member) for member in _members(thing) if not member[0].startswith("_")]
    return "\n".join(part for part in parts if part)


def _members(thing: type) -> list[tuple[str, object]]:
    """Return what a class has, of its own first, and then what it inherits from a class of ours."""
    found: dict[str, object] = {}
    for each in thing.__mro__:
        if each.__module__.startswith("betterthan"):
            found = {**found, **{name: value for name, value in vars(each).items() if name not in found}}
    return list(found.items())


def _member(owner: str, member: tuple[str, object]) -> str:
    name, value = member
    if isinstance(value, property):
        return f"- **`.{name}`** {_documented(value)}"
    function = value.__func__ if isinstance(value, classmethod) else value
    if inspect.isfunction(function):
        shown = _signature(function).replace("(self, ", "(").replace("(self)", "()").replace("(cls, ", "(")
        return f"- **`.{name}{shown}`** {_documented(function)}"
    return ""


def _signature(thing: object) -> str:
    text = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.signature(thing)))  # type: ignore[arg-type]
    return re.sub(r"betterthan\.[\w.]*\.(\w+)", r"\1", text)


def _documented(thing: object) -> str:
    text = inspect.getdoc(thing) or ""
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
    """Return a problem when the version has no entry."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return [] if betterthan.__version__ in text else [f"CHANGELOG.md has no entry for {betterthan.__version__}"]


def _tracked(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


if __name__ == "__main__":
    sys.exit(main())
