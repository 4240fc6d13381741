"""Time reading another tool's results: a million sample lines of twenty systems in lm-evaluation-harness's layout."""

import json
import random
import resource
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import betterthan as bt

SYSTEMS, DOCUMENTS = 20, 50_000


def _written(folder: Path) -> int:
    """Write the samples of every system, with prompts and outputs as long as real ones; return their bytes."""
    rng = random.Random(0)
    for system in range(SYSTEMS):
        place = folder / f"org__model{system:02d}"
        place.mkdir()
        with (place / "samples_task_2026-01-01T00-00-00.jsonl").open("w") as stream:
            for number in range(DOCUMENTS):
                right = float(rng.random() < 0.4 + 0.02 * system)
                line = {
                    "doc_id": number,
                    "doc": {"question": "q" * 200, "answer": "a"},
                    "target": "a",
                    "arguments": {"gen_args_0": {"arg_0": "p" * 300}},
                    "resps": [["x" * 100]],
                    "filtered_resps": ["x" * 100],
                    "filter": "none",
                    "metrics": ["acc", "acc_norm"],
                    "doc_hash": f"{number:064x}",
                    "prompt_hash": "b" * 64,
                    "target_hash": "c" * 64,
                    "acc": right,
                    "acc_norm": float(rng.random() < 0.5),
                }
                stream.write(json.dumps(line) + "\n")
    return sum(path.stat().st_size for path in folder.rglob("*.jsonl"))


def main() -> None:
    """Print seconds, seconds of both cores, and the largest memory in bytes."""
    with TemporaryDirectory() as name:
        size = _written(Path(name))
        start, busy = perf_counter(), process_time()
        scores = bt.read(name)
        told = {"seconds": perf_counter() - start, "cpu": process_time() - busy, "bytes": size}
    assert len(scores.tables) == 2
    told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps(told))


if __name__ == "__main__":
    main()
