"""Two systems on tasks that are a sample of others: what is claimed, and which verbs refuse it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.results.json_schema import schema_of

#: Differences of six tasks that vary far more than 40 items would make them.
SHIFTS = (0.9, -0.4, 1.2, 0.6, 0.8, -0.2)
SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"


def _long(shifts: tuple[float, ...] = SHIFTS, metric: str = "score") -> dict[str, list[Any]]:
    """Return long scores of two systems on tasks with these differences."""
    rng = np.random.default_rng(4)
    rows = [
        (f"t{task}", str(item), system, metric, float(score))
        for task, shift in enumerate(shifts)
        for item in range(40)
        for system, score in zip(("owl", "yak"), rng.normal((shift, 0.0), 0.7), strict=True)
    ]
    names = ("task", "item", "system", "metric", "score")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def test_the_overall_difference_is_a_t_test_over_tasks() -> None:
    these, like_these = (bt.compare_tasks(bt.read(_long(), random=random), "owl", "yak") for random in (None, ["task"]))
    assert these.tasks == like_these.tasks
    expected = stats.ttest_1samp([each.difference.known for each in like_these.tasks], 0.0)
    whole = like_these.overall[0]
    assert whole.p == pytest.approx(expected.pvalue)
    assert (whole.difference.low, whole.difference.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert whole.difference.value == pytest.approx(these.overall[0].difference.known)
    assert whole.heterogeneity == these.overall[0].heterogeneity
    assert (these.overall[0].shown, whole.shown) == ("better", None)
    assert these.verdict.startswith("owl is better than yak overall on score, on these 6 tasks (mean difference")
    assert like_these.verdict.startswith(
        "owl and yak do not differ significantly overall on score, for tasks like these 6 (mean difference over tasks"
    )
    assert "95 % confidence interval by task and item" in like_these.verdict
    assert "random" not in these.signature.facts
    assert like_these.signature.facts["random"] == "task"


def test_a_clear_difference_on_all_tasks_is_shown_for_others() -> None:
    found = bt.compare_tasks(bt.read(_long((1.0, 1.1, 0.9, 1.0, 1.05)), random="task"), "owl", "yak")
    assert found.overall[0].shown == "better"
    assert found.verdict.startswith("owl is better than yak overall on score, for tasks like these 5 (")
    turned = bt.compare_tasks(bt.read(_long((1.0, 1.1, 0.9)), random="task"), "yak", "owl")
    assert turned.overall[0].shown == "worse"


def test_heterogeneity_is_shown_and_found_where_tasks_are_fixed() -> None:
    these = bt.compare_tasks(_long(), "owl", "yak")
    varies = these.overall[0].heterogeneity
    assert varies is not None
    assert varies.df == 5
    assert "I²" in these.to_text()
    assert f"{100 * varies.i_squared:.0f} %" in these.tables()[1].to_text()
    (finding,) = (each for each in these.findings if each.code == "tasks-differ")
    assert finding.value == varies.i_squared
    assert finding.message.startswith("The difference on score varies between tasks by more than chance (I² = ")
    assert finding.hint == "For tasks like these and not these alone, use random='task'."
    for other in (bt.read(_long(), random="task"), _long((0.5, 0.5, 0.5))):
        assert "tasks-differ" not in [each.code for each in bt.compare_tasks(other, "owl", "yak").findings]


@pytest.mark.parametrize("random", [None, ["task"]])
def test_documents_meet_the_published_schema(random: list[str] | None) -> None:
    found = bt.compare_tasks(bt.read(_long(), random=random), "owl", "yak")
    document = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert document["schema"] == "task-duels/3"
    assert document["random"] == (random or [])
    assert document["overall"][0]["heterogeneity"].keys() == {"q", "df", "p", "i_squared"}
    published = json.loads((SCHEMAS / "task-duels-3.json").read_text(encoding="utf-8"))
    assert published == schema_of(bt.TaskDuels)
    jsonschema.validate(document, published)


ONE_TASK = (
    "random='task' needs a metric on several tasks, because one task says nothing about others. "
    "Add tasks, or leave it out."
)


def test_one_task_says_nothing_about_others() -> None:
    one, two = _long((0.5,)), _long((0.5,), "other")
    metrics = {name: one[name] + two[name] for name in one}  # several metrics are not several tasks
    for table in (one, metrics):
        with pytest.raises(bt.PlanError) as refused:
            bt.compare_tasks(bt.read(table, random="task"), "owl", "yak")
        assert str(refused.value) == ONE_TASK


@pytest.mark.parametrize(
    "verb",
    [
        bt.compare,
        bt.compare_all,
        bt.diagnose,
        bt.select,
        bt.items,
        bt.correlate,
        lambda evidence: bt.fit(evidence, model="patterns"),
        lambda evidence: bt.power(evidence, "owl", "yak"),
    ],
)
def test_other_verbs_do_not_pool_tasks_and_say_so(verb: Callable[[Any], Any]) -> None:
    with pytest.raises(bt.PlanError) as refused:
        verb(bt.read(_long(), random="task"))
    assert str(refused.value) == (
        "random='task' is for the overall difference of two systems on several tasks. "
        "Use bt.compare_tasks(...), or leave it out."
    )


def test_only_tasks_of_scores_can_be_named() -> None:
    with pytest.raises(bt.PlanError) as refused:
        bt.read(_long(), random=["task", "judge"])
    assert str(refused.value) == (
        "random can only name task, got 'judge': items, judges, runs and groups are random already."
    )
    judgments = [("owl", "yak", "a"), ("yak", "owl", "a")]
    for source in (judgments, bt.read(judgments)):
        with pytest.raises(bt.PlanError) as refused:
            bt.read(source, random="task")
        assert str(refused.value) == (
            "random='task' is for scores on several tasks, but these are judgments. Leave it out."
        )
