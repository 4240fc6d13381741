"""How well models foresee judgments: every figure against plain loops over the same judgments."""

from collections import Counter
from itertools import combinations
from math import log2, sqrt

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.verbs.collect import trueskill_elicitation
from betterthan.verbs.study.held_out import HeldOutJudgments
from betterthan.verbs.study.model_runs import OWN
from tests.verbs.study.rankings import NAMES, ballots

RADII = (0.001, 0.01, 0.1, 0.3, 0.5)
MODELS = "expected-wins|hopkins-may(sweeps=20)|trueskill(preset=wmt)|davidson"
SMALL = f"prediction(models={MODELS},sizes=200|500,train_by=turker*|*,test_by=researcher*,dev=120,test=150,runs=2)"
Judgment = tuple[str, str, int]  # the first of the alphabet, the second, and 0, 1 or 2: won, tied, lost


def _normal(gap: float, scale: float, radius: float) -> list[float]:
    win, loss = stats.norm.cdf((gap - radius) / scale), stats.norm.cdf((-gap - radius) / scale)
    return [win, 1 - win - loss, loss]


def _measured(chances: dict[tuple[str, str], list[float]], counts: Counter[Judgment]) -> tuple[float, float]:
    """Return accuracy, outcomes that are equally probable sharing it, and perplexity."""
    right = bits = 0.0
    for (a, b, outcome), number in counts.items():
        best = [place for place in range(3) if chances[a, b][place] == max(chances[a, b])]
        right += number * (outcome in best) / len(best)
        bits -= number * log2(max(chances[a, b][outcome], 1e-6))  # one surprise must not decide
    return right / counts.total(), 2 ** (bits / counts.total())


def _by_grid(
    strength: dict[str, float], scale: dict[tuple[str, str], float], dev: Counter[Judgment], test: Counter[Judgment]
) -> tuple[float, float]:
    """Return the accuracy with the most accurate radius, and the perplexity with the least perplexed one."""
    tried = []
    for radius in RADII:
        chances = {(a, b): _normal(strength[a] - strength[b], scale[a, b], radius) for a, b in scale}
        tried.append((_measured(chances, dev), _measured(chances, test)))
    right = max(range(5), key=lambda place: tried[place][0][0])
    sure = min(range(5), key=lambda place: tried[place][0][1])
    return tried[right][1][0], tried[sure][1][1]


def _counts(rows: np.ndarray, judged: HeldOutJudgments) -> tuple[list[tuple[str, str, str]], Counter[Judgment]]:
    """Return judgments as rows of names, and counted."""
    tally = judged.pieces.tally
    votes, counts = [], Counter[Judgment]()
    for row in rows:
        left, right = tally.systems[tally.left[row]], tally.systems[tally.right[row]]
        outcome = int(tally.outcome[row])
        votes.append((left, right, ("left", "tie", "right")[outcome]))
        counts[(left, right, outcome) if left < right else (right, left, 2 - outcome)] += 1
    return votes, counts


