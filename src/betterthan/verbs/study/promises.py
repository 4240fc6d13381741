"""The guarantees of the verbs' defaults, tested on simulated evidence with known truth.

An interval promises to cover the truth in 95 % of cases, and a test to find nothing in 95 % of cases without a
difference. A plan promises to find a difference in 80 %. Every call is what a user would write, with no option beyond
the evidence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from betterthan.readers import read_judgments, read_scores
from betterthan.verbs.collect import next_matches
from betterthan.verbs.compare import AllPairs, Duel, compare, compare_all
from betterthan.verbs.diagnose import diagnose
from betterthan.verbs.fit import fit
from betterthan.verbs.power import power
from betterthan.verbs.rank import rank
from betterthan.worlds import equal_worlds

#: Which promises are requested.
Wanted = Literal["all", "coverage", "alarms"]
#: Per measure, how often it was so among how many times.
Told = dict[str, tuple[float, int]]
#: What tests promise by default.
_ALPHA = 0.05
#: Diagnoses take longest: one data set in that many is diagnosed.
_DIAGNOSED = 3
#: What a diagnosis may warn of though nothing of the kind is there.
_FALSE = {
    "position-effect": "a position effect",
    "lack-of-fit": "a lack of fit",
    "intransitive": "circles",
    "lead-hangs-on": "few items or judges behind the lead",
}


def ask(cell: equal_worlds.WorldCell, rng: np.random.Generator, wanted: Wanted = "all") -> Told:
    """Ask every verb about one data set: per measure, how often it was so among how many times.

    With `wanted`, only those verbs are asked that have an interval, or that can give a false alarm.
    """
    if cell.kind == "plans":
        return _ask_plan(cell, rng)
    found = {"judgments": _ask_judgments, "scores": _ask_scores}[cell.kind](cell, rng, wanted)
    kept = {"all": (COVERAGE, ALARM, NEVER), "coverage": (COVERAGE,), "alarms": (ALARM, NEVER)}[wanted]
    return {measure: told for measure, told in found.items() if band(measure) in kept}


def _ask_judgments(cell: equal_worlds.WorldCell, rng: np.random.Generator, wanted: Wanted) -> Told:
    votes = read_judgments(equal_worlds.judgments(cell, rng))
    seed = int(rng.integers(2**31))
    board = rank(votes, scale="log", seed=seed).board
    found = {"rank: interval": _held([row.interval for row in board], 0.0), "rank: false boundary": _boundary(board)}
    found["rank: false claim of the first rank"] = _leads(board)
    if wanted != "coverage":
        found["compare of all pairs: any pair (family-wise)"] = _any_pair(compare_all(votes), cell)
    duel = compare(votes, *cell.names[:2], seed=seed)
    found["compare: false alarm"] = float(duel.p <= _ALPHA), 1
    found["compare: interval of the share"] = _held([_interval(duel, "superiority")], 0.5)
    if wanted == "coverage":
        return found
    tested = [each.p for each in fit(votes).coefficients if each.term in cell.names and each.p is not None]
    found["fit: false alarm per coefficient"] = float(sum(p <= _ALPHA for p in tested)), len(tested)
    separated = next_matches(votes, 1, seed=seed).states["separated"]
    found["next: any pair falsely settled"] = float(separated > 0), 1
    return found | _diagnosed(votes, rng)


def _ask_scores(cell: equal_worlds.WorldCell, rng: np.random.Generator, wanted: Wanted) -> Told:
    columns, truth = equal_worlds.scores(cell, rng)
    table = read_scores(columns, item="item", group="document" if "document" in columns else None)
    seed = int(rng.integers(2**31))
    boards = rank(table, seed=seed)
    board = boards["mean"]
    found = {"rank: interval": _held([row.interval for row in board], truth), "rank: false boundary": _boundary(board)}
    found["rank: false claim of the first rank"] = _leads(board)
    won = [row.interval for row in boards["bradley-terry"] if row.score is not None]
    found["rank: interval of bradley-terry"] = _held(won, 0.5)  # the win rate of equal systems
    if cell.outcome == "continuous":
        found["rank: interval of the median"] = _held([row.interval for row in boards["median"]], truth)
    duel = compare(table, *cell.names[:2], seed=seed)
    found["compare: false alarm"] = float(duel.p <= _ALPHA), 1
    low, high = _interval(duel, "mean_difference")
    found["compare: interval of the difference"] = _held([(low, high)], 0.0)
    found["compare: verdict against its interval"] = (
        float(duel.shown is not None and low is not None and high is not None and low <= 0 <= high),
        1,
    )
    if wanted == "coverage":
        return found
    for model, name in (("bradley-terry", "compare of all pairs"), ("mean", "compare of all pairs by mean")):
        found[f"{name}: any pair (family-wise)"] = _any_pair(compare_all(table, model), cell)
    return found | _diagnosed(table, rng)


def _ask_plan(cell: equal_worlds.WorldCell, rng: np.random.Generator) -> Told:
    """Plan from one data set for the true difference, then compare on another one as large as the plan."""
    scored = "ties" not in cell.outcome
    draw = equal_worlds.two_scored if scored else equal_worlds.two_judged
    first = draw(cell, cell.units, rng)
    if scored:
        plan = power(first, "a", "b", simulations=0, difference=equal_worlds.TRUTH[cell.outcome])
    else:
        plan = power(first, "a", "b", simulations=0, win_share=equal_worlds.TRUTH[cell.dependence])
    if plan.needed is None:
        return {"power: difference found as planned": (0.0, 1)}
    per_unit = 1 if cell.dependence == "none" and scored else 6 if scored else cell.per_unit
    units = max(2, round(plan.needed / per_unit))
    return {"power: difference found as planned": (float(compare(draw(cell, units, rng), "a", "b").p <= _ALPHA), 1)}


def _any_pair(pairs: AllPairs, cell: equal_worlds.WorldCell) -> tuple[float, int]:
    """Whether any pair of equal systems is distinguished."""
    return float(np.nanmin(pairs.p_adjusted[np.triu_indices(cell.systems, 1)]) <= _ALPHA), 1


def _interval(duel: Duel, name: str) -> tuple[float | None, float | None]:
    effect = duel.effect(name)
    assert effect is not None, name
    return effect.low, effect.high


def _diagnosed(evidence: Any, rng: np.random.Generator) -> Told:
    """Diagnose some of the data sets, and count false warnings."""
    if rng.integers(_DIAGNOSED):
        return {f"diagnose: warns of {what}": (0.0, 0) for what in _FALSE.values()}
    warned = {finding.code for finding in diagnose(evidence).findings if finding.level == "warning"}
    return {f"diagnose: warns of {what}": (float(code in warned), 1) for code, what in _FALSE.items()}


def _held(intervals: list[tuple[float | None, float | None]], truth: float) -> tuple[float, int]:
    """Count the intervals that hold the truth; an open end holds all beyond, and none at all promises nothing."""
    held = sum((low is None or low <= truth) and (high is None or truth <= high) for low, high in intervals)
    return float(held), len(intervals)


def _boundary(board: Any) -> tuple[float, int]:
    return float(len(board.clusters) > 1), 1


def _leads(board: Any) -> tuple[float, int]:
    """Whether the first rank is claimed, which is the meaning of "leads significantly"."""
    return float(board.first is not None and board.first.shown), 1


@dataclass(frozen=True)
class Band:
    """The expected range of a measure; outside of it, and of the Monte-Carlo error, it is a miss.

    Between `cautious` ends it promises less than it could, which is marked and no miss.
    """

    low: float
    high: float
    cautious: tuple[float, float]

    def missed(self, share: float, error: float) -> bool:
        """Whether the share is outside the band."""
        return share + 2 * error < self.low or share - 2 * error > self.high

    def marked(self, share: float, error: float) -> bool:
        """Whether the share is that of a conservative guarantee."""
        return self.cautious[0] < share - 2 * error or share + 2 * error < self.cautious[1]


#: Coverage may be cautious, false alarms rare: what matters is that neither promises too much.
COVERAGE, ALARM = Band(0.93, 0.99, (0.97, 0.0)), Band(0.0, 0.06, (1.0, 0.03))
#: Plans are made from estimates, and are for 80 %.
PLANNED = Band(0.74, 0.94, (0.88, 0.0))
#: What must not happen at all.
NEVER = Band(0.0, 0.0, (1.0, 0.0))


def band(measure: str) -> Band:
    """Return the band of a measure."""
    if "as planned" in measure:
        return PLANNED
    if "interval" in measure and "against" not in measure:
        return COVERAGE
    return NEVER if "against" in measure else ALARM


@dataclass(frozen=True)
class KnownTruth:
    """A deviation with a known reason: where, of what, and whether the guarantee is conservative."""

    world: str
    measure: str
    cautious: bool
    why: str


_SATURATED = "cautious: few or saturated answers hardly ever differ, and no shorter interval holds for all chances"
KNOWN = (
    KnownTruth(
        "groups · 5 ·",
        "compare: interval of the difference",
        True,
        "cautious: five groups have 32 signs, so no exact test rejects at 5 % and the interval is wide",
    ),
    KnownTruth("right", "compare: interval of the difference", True, _SATURATED),
    KnownTruth("right", "rank: interval", True, _SATURATED),
    KnownTruth("right", "rank: interval of bradley-terry", True, _SATURATED),
    *(
        KnownTruth(
            f"groups · {units} ·",
            "rank: interval of the median",
            False,
            "medians of few groups: resamples of so few take few values. The mean's interval holds",
        )
        for units in (5, 10)
    ),
    KnownTruth(
        "none · 5 · continuous",
        "rank: interval of bradley-terry",
        False,
        "five items: there are few ways to resample them. The mean's interval holds",
    ),
    KnownTruth(
        "right .98",
        "rank: interval of bradley-terry",
        False,
        "one or two wrong answers per system: resamples of so few say too little. The mean's interval holds",
    ),
)


def known(row: dict[str, Any]) -> str | None:
    """Return the reason of a miss, None where it has none."""
    kept = row["share"] > row["high"] if band(row["measure"]) == COVERAGE else row["share"] < row["low"]
    found = (
        each.why
        for each in KNOWN
        if each.world in row["cell"] and each.measure == row["measure"] and each.cautious == kept
    )
    return next(found, None)


def one(task: tuple[equal_worlds.WorldCell, int]) -> Told:
    """Make one data set of a world and ask about it."""
    cell, number = task
    return ask(cell, np.random.default_rng([number, *cell.name.encode()]))


def simulate(
    chosen: list[equal_worlds.WorldCell], data_sets: int, run: Callable[..., Any] = map
) -> list[dict[str, Any]]:
    """Return every cell's measures: the share, and its Monte-Carlo error."""
    return [row for cell in chosen for row in added_up(cell, list(run(one, [(cell, at) for at in range(data_sets)])))]


def added_up(cell: equal_worlds.WorldCell, told: Sequence[Mapping[str, Sequence[float]]]) -> list[dict[str, Any]]:
    """Return the measures of one cell from the results of its data sets."""
    rows = []
    for measure in told[0]:
        each = np.array([found[measure] for found in told if found[measure][1]])
        if not len(each):
            continue
        share = each[:, 0].sum() / max(each[:, 1].sum(), 1)
        # Systems of one data set go together: the error is over data sets.
        means = each[:, 0] / np.maximum(each[:, 1], 1)
        error = max(float(np.std(means)) / np.sqrt(len(each)), 0.5 / len(each))
        limits = band(measure)
        rows.append(
            {
                "cell": cell.name,
                "kind": cell.kind,
                "dependence": cell.dependence,
                "units": cell.units,
                "outcome": cell.outcome,
                "measure": measure,
                "share": float(share),
                "error": error,
                "low": limits.low,
                "high": limits.high,
                "missed": bool(limits.missed(share, error)),
                "cautious": bool(limits.marked(share, error)),
                "data_sets": len(told),
            }
        )
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
