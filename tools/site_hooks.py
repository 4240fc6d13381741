"""What MkDocs is told beyond mkdocs.yml: the version, files of the repository outside docs/, and notebooks as pages."""

import json
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import betterthan

ROOT = Path(__file__).parent.parent
#: Pages of the repository that the documentation links to; in the site they are below this folder.
OUTSIDE = "project"
OUTSIDE_PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "benchmarks/README.md",
)
#: Pages that answer questions come first in the search; those for looking something up, and for developers, later.
BOOSTS = {
    "reference/formats": 3.0,
    "reference/results": 2.0,
    "how-to/": 3.0,
    "explanations/": 3.0,
    "tutorials/": 2.0,
    "questions": 0.2,
    "reference/findings/": 0.5,
    "contributing/": 0.3,
    "studies/": 0.3,
    f"{OUTSIDE}/": 0.1,
}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"(^```.*?^```)", re.S | re.M)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Show the version of the package."""
    config.extra["version"] = betterthan.__version__
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages of the repository, and a page for every notebook."""
    results = sorted((ROOT / "benchmarks" / "results").glob("*.md"))
    for path in [*(ROOT / name for name in OUTSIDE_PAGES), *results]:
        name = f"{OUTSIDE}/{path.relative_to(ROOT).as_posix()}"
        # MkDocs would take a README for the folder's index, beside which nothing else may be it.
        name = name.replace("README.md", "readme-page.md")
        files.append(File.generated(config, name, content=path.read_text(encoding="utf-8")))
    for file in list(files):
        if file.src_uri.endswith(".ipynb"):
            notebook = json.loads(Path(str(file.abs_src_path)).read_text(encoding="utf-8"))
            files.append(File.generated(config, _as_page(file.src_uri), content=notebook_page(notebook)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links that work in the repository to where the site has their files."""
    boost = next((boost for begin, boost in BOOSTS.items() if page.file.src_uri.startswith(begin)), 1.0)
    page.meta["search"] = {"boost": boost}
    parts = _FENCE.split(markdown)
    return "".join(part if part.startswith("```") else _relinked(part, page.file.src_uri) for part in parts)


def _relinked(text: str, page: str) -> str:
    inside = page.startswith(f"{OUTSIDE}/")
    source = page.removeprefix(f"{OUTSIDE}/").replace("readme-page.md", "README.md") if inside else f"docs/{page}"

    def lead(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[3]))
        place = _place(target)
        if place is None:
            return link[2]  # code of the repository: there is no page to lead to
        return f"{link[1]}[{link[2]}]({os.path.relpath(place, posixpath.dirname(page) or '.')}{link[4] or ''})"

    return _LINK.sub(lead, text)


def _place(target: str) -> str | None:
    """Return where the site has a file of the repository; None for one that it does not have."""
    if target.startswith("docs/"):
        return _as_page(target.removeprefix("docs/")) if target.endswith(".ipynb") else target.removeprefix("docs/")
    if target in OUTSIDE_PAGES or target.startswith("benchmarks/results/"):
        return f"{OUTSIDE}/{target.replace('README.md', 'readme-page.md')}"
    return None


def _as_page(notebook: str) -> str:
    return f"{notebook.removesuffix('.ipynb')}.md"


def notebook_page(notebook: dict[str, Any]) -> str:
    """Return a notebook with its outputs as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [_output(output) for output in cell.get("outputs", ())]
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    if "text" in output:
        return f"```text\n{''.join(output['text'])}```"
    data = output["data"]
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            return f'<div class="notebook-output">\n{"".join(data[kind])}\n</div>'
    return f"```text\n{''.join(data['text/plain'])}\n```"
