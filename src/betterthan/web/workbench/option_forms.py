"""Forms generated from declared options."""

from dataclasses import dataclass, field
from functools import cache

from betterthan import formats
from betterthan.base import spelling
from betterthan.models import build_model, known_models
from betterthan.options import Declared, text_values
from betterthan.web.workbench.form_values import SHARED, offered

#: Options of the leaderboard that are always in sight; the others are one click away.
_FIRST = ("model", "ties", "scale", "ci", "unit", "resamples", "level")
#: Names that are too short for a label.
_LABELS = {"ci": "confidence intervals", "by": "values by", "on": "join on"}
#: Options about the whole file and its rows; all other reading options name columns.
_ROWS = ("where", "exclude", "since", "until", "join", "on", "on_error", "standardise", "lower_is_better")


@dataclass(frozen=True)
class Field:
    """One option as a form control: `widget` is the type of control, `suggests` the source of suggestions."""

    group: str
    name: str
    widget: str
    help: str
    flag: str
    placeholder: str
    choices: tuple[str, ...] = ()
    suggests: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The control's id on the page."""
        return f"{self.group}-{self.name}"

    @property
    def label(self) -> str:
        """The name for people."""
        return _LABELS.get(self.name, self.name.replace("_", " "))


@dataclass(frozen=True)
class Fields:
    """A titled part of a form."""

    title: str
    fields: list[Field] = field(default_factory=list)
    open: bool = False


def form_of(group: str) -> list[Fields]:
    """Return the form of a group of options, part by part."""
    made = [_field(group, option) for option in offered(group).values()]
    if group == "read":
        columns = [each for each in made if each.suggests == "columns"]
        rows = [each for each in made if each.name in _ROWS]
        rest = [each for each in made if each not in columns and each not in rows]
        return [Fields("Columns", columns), Fields("Rows", rows), Fields("File", rest)]
    if group == "rank":
        first = [each for each in made if each.name in _FIRST]
        return [Fields("", first, open=True), Fields("More", [each for each in made if each not in first])]
    return [Fields("Options", made)]


@cache
def words() -> dict[str, list[tuple[str, str]]]:
    """Return words to suggest that no file is needed for, each with the kinds of evidence that it is for."""
    return {
        "models": [(name, " ".join(build_model(name).accepts)) for name in known_models()],
        "formats": [(name, kind) for name, kind, _ in formats()],
    }


def _field(group: str, option: Declared) -> Field:
    about = option.about
    default = about.unsaid or ("" if option.default in (None, (), "", False) else text_values.written(option.default))
    if group not in {"read", "rank"} and option.name in SHARED:
        default = "as for the leaderboard"
    return Field(
        group,
        option.name,
        _widget(option),
        about.help,
        spelling.flag(option.name),
        default,
        about.choices,
        _suggests(group, option),
        about.kinds,
    )


def _widget(option: Declared) -> str:
    about = option.about
    if option.sort == "flag":
        return "flag"
    if about.repeated:
        return "lines"
    if about.metavar == "FILE":
        return "file"
    if option.name == "model" and about.metavar == "MODELS":
        return "models"
    if about.choices:
        return "choice"
    return "number" if option.sort in {"whole", "number"} else "text"


def _suggests(group: str, option: Declared) -> str:
    """Return which words complete an option's value."""
    if option.about.metavar in {"COLUMN", "COLUMNS"}:
        return "columns"
    if group == "read":
        return "formats" if option.name == "format" else ""
    return {"anchor": "systems", "model": "models"}.get(option.name, "")
