"""Intervals for 100 systems from 1 million judgments: 1,000 resamples, and the analytic way."""

from statistics import fmean

from harness import REPEATED, Contestant, Measured, contest
from report import Target, contest_table, write

OURS = "betterthan bootstrap"
ANALYTIC = "betterthan analytic"
MULTINOMIAL = "multinomial + L-BFGS"
SANDWICH = "arena-rank sandwich"
#: evalica's bootstrap holds all resamples of all rows at once, so 1,000 would not fit; two small runs give its slope.
FEW, MORE, ALL = 10, 20, 1000
EVALICA = (
    ("evalica", "bootstrap", "Polars reads; names into `bootstrap(bradley_terry, …)`, percentile, as documented"),
    ("evalica tuned by hand", "bootstrap_tuned", "the same with codes from Parquet's dictionaries by PyArrow"),
)
CONTESTANTS = (
    Contestant(OURS, "ours:intervals", '`bt.rank(path, unit="row")`: 1,000 resamples', {"ci": "bootstrap"}),
    Contestant(ANALYTIC, "ours:intervals", '`bt.rank(path, ci="analytic", unit="row")`', {"ci": "analytic"}),
    Contestant(SANDWICH, "with_arena_rank:sandwich", "pandas reads; `compute_ratings_and_cis`, no resamples"),
    Contestant(
        MULTINOMIAL,
        "multinomial:intervals",
        "FastChat's method: pandas counts (pair, outcome), 1,000 multinomial draws, an L-BFGS-B fit each, 2 processes",
    ),
    *(
        Contestant(f"{name}, {number} resamples", f"with_evalica:{call}", what, {"resamples": number})
        for name, call, what in EVALICA
        for number in (FEW, MORE)
    ),
)


def run() -> None:
    """Run the contest, extend evalica's time to all resamples, and write the table."""
    measured = contest(CONTESTANTS, "1m")
    what = {entry.name: entry.what for entry in CONTESTANTS}
    for name, _, _ in EVALICA:
        measured[f"{name}, {ALL:,} resamples"] = _extended(
            *(measured[f"{name}, {number} resamples"] for number in (FEW, MORE))
        )
        what[f"{name}, {ALL:,} resamples"] = f"not run: the line through {FEW} and {MORE} resamples, continued"
    seconds = {name: result.seconds for name, result in measured.items()}
    widths = {name: _width(measured[name], measured[OURS]) for name in (ANALYTIC, SANDWICH, MULTINOMIAL)}
    targets = [
        Target.at_least(f"10 × as fast as {MULTINOMIAL}", seconds[MULTINOMIAL] / seconds[OURS], 10),
        *(
            Target.at_least(
                f"500 × as fast as the bootstrap of {name}", seconds[f"{name}, {ALL:,} resamples"] / seconds[OURS], 500
            )
            for name, _, _ in EVALICA
        ),
        *(
            Target(f"same mean width as {name}, within 5 %", f"{widths[name]:.3f} ×", abs(widths[name] - 1) < 0.05)
            for name in (MULTINOMIAL, SANDWICH)
        ),
    ]
    text = [
        "1 million judgments of 100 systems from Parquet to 95 % intervals of log-strengths, judgments resampled one "
        "by one. Each contestant runs in processes of its own; imports and a warm-up on 20,000 rows are not counted; "
        f"{REPEATED}, runs taking turns. The memory peak is that of the largest single process.\n",
        contest_table(what, measured, OURS, {"mean width, × ours": {name: f"{widths[name]:.3f}" for name in widths}}),
        f"{MULTINOMIAL} is written for this benchmark, leaner than FastChat's own code: one BLAS thread per worker, "
        "one logarithm per term, gradients by `bincount`. evalica holds all resamples of all rows at once.\n",
        f"The analytic intervals take {seconds[SANDWICH] / seconds[ANALYTIC]:.3g} × as long in arena-rank as here.\n",
    ]
    write("bootstrap", "Bootstrap: 1,000 resamples of 1 million judgments", text, targets, _PACKAGES)


def _extended(few: Measured, more: Measured) -> Measured:
    """Continue the line through two numbers of resamples to all of them: time as well as memory grow with each."""

    def line(at_few: float, at_more: float) -> float:
        return at_more + (at_more - at_few) * (ALL - MORE) / (MORE - FEW)

    return Measured(
        line(few.seconds, more.seconds),
        line(few.cpu, more.cpu),
        line(few.peak, more.peak),
        None,
        max(few.others, more.others),
    )


def _width(result: Measured, reference: Measured) -> float:
    """Return the mean width of the intervals as a multiple of the reference's."""
    widths = [fmean(high - low for low, high in answer.values()) for answer in (result.answer, reference.answer)]
    return widths[0] / widths[1]


_PACKAGES = ("arena-rank", "duckdb", "evalica", "jax", "numpy", "pandas", "polars", "scipy")
