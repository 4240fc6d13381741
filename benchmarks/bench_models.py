"""What other models cost beside Bradley–Terry: 1,000 resamples each, and rankings of a real shared task."""

import json
from pathlib import Path

from harness import REPEATED, Contestant, contest
from process import HERE, child
from report import Target, contest_table, short, table, write

BASE = "bradley-terry"
MODELS = (
    BASE,
    "davidson",
    "rao-kupper",
    "thurstone",
    "newman",
    "win-rate",
    "expected-wins",
    "borda",
    "rank-centrality",
    "eigenvector",
    "pagerank",
    "hopkins-may",
)
#: Real human rankings, which are not ours to ship.
RANKINGS = HERE.parent.parent / "shared" / "data" / "wmt13-fr-en" / "rankings.csv.gz"
RANKED = ("plackett-luce", "hopkins-may", "trueskill(preset=wmt)", "trueskill(preset=wmt,players=all)", "elo")


def run() -> None:
    """Time the resamples of every model of pair counts, then the models that need more than pairs."""
    contestants = [
        Contestant(model, "ours:model_intervals", f'`bt.rank(path, model="{model}", unit="row")`', {"model": model})
        for model in MODELS
    ]
    measured = contest(contestants, "1m")
    text = [
        "1 million judgments of 100 systems from Parquet to a board with 1,000 resamples. Each model runs in processes "
        f"of its own; imports and a warm-up on 20,000 rows are not counted; {REPEATED}, runs taking turns.\n",
        contest_table(
            {entry.name: entry.what for entry in contestants},
            measured,
            BASE,
            {},
            ("model", "what it does", f"× {BASE}"),
        ),
    ]
    targets = [
        Target(
            "1,000 resamples of Davidson within 5 × the time of Bradley–Terry",
            f"{short(measured['davidson'].seconds / measured[BASE].seconds)} ×",
            measured["davidson"].seconds <= 5 * measured[BASE].seconds,
        )
    ]
    if Path(RANKINGS).exists():
        seconds = {model: json.loads(child("time_rankings.py", str(RANKINGS), model)) for model in RANKED}
        rows = [[model, *(f"{value:.2f}" for value in seconds[model])] for model in RANKED]
        text += [
            "9,996 rankings of 5 of 13 systems by people (WMT 2013, French–English; 99,960 pairs), in seconds:\n",
            table(["model", "estimate", "with 1,000 resamples"], rows),
        ]
        targets.append(Target.below("Hopkins–May, 200 sweeps, in a few seconds", seconds["hopkins-may"][0], 5, "s"))
    write("models", "Models: what they cost beside Bradley–Terry", text, targets, ("duckdb", "numba", "numpy", "scipy"))
