"""The overall board of several tasks: scores, errors and decisions against closed forms."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt

NAMES = ("owl", "yak", "elk")
Matrix = np.ndarray[Any, Any]


def _long(tasks: dict[str, Matrix], metric: str | None = None) -> dict[str, list[Any]]:
    """Return long scores of items × systems per task."""
    table: dict[str, list[Any]] = {"task": [], "item": [], "system": [], "score": []}
    for task, values in tasks.items():
        for item, row in enumerate(values):
            for name, score in zip(NAMES, row, strict=False):
                if not np.isnan(score):
                    for column, value in zip(table, (task, f"{item:03d}", name, float(score)), strict=True):
                        table[column].append(value)
    return table if metric is None else {**table, "metric": [metric] * len(table["task"])}


def _normal(seed: int, *sizes: int, systems: int = 3, gain: float = 0.6) -> dict[str, Matrix]:
    rng = np.random.default_rng(seed)
    shift = gain * np.arange(systems)[::-1]
    return {
        f"t{place}": rng.normal(size=(size, systems)) + shift + rng.normal(size=(size, 1))
        for place, size in enumerate(sizes)
    }


def _overall(evidence: Any, **options: Any) -> Any:
    found = bt.rank(evidence, model="mean", **options).overall
    assert found is not None
    return found


def test_tasks_count_equally_and_their_variances_add_up() -> None:
    tasks = _normal(0, 40, 80, 25)
    found = _overall(_long(tasks), resamples=4000)
    means = np.array([values.mean(axis=0) for values in tasks.values()])
    assert [row.score for row in found.rows] == pytest.approx(means.mean(axis=0).tolist())
    errors = np.array([values.std(axis=0, ddof=1) / len(values) ** 0.5 for values in tasks.values()]) / 3
    freedom = np.array([len(values) - 1 for values in tasks.values()])[:, None]
    total = np.sum(errors**2, axis=0)
    reach = stats.t.ppf(0.975, total**2 / np.sum(errors**4 / freedom, axis=0)) * total**0.5
    assert [row.high - row.score for row in found.rows] == pytest.approx(reach.tolist(), rel=0.06)
    assert [row.score - row.low for row in found.rows] == pytest.approx(reach.tolist(), rel=0.06)
    assert (found.overall_is, found.average, found.scope) == ("mean", "macro", "on these 3 tasks")


def test_two_systems_have_the_p_value_of_a_comparison() -> None:
    """Of tasks as they are, and of tasks as a sample: Student's test of the tasks' differences."""
    tasks = _normal(1, 30, 50, 20, 40, systems=2, gain=0.25)
    fixed = _overall(_long(tasks), ci="analytic")
    compared = bt.compare_tasks(_long(tasks), *[row.system for row in fixed.rows]).overall[0]
    assert fixed.p_first == pytest.approx(compared.p, rel=0.08)
    assert fixed.heterogeneity is not None
    assert compared.heterogeneity is not None
    assert fixed.heterogeneity.q == pytest.approx(compared.heterogeneity.q, rel=0.08)
    gaps = np.array([values[:, 0].mean() - values[:, 1].mean() for values in tasks.values()])
    cautious = _overall(bt.read_scores(_long(tasks), random=["task"]), ci="analytic")  # tasks vary less than by chance
    assert cautious.p_first > stats.ttest_1samp(gaps, 0).pvalue
    for place, values in enumerate(tasks.values()):
        values[:, 0] += place
    gaps = np.array([values[:, 0].mean() - values[:, 1].mean() for values in tasks.values()])
    random = _overall(bt.read_scores(_long(tasks), random=["task"]), ci="analytic")
    assert random.p_first == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue, rel=1e-6)
    assert random.scope == "for tasks like these 4"


def test_micro_and_weights() -> None:
    tasks = _normal(2, 40, 80)
    pooled = np.concatenate(list(tasks.values())).mean(axis=0)
    assert [row.score for row in _overall(_long(tasks), average="micro").rows] == pytest.approx(pooled.tolist())
    means = np.array([values.mean(axis=0) for values in tasks.values()])
    weighted = _overall(_long(tasks), weights={"t0": 3})
    assert weighted.weights == (0.75, 0.25)
    assert [row.score for row in weighted.rows] == pytest.approx((0.75 * means[0] + 0.25 * means[1]).tolist())
    alone = bt.rank(_long(tasks), model="mean", weights="t1=0")
    assert alone.overall is not None
    assert [row.score for row in alone.overall.rows] == pytest.approx([row.score for row in alone.boards[0]])
    assert "|weights:t1=0|" in str(alone.signature)


def test_weights_in_files(tmp_path: Path) -> None:
    tasks = _long(_normal(2, 40, 80))
    expected = [row.score for row in _overall(tasks, weights={"t0": 3.0, "t1": 1.0}).rows]
    for name, text in (
        ("a.csv", "task,weight\nt0,3\nt1,1\n"),
        ("b.csv", "t0,3\n"),
        ("c.json", '{"t0": 3}'),
        ("d.tsv", "t0\t3\n"),
    ):
        (tmp_path / name).write_text(text)
        assert [row.score for row in _overall(tasks, weights=str(tmp_path / name)).rows] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": {"t7": 1}}, "weights names 't7', which is no task. Did you mean 't1'?"),
        ({"weights": "t0=-1"}, "the weight of 't0' must be a number of 0 or more, got '-1'."),
        ({"weights": "t0=0,t1=0"}, "weights give all tasks the weight 0. Weigh one of them."),
        (
            {"weights": "none.csv"},
            "weights='none.csv' is neither a list of weights nor a file. Write task=2,other=1, or name a file with the "
            "columns task and weight.",
        ),
        (
            {"weights": "t0=1", "average": "micro"},
            "average='micro' and weights='t0=1' contradict each other. Leave one of them out.",
        ),
        (
            {"overall": "none", "average": "micro"},
            "overall='none' and average='micro' contradict each other. Leave one of them out.",
        ),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.rank(_long(_normal(3, 12, 12)), model="mean", **options)
    assert str(refusal.value) == message


def test_options_need_several_tasks() -> None:
    one = _long(_normal(3, 12))
    with pytest.raises(bt.PlanError, match="average='micro' is for the overall score of several data sets or metrics"):
        bt.rank(one, average="micro")
    with pytest.raises(bt.PlanError, match="random='task' is for the overall score of several data sets or metrics"):
        bt.rank(bt.read_scores(one, random=["task"]))
    metrics = {name: ["0", "1", "2"] * 2 for name in ("item",)} | {
        "system": ["owl"] * 3 + ["yak"] * 3,
        "f1": [0.1, 0.5, 0.9, 0.2, 0.4, 0.3],
        "em": [1, 0, 1, 1, 0, 0],
    }
    with pytest.raises(bt.PlanError, match="needs several data sets, because metrics of one data set are no sample"):
        bt.rank(bt.read_scores(metrics, score=["f1", "em"], random=["task"]))
    with pytest.raises(bt.PlanError, match="overall='mean' is of mean scores, and bradley-terry gives strengths"):
        bt.rank(_long(_normal(3, 12, 12)), model="bradley-terry", overall="mean")


def _two_metrics(first: Matrix, second: Matrix) -> dict[str, list[Any]]:
    one, two = (_long({"": values}, name) for name, values in (("m1", first), ("m2", second)))
    return {name: one[name] + two[name] for name in one if name != "task"}


def test_metrics_of_one_data_set_share_their_items() -> None:
    """The same scores twice say no more than once, and scores that cancel out leave no error."""
    right = (np.random.default_rng(4).random((60, 3)) < [0.8, 0.6, 0.5]).astype(float)
    once = bt.rank({name: right[:, place].tolist() for place, name in enumerate(NAMES)}, model="mean", resamples=4000)
    twice = _overall(_two_metrics(right, right), resamples=4000)
    assert twice.overall_is == "mean"
    for row in twice.rows:
        draws = once.board.draws
        assert draws is not None
        reach = float(draws.errors.singles.reach(0.95)[once.board.fit.systems.index(row.system)])
        assert row.high - row.score == pytest.approx(reach, rel=0.04)
    cancelled = _overall(_two_metrics(right, 1 - right))
    assert [row.score for row in cancelled.rows] == pytest.approx([0.5] * 3)
    assert cancelled.first is None
    # An item that one metric lacks counts for the other.
    partly = right.copy()
    partly[:10] = np.nan
    lacking = _overall(_two_metrics(right, partly))
    expected = (right.mean(axis=0) + right[10:].mean(axis=0)) / 2
    assert sorted(row.score for row in lacking.rows) == pytest.approx(sorted(expected.tolist()))
    weights = np.where(np.arange(60) < 10, 0.5 / 60, 0.5 / 60 + 0.5 / 50)
    exact = np.sqrt(np.sum((weights[:, None] * (right - right.mean(axis=0))) ** 2, axis=0))
    found = [next(row for row in lacking.rows if row.system == name) for name in NAMES]
    assert [(row.high - row.low) / 4 for row in found] == pytest.approx(exact.tolist(), rel=0.15)


def test_units_that_differ_are_ranked() -> None:
    """Shares and percentages, or metrics of other names, have a mean rank; right and wrong have a mean."""
    tasks = _normal(5, 30, 30)
    shares = {"t0": np.clip(tasks["t0"] / 10 + 0.5, 0, 1), "t1": 100 * np.clip(tasks["t1"] / 10 + 0.5, 0, 1)}
    assert _overall(_long(shares)).overall_is == "mean rank"
    assert _overall(_long(shares), overall="mean").overall_is == "mean"
    assert _overall(_long(tasks), overall="mean-rank").overall_is == "mean rank"
    assert _overall(_two_metrics(tasks["t0"], tasks["t1"])).overall_is == "mean rank"
    without = bt.rank(_long(tasks), model="mean", overall="none")
    assert without.overall is None
    assert without.overview is not None
    assert without.overview.table().columns[-1].title == "t1"
    assert "Overall" not in without.to_text()


def test_ranks_that_are_certain_decide_all_pairs() -> None:
    tasks = {f"t{place}": np.random.default_rng(place).normal([4, 2, 0], size=(40, 3)) for place in range(4)}
    found = _overall(_long(tasks), overall="mean-rank")
    assert [(row.system, row.score, row.rank_low, row.rank_high) for row in found.rows] == [
        ("owl", 1.0, 1, 1),
        ("yak", 2.0, 2, 2),
        ("elk", 3.0, 3, 3),
    ]
    assert found.first_shown


def test_systems_that_lack_a_task_have_no_overall_score() -> None:
    tasks = _normal(6, 20, 20)
    tasks["t1"][:, 2] = np.nan
    boards = bt.rank(_long(tasks), model="mean")
    assert boards.overall is not None
    assert [row.system for row in boards.overall.rows] == ["owl", "yak"]
    assert boards.overall.lacking == ("elk",)
    finding = next(each for each in boards.findings if each.code == "lacking-tasks")
    assert str(finding).startswith("! lacking-tasks: 'elk' lacks some tasks, and has no overall score.")


def test_tasks_of_the_leader_have_the_p_values_of_their_boards() -> None:
    tasks = _normal(7, 30, 30, 30)
    boards = bt.rank(_long(tasks), model="mean")
    found = boards.overall
    assert found is not None
    first, second = (row.system for row in found.rows[:2])
    p = []
    for board in boards:
        assert board.decisions is not None
        p.append(board.decisions.p[board.fit.systems.index(first), board.fit.systems.index(second)])
    assert [each.p for each in found.between] == pytest.approx(p)
    order, holm = np.argsort(p), np.empty(3)
    holm[order] = np.maximum.accumulate(np.sort(p) * [3, 2, 1]).clip(max=1)
    assert [each.p_adjusted for each in found.between] == pytest.approx(holm.tolist())
    document = json.loads(boards.to_json())["overall"]
    assert [row["system"] for row in document["rows"]] == [row.system for row in found.rows]
    assert document["between"][0]["task"] == "t0"


def test_the_overview_and_the_overall_board_show_one_score() -> None:
    boards = bt.rank(_long(_normal(8, 20, 30)), model="mean", weights="t0=2")
    assert boards.overview is not None
    assert boards.overall is not None
    assert [row.score for row in boards.overall.rows] == pytest.approx(list(boards.overview.overall))
    again = bt.rank(_long(_normal(8, 20, 30)), bt.Plan.from_signature(str(boards.signature)))
    assert again.overall is not None
    assert again.overall.rows == boards.overall.rows


def test_all_right_on_one_task_is_no_certainty() -> None:
    right = np.ones((10, 2))
    right[:4, 1] = 0
    found = _overall(_long({"t0": right, "t1": right}))
    best = found.rows[0]
    assert best.score == 1.0
    assert best.low is not None
    assert best.low < 0.9
