"""Judgments of Arena-Hard-Auto: every model against a baseline, twice with sides swapped."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_WINNER = {
    "A>>B": "left",
    "A>B": "left",
    "B<A": "left",
    "B<<A": "left",
    "A=B": "tie",
    "B=A": "tie",
    "B>A": "right",
    "B>>A": "right",
    "A<B": "right",
    "A<<B": "right",
}
#: The first release names no baseline; its questions were judged against this one.
_FIRST_BASELINE = "gpt-4-0314"


class ArenaHardFormat(ToolFormat):
    """A line per question with two games: in the first the baseline is A, in the second the model is."""

    name: ClassVar[str] = "arena-hard"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "Arena-Hard-Auto's model_judgment/JUDGE/MODEL.jsonl: two games per question and model"

    def claims(self, file: PlacedFile) -> bool:
        """Look for games with a score."""
        games = file.record.get("games") if file.keys >= {"model", "judge", "games"} else None
        return isinstance(games, list) and any(isinstance(game, dict) and "score" in game for game in games)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every game as a judgment; one that was not judged is missing, the other one stays."""
        del places, options
        rows, missing = GrowingColumns(), 0
        for file in files:
            for line in file.lines():
                model, baseline = str(line["model"]), _baseline(line, file)
                for place, game in enumerate(line["games"]):
                    score = game.get("score") if isinstance(game, dict) else None
                    if score is None:
                        missing += 1
                        continue
                    left, right = (baseline, model) if place == 0 else (model, baseline)
                    rows.add(
                        left=left,
                        right=right,
                        outcome=_outcome(score, file.name),
                        judge=str(line["judge"]),
                        item=str(line.get("uid") or line["question_id"]),
                        category=line.get("category"),
                        strength=["much" if ">>" in score or "<<" in score else "slightly"],
                    )
        findings = (kinds.reading.UNSCORED.found(number=missing, why="the game was not judged"),) if missing else ()
        used = {"left": "A", "right": "B", "outcome": "games.score", "item": "question_id or uid", "judge": "judge"}
        return ToolEvidence(rows.columns(), findings=findings, used=used, ignored=("user_prompt", "judgment"))

    def example(self, folder: Path) -> Any:
        """Write the judgments of two models."""
        place = folder / "model_judgment" / "judge"
        place.mkdir(parents=True, exist_ok=True)
        for model, games in (("owl", ["B>A", "A>>B"]), ("yak", ["A>B", "A=B"])):
            lines = [
                {
                    "uid": f"q{number}",
                    "category": "math",
                    "judge": "judge",
                    "model": model,
                    "baseline": "elk",
                    "games": [{"score": score} for score in games],
                }
                for number in range(3)
            ]
            (place / f"{model}.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        return folder / "model_judgment"


def _baseline(line: Mapping[str, Any], file: PlacedFile) -> str:
    if line.get("baseline"):
        return str(line["baseline"])
    return _FIRST_BASELINE if "arena-hard-v0.1" in file.path.parts or "question_id" in line else "baseline"


def _outcome(score: str, where: str) -> str:
    if score not in _WINNER:
        raise EvidenceError(f"the score {score!r} is none of Arena-Hard's", where=where, allowed=", ".join(_WINNER))
    return _WINNER[score]


FORMAT = ArenaHardFormat()
