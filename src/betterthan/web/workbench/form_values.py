"""Form values of a page: files, and options by verb in the spelling of the command line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from betterthan import Plan
from betterthan.base import BetterthanError, PlanError
from betterthan.options import (
    CompareOptions,
    ComparePairsOptions,
    Declared,
    DiagnoseOptions,
    Options,
    Page,
    PlotOptions,
    ReadOptions,
    declared_options,
    text_values,
)

#: Groups of options on the page, and the options of each; a report takes those of `rank` as well.
GROUPS: Mapping[str, type[Options]] = {
    "read": ReadOptions,
    "rank": Plan,
    "pairs": ComparePairsOptions,
    "duel": CompareOptions,
    "diagnose": DiagnoseOptions,
    "plot": PlotOptions,
    "report": Page,
}
#: Options that mean the same for every verb: those of the leaderboard apply to the others, unless they differ.
SHARED = ("unit", "resamples", "tolerance", "level", "seed")
_LONGEST = 20_000


def offered(group: str) -> dict[str, Declared]:
    """Return the options of a group that a page can set: those of the command line."""
    of_rank = declared_options(Plan) if group == "report" else {}
    every = declared_options(GROUPS[group]).items()
    return {name: option for name, option in every if option.about.line and name not in of_rank}


def several_models(choices: Mapping[str, Any]) -> bool:
    """Whether options of all pairs name several models."""
    return len(ComparePairsOptions(model=choices.get("model")).models) > 1


@dataclass(frozen=True)
class Said:
    """The state of a page: keys of files, options by group, two systems and a kind of picture."""

    files: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    a: str = ""
    b: str = ""
    kind: str = "leaderboard"

    @classmethod
    def of(cls, sent: Any, path_of: Callable[[str], str]) -> "Said":
        """Read what a page sent; `path_of` turns the key of an open file into its path, for options that name one."""
        if not isinstance(sent, dict):
            raise PlanError("the page sent something that is no choice of options", remedy="Load the page again.")
        groups: dict[str, dict[str, Any]] = {}
        for group in GROUPS:
            texts = sent.get(group) or {}
            known = offered(group)
            if not isinstance(texts, dict) or any(name not in known for name in texts):
                raise PlanError(f"unknown options of {group}", remedy="Load the page again.")
            values = {name: _value(known[name], text, path_of) for name, text in texts.items()}
            groups[group] = {name: value for name, value in values.items() if value is not None}
        files = sent.get("files") or []
        if not isinstance(files, list) or not all(isinstance(key, str) for key in files):
            raise PlanError("files are named by their keys", remedy="Load the page again.")
        return cls(
            tuple(files), groups, _text(sent.get("a")), _text(sent.get("b")), _text(sent.get("kind")) or "leaderboard"
        )

    def of_verb(self, group: str) -> dict[str, Any]:
        """Return the options of a verb: its own, and those of the leaderboard that mean the same for it."""
        own, rank = self.options.get(group, {}), self.options.get("rank", {})
        if group in {"read", "rank"}:
            return dict(own)
        if group == "report":
            return {**rank, **own}
        known = declared_options(GROUPS[group])
        return {**{name: rank[name] for name in SHARED if name in rank and name in known}, **own}


def _value(option: Declared, sent: Any, path_of: Callable[[str], str]) -> Any:
    """Read a value as the command line does; None is one that was not said."""
    if option.sort == "flag":
        return True if sent is True else None
    if option.about.repeated:
        lines = [_text(line) for line in sent] if isinstance(sent, list) else _text(sent).split("\n")
        return [line.strip() for line in lines if line.strip()] or None
    text = _text(sent).strip()
    if not text:
        return None
    if option.about.metavar == "FILE":
        return path_of(text)
    if option.sort in {"whole", "number", "pairs", "wholes", "numbers"}:
        return text_values.read_back(option, text)
    return text_values.parts(text) if option.sort == "texts" else text


def _text(sent: Any) -> str:
    if sent is None:
        return ""
    if not isinstance(sent, str) or len(sent) > _LONGEST:
        raise BetterthanError("the page sent something that is no text", remedy="Load the page again.")
    return sent
