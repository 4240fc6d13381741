"""Templates, styles and scripts of the report and the workbench."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

from betterthan import __version__
from betterthan.present import FORMATS
from betterthan.results import ENDINGS
from betterthan.web.workbench.form_values import GROUPS
from betterthan.web.workbench.option_forms import form_of, words
from betterthan.web.workbench.panels import kinds_of_pictures

_REPORT, _OWN = "betterthan.verbs.report.page", "betterthan.web.workbench"
_STYLES = (
    (_REPORT, "styles", "base.css"),
    (_REPORT, "styles", "tables.css"),
    (_REPORT, "styles", "explorer.css"),
    (_OWN, "static", "workbench.css"),
)
#: What makes tables and copying of the report work, here for every panel that is filled.
_LIVELY = ("tables.js", "copy.js")
_SCRIPTS = ("start.js", "fields.js", "files.js", "panels.js", "downloads.js", "tabs.js", "live.js")
#: Endings of downloads, one for every format of results.
TABLES = tuple(ending.removeprefix(".") for ending in ENDINGS if ending != ".htm")
PICTURES = FORMATS


def page(files_open: list[Any], state: Mapping[str, Any]) -> str:
    """Return the whole page; panels are filled by its script."""
    return rendered(
        "workbench.html",
        version=__version__,
        files=files_open,
        state=state,
        forms={group: form_of(group) for group in GROUPS},
        words=words(),
        pictures=kinds_of_pictures(),
        tables=TABLES,
        images=PICTURES,
    )


def rendered(template: str, **values: Any) -> str:
    """Fill a template; everything that comes from the input is text, never markup."""
    text: str = _environment().get_template(template).render(**values)
    return text


@cache
def style() -> str:
    """Return the style of the report, and what the workbench adds."""
    return "".join(_text(*place) for place in _STYLES)


@cache
def script() -> str:
    """Return the script: parts of the report's as functions of what they make lively, then our own."""
    lively = "".join(_text(_REPORT, "scripts", name) for name in _LIVELY)
    theme = _text(_REPORT, "scripts", "theme.js")
    own = "".join(_text(_OWN, "static", name) for name in _SCRIPTS)
    return (
        f'(() => {{"use strict";\nconst enliven = (root) => {{\n{lively}}};\n'
        f"((root) => {{\n{theme}}})(document);\n{own}}})();\n"
    )


@cache
def _environment() -> jinja2.Environment:
    own = jinja2.FunctionLoader(lambda name: _found(_OWN, name))
    report = jinja2.FunctionLoader(lambda name: _found(_REPORT, name))
    return jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.ChoiceLoader([own, report]),
        auto_reload=False,
    )


def _found(package: str, name: str) -> str | None:
    place = files(package).joinpath("templates", name)
    return place.read_text(encoding="utf-8") if place.is_file() else None


def _text(package: str, folder: str, name: str) -> str:
    return files(package).joinpath(folder, name).read_text(encoding="utf-8")
