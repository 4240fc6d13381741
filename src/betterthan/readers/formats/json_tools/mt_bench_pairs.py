"""Pairwise judgments of MT-Bench (FastChat): two games per question and turn, sides exchanged."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"question_id", "model_1", "model_2", "g1_winner", "g2_winner"})
_ERROR = "error"


class MtBenchPairsFormat(ToolFormat):
    """JUDGE_pair.jsonl: in the first game model_1 is shown first, in the second model_2 is."""

    name: ClassVar[str] = "mt-bench-pairs"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "MT-Bench's JUDGE_pair.jsonl: g1_winner and g2_winner per question and turn"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read both games, with the model that was shown first on the left."""
        del places, options
        lines, findings = last_of(
            [line for file in files for line in file.lines()], ("question_id", "turn", "model_1", "model_2", "judge")
        )
        rows, errors = GrowingColumns(), 0
        for line in lines:
            sides = (str(line["model_1"]), str(line["model_2"]))
            for game, shown in (("g1_winner", sides), ("g2_winner", sides[::-1])):
                winner = line[game]
                if winner == _ERROR:
                    errors += 1
                    continue
                named = {"model_1": sides[0], "model_2": sides[1]}
                won = {shown[0]: "left", shown[1]: "right"}.get(named.get(winner, ""), winner)
                turn = str(line.get("turn", 1))
                rows.add(
                    left=shown[0],
                    right=shown[1],
                    outcome=won,
                    item=f"{line['question_id']} turn {turn}",
                    turn=turn,
                    judge=judge_of(line),
                    time=[line.get("tstamp")],
                )
        if errors:
            findings.append(kinds.reading.UNSCORED.found(number=errors, why="the judge gave no verdict"))
        used = {
            "left": "the model shown first",
            "right": "the other one",
            "outcome": "g1_winner and g2_winner",
            "item": "question_id and turn",
            "judge": "judge",
            "time": "tstamp",
        }
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=("user_prompt", "judgment"))

    def example(self, folder: Path) -> Any:
        """Write judgments of one pair on two questions."""
        lines = [
            {
                "question_id": 81 + number,
                "model_1": "owl",
                "model_2": "yak",
                "g1_winner": one,
                "g2_winner": two,
                "judge": ["gpt-4", "pair-v2"],
                "turn": 1,
                "tstamp": 1.0 + number,
            }
            for number, (one, two) in enumerate([("model_1", "tie"), ("model_2", "model_2")])
        ]
        (folder / "gpt-4_pair.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        return folder / "gpt-4_pair.jsonl"


def judge_of(line: Mapping[str, Any]) -> str:
    """Return the judge's model; the list also names the prompt, which is no judge of its own."""
    judge = line.get("judge")
    return str(judge[0] if isinstance(judge, list) and judge else judge)


def last_of(lines: Sequence[dict[str, Any]], key: Sequence[str]) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Keep the last line of every key by its time: later judgments replace earlier ones."""
    last: dict[str, dict[str, Any]] = {}
    for line in sorted(lines, key=lambda line: float(line.get("tstamp") or 0.0)):
        last[json.dumps([line.get(name) for name in key])] = line
    replaced = len(lines) - len(last)
    found = [kinds.reading.REPLACED_ROWS.found(number=replaced, key="question, model and turn")] if replaced else []
    return list(last.values()), found


FORMAT = MtBenchPairsFormat()
