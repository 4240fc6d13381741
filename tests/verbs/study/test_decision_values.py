"""Global scores and pairwise rankings of predictions, as they are and altered: every figure by plain loops."""

import gzip
import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.verbs.study.decision_columns import value_columns
from betterthan.verbs.study.decision_data import (
    Predictions,
    average_precision,
    expected_precision,
    load_predictions,
    ranks_by_score,
)
from betterthan.verbs.study.experiments.decision_values import DecisionValues

TABLE = {
    "item": [f"i{n}" for n in range(6) for _ in range(3)],
    "system": ["sure", "unsure", "plain"] * 6,
    "truth": [t for t in "aabbab" for _ in range(3)],
    "pred": list("aab" + "aaa" + "bba" + "abb" + "aab" + "bbb"),
    "p_a": [1.0, 0.6, None, 0.9, 0.7, None, 0.1, 0.3, None, 0.8, 0.4, None, 1.0, 0.6, None, 0.0, 0.2, None],
}


def _predictions() -> Predictions:
    found = load_predictions(
        {**TABLE, "p_b": [None if p is None else 1 - p for p in TABLE["p_a"]]}, "truth", "pred", "auto"
    ).evidence
    assert isinstance(found, Predictions)
    return found


def test_scores_are_those_of_plain_loops() -> None:
    found = _predictions()
    assert (found.systems, found.labels) == (("sure", "unsure", "plain"), ("a", "b"))
    scores = found.scores()
    truth = "aabbab"
    for place, system in enumerate(found.systems):
        said = TABLE["pred"][place::3]
        positive = [float(said[n] == "b") if p is None else 1 - p for n, p in enumerate(TABLE["p_a"][place::3])]
        assert scores["accuracy"][place] == pytest.approx(np.mean([s == t for s, t in zip(said, truth, strict=True)]))
        f1 = []
        for label in "ab":
            both = sum(s == t == label for s, t in zip(said, truth, strict=True))
            f1.append(2 * both / (said.count(label) + truth.count(label)))
        assert scores["f1"][place] == pytest.approx(np.mean(f1)), system
        pairs = [
            (x > y) + (x == y) / 2
            for x, t in zip(positive, truth, strict=True)
            if t == "b"
            for y, u in zip(positive, truth, strict=True)
            if u == "a"
        ]
        assert scores["auc"][place] == pytest.approx(np.mean(pairs))
        errors = [abs((t == "b") - value) for value, t in zip(positive, truth, strict=True)]
        assert scores["mae"][place] == pytest.approx(-np.mean(errors))