def test_every_figure_is_that_of_plain_loops() -> None:
    evidence, ballot = ballots()
    found = bt.study(SMALL, evidence, quick=True).columns()
    judged = HeldOutJudgments.of(data_sets(evidence).only("a test"), "researcher*")
    pairs = [(a, b) for place, a in enumerate(NAMES) for b in NAMES[place + 1 :]]
    splits = judged.deal("researcher*", 120, 150, 2, 0)
    expected: dict[tuple[str, int, str], list[tuple[float, float]]] = {}
    bounds = []
    for run, split in enumerate(splits):
        rows_of = {
            part: np.flatnonzero(np.isin(judged.pieces.unit, getattr(split, part))) for part in ("dev", "test", "train")
        }
        dev, test = (_counts(rows_of[part], judged)[1] for part in ("dev", "test"))
        bounds.append(sum(max(test[a, b, outcome] for outcome in range(3)) for a, b in pairs) / test.total())
        for place, (kind, size) in enumerate((kind, size) for kind in ("turker*", "*") for size in (200, 500)):
            rng = np.random.default_rng([0, run, place])
            turkers = np.array([str(ballot[unit]["judge"]).startswith("turker") for unit in judged.pieces.unit])
            pool = np.array([row for row in rows_of["train"] if kind == "*" or turkers[row]])
            drawn = rng.permutation(pool)
            votes, counts = _counts(drawn[:size], judged)
            boards = {model: bt.rank(votes, model=model, ci="none").board for model in MODELS.split("|")[1:]}
            wins = {
                a: np.mean([_share(counts, a, b) for b in NAMES if b != a and _share(counts, a, b) is not None])
                for a in NAMES
            }
            results = {}
            by_radius = [{(a, b): _cut(wins[a] - wins[b], radius) for a, b in pairs} for radius in RADII]
            best = max(by_radius, key=lambda predicted: _right(predicted, dev))
            results["expected-wins"] = (_right(best, test), None)
            ability = boards["hopkins-may(sweeps=20)"]
            results["hopkins-may(sweeps=20)"] = _by_grid(
                {row.system: row.score for row in ability}, dict.fromkeys(pairs, sqrt(2 * (0.25 + 1.0))), dev, test
            )
            skill = boards["trueskill(preset=wmt)"]
            spread = dict(zip(skill.fit.systems, skill.fit.spread, strict=True))
            scale = {(a, b): sqrt(spread[a] ** 2 + spread[b] ** 2) for a, b in pairs}
            results["trueskill(preset=wmt)"] = _by_grid({row.system: row.score for row in skill}, scale, dev, test)
            davidson = {(a, b): list(boards["davidson"].probability(a, b)) for a, b in pairs}
            gaps = {row.system: row.log_strength for row in boards["davidson"]}
            by_radius = [{(a, b): _cut(gaps[a] - gaps[b], radius) for a, b in pairs} for radius in RADII]
            best = max(by_radius, key=lambda predicted: _right(predicted, dev))
            results["davidson"] = (_right(best, test), _measured(davidson, test)[1])
            _, every = _counts(pool, judged)
            first, second = np.array([(NAMES.index(a), NAMES.index(b)) for a, b in pairs]).T
            outcomes = np.array([[every[a, b, outcome] for a, b in pairs] for outcome in range(3)], dtype=float)
            own = trueskill_elicitation.elicit(
                trueskill_elicitation.Outcomes.of(6, first, second, outcomes), size, 1, rng
            )
            scale = {(a, b): sqrt(sum(own.variance[0, NAMES.index(name)] for name in (a, b))) for a, b in pairs}
            results[OWN] = _by_grid(dict(zip(NAMES, own.mean[0], strict=True)), scale, dev, test)
            for model, result in results.items():
                expected.setdefault((kind, size, model), []).append(result)
    settings = list(zip(found["train_by"], found["size"], found["model"], strict=True))
    assert set(settings) == set(expected)
    for place, setting in enumerate(settings):
        accuracy, perplexity = zip(*expected[setting], strict=True)
        assert found["accuracy"][place] == pytest.approx(np.mean(accuracy), abs=1e-7), setting
        if setting[2] != "expected-wins":
            assert found["perplexity"][place] == pytest.approx(np.mean(perplexity), abs=1e-6), setting
    assert found["upper_bound"][0] == pytest.approx(np.mean(bounds))


def _share(counts: Counter[Judgment], a: str, b: str) -> float | None:
    """Return how often one system beat another, without ties, None where neither did."""
    pair, won, lost = ((a, b), 0, 2) if a < b else ((b, a), 2, 0)
    wins, losses = counts[(*pair, won)], counts[(*pair, lost)]
    return wins / (wins + losses) if wins + losses else None


def _cut(gap: float, radius: float) -> int:
    return 1 if abs(gap) <= radius else (0 if gap > 0 else 2)


def _right(predicted: dict[tuple[str, str], int], counts: Counter[Judgment]) -> float:
    return sum(number for (a, b, outcome), number in counts.items() if predicted[a, b] == outcome) / counts.total()


