"""Results of verifiers' environments: a reward per example and rollout, a folder per run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"example_id", "prompt", "completion", "reward"})


class VerifiersFormat(RecordFormat):
    """outputs/evals/ENVIRONMENT--MODEL/RUN/results.jsonl; metadata.json names environment and model.

    Its layout follows the documentation of verifiers and was not tried on a real run; other rewards are left out.
    """

    name: ClassVar[str] = "verifiers"
    about: ClassVar[str] = "verifiers' results.jsonl: example_id, prompt, completion and reward, beside metadata.json"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {
        "system": "model of metadata.json, or the folder",
        "dataset": "env_id",
        "item": "example_id",
        "score": "reward",
        "repeat": "lines of one example",
    }
    ignored: ClassVar = ("prompt", "completion", "answer", "info", "timing", "metrics")
    missing: ClassVar[str] = "the rollout has no reward"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS

    def belongs(self, file: PlacedFile) -> bool:
        """Take what describes a run for its own."""
        return file.keys >= {"env_id", "model"}

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every rollout."""
        described = file.path.with_name("metadata.json")
        about = json.loads(described.read_bytes()) if described.is_file() else {}
        system, dataset = str(about.get("model") or file.folder), str(about.get("env_id") or "")
        for line in file.lines():
            yield Record(str(line["example_id"]), {"reward": line["reward"]}, system, dataset)

    def example(self, folder: Path) -> Any:
        """Write two rollouts of two models on two examples."""
        for model, rewards in (("owl", (1.0, 1.0, 0.5, 0.5)), ("yak", (0.5, 0.0, 0.5, 1.0))):
            place = folder / "evals" / f"sums--{model}" / "1a2b3c4d"
            place.mkdir(parents=True, exist_ok=True)
            lines = [
                {"example_id": number // 2, "prompt": [], "completion": [], "answer": "1", "reward": reward}
                for number, reward in enumerate(rewards)
            ]
            (place / "results.jsonl").write_text("\n".join(map(json.dumps, lines)))
            (place / "metadata.json").write_text(json.dumps({"env_id": "sums", "model": model}))
        return folder / "evals"


FORMAT = VerifiersFormat()