def _rows(items: int = 200) -> dict[str, list[Any]]:
    """Return the layout of the paper: a binary truth and one decision value, the chance of 1."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[Any]] = {"item": [], "system": [], "toxic": [], "decision_value": []}
    for item in range(items):
        truth = int(rng.integers(2))
        for place, system in enumerate(("x", "y", "z")):
            value = float(np.clip(0.5 + (0.1 + 0.1 * place) * (2 * truth - 1) + rng.normal(0, 0.25), 0, 1))
            for name, entry in zip(rows, (f"i{item}", system, truth, value), strict=True):
                rows[name].append(entry)
    return rows


def test_a_binary_truth_and_one_decision_value_are_enough() -> None:
    """What is said follows from the value, which is that of the second label: as if both columns were there."""
    rows = _rows()
    values = np.array(rows["decision_value"])
    found = load_predictions(rows, "toxic", "pred", "auto").evidence
    written = {**rows, "pred": (values >= 0.5).astype(int).tolist(), "p0": (1 - values).tolist(), "p1": values.tolist()}
    expected = load_predictions(written, "toxic", "pred", "p0|p1").evidence
    assert isinstance(found, Predictions)
    assert isinstance(expected, Predictions)
    assert (found.labels, found.systems) == (("0", "1"), ("x", "y", "z"))
    np.testing.assert_array_equal(found.said, expected.said)
    np.testing.assert_allclose(found.values, expected.values)
    truth = np.array(rows["toxic"])[::3]
    for place in range(3):
        one = values[place::3]
        assert found.scores()["accuracy"][place, 0] == pytest.approx(np.mean((one >= 0.5) == truth))
        assert found.scores()["mae"][place, 0] == pytest.approx(-np.mean(np.abs(truth - one)))
    assert np.argsort(-found.scores()["auc"][:, 0]).tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (["item", "p2", "p3", "p1", "pred"], ("p1", "p2", "p3")),
        (["prob_0", "prob_1", "score"], ("prob_0", "prob_1")),
        (["p_yes", "p_no"], ("p_no", "p_yes")),
        (["item", "Score"], ("Score",)),
        (["score", "probability"], ()),
        (["p1", "p3"], ()),
        (["p2", "p3"], ()),
        (["item", "truth", "pred"], ()),
    ],
)
def test_columns_of_decision_values_are_found_by_name(columns: list[str], found: tuple[str, ...]) -> None:
    assert value_columns(columns) == found


def test_the_bundled_file_needs_no_settings() -> None:
    study = DecisionValues()
    found = study.load("examples/predictions.csv")
    named = replace(study, values="p1|p2|p3").load("examples/predictions.csv")
    assert found.digest == named.digest
    np.testing.assert_array_equal(found.evidence.values, named.evidence.values)


def test_references_may_be_in_a_file_of_their_own(tmp_path: Path) -> None:
    """As in `score`: a column of the outputs, or another file."""
    outputs = [json.loads(line) for line in Path("examples/outputs.jsonl").read_text("utf-8").splitlines()]
    truth = {
        row["item"]: row["reference"]
        for row in map(json.loads, Path("examples/references.jsonl").read_text("utf-8").splitlines())
    }
    joined = tmp_path / "joined.jsonl"
    joined.write_text("\n".join(json.dumps({**row, "reference": truth[row["item"]]}) for row in outputs), "utf-8")
    one = DecisionValues(outputs="output", reference="examples/references.jsonl").load("examples/outputs.jsonl")
    two = DecisionValues(outputs="output", reference="reference").load(str(joined))
    assert one.evidence.outputs.references == two.evidence.outputs.references
    assert one.evidence.outputs.cells == two.evidence.outputs.cells
    assert one.evidence.outputs.references[0] == (truth[one.evidence.outputs.items[0]],)


def test_the_majority_of_systems_is_a_truth() -> None:
    """Of three labels the most frequent one; items on which all differ or two are equally frequent are left out."""
    columns: dict[str, Any] = {
        "item": [f"i{n}" for n in range(4) for _ in range(4)],
        "system": ["w", "x", "y", "z"] * 4,
        "pred": [*"aaab", *"bbbb", *"aabb", *"cacc"],
    }
    found = load_predictions(columns, "majority", "pred", "")
    assert found.incomplete == 1  # two of each
    evidence = found.evidence
    assert isinstance(evidence, Predictions)
    assert [evidence.labels[place] for place in evidence.truth] == ["a", "b", "c"]
    accuracy = dict(zip(evidence.systems, evidence.scores()["accuracy"][:, 0], strict=True))
    assert accuracy == pytest.approx({"w": 1.0, "x": 2 / 3, "y": 1.0, "z": 2 / 3})
    given = {**TABLE, "truth": ["x"] * 18}  # a column of truths makes no difference
    both = [load_predictions(table, "majority", "pred", "").evidence for table in (TABLE, given)]
    assert both[0].truth.tolist() == both[1].truth.tolist()  # type: ignore[union-attr]


def test_altered_predictions() -> None:
    found = _predictions()
    assert set(np.unique(found.binarised().values)) == {0.0, 1.0}
    penalised = found.penalised()
    wrong = found.said != found.truth[:, None]
    assert np.all(penalised.of_truth()[wrong] == 0)
    assert np.all(penalised.of_truth()[~wrong] == found.of_truth()[~wrong])
    both = found.beside(penalised)
    assert both.systems[3:] == ("sure altered", "unsure altered", "plain altered")
    assert both.scores()["mae"][:3] == pytest.approx(found.scores()["mae"])


def test_average_precision() -> None:
    """With ties as in Buckley and Voorhees's measure over thresholds: all tied is the share of relevant ones."""
    relevant = np.array([True, True, False, False])
    assert average_precision(relevant, np.array([1, 1, 1, 1])) == 0.5
    assert average_precision(relevant, np.array([1, 2, 3, 4])) == 1.0
    assert average_precision(relevant, np.array([3, 4, 1, 2])) == pytest.approx((1 / 3 + 2 / 4) / 2)
    assert average_precision(relevant, np.array([1, 3, 1, 4])) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert ranks_by_score(np.array([0.5, 0.5 + 1e-15, 0.9])).tolist() == [2, 2, 1]


