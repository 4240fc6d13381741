"""Boards, comparisons and tests of metrics of a whole test set, against sacrebleu and closed forms."""

from itertools import product
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest
from sklearn import metrics as sklearn

import betterthan as bt


def test_few_items_are_swapped_in_all_ways() -> None:
    """Of four items there are sixteen ways, which can be listed."""
    outputs = {
        "owl": ["a b c", "a", "a b", "x y"],
        "yak": ["a b", "b", "a b", "c"],
        "ref": ["a b c", "a", "a b", "x y z"],
    }
    scored = bt.score(outputs, "wer", "ref", systems=["owl", "yak"])
    edits = np.array([[0, 1], [0, 1], [0, 0], [1, 3]], dtype=float)
    words = 9
    observed = abs(np.subtract(*edits.sum(axis=0))) / words
    every = [
        abs(
            sum(
                item[::-1][0] - item[::-1][1] if swap else item[0] - item[1]
                for item, swap in zip(edits, swaps, strict=True)
            )
        )
        / words
        for swaps in product([0, 1], repeat=4)
    ]
    duel = bt.compare(scored)
    assert duel.test("randomisation").p == pytest.approx(np.mean(np.array(every) >= observed - 1e-12))
    assert duel.effect("corpus_difference").value == pytest.approx(observed)  # less is better, and owl has less
    assert duel.verdict.startswith(
        "owl and yak do not differ significantly on the wer of the whole test set, for items like these: "
    )


def test_groups_are_swapped_and_resampled_as_a_whole() -> None:
    rng = np.random.default_rng(3)
    size = 120
    rows: dict[str, list[Any]] = {"item": [], "system": [], "doc": [], "output": [], "truth": []}
    for document in range(size // 10):
        right = rng.random(2)  # systems are right or wrong by document
        for place in range(10):
            for system, chance in zip(("owl", "yak"), right, strict=True):
                rows["item"].append(str(10 * document + place))
                rows["system"].append(system)
                rows["doc"].append(str(document))
                rows["truth"].append("1")
                rows["output"].append(str(int(rng.random() < chance)))
                if system == "yak" and place % 2:
                    rows["truth"][-2:], rows["output"][-2:] = ["0", "0"], [str(1 - int(x)) for x in rows["output"][-2:]]
    by_item = bt.score({name: values for name, values in rows.items() if name != "doc"}, "f1", "truth")
    by_group = bt.score(rows, "f1", "truth", group="doc")
    one, other = (bt.rank(scored, model="corpus").board for scored in (by_item, by_group))
    assert other.settings.unit == "group"
    for row in one:
        assert other[row.system].high - other[row.system].low > 1.3 * (row.high - row.low)
    assert bt.compare(by_group).test("randomisation").note == "all swaps"


def test_the_corpus_question_needs_parts() -> None:
    with pytest.raises(bt.PlanError, match="do not say what each item adds"):
        bt.compare({"owl": [1.0, 2.0, 4.0], "yak": [2.0, 1.0, 3.0]}, question="corpus")


def test_false_alarms_of_swapped_outputs_are_as_many_as_the_level_says() -> None:
    """Two systems with the same chances of every label, by F1 on 60 items."""
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(100):
        truth = rng.choice(3, 60, p=[0.6, 0.3, 0.1])
        said = [np.where(rng.random(60) < 0.6, truth, rng.choice(3, 60)) for _ in range(2)]
        scored = bt.score(
            {"owl": said[0].tolist(), "yak": said[1].tolist(), "truth": truth.tolist()},
            "f1",
            "truth",
            systems=["owl", "yak"],
        )
        alarms += bt.compare(scored).test("randomisation").p <= 0.05
    assert 1 <= alarms <= 12


WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "bird",
    "house",
    "sees",
    "finds",
    "takes",
    "old",
    "red",
    "small",
    "of",
    "in",
    "on",
    "with",
    "and",
    "but",
    "then",
    "there",
]


@pytest.fixture(scope="module")
def texts() -> tuple[dict[str, list[str]], list[str], bt.Scored]:
    """Return made-up outputs of four systems, the reference and their scores: some systems replace more words."""
    rng = np.random.default_rng(8)
    reference = [rng.choice(WORDS, int(rng.integers(6, 14))).tolist() for _ in range(80)]
    outputs = {
        name: [
            " ".join(str(rng.choice(WORDS)) if rng.random() < share else word for word in line) for line in reference
        ]
        for name, share in (("owl", 0.2), ("yak", 0.22), ("elk", 0.35), ("fox", 0.5))
    }
    lines = [" ".join(line) for line in reference]
    columns = {**outputs, "ref": lines}
    return outputs, lines, bt.score(columns, "bleu,chrf", "ref", systems=list(outputs))


def _of(scored: bt.Scored, metric: str) -> bt.Scores:
    columns = scored.columns()
    rows = [place for place, name in enumerate(columns["metric"]) if name == metric]
    return bt.read_scores({name: [values[row] for row in rows] for name, values in columns.items()})


