"""Results of Amazon Bedrock's evaluations: a line per prompt with scores by metric."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"automatedEvaluationResult", "inputRecord", "modelResponses"})
_BUILT_IN = "Builtin."


class BedrockFormat(RecordFormat):
    """UUID_output.jsonl of an evaluation job: the model's identifier is the system, a prompt the item.

    Its layout follows the documentation and programs that read it, and was not tried on a real export.
    """

    name: ClassVar[str] = "bedrock"
    about: ClassVar[str] = "Amazon Bedrock's evaluation jobs (.jsonl): automatedEvaluationResult, inputRecord"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {
        "system": "modelIdentifier",
        "item": "inputRecord.prompt",
        "metric": "metricName",
        "repeat": "lines of one prompt",
    }
    ignored: ClassVar = ("evaluatorDetails", "response", "category")
    lower: ClassVar = dict.fromkeys(("Harmfulness", "Stereotyping", "Refusal", "Toxicity", "Robustness"), True)

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every prompt."""
        for line in file.lines():
            responses = line["modelResponses"] or [{}]
            scores = line["automatedEvaluationResult"]["scores"]
            yield Record(
                str(line["inputRecord"]["prompt"]),
                {str(each["metricName"]).removeprefix(_BUILT_IN): each["result"] for each in scores},
                str(responses[0].get("modelIdentifier") or ""),
            )

    def example(self, folder: Path) -> Any:
        """Write the job of two models on two prompts."""
        place = folder / "bedrock"
        place.mkdir(exist_ok=True)
        for model, results in (("owl", (0.25, 0.0)), ("yak", (0.5, 0.75))):
            lines = [
                {
                    "automatedEvaluationResult": {"scores": [{"metricName": "Builtin.Toxicity", "result": result}]},
                    "inputRecord": {"prompt": f"prompt {number}", "referenceResponse": "…"},
                    "modelResponses": [{"modelIdentifier": model, "response": "…"}],
                }
                for number, result in enumerate(results)
            ]
            (place / f"{model}_output.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return place


FORMAT = BedrockFormat()
