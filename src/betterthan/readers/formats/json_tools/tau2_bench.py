"""Results of tau2-bench: simulations with a reward per task and trial, a file per run."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"timestamp", "info", "tasks"})


class Tau2BenchFormat(RecordFormat):
    """A document {info, tasks, simulations}; simulations may be in files of their own.

    Its layout follows the data model of tau2-bench 1.0. Of real runs, only one without rewards could be tried.
    """

    name: ClassVar[str] = "tau2-bench"
    about: ClassVar[str] = "tau2-bench's results: info, tasks and simulations with reward_info, a file per run"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {"system": "info.agent_info.llm", "dataset": "domain", "item": "task_id", "repeat": "trial"}
    ignored: ClassVar = ("messages", "ticks", "agent_cost", "user_cost")
    missing: ClassVar[str] = "the simulation has no reward"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys, and those that say which agent it was."""
        info = file.record["info"] if file.keys >= _KEYS else None
        return isinstance(info, dict) and {"agent_info", "environment_info"} <= info.keys()

    def belongs(self, file: PlacedFile) -> bool:
        """Take single simulations for its own."""
        return file.keys >= {"id", "task_id", "trial", "termination_reason", "mode"}

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every simulation."""
        info = file.whole["info"]
        simulations = (
            file.whole.get("simulations") or file.whole.get("simulation_index") or _simulation_files(file.path)
        )
        if not simulations:
            raise EvidenceError(
                "the run holds no simulations",
                where=file.name,
                remedy="Write it again in one file, with its simulations.",
            )
        system, domain = str(info["agent_info"]["llm"]), str(info["environment_info"]["domain_name"])
        for each in simulations:
            yield Record(str(each["task_id"]), {"reward": _reward(each)}, system, domain, str(each.get("trial")))

    def example(self, folder: Path) -> Any:
        """Write two trials of two models on two tasks."""
        place = folder / "simulations"
        place.mkdir(exist_ok=True)
        for model, rewards in (("owl", (1.0, 1.0, 0.0, 1.0)), ("yak", (0.0, 1.0, 0.0, 0.0))):
            simulations = [
                {"id": str(number), "task_id": str(number // 2), "trial": number % 2, "reward_info": {"reward": reward}}
                for number, reward in enumerate(rewards)
            ]
            info = {"agent_info": {"llm": model}, "environment_info": {"domain_name": "retail"}, "num_trials": 2}
            document = {"timestamp": "2026-01-02", "info": info, "tasks": [], "simulations": simulations}
            (place / f"{model}.json").write_text(json.dumps(document))
        return place


def _simulation_files(results: Path) -> list[Any]:
    """Return the simulations of a run that has a file for each."""
    return [json.loads(path.read_bytes()) for path in sorted(results.with_name("simulations").glob("*.json"))]


def _reward(simulation: Mapping[str, Any]) -> Any:
    if "reward_info" in simulation:
        return (simulation["reward_info"] or {}).get("reward")
    return simulation.get("reward")


FORMAT = Tau2BenchFormat()
