"""Log-linear models: a million judgments with five numeric covariates, and the covariate model of a classic table."""

from pathlib import Path

from data import STYLE
from harness import REPEATED, Contestant, contest
from process import child
from report import Target, contest_table, table, write

OURS, DAVIDSON = "betterthan, ties half", "betterthan, ties by davidson"
PEER, PEER_POINT = "arena-rank", "arena-rank without intervals"
LAYOUT = "style.parquet"
CONTESTANTS = (
    Contestant(
        OURS, "log_linear:style", '`bt.fit(path, contrast="~ z0 + … + z4", ties="half")`', {"ties": "half"}, LAYOUT
    ),
    Contestant(
        DAVIDSON, "log_linear:style", "the same with an effect of being undecided", {"ties": "davidson"}, LAYOUT
    ),
    Contestant(
        PEER,
        "with_arena_rank:style",
        "`ContextualBradleyTerry(reg=0)`, unweighted, `compute_ratings_and_cis` by its sandwich; ties half",
        {"reg": 0.0, "sandwich": True},
        LAYOUT,
    ),
    Contestant(
        PEER_POINT,
        "with_arena_rank:style",
        "the same, only `fit`",
        {"reg": 0.0, "sandwich": False},
        LAYOUT,
    ),
)
CLASSIC = Path(__file__).parent.parent.parent / "shared" / "data" / "reference" / "cemspc_long.csv"
#: Both go to the same maximum, arena-rank by L-BFGS until its gradient is small.
TOLERANCE = 1e-3


def run() -> None:
    """Run the contest, then the classic table in a process of its own."""
    measured = contest(CONTESTANTS, "1m")
    apart = max(abs(measured[PEER].answer[name] - measured[OURS].answer[name]) for name in measured[OURS].answer)
    seconds = float(child("time_fit.py", str(CLASSIC)).splitlines()[-1]) if CLASSIC.exists() else None
    text = [
        "A million judgments of 100 systems, a quarter of them ties, with five numeric covariates that differ between "
        f"the two answers (true effects {', '.join(map(str, STYLE))} before ties): coefficients of all systems and "
        "covariates with standard errors, from Parquet. Imports and a warm-up on 20,000 rows are not counted; "
        f"{REPEATED}.\n",
        contest_table({entry.name: entry.what for entry in CONTESTANTS}, measured, OURS, {}),
        table(
            ["covariate", *measured],
            [[name, *(f"{result.answer[name]:.5f}" for result in measured.values())] for name in measured[OURS].answer],
        ),
        "Without `reg=0` arena-rank shrinks covariates to almost nothing: its penalty is on the mean, not on the sum, "
        "of the log-likelihood.\n",
    ]
    targets = [
        Target.at_least(f"5 × as fast as {PEER}", measured[PEER].seconds / measured[OURS].seconds, 5),
        Target(f"coefficients within {TOLERANCE:g} of {PEER}'s", f"{apart:.1e}", apart < TOLERANCE),
    ]
    if seconds is not None:
        targets.append(
            Target(
                "4,545 comparisons with two crossed subject covariates under 0.2 s", f"{seconds:.3f} s", seconds < 0.2
            )
        )
    write(
        "fit", "Log-linear models with covariates", text, targets, ("arena-rank", "duckdb", "formulaic", "jax", "numpy")
    )
