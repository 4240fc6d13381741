"""How often models order systems differently: the 65 public setups, planted extremes, and samples of instances."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference.intervals.estimate import mean_of

PAIRS = [("mean", "median"), ("mean", "bradley-terry"), ("median", "bradley-terry")]


def _row(found: bt.StudyResult, pair: tuple[str, str], **wanted: Any) -> dict[str, Any]:
    columns = found.columns()
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    (row,) = [row for row in rows if (row["a"], row["b"]) == pair and all(row[k] == v for k, v in wanted.items())]
    return row


def _tables(rng: np.random.Generator) -> dict[str, list[Any]]:
    rows: dict[str, list[Any]] = {"dataset": [], "metric": [], "item": [], "system": [], "score": []}
    for data_set in ("first", "second"):
        for metric in ("BLEU_1", "BLEU_2", "other"):
            for item in range(12):
                for system in "abcdef":
                    values = (data_set, metric, f"i{item}", system, float(rng.standard_t(2)))
                    for name, value in zip(rows, values, strict=True):
                        rows[name].append(value)
    return rows


def test_figures_are_those_of_plain_loops() -> None:
    rows = _tables(np.random.default_rng(4))
    found = bt.study("disagreement(models=mean|median,beside=,sizes=12,repeats=2)", bt.read_scores(rows), quick=True)
    by_table: dict[tuple[str, str], list[float]] = {}
    for data_set, metric, score in zip(rows["dataset"], rows["metric"], rows["score"], strict=True):
        by_table.setdefault((data_set, metric), []).append(score)
    tau, best, top = {}, {}, {}
    for key, scores in by_table.items():
        values = np.reshape(scores, (12, 6))
        mean, median = values.mean(axis=0), np.median(values, axis=0)
        order = [np.sign(mean[i] - mean[j]) != np.sign(median[i] - median[j]) for i, j in combinations(range(6), 2)]
        tau[key] = np.mean(order)
        best[key] = float(np.argmax(mean) != np.argmax(median))
        top[key] = float({*np.argsort(mean)[-3:].tolist()} != {*np.argsort(median)[-3:].tolist()})
    row = _row(found, PAIRS[0], sample="all", by="overall")
    assert row["disagree"] == pytest.approx(np.mean(list(tau.values())), abs=5e-5)
    assert row["best"] == pytest.approx(np.mean(list(best.values())), abs=5e-5)
    assert row["top3"] == pytest.approx(np.mean(list(top.values())), abs=5e-5)
    family = _row(found, PAIRS[0], sample="all", by="family", group="BLEU")
    assert family["tables"] == 4
    assert family["disagree"] == pytest.approx(np.mean([tau[key] for key in tau if key[1] != "other"]), abs=5e-5)
    # No table has more than 12 instances: no sample of 12 is drawn, and nothing is said of sizes.
    assert set(found.columns()["by"]) == {"overall", "family", "metric", "task", "data set", "data set and family"}


def test_samples_are_those_of_an_independent_simulation() -> None:
    """Two systems, 60 of 100 instances won by one, by a constant; the other wins by a lot: mean and BT always differ
    on all instances, and on five of them as often as the hypergeometric says."""
    scores = {"a": [0.0] * 100, "b": [-1.0] * 60 + [100.0] * 40}
    found = bt.study("disagreement(models=mean|bradley-terry,beside=,sizes=5,repeats=400)", scores)
    pair = ("mean", "bradley-terry")
    assert _row(found, pair, sample="all", by="overall")["best"] == 1.0
    # Of five instances b wins none (both prefer a), one or two (they differ), or more (both prefer b).
    differ = stats.hypergeom.pmf([1, 2], 100, 40, 5).sum()
    row = _row(found, pair, by="size", group="5")
    assert row["best"] == pytest.approx(differ, abs=4 * np.sqrt(differ * (1 - differ) / 400))
    assert row["top3"] is None  # two systems are always the top three
    assert row["best_low"] is None  # one data set


def test_planted_extremes() -> None:
    same = {name: [float(place + shift) for place in range(30)] for shift, name in enumerate("abcde")}
    found = bt.study("disagreement(models=mean|median|bradley-terry,repeats=2)", same, quick=True)
    assert {
        value
        for name in ("disagree", "best", "top3")
        for value, b in zip(found.columns()[name], found.columns()["b"], strict=True)
        if b != "elo"
    } == {0.0}
    opposite = {"a": [1.0] * 9, "b": [0.0] * 5 + [9.0] * 4}
    found = bt.study("disagreement(models=mean|median,beside=,sizes=3,repeats=2)", opposite, quick=True)
    assert _row(found, PAIRS[0], sample="all", by="overall")["disagree"] == 1.0
    assert found.plot().to_svg().startswith("<svg")


def test_items_that_lack_a_score_are_not_drawn() -> None:
    scores = {"a": [1.0, 2.0, None, 4.0], "b": [0.0, 1.0, 2.0, None], "c": [0.5, 0.1, 0.2, 0.3]}
    found = bt.study("disagreement(models=mean|median,beside=,sizes=2|3,repeats=2)", scores, quick=True)
    assert "size" not in found.columns()["by"]  # two instances are complete: no smaller sample of two
    assert found.plot().to_svg().startswith("<svg")
    nothing = bt.study(
        "disagreement(models=mean|median,beside=)", {"a": [1.5, None, 3.0], "b": [2.5, 2.0, None]}, quick=True
    )
    assert set(nothing.columns()["sample"]) == {"all"}  # one instance has all scores
    assert nothing.plot().to_svg().startswith("<svg")


def test_the_mean_over_clusters() -> None:
    """Copies of a value add nothing; by themselves, values have Student's interval."""
    values = [0.1, 0.4, 0.2]
    once = mean_of(values, 0.9)
    assert (once.low, once.high) == pytest.approx(stats.t.interval(0.9, 2, np.mean(values), stats.sem(values)))
    copied = mean_of(
        [each for each in values for _ in range(5)], 0.9, clusters=[str(p) for p in range(3) for _ in range(5)]
    )
    assert (copied.value, copied.low, copied.high) == pytest.approx((once.value, once.low, once.high))
    assert mean_of(values, 0.9, clusters=["one"] * 3).low is None


