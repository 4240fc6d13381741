"""Annotations of Pearmut: outputs of several systems scored side by side, segment by segment."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"user_id", "item_i", "item", "annotation"})
_RESET = "__RESET__"
#: Items of this kind teach or test the judges.
_CONTROLS = ("welcome_", "random_", "goodbye_")


@dataclass(frozen=True)
class _Score:
    """One user's score of one system on one segment."""

    campaign: str
    user: str
    system: str
    item: str
    group: str | None
    value: float


class PearmutFormat(ToolFormat):
    """A log per campaign: an entry per user and document, later ones replace earlier ones, a reset cancels them."""

    name: ClassVar[str] = "pearmut"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "Pearmut's annotations: CAMPAIGN.jsonl, or annotations.json with all campaigns"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first entry, or of the first entry of a campaign."""
        if _is_entry(file.record):
            return True
        campaigns = file.record if isinstance(file.record, dict) else {}
        return any(isinstance(log, list) and log and _is_entry(log[0]) for log in campaigns.values())

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read the scores that count."""
        del places, options
        findings: list[Finding] = []
        entries = _valid([entry for file in files for entry in _entries(file)], findings)
        known: dict[str, int] = {}
        scores = [score for campaign, entry, where in entries for score in _scores(campaign, entry, where, known)]
        missing = sum(math.isnan(score.value) for score in scores)
        if missing == len(scores):
            raise EvidenceError("holds no scores", where=files[0].name, remedy="Check whether anything was annotated.")
        if missing:
            findings.append(kinds.reading.UNSCORED.found(number=missing, why="the judge gave no score"))
        rows = GrowingColumns()
        several = len({score.campaign for score in scores}) > 1
        rows.add(
            dataset=[score.campaign if several else None for score in scores],
            metric="score",
            system=[score.system for score in scores],
            item=[score.item for score in scores],
            judge=[score.user for score in scores],
            score=[score.value for score in scores],
            **({"group": [score.group or score.item for score in scores]} if _grouped(scores) else {}),
        )
        used = {
            "system": "keys of annotation",
            "item": "item_id, or src",
            "judge": "user_id",
            "score": "score",
            **({"dataset": "campaign"} if several else {}),
        }
        lower = {(score.campaign if several else "", "score"): False for score in scores}
        return ToolEvidence(rows.columns(), lower, tuple(findings), used, ("actions", "error_spans", "textfield"))

    def example(self, folder: Path) -> Any:
        """Write the scores of two users; the second one starts again."""
        entries = [
            {
                "user_id": user,
                "item_i": number,
                "actions": [],
                "item": [{"item_id": f"seg{number}", "src": "text", "tgt": {"owl": "one", "yak": "two"}}],
                "annotation": [{"owl": {"score": 80 + number, "error_spans": []}, "yak": {"score": 60}}],
            }
            for user in ("ann", "bob")
            for number in (0, 1, 2)
        ]
        again = [{"user_id": "ann", "annotation": _RESET}, *entries[:2]]
        welcome = {**entries[0], "item_i": "welcome_0"}
        lines = [json.dumps(entry) for entry in (welcome, *entries, *again)]
        (folder / "campaign.jsonl").write_text("\n".join(lines))
        return folder / "campaign.jsonl"


def _is_entry(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return value.keys() >= _KEYS or (value.get("annotation") == _RESET and "user_id" in value)


def _entries(file: PlacedFile) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yield the campaign of every entry, the entry and where it is."""
    if _is_entry(file.record):
        campaign = file.path.name.split(".")[0]
        for number, entry in enumerate(file.lines(), 1):
            yield campaign, entry, f"{file.name}, line {number}"
        return
    for campaign, log in file.whole.items():
        for number, entry in enumerate(log, 1):
            yield campaign, entry, f"{file.name}, {campaign}, entry {number}"


def _valid(
    entries: Sequence[tuple[str, Mapping[str, Any], str]], findings: list[Finding]
) -> list[tuple[str, Mapping[str, Any], str]]:
    """Return the last entry of every user and item after the user's last reset, without control items."""
    resets = {
        (campaign, entry["user_id"]): place
        for place, (campaign, entry, _) in enumerate(entries)
        if entry.get("annotation") == _RESET
    }
    real = [(place, each) for place, each in enumerate(entries) if each[1].get("annotation") != _RESET]
    valid = [each for place, each in real if place > resets.get((each[0], each[1]["user_id"]), -1)]
    if len(real) > len(valid):
        findings.append(
            kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=len(real) - len(valid), why="the judge was reset later")
        )
    scored = [each for each in valid if not str(each[1]["item_i"]).startswith(_CONTROLS)]
    if len(valid) > len(scored):
        findings.append(kinds.reading.CONTROLS_LEFT_OUT.found(number=len(valid) - len(scored)))
    last = {
        (campaign, entry["user_id"], entry["item_i"]): (campaign, entry, where) for campaign, entry, where in scored
    }
    if len(scored) > len(last):
        findings.append(kinds.reading.REPLACED_ROWS.found(number=len(scored) - len(last), key="user and item"))
    return list(last.values())


def _scores(campaign: str, entry: Mapping[str, Any], where: str, known: dict[str, int]) -> Iterator[_Score]:
    """Yield the scores of a document's segments; `known` numbers documents whose segments have no id."""
    items, annotations = entry["item"], entry["annotation"]
    if not isinstance(items, list) or not isinstance(annotations, list) or len(items) != len(annotations):
        raise EvidenceError(
            "the lists item and annotation do not have the same length",
            where=where,
            remedy="Check whether the file is whole.",
        )
    texts = json.dumps([campaign, *({**item, "tgt": None} for item in items)], sort_keys=True)
    number = known.setdefault(texts, len(known) + 1) if len(items) > 1 else 0
    for place, (item, annotation) in enumerate(zip(items, annotations, strict=True), 1):
        named = item.get("item_id")
        if named is None:
            named = f"document {number}, segment {place}" if number else _text(item.get("src"))
        for system, given in (annotation or {}).items():  # a segment may be skipped
            group = f"document {number}" if number else None
            yield _Score(campaign, str(entry["user_id"]), system, str(named), group, _value(given, where))


def _text(source: Any) -> str:
    return source if isinstance(source, str) else json.dumps(source, ensure_ascii=False, sort_keys=True)


def _value(given: Mapping[str, Any], where: str) -> float:
    """Return a score; several sliders are averaged, as the tool does."""
    score = given.get("score")
    if score is None and given.get("sliders"):
        sliders = [value for value in given["sliders"].values() if value is not None]
        score = math.fsum(sliders) / len(sliders) if sliders else None
    if score is None:
        return math.nan
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise EvidenceError(f"the score is {score!r}", where=where, allowed="numbers and null")
    return float(score)


def _grouped(scores: Sequence[_Score]) -> bool:
    """Whether documents define dependent segments; not if one segment is in several."""
    groups: dict[tuple[str, str], str | None] = {}
    alike = all(groups.setdefault((score.campaign, score.item), score.group) == score.group for score in scores)
    return alike and any(group for group in groups.values())


FORMAT = PearmutFormat()