def test_expected_precision_is_that_of_all_orders() -> None:
    for relevant, size in ((1, 1), (1, 4), (2, 4), (3, 5), (5, 10)):
        every = [
            average_precision(np.isin(np.arange(size), places), np.arange(1, size + 1))
            for places in combinations(range(size), relevant)
        ]
        assert expected_precision(relevant, size) == pytest.approx(np.mean(every))
    assert round(expected_precision(5, 10), 3) == 0.607
    assert round(expected_precision(9, 18), 3) == 0.573


def _value(found: bt.StudyResult, part: str, variant: str, a: str, b: str = "") -> Any:
    columns = found.columns()
    rows = zip(columns["part"], columns["variant"], columns["a"], columns["b"], columns["value"], strict=True)
    (value,) = [row[-1] for row in rows if row[:4] == (part, variant, a, b)]
    return value


def test_the_simulated_world() -> None:
    found = bt.study("decision-values", quick=True)
    assert found.claim("F1 cannot distinguish them").agreement == "agrees"
    assert found.claim("AUC puts originals above penalised").agreement == "agrees"
    # Nine originals among nine copies: a random order has .573, so .547 is below chance.
    below = found.claim("BT puts originals above penalised")
    assert below.ours.value == pytest.approx(
        _value(found, "average precision", "penalised", "bradley-terry") - expected_precision(9, 18)
    )
    assert below.agreement == "differs"
    ranks = {
        name: [_value(found, "rank", "as they are", name, f"model {n + 1}") for n in range(9)] for name in ("f1", "mae")
    }
    wanted = stats.spearmanr(ranks["f1"], ranks["mae"]).statistic
    assert _value(found, "spearman", "as they are", "f1", "mae") == pytest.approx(wanted)
    # Equal answers tie, so that with all comparisons BT orders random responders as accuracy does.
    random = found.claim("Three random responders: Spearman")
    assert (random.expected.printed, random.agreement) == (-0.5, "differs")
    assert random.ours.value == pytest.approx(1.0, abs=0.02)
    assert _value(found, "random responders", "drawn", "accuracy", "bradley-terry") < 0.6
    assert found.plot().to_svg().startswith("<svg")