def test_boards_are_those_of_sacrebleu(texts: Any) -> None:
    outputs, reference, scored = texts
    for metric, oracle in (("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF())):
        board = bt.rank(_of(scored, metric), model="corpus", resamples=50).board
        for system, lines in outputs.items():
            assert board[system].score == pytest.approx(oracle.corpus_score(lines, [reference]).score, abs=1e-9)


def test_paired_tests_are_those_of_sacrebleu_within_simulation_error(texts: Any) -> None:
    outputs, reference, scored = texts
    named = [(name, outputs[name]) for name in ("owl", "yak", "elk")]
    metrics = {"bleu": sacrebleu.BLEU()}
    runs = {
        kind: PairedTest(named, metrics, [reference], test_type=kind, n_samples=3000)()[1]["BLEU"]
        for kind in ("ar", "bs")
    }
    evidence = _of(scored, "bleu")
    board = bt.rank(evidence, model="corpus", resamples=3000).board
    for place, (system, _) in enumerate(named):
        assert (board[system].high - board[system].low) / 2 == pytest.approx(runs["bs"][place].ci, rel=0.12)
        if place == 0:
            continue
        duel = bt.compare(evidence, "owl", system)
        assert duel.question == "corpus"
        for test, kind in (("randomisation", "ar"), ("paired-bs", "bs")):
            expected = runs[kind][place].p_value
            error = 4 * np.sqrt(max(expected * (1 - expected), 0.002) / 1000)
            assert duel.test(test).p == pytest.approx(expected, abs=error + 1e-3)


def test_all_pairs_by_the_whole_test_set(texts: Any) -> None:
    evidence = _of(texts[2], "bleu")
    pairs = bt.compare_all(evidence, "corpus", by="pair", correction="none")
    first, second = pairs.systems.index("owl"), pairs.systems.index("elk")
    duel = bt.compare(evidence, "owl", "elk")
    assert pairs.values[first, second] == pytest.approx(duel.effect("corpus_difference").value)
    assert pairs.p[first, second] == duel.test("randomisation").p
    assert "randomisation test" in pairs.to_text()


def test_the_mean_of_sentence_scores_is_said_to_be_something_else(texts: Any) -> None:
    boards = bt.rank(_of(texts[2], "bleu"), resamples=50)
    assert [board.mechanism for board in boards] == ["corpus", "mean", "bradley-terry"]
    assert [finding.code for finding in boards["mean"].findings] == ["corpus-not-mean"]
    assert boards["mean"].findings[0].message == (
        "The bleu of a whole test set is computed from all items at once; mean averages over items, where the score is "
        "sentence BLEU with effective order."
    )
    assert not [finding for finding in boards["corpus"].findings if finding.code == "corpus-not-mean"]


def test_texts_are_scored_item_by_item_as_other_packages_do(texts: Any) -> None:
    outputs, reference, _ = texts
    scored = bt.score({**outputs, "ref": reference}, "chrf,edit-distance,wer", "ref", systems=list(outputs))
    columns = scored.columns()
    chrf = sacrebleu.CHRF()
    for item, system, metric, score in zip(
        *(columns[name] for name in ("item", "system", "metric", "score")), strict=True
    ):
        output, wanted = outputs[system][int(item) - 1], reference[int(item) - 1]
        if metric == "chrf":
            expected = chrf.sentence_score(output, [wanted]).score
        else:
            expected = jiwer.wer(wanted, output) if metric == "wer" else _edits(output, wanted)
        assert score == pytest.approx(expected, abs=1e-9)


def _edits(one: str, other: str) -> int:
    """Return the least number of changed characters, row by row."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        above, row[0] = row[0], number
        for place, wanted in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != wanted))
    return row[-1]


@pytest.fixture(scope="module")
def classified() -> tuple[dict[str, list[int]], list[int]]:
    """Return labels of four made-up classifiers on 1,500 items, and the truth: one in ten is of the rare class."""
    rng = np.random.default_rng(9)
    truth = rng.choice(3, 1500, p=[0.6, 0.3, 0.1])
    said = {
        name: np.where(rng.random(1500) < right, truth, rng.choice(3, 1500)).tolist()
        for name, right in (("owl", 0.8), ("yak", 0.7), ("elk", 0.5), ("fox", 0.3))
    }
    return said, truth.tolist()


def test_classifiers_are_ranked_by_what_scikit_learn_computes(classified: Any, tmp_path: Path) -> None:
    said, truth = classified
    bt.score({**said, "truth": truth}, "accuracy,f1", "truth", systems=list(said)).save(tmp_path / "scores.csv")
    boards = bt.rank(str(tmp_path / "scores.csv"))
    for system, labels in said.items():
        f1 = sklearn.f1_score(truth, labels, average="macro")
        row = boards["f1", "corpus"][system]
        assert row.score == pytest.approx(f1, abs=1e-9)
        assert row.low < f1 < row.high
        assert boards["accuracy", "mean"][system].score == pytest.approx(sklearn.accuracy_score(truth, labels))
    assert [row.system for row in boards["f1", "corpus"]] == list(said)


@pytest.mark.parametrize("metric", ["f1", "accuracy"])
def test_intervals_of_the_default_call_hold_the_truth_as_often_as_they_say(metric: str, classified: Any) -> None:
    """All items are the population; samples of them are scored and ranked by default calls."""
    said, truth = ({name: np.array(labels) for name, labels in classified[0].items()}, np.array(classified[1]))

    def scored(chosen: Any) -> bt.Scored:
        columns = {name: labels[chosen].tolist() for name, labels in said.items()}
        return bt.score({**columns, "truth": truth[chosen].tolist()}, metric, "truth", systems=list(said))

    population = scored(np.arange(1500))
    rng, runs, held = np.random.default_rng(2024), 60, 0
    for _ in range(runs):
        board = bt.rank(scored(rng.integers(1500, size=150)), model="corpus" if metric == "f1" else "mean").board
        held += sum(row.low <= population[row.system, metric] <= row.high for row in board)
    assert 0.9 <= held / (runs * len(said)) <= 0.985
