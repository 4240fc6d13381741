"""Results of Harbor, which runs Terminal-Bench 2 and other benchmarks of agents: a folder per trial."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"task_name", "trial_name", "agent_info", "verifier_result"})
_JOB = frozenset({"stats", "n_total_trials"})
_OF_JOBS = frozenset({"config.json", "lock.json", "job.log"})
_TRIAL = re.compile(r".+__[A-Za-z0-9]{7}")


class HarborFormat(RecordFormat):
    """jobs/JOB/TASK__ID/result.json: a system is an agent with its model; a trial without a reward counts 0."""

    name: ClassVar[str] = "harbor"
    about: ClassVar[str] = "Harbor's jobs/JOB/TRIAL/result.json (Terminal-Bench 2): task_name, agent_info, rewards"
    used: ClassVar = {
        "system": "agent_info",
        "dataset": "source",
        "item": "task_name",
        "metric": "keys of rewards",
        "repeat": "trials of one task",
    }
    ignored: ClassVar = ("agent_result", "config", "exception_info")
    no_answer: ClassVar[str] = "the trial ended without a reward"
    trials: ClassVar[bool] = True

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys."""
        return file.keys >= _KEYS

    def belongs(self, file: PlacedFile) -> bool:
        """Take summaries and settings of jobs, and everything in the folders of trials, for its own."""
        in_trial = any(_TRIAL.fullmatch(folder) for folder in file.below[:-1])
        return in_trial or file.keys >= _JOB or file.path.name in _OF_JOBS

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield the trial of a file."""
        trial = file.whole
        agent = trial["agent_info"]
        model = (agent.get("model_info") or {}).get("name")
        rewards = (trial["verifier_result"] or {}).get("rewards") or {}
        yield Record(
            str(trial["task_name"]),
            rewards or {"reward": 0.0},
            f"{agent['name']} · {model}" if model else str(agent["name"]),
            str(trial.get("source") or ""),
            unanswered=not rewards,
        )

    def example(self, folder: Path) -> Any:
        """Write the trials of two agents on two tasks."""
        for agent, rewards in (("owl", (1.0, 0.5)), ("yak", (0.0, 0.5))):
            for task, reward in enumerate(rewards):
                name = f"task-{task}__aBcDeF{task}"
                trial = {
                    "task_name": f"task-{task}",
                    "trial_name": name,
                    "source": "terminal-bench",
                    "agent_info": {"name": agent, "version": "1.0", "model_info": {"name": "gpt", "provider": "x"}},
                    "verifier_result": {"rewards": {"reward": reward}},
                    "exception_info": None,
                }
                place = folder / "jobs" / agent / name
                place.mkdir(parents=True, exist_ok=True)
                (place / "result.json").write_text(json.dumps(trial))
        return folder / "jobs"


FORMAT = HarborFormat()