def test_certainty_is_penalised_where_it_is_wrong() -> None:
    """Two honest systems that say .5 or more: penalised, every error costs, and every score but F1 sees it."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[Any]] = {"item": [], "system": [], "truth": [], "pred": [], "p": []}
    for item in range(300):
        truth = int(rng.integers(2))
        for place, system in enumerate(("x", "y", "z")):
            chance = 0.55 + 0.1 * place
            right = rng.random() < chance
            value = (0.5 + 0.4 * rng.random()) if right == bool(truth) else 0.5 - 0.4 * rng.random()
            for name, entry in zip(rows, (f"i{item}", system, truth, int(value >= 0.5), value), strict=True):
                rows[name].append(entry)
    found = bt.study("decision-values(values=p)", rows, quick=True)
    assert _value(found, "average precision", "penalised", "mae") > 0.8
    assert _value(found, "average precision", "penalised", "f1") == 0.5
    assert found.columns()["value"] == bt.study("decision-values(values=p)", rows, quick=True).columns()["value"]


def test_texts() -> None:
    words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "runs", "away", "from", "all"]
    rng = np.random.default_rng(5)
    rows: dict[str, list[str]] = {"item": [], "system": [], "text": []}
    for item in range(40):
        wanted = rng.choice(words, size=12).tolist()
        for system, kept in (("person", 1.0), ("good", 0.9), ("fair", 0.8), ("poor", 0.6)):
            said = [word if rng.random() < kept else str(rng.choice(words)) for word in wanted]
            for name, entry in zip(rows, (f"i{item}", system, " ".join(said)), strict=True):
                rows[name].append(entry)
    found = bt.study("decision-values(outputs=text,expert=person)", rows, quick=True)
    for name in ("chrf", "wer", "bradley-terry, chrf"):
        assert [_value(found, "rank", "as they are", name, system) for system in ("good", "fair", "poor")] == [1, 2, 3]
    # Of 40 outputs two have a thousand letters more: that decides sums of distances, and hardly any comparison.
    assert _value(found, "average precision", "lengthened", "edit-distance") == 1.0
    assert _value(found, "average precision", "lengthened", "bradley-terry, edit-distance") < 1.0
    assert found.claim("Rare long errors hurt edit-distance").agreement == "agrees"


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        (
            "decision-values",
            {"p_a": None},
            "no column is known to hold decision values; its columns are 'item', 'system', 'truth', 'pred'. Name them in the study: values=p_no|p_yes. If systems have none, say values= without a name.",
        ),
        (
            "decision-values(truth=majority)",
            {"pred": None},
            "systems vote for the truth by their labels, and there is no column of them. Name it in the study: labels=pred.",
        ),
        (
            "decision-values(values=p_a)",
            {"p_a": [2.0, *TABLE["p_a"][1:]]},
            "'sure' on item 'i0': a decision value is '2'. Decision values are numbers between 0 and 1.",
        ),
        (
            "decision-values(values=p_a)",
            {"p_a": [None, *TABLE["p_a"][1:]]},
            "'sure' on item 'i0': a decision value is missing, though this system has others. Decision values are numbers between 0 and 1.",
        ),
        (
            "decision-values(values=p_a|p_a|p_a)",
            {},
            "there are 2 labels (a, b) and 3 columns of decision values. Name one column per label, in the order of labels; of two labels the second one's is enough.",
        ),
        (
            "decision-values(values=)",
            {"pred": [None] * 3 + TABLE["pred"][3:], "system": [f"s{n}" for n in range(18)]},
            "there are 15 systems to compare, and 0 items with one answer of each. Two systems and two such items are the least.",
        ),
        (
            "decision-values(values=)",
            {"pred": ["a"] * 18, "truth": ["a"] * 18},
            "all items have the label 'a', and all systems say it. Give items of two labels or more.",
        ),
        (
            "decision-values(outputs=pred,expert=nobody)",
            {},
            "there is no system 'nobody'. There are: sure, unsure, plain.",
        ),
        (
            "decision-values(outputs=pred,expert=x,reference=y)",
            {},
            "decision-values: references are a column or the outputs of a system, got both reference and expert.",
        ),
    ],
)
def test_what_is_refused(name: str, changed: dict[str, Any], message: str) -> None:
    columns = {name: column for name, column in {**TABLE, **changed}.items() if column is not None}
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.study(name, columns, quick=True)
    assert str(refusal.value) == message


def test_predictions_of_a_file(tmp_path: Path) -> None:
    """Five classes, as a compressed table; right and wrong answers tie wherever both are right or both are wrong."""
    rng = np.random.default_rng(7)
    truth = rng.integers(1, 6, 200)
    said = {
        name: np.where(rng.random(200) < right, truth, truth % 5 + 1)
        for name, right in (("svm", 0.7), ("logistic", 0.5), ("blob", 0.3))
    }
    path = tmp_path / "predictions.csv.gz"
    with gzip.open(path, "wt") as stream:
        stream.write("instance,system,truth,pred,p1,p2,p3,p4,p5\n")
        for name, labels in said.items():
            for item, (true, label) in enumerate(zip(truth, labels, strict=True)):
                chances = ",".join("0.6" if label == each else "0.1" for each in range(1, 6))
                stream.write(f"{item},{name},{true},{label},{chances}\n")
    found = bt.study("decision-values(runs=5)", str(path), quick=True)
    assert [_value(found, "rank", "as they are", "accuracy", name) for name in said] == [1, 2, 3]
    right = {name: labels == truth for name, labels in said.items()}
    ties = np.mean([np.mean(right[one] == right[other]) for one, other in combinations(said, 2)])
    assert found.claim("Binarised values tie").ours.value == pytest.approx(ties, abs=1e-9)
