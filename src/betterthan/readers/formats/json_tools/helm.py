"""Runs of HELM: statistics of every item, a folder per scenario and model."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.engine import conditions as row_conditions
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_STATS, _PREDICTIONS, _SPEC = "per_instance_stats.json", "display_predictions.json", "run_spec.json"
_ITEM = frozenset({"instance_id", "train_trial_index", "stats"})
_BESIDE = frozenset(
    {
        _PREDICTIONS,
        _SPEC,
        "scenario.json",
        "scenario_state.json",
        "stats.json",
        "instances.json",
        "display_requests.json",
        "runs.json",
        "runs_to_run_suites.json",
        "run_specs.json",
        "groups.json",
        "groups_metadata.json",
        "schema.json",
        "summary.json",
        "costs.json",
    }
)
#: Statistics that say how a run went, not how good it was.
_BOOKKEEPING = re.compile(
    r"num_.*|inference_.*|training_.*|finish_reason_.*|batch_size|prompt_truncated|max_prob|logprob|predicted_index|.*@\d+"
)
#: The model in a run's name; copies of folders may have a hyphen instead of the colon.
_MODEL = re.compile(r"(?:(?<=[:,-])|,)model(?:_deployment)?=[^,]*,?")
_PERTURBATION = "perturbation"


@dataclass(frozen=True)
class _Run:
    """One run: its file of statistics, and what its specification says."""

    file: PlacedFile
    task: str
    model: str
    deployment: str


class HelmFormat(ToolFormat):
    """per_instance_stats.json next to run_spec.json; perturbed items are read where a condition names them."""

    name: ClassVar[str] = "helm"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "HELM's run folders: per_instance_stats.json beside run_spec.json"

    def claims(self, file: PlacedFile) -> bool:
        """Examine the first item."""
        if not file.keys >= _ITEM:
            return False
        stats = file.record["stats"]
        if isinstance(stats, dict):  # the same values again, where the statistics themselves are missing
            return "predicted_text" in file.keys and bool(stats) and not file.path.with_name(_STATS).exists()
        return isinstance(stats, list)

    def belongs(self, file: PlacedFile) -> bool:
        """Take specifications, requests and aggregates for its own."""
        return file.path.name in _BESIDE

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every quality metric of every item; train trials are repeats."""
        del places
        perturbed = any(each.column == _PERTURBATION for each in row_conditions.parse_conditions(options.where))
        runs = [_run(file) for file in files]
        suites = [run.file.path.parent.resolve().parent.name for run in runs]
        systems = distinct_names(
            [run.model for run in runs],
            [run.task for run in runs],
            [run.deployment for run in runs],
            suites,
            [str(run.file.path.parent) for run in runs],
        )
        rows = GrowingColumns()
        for run, system in zip(runs, systems, strict=True):
            for entry in run.file.whole:
                changed = (entry.get(_PERTURBATION) or {}).get("name")
                if changed and not perturbed:
                    continue
                stats = list(_stats(entry, run.file.name, options.score or ()))
                rows.add(
                    dataset=f"{run.task} ({changed})" if changed else run.task,
                    system=system,
                    item=str(entry["instance_id"]),
                    repeat=str(entry["train_trial_index"]),
                    metric=[metric for metric, _, _ in stats],
                    score=[score for _, score, _ in stats],
                    split=[split for _, _, split in stats],
                    perturbation=changed or "none",
                )
        if not len(rows):
            raise EvidenceError(
                "the statistics hold no quality metric",
                where=runs[0].file.name,
                remedy=f"Name one of the others with {spelling.option('score')}.",
            )
        used = {
            "dataset": "run name without the model",
            "system": "adapter_spec.model",
            "item": "instance_id",
            "metric": "stats.name",
            "repeat": "train_trial_index",
        }
        ignored = ("bookkeeping such as num_output_tokens", *(() if perturbed else ("perturbed items",)))
        return ToolEvidence(rows.columns(), used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write the runs of two models on one scenario."""
        place = folder / "runs" / "v1"
        for model, scores in (("org/owl", (1.0, 1.0, 0.0)), ("org/yak", (1.0, 0.0, 0.0))):
            name = f"sums:digits=2,model={model.replace('/', '_')}"
            run = place / name.replace(":", "-")
            run.mkdir(parents=True, exist_ok=True)
            spec = {"name": name, "adapter_spec": {"model": model, "model_deployment": model}}
            (run / _SPEC).write_text(json.dumps(spec))
            entries = [
                {
                    "instance_id": f"id{number}",
                    "train_trial_index": 0,
                    "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": score}],
                }
                for number, score in enumerate(scores)
            ]
            (run / _STATS).write_text(json.dumps(entries))
        return folder / "runs"


def _run(file: PlacedFile) -> _Run:
    """Take name and model from the specification next to the statistics, else from the folder's name."""
    folder = file.path.parent.resolve()
    try:
        spec = json.loads((folder / _SPEC).read_bytes())
        name, adapter = str(spec["name"]), spec["adapter_spec"]
        model = str(adapter["model"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        name, adapter = folder.name, {}
        told = re.search(r"(?:^|[:,-])model=([^,]+)", name)
        if told is None:
            raise EvidenceError(
                f"neither {_SPEC} nor the folder's name says which model this is",
                where=file.name,
                remedy=f"Copy {_SPEC} beside it.",
            ) from None
        model = told[1]
    return _Run(file, _MODEL.sub("", name).strip(":,-"), model, str(adapter.get("model_deployment")))


def _stats(entry: Mapping[str, Any], where: str, asked: Sequence[str]) -> Iterator[tuple[str, float, str | None]]:
    """Yield metric, score and split of an item; bookkeeping statistics only on request."""
    stats = entry["stats"]
    if isinstance(stats, dict):
        told = [(metric, value, None) for metric, value in stats.items()]
    else:
        told = [
            (each["name"]["name"], each.get("mean"), each["name"].get("split")) for each in stats if each.get("count")
        ]
    for metric, value, split in told:
        if metric in asked or not _BOOKKEEPING.fullmatch(metric):
            yield metric, number(value, metric, where), split


FORMAT = HelmFormat()
