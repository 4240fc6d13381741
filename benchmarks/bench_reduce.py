"""From 10 million judgments in a Parquet file to a ranked board: time and memory."""

from harness import REPEATED, Contestant, Measured, contest
from report import Target, contest_table, write

OURS = "betterthan"
CONTESTANTS = (
    Contestant(OURS, "ours:point", '`bt.rank(path, ci="none")`'),
    Contestant("betterthan, all defaults", "ours:default", "`bt.rank(path)`: also 1,000 bootstrap resamples"),
    Contestant("evalica", "with_evalica:point", "Polars reads; lists of names into `bradley_terry`, as documented"),
    Contestant("arena-rank", "with_arena_rank:point", "pandas reads; `PairDataset.from_pandas`, `BradleyTerry.fit`"),
    Contestant(
        "pandas + choix",
        "with_choix:point_pandas",
        "pandas reads and factorises each column; `bincount`; `ilsr_pairwise_dense`",
    ),
    Contestant(
        "evalica, tuned by hand",
        "with_evalica:point_tuned",
        "codes from Parquet's dictionaries by PyArrow; `bradley_terry` on codes with a range index",
    ),
    Contestant(
        "PyArrow + choix by hand",
        "with_choix:point_codes",
        "codes from Parquet's dictionaries by PyArrow; `bincount`; `ilsr_pairwise_dense`",
    ),
    Contestant(
        "Polars + choix by hand",
        "with_choix:point_polars",
        "streaming `group_by` of names in Polars; `ilsr_pairwise_dense`",
    ),
)
PEERS = ("evalica", "arena-rank", "pandas + choix")
BY_HAND = ("evalica, tuned by hand", "PyArrow + choix by hand", "Polars + choix by hand")
#: A fifth of the standard error (about 0.005) that a typical system has in these data.
TOLERANCE = 1e-3


def run() -> None:
    """Run the contest and write the table."""
    measured = contest(CONTESTANTS, "10m")
    reference = measured[OURS].answer
    apart = {name: _apart(result, reference) for name, result in measured.items() if name != OURS}
    base = measured[OURS].seconds
    ratio = {name: result.seconds / base for name, result in measured.items()}
    fastest, quickest = (min(group, key=ratio.__getitem__) for group in (PEERS, BY_HAND))
    targets = [
        Target.at_least(f"10 × as fast as the fastest peer (here: {fastest})", ratio[fastest], 10),
        *(Target.at_least(f"10 × as fast as {peer}", ratio[peer], 10) for peer in PEERS if peer != fastest),
        Target.below("peak memory below 1.5 GB, point ranking", measured[OURS].peak, 1.5, "GB"),
        Target.below("peak memory below 1.5 GB, all defaults", measured["betterthan, all defaults"].peak, 1.5, "GB"),
        *(
            Target(f"log-strengths within {TOLERANCE:g} of {name}'s", f"{apart[name]:.1e}", apart[name] < TOLERANCE)
            for name in PEERS
        ),
    ]
    text = [
        "10 million judgments of 100 systems (model_a, model_b, winner; a quarter ties, which count half) from Parquet "
        "to log-strengths. Each contestant runs in processes of its own; imports and a warm-up on 20,000 rows are not "
        f"counted; {REPEATED}, runs taking turns. The memory peak is the whole process's.\n",
        contest_table(
            {entry.name: entry.what for entry in CONTESTANTS},
            measured,
            OURS,
            {"largest difference": {name: f"{value:.1e}" for name, value in apart.items()}},
        ),
        "“By hand” is what a careful user could write around a package; none of these checks names, outcomes or "
        f"connectedness. The fastest, {quickest}, takes {ratio[quickest]:.2g} × our time.\n",
        "arena-rank is the one that differs: its optimiser stops when the loss changes by less than 1e-9 (`ftol`), "
        "before it has arrived. With `ftol=0, gtol=1e-12` it agrees with the others to 1e-9 on 1 million judgments.\n",
    ]
    write("reduce", "Reduce: 10 million judgments to a board", text, targets, _PACKAGES)


def _apart(result: Measured, reference: dict[str, float]) -> float:
    assert result.answer.keys() == reference.keys()
    return max(abs(float(result.answer[name]) - reference[name]) for name in reference)


_PACKAGES = ("arena-rank", "choix", "duckdb", "evalica", "numpy", "pandas", "polars", "pyarrow", "scipy")
