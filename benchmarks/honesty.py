"""The simulation behind `honesty`: worlds with known truth and the default call of every verb; prints JSON.

A cell is a verb in a world: how often an interval holds the truth, how often equal systems are told apart, or how often
a difference is found with as many judgments or items as `power` asked for. Every call is what a user would write, with
no option beyond the evidence.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import betterthan as bt

NUMBERS = (5, 10, 20, 50, 200)
TIES = (0.0, 0.2, 0.6)
SYSTEMS = ("a", "b", "c", "d")
#: Judgments of one item, or of one judge, where these have effects; items and judges that cross them.
PER_UNIT, OTHERS = 24, 40
#: Units of the evidence that a plan is made from.
PILOTS = (20, 50)
#: Diagnoses take longest: one data set in so many is diagnosed.
_DIAGNOSED = 3
#: What a diagnosis may warn of though nothing of the kind is there.
_FALSE = {
    "position-effect": "a position effect",
    "lack-of-fit": "a lack of fit",
    "intransitive": "circles",
    "lead-hangs-on": "few items or judges behind the lead",
}
_LIKERT = np.array([0.1, 0.2, 0.3, 0.25, 0.15])


@dataclass(frozen=True)
class Cell:
    """A world: what comes in, what is dependent, how many units of that there are, and what outcomes look like."""

    kind: str  # judgments, scores or plans
    dependence: str  # none, weights, item, judge, both; groups
    units: int
    outcome: str  # ties 0 %, continuous, likert, right .9 …

    @property
    def name(self) -> str:
        return f"{self.kind} · {self.dependence} · {self.units} · {self.outcome}"


def cells() -> Iterator[Cell]:
    """List all worlds."""
    for dependence in ("none", "item", "judge", "both"):
        for units in NUMBERS:
            for ties in TIES:
                yield Cell("judgments", dependence, units, f"ties {100 * ties:.0f} %")
    for units in NUMBERS:
        yield Cell("judgments", "weights", units, "ties 20 %")
    for dependence in ("none", "groups"):
        for units in NUMBERS:
            for outcome in ("continuous", "likert", "right .5", "right .9", "right .98"):
                yield Cell("scores", dependence, units, outcome)
    for dependence in ("none", "item", "judge", "both"):
        for units in PILOTS:
            yield Cell("plans", dependence, units, "ties 20 %")
    for dependence in ("none", "groups"):
        for units in PILOTS:
            for outcome in ("continuous", "right"):
                yield Cell("plans", dependence, units, outcome)


#: Some of them, for every run of the tests.
QUICK = (
    Cell("judgments", "none", 20, "ties 20 %"),
    Cell("judgments", "item", 10, "ties 0 %"),
    Cell("judgments", "item", 50, "ties 60 %"),
    Cell("judgments", "judge", 5, "ties 20 %"),
    Cell("judgments", "judge", 20, "ties 0 %"),
    Cell("judgments", "both", 10, "ties 20 %"),
    Cell("scores", "none", 5, "continuous"),
    Cell("scores", "none", 20, "likert"),
    Cell("scores", "none", 20, "right .9"),
    Cell("scores", "none", 50, "right .98"),
    Cell("scores", "groups", 10, "continuous"),
    Cell("scores", "groups", 20, "right .9"),
    Cell("judgments", "weights", 20, "ties 20 %"),
    Cell("plans", "item", 20, "ties 20 %"),
    Cell("plans", "both", 50, "ties 20 %"),
    Cell("plans", "groups", 20, "continuous"),
)


def judgments(cell: Cell, rng: np.random.Generator) -> dict[str, Any]:
    """Equal systems: judgments with items and judges of their own tastes."""
    ties = float(cell.outcome.split()[1]) / 100
    if cell.dependence in {"none", "weights"}:
        number, items, judges = PER_UNIT * cell.units, PER_UNIT * cell.units, PER_UNIT * cell.units
    else:
        number = PER_UNIT * cell.units
        items = cell.units if cell.dependence in {"item", "both"} else OTHERS
        judges = cell.units if cell.dependence in {"judge", "both"} else OTHERS
    item, judge = rng.integers(items, size=number), rng.integers(judges, size=number)
    left = rng.integers(len(SYSTEMS), size=number)
    right = (left + rng.integers(1, len(SYSTEMS), size=number)) % len(SYSTEMS)
    gap = np.zeros(number)
    if cell.dependence in {"item", "both"}:
        taste = rng.normal(0, 0.7, (items, len(SYSTEMS)))
        gap += taste[item, left] - taste[item, right]
    if cell.dependence in {"judge", "both"}:
        taste = rng.normal(0, 0.5, (judges, len(SYSTEMS)))
        gap += taste[judge, left] - taste[judge, right]
    win, draw = (1 - ties) / (1 + np.exp(-gap)), rng.random(number)
    names = np.array(SYSTEMS)
    columns = {"left": names[left], "right": names[right],
               "winner": np.where(draw < win, "a", np.where(draw < win + ties, "tie", "b"))}  # fmt: skip
    if cell.dependence == "weights":
        return {**columns, "weight": 10 * rng.exponential(size=number)}
    return columns if cell.dependence == "none" else {**columns, "item": item.astype(str), "judge": judge.astype(str)}


def scores(cell: Cell, rng: np.random.Generator) -> tuple[dict[str, Any], float]:
    """Equal systems on the same items, in groups of six or alone; and the mean score."""
    size = 6 if cell.dependence == "groups" else 1
    items, systems = cell.units * size, len(SYSTEMS)
    shared = np.repeat(rng.normal(size=(cell.units, systems)), size, axis=0) if size > 1 else 0.0
    base = rng.normal(size=(items, 1))  # how hard an item is
    latent = (base + 0.7 * shared + rng.normal(size=(items, systems))) / np.sqrt(2 + (0.49 if size > 1 else 0))
    if cell.outcome == "continuous":
        values, truth = latent, 0.0
    elif cell.outcome == "likert":
        cuts = np.array([_normal_quantile(share) for share in np.cumsum(_LIKERT)[:-1]])
        values, truth = 1.0 + np.searchsorted(cuts, latent), float(_LIKERT @ np.arange(1, 6))
    else:
        chance = float(cell.outcome.split()[1])
        values, truth = (latent < _normal_quantile(chance)).astype(float), chance
    columns: dict[str, Any] = {name: values[:, place].tolist() for place, name in enumerate(SYSTEMS)}
    columns["item"] = [f"i{number}" for number in range(items)]
    if size > 1:
        columns["document"] = [f"d{number // size}" for number in range(items)]
    return columns, truth


def _normal_quantile(share: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def ask(cell: Cell, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    """Ask every verb about one data set: per measure, how often it was so among how many times."""
    asked = {"judgments": _ask_judgments, "scores": _ask_scores, "plans": _ask_plan}
    return asked[cell.kind](cell, rng)


def _ask_judgments(cell: Cell, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    votes = bt.read_judgments(judgments(cell, rng))
    seed = int(rng.integers(2**31))
    board = bt.rank(votes, scale="log", seed=seed).board
    found = {"rank: interval": _held([row.interval for row in board], 0.0), "rank: false boundary": _boundary(board)}
    found["rank: false claim of the first rank"] = _leads(board)
    pairs = bt.compare_all(votes)
    upper = np.triu_indices(len(SYSTEMS), 1)
    found["compare --all: any pair (family-wise)"] = float(np.nanmin(pairs.p_adjusted[upper]) <= 0.05), 1
    duel = bt.compare(votes, "a", "b", seed=seed)
    found["compare: false alarm"] = float(duel.p <= 0.05), 1
    won = duel.effect("superiority")
    found["compare: interval of the share"] = _held([(won.low, won.high)], 0.5)
    model = bt.fit(votes)
    tested = [each for each in model.coefficients if each.term in SYSTEMS and each.p is not None]
    found["fit: false alarm per coefficient"] = float(sum(each.p <= 0.05 for each in tested)), len(tested)
    separated = bt.next_matches(votes, 1, seed=seed).states["separated"]
    found["next: any pair falsely settled"] = float(separated > 0), 1
    return found | _diagnosed(votes, rng)


def _ask_scores(cell: Cell, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    columns, truth = scores(cell, rng)
    table = bt.read_scores(columns, item="item", **({"group": "document"} if "document" in columns else {}))
    seed = int(rng.integers(2**31))
    boards = bt.rank(table, seed=seed)
    board = boards["mean"]
    found = {"rank: interval": _held([row.interval for row in board], truth), "rank: false boundary": _boundary(board)}
    found["rank: false claim of the first rank"] = _leads(board)
    won = [row.interval for row in boards["bradley-terry"] if row.score is not None]
    found["rank: interval of bradley-terry"] = _held(won, 1 / len(SYSTEMS))
    if cell.outcome == "continuous":
        found["rank: interval of the median"] = _held([row.interval for row in boards["median"]], truth)
    duel = bt.compare(table, "a", "b", seed=seed)
    found["compare: false alarm"] = float(duel.p <= 0.05), 1
    mean = duel.effect("mean_difference")
    found["compare: interval of the difference"] = _held([(mean.low, mean.high)], 0.0)
    found["compare: verdict against its interval"] = (
        float(duel.shown is not None and mean.low is not None and mean.high is not None and mean.low <= 0 <= mean.high),
        1,
    )
    upper = np.triu_indices(len(SYSTEMS), 1)
    for model, name in (("bradley-terry", "compare --all"), ("mean", "compare --all --model mean")):
        p = bt.compare_all(table, model).p_adjusted[upper]
        found[f"{name}: any pair (family-wise)"] = float(np.nanmin(p) <= 0.05), 1
    return found | _diagnosed(table, rng)


def _ask_plan(cell: Cell, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    """Plan from one data set for the true difference, then compare on another one as large as the plan."""
    scored = "ties" not in cell.outcome
    draw = _two_scored if scored else _two_judged
    truth = _TRUTH[cell.outcome if scored else cell.dependence]
    asked = {"difference": truth} if scored else {"win_share": truth}
    plan = bt.power(draw(cell, cell.units, rng), "a", "b", simulations=0, **asked)
    if plan.needed is None:
        return {"power: difference found as planned": (0.0, 1)}
    per_unit = 1 if cell.dependence == "none" and scored else 6 if scored else PER_UNIT
    units = max(2, round(plan.needed / per_unit))
    return {"power: difference found as planned": (float(bt.compare(draw(cell, units, rng), "a", "b").p <= 0.05), 1)}


#: The true mean difference, and the true share of wins among decided judgments by what is dependent, of plans.
_TRUTH = {"continuous": 0.5, "right": 0.15, "none": 0.6225, "item": 0.6107, "judge": 0.616, "both": 0.6063}


def _two_judged(cell: Cell, units: int, rng: np.random.Generator) -> Any:
    """Return judgments of two systems, one of which is better by half a log-odds on average."""
    number = PER_UNIT * units
    items, judges = (units if cell.dependence in {name, "both"} else 2 * units for name in ("item", "judge"))
    item, judge = rng.integers(items, size=number), rng.integers(judges, size=number)
    gap = np.full(number, 0.5)
    if cell.dependence in {"item", "both"}:
        gap += rng.normal(0, 0.7, items)[item]
    if cell.dependence in {"judge", "both"}:
        gap += rng.normal(0, 0.5, judges)[judge]
    draw, win = rng.random(number), 0.8 / (1 + np.exp(-gap))
    columns = {"left": ["a"] * number, "right": ["b"] * number,
               "winner": np.where(draw < win, "a", np.where(draw < win + 0.2, "tie", "b"))}  # fmt: skip
    return bt.read_judgments(columns | {"item": item.astype(str), "judge": judge.astype(str)})


def _two_scored(cell: Cell, units: int, rng: np.random.Generator) -> Any:
    """Return scores of two systems, one of which is better: by half a standard deviation, or right more often."""
    size = 6 if cell.dependence == "groups" else 1
    items = units * size
    shared = np.repeat(rng.normal(0, 0.7, (units, 2)), size, axis=0) if size > 1 else np.zeros((items, 2))
    latent = rng.normal(size=(items, 1)) + shared + rng.normal(size=(items, 2))
    if cell.outcome == "continuous":
        values = latent + np.array([0.5, 0.0])
    else:
        spread = np.sqrt(2 + (0.49 if size > 1 else 0))
        values = (latent < spread * np.array([_normal_quantile(0.85), _normal_quantile(0.7)])).astype(float)
    columns = {"a": values[:, 0], "b": values[:, 1], "item": [f"i{number}" for number in range(items)]}
    if size == 1:
        return bt.read_scores(columns, item="item")
    return bt.read_scores(columns | {"document": [f"d{number // size}" for number in range(items)]}, item="item",
                          group="document")  # fmt: skip


def _diagnosed(evidence: Any, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    """Diagnose some of the data sets: what is warned of though it is not there."""
    if rng.integers(_DIAGNOSED):
        return {f"diagnose: warns of {what}": (0.0, 0) for what in _FALSE.values()}
    warned = {finding.code for finding in bt.diagnose(evidence).findings if finding.level == "warning"}
    return {f"diagnose: warns of {what}": (float(code in warned), 1) for code, what in _FALSE.items()}


def _held(intervals: list[tuple[float | None, float | None]], truth: float) -> tuple[float, int]:
    """Count the intervals that hold the truth; an open end holds all beyond, and none at all promises nothing."""
    held = sum((low is None or low <= truth) and (high is None or truth <= high) for low, high in intervals)
    return float(held), len(intervals)


def _boundary(board: Any) -> tuple[float, int]:
    return float(len(board.clusters) > 1), 1


def _leads(board: Any) -> tuple[float, int]:
    """Is the first rank certain? That is what "leads significantly" says."""
    return float(board.rows[0].rank_high == 1), 1


@dataclass(frozen=True)
class Band:
    """Between what a measure should lie; outside of it, and of the Monte-Carlo error, it is a miss.

    Between `cautious` ends it promises less than it could, which is marked and no miss.
    """

    low: float
    high: float
    cautious: tuple[float, float]

    def missed(self, share: float, error: float) -> bool:
        """Does the share lie outside the band?"""
        return share + 2 * error < self.low or share - 2 * error > self.high

    def marked(self, share: float, error: float) -> bool:
        """Is the share that of a cautious promise?"""
        return self.cautious[0] < share - 2 * error or share + 2 * error < self.cautious[1]


#: Coverage may be cautious, false alarms rare: what matters is that neither promises too much.
COVERAGE, ALARM = Band(0.93, 0.99, (0.97, 0.0)), Band(0.0, 0.06, (1.0, 0.03))
#: Plans are made from estimates, and are for 80 %.
PLANNED = Band(0.74, 0.94, (0.88, 0.0))


def band(measure: str) -> Band:
    """Return the band of a measure."""
    if "as planned" in measure:
        return PLANNED
    if "interval" in measure and "against" not in measure:
        return COVERAGE
    return Band(0.0, 0.0, (1.0, 0.0)) if "against" in measure else ALARM


@dataclass(frozen=True)
class Known:
    """A miss that has a reason: where, of what, and whether it is a promise that is kept too well."""

    world: str
    measure: str
    cautious: bool
    why: str


_SATURATED = "cautious: few or saturated answers hardly ever differ, and no shorter interval holds for all chances"
KNOWN = (
    Known("groups · 5 ·", "compare: interval of the difference", True,
          "cautious: five groups have 32 signs, so no exact test rejects at 5 % and the interval is wide"),
    Known("right", "compare: interval of the difference", True, _SATURATED),
    Known("right", "rank: interval", True, _SATURATED),
    Known("right", "rank: interval of bradley-terry", True, _SATURATED),
    *(
        Known(f"groups · {units} ·", "rank: interval of the median", False,
              "medians of few groups: resamples of so few take few values. The mean's interval holds")
        for units in (5, 10)
    ),
    Known("none · 5 · continuous", "rank: interval of bradley-terry", False,
          "five items: there are few ways to resample them. The mean's interval holds"),
    Known("right .98", "rank: interval of bradley-terry", False,
          "one or two wrong answers per system: resamples of so few say too little. The mean's interval holds"),
)  # fmt: skip


def known(row: dict[str, Any]) -> str | None:
    """Return the reason of a miss, None where it has none."""
    kept = row["share"] > row["high"] if band(row["measure"]) == COVERAGE else row["share"] < row["low"]
    found = (each.why for each in KNOWN
             if each.world in row["cell"] and each.measure == row["measure"] and each.cautious == kept)  # fmt: skip
    return next(found, None)


def one(task: tuple[Cell, int]) -> dict[str, tuple[float, int]]:
    """Make one data set of a world and ask about it."""
    cell, number = task
    return ask(cell, np.random.default_rng([number, *cell.name.encode()]))


def simulate(chosen: list[Cell], data_sets: int, run: Callable[..., Any] = map) -> list[dict[str, Any]]:
    """Return every cell's measures: the share, and its Monte-Carlo error."""
    rows = []
    for cell in chosen:
        told = list(run(one, [(cell, number) for number in range(data_sets)]))
        for measure in told[0]:
            each = np.array([found[measure] for found in told if found[measure][1]])
            if not len(each):
                continue
            share = each[:, 0].sum() / max(each[:, 1].sum(), 1)
            # Systems of one data set go together: the error is over data sets.
            means = each[:, 0] / np.maximum(each[:, 1], 1)
            error = max(float(np.std(means)) / np.sqrt(len(each)), 0.5 / len(each))
            limits = band(measure)
            rows.append({
                "cell": cell.name, "kind": cell.kind, "dependence": cell.dependence, "units": cell.units,
                "outcome": cell.outcome, "measure": measure, "share": float(share), "error": error,
                "low": limits.low, "high": limits.high, "missed": bool(limits.missed(share, error)),
                "cautious": bool(limits.marked(share, error)), "data_sets": data_sets,
            })  # fmt: skip
    return rows


def pooled(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return every measure over all worlds: a small fault that is everywhere shows there before it shows in a cell."""
    found = []
    unknown = [row for row in rows if not (row["missed"] and known(row))]
    for measure in dict.fromkeys(row["measure"] for row in unknown):
        some = [row for row in unknown if row["measure"] == measure]
        share = float(np.mean([row["share"] for row in some]))
        error = float(np.sqrt(np.sum([row["error"] ** 2 for row in some]))) / len(some)
        limits = band(measure)
        found.append({"measure": measure, "share": share, "error": error, "missed": limits.missed(share, error)})
    return found


def main() -> None:
    """Simulate with a process per core, and print the rows."""
    quick = "--quick" in sys.argv
    data_sets = int(next((text for text in sys.argv[1:] if text.isdigit()), 60 if quick else 300))
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        rows = simulate(list(QUICK if quick else cells()), data_sets, lambda work, tasks: pool.map(work, tasks, 10))
    for row in rows:
        row["why"] = known(row) if row["missed"] else None
    print(json.dumps({"rows": rows, "pooled": pooled(rows)}))


if __name__ == "__main__":
    main()