@pytest.mark.parametrize(
    ("name", "evidence", "message"),
    [
        (
            "disagreement",
            [("a", "b", "a")] * 3,
            "disagreement is a study of tables of scores, but this evidence is judgments",
        ),
        (
            "disagreement(models=mean)",
            None,
            "disagreement: models must name at least 2 with | between them, and none twice, got 'mean'.",
        ),
        (
            "disagreement(beside=mean)",
            None,
            "disagreement: models must name at least 2 with | between them, and none twice, got 'mean|median|bradley-terry(ties=drop)|mean'.",
        ),
        (
            "disagreement(tasks=TAC)",
            None,
            "disagreement: tasks must be PATTERN=NAME with | between several, got 'TAC'.",
        ),
        ("disagreement(share=0)", None, "disagreement: share must be a number above 0 and at most 1, got 0."),
        (
            "disagreement(sizes=1)",
            None,
            "disagreement: sizes must be whole numbers from 2 to 1e+06 with | between them, got '1'.",
        ),
    ],
)
def test_what_is_refused(name: str, evidence: object, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name, evidence)
    assert str(refusal.value) == message


def test_tables_named_like_public_ones_stand_beside_printed_figures() -> None:
    """Groups by task, family and data set are told by names; figures are SciPy's over all tables."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[Any]] = {"task": [], "metric": [], "instance": [], "system": [], "score": []}
    tables = {}
    for task in ("TAC08", "TAC09", "dialogue_topicalchat"):
        for metric in ("ROUGE_WE_1", "ROUGE_WE_2", "BLEU"):
            values = tables[task, metric] = rng.standard_t(2, (30, 5))
            for item, system in np.ndindex(values.shape):
                for name, cell in zip(
                    rows, (task, metric, f"i{item}", f"M{system}", float(values[item, system])), strict=True
                ):
                    rows[name].append(cell)
    found = bt.study("disagreement(beside=,sizes=10,repeats=2)", bt.read_scores(rows), quick=True)
    row = _row(found, PAIRS[0], sample="all", by="overall")
    apart = [
        (1 - stats.kendalltau(values.mean(axis=0), np.median(values, axis=0)).statistic) / 2
        for values in tables.values()
    ]
    best = [np.argmax(values.mean(axis=0)) != np.argmax(np.median(values, axis=0)) for values in tables.values()]
    assert (row["tables"], row["disagree"], row["best"]) == (
        9,
        pytest.approx(np.mean(apart), abs=5e-5),
        pytest.approx(np.mean(best), abs=5e-5),
    )
    assert row["disagree_printed"] == 0.04
    assert found.claim("mean – median: another top three").expected.printed == 0.30
    assert _row(found, PAIRS[0], sample="all", by="task", group="dialogue")["tables"] == 3
    assert _row(found, PAIRS[0], sample="all", by="task", group="summarization")["tables"] == 6
    assert _row(found, PAIRS[0], sample="all", by="family", group="ROUGE-WE")["tables"] == 6
    assert _row(found, PAIRS[0], sample="all", by="data set", group="TAC09")["tables"] == 3
    cell = _row(found, PAIRS[1], sample="20 %", group="TAC08 ROUGE-WE")
    assert (cell["disagree_printed"], cell["best_printed"], cell["top3_printed"]) == (0.12, 0.58, 0.87)