def test_judges_who_err_teach_less() -> None:
    """Turkers who always answer the other way round: whoever learns from them foresees nothing."""
    evidence, _ = ballots(600, noise=0.3)
    rank = np.where(
        np.array([label.startswith("turker") for label in evidence.about["judge"].texts()])[evidence.ranking],
        -evidence.rank,
        evidence.rank,
    )
    wrong = bt.Rankings(
        **{
            name: getattr(evidence, name)
            for name in ("systems", "ranking", "system", "weight", "about", "account", "name")
        },
        rank=rank,
    )
    name = "prediction(models=expected-wins,sizes=400,train_by=turker*|researcher*,test_by=researcher*,runs=3)"
    found = bt.study(name, wrong, quick=True).columns()
    by = dict(zip(zip(found["train_by"], found["model"], strict=True), found["accuracy"], strict=True))
    for model in ("expected-wins", OWN):
        assert by["turker*", model] < 0.2 < 0.8 < by["researcher*", model]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "prediction(sizes=5000)",
            "sizes ask for 5,000 judgments of judges * to train on, and 3,600 are left. Use smaller sizes, or hold fewer judgments out with dev and test.",
        ),
        (
            "prediction(train_by=*|*)",
            "prediction: train_by must name kinds of judges with | between them, each once, got '*|*'.",
        ),
        ("prediction(models=mean)", "prediction: models must learn from judgments of two systems, and mean does not."),
        ("prediction(radii=-1)", "prediction: radii must be numbers from 0 to 1000 with | between them, got '-1'."),
        ("prediction(own=maybe)", "prediction: own must be 'yes' or 'no', got 'maybe'."),
    ],
)
def test_what_is_refused(name: str, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.study(name, quick=True)
    assert message in str(refusal.value)


def test_every_kind_of_evidence() -> None:
    scores = bt.study(
        "prediction",
        {name: np.random.default_rng(place).normal(place, 2, 400) for place, name in enumerate(NAMES)},
        quick=True,
    )
    assert scores.columns()["accuracy"][-1] > 0.6
    bundled = bt.study("prediction", quick=True)
    assert bundled.plot().to_svg().startswith("<svg")
    assert bundled.claim("Upper bound").ours.known == bundled.columns()["upper_bound"][0]


def test_a_column_of_judges_kinds_serves_as_well_as_their_names() -> None:
    _, rows = ballots(600)
    columns: dict[str, list[str]] = {name: [] for name in ("left", "right", "winner", "kind")}
    for row in rows:
        ranks = row["ranks"]
        for a, b in combinations(ranks, 2):  # type: ignore[call-overload]
            won = ("left", "tie", "right")[1 + int(np.sign(ranks[a] - ranks[b]))]  # type: ignore[index]
            for name, cell in zip(columns, (a, b, won, str(row["judge"]).partition("_")[0]), strict=True):
                columns[name].append(cell)
    name = "prediction(sizes=400,models=expected-wins,train_by=*|researcher,test_by=researcher,runs=2)"
    found = bt.study(name, bt.read_judgments(columns, judge="kind"), quick=True)
    assert found.columns()["train_by"] == ["*", "*", "researcher", "researcher"]
    assert all(0.5 < accuracy < 0.9 for accuracy in found.columns()["accuracy"])


def test_printed_figures_stand_beside_ours() -> None:
    name = "prediction(sizes=400,runs=2,train_by=*|researcher*,test_by=researcher*,dev=300,test=300)"
    found = bt.study(name, ballots(900)[0], quick=True)
    columns = found.columns()
    keys = zip(columns["train_by"], columns["size"], columns["model"], strict=True)
    printed = dict(zip(keys, columns["printed"], strict=True))
    assert printed["*", 400, "expected-wins"] == 0.465
    assert printed["*", 400, "trueskill(preset=wmt)"] is None, "the paper's TrueSkill chooses its own pairs"
    claim = found.claim("With 400 judgments of judges *, TrueSkill is ahead: own pairs − hopkins-may")
    assert claim.expected.printed == pytest.approx(0.479 - 0.471)
    assert found.claim("Upper bound").expected.printed == 0.525
