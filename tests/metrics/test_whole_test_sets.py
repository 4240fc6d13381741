"""Boards, comparisons and tests of metrics of a whole test set, against sacrebleu and closed forms."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

import betterthan as bt


def _lines(place: Path) -> list[str]:
    return place.read_text("utf-8-sig").split("\n")[:-1]  # a byte order mark is no output


@pytest.fixture(scope="module")
def translations(shared: Path) -> tuple[dict[str, list[str]], list[str], bt.Scored]:
    """Return outputs of four systems, the reference and their scores."""
    folder = shared.parent / "formats" / "samples" / "text-outputs"
    places = sorted((folder / "system-outputs" / "en-de").glob("*.txt"))
    reference = folder / "references" / "en-de.refA.txt"
    scored = bt.score([str(place) for place in places], "bleu,chrf", str(reference))
    return {place.stem: _lines(place) for place in places}, _lines(reference), scored


def _of(scored: bt.Scored, metric: str) -> bt.Scores:
    columns = scored.columns()
    rows = [place for place, name in enumerate(columns["metric"]) if name == metric]
    return bt.read_scores({name: [values[row] for row in rows] for name, values in columns.items()})


def test_boards_are_those_of_sacrebleu(translations: Any, shared: Path) -> None:
    outputs, reference, scored = translations
    place = shared.parent / "formats" / "samples" / "sacrebleu" / "paired-ar.json"
    published = {row["system"].rpartition("/")[2].removesuffix(".txt"): row for row in json.loads(place.read_text())}
    for metric, oracle, name in (("bleu", sacrebleu.BLEU(), "BLEU"), ("chrf", sacrebleu.CHRF(), "chrF2")):
        board = bt.rank(_of(scored, metric), model="corpus", resamples=50).board
        for system, lines in outputs.items():
            assert board[system].score == pytest.approx(oracle.corpus_score(lines, [reference]).score, abs=1e-9)
            # The published figure counts the mark of one file as a character.
            assert board[system].score == pytest.approx(published[system][name]["score"], abs=1e-3)


def test_paired_tests_are_those_of_sacrebleu_within_simulation_error(translations: Any) -> None:
    outputs, reference, scored = translations
    named = [(name, outputs[name]) for name in ("AIRC", "NLLB_Greedy", "GPT4-5shot")]
    metrics = {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF()}
    runs = {kind: PairedTest(named, metrics, [reference], test_type=kind, n_samples=2000)()[1] for kind in ("ar", "bs")}
    for metric, name in (("bleu", "BLEU"), ("chrf", "chrF2")):
        evidence = _of(scored, metric)
        board = bt.rank(evidence, model="corpus", resamples=2000).board
        for place, (system, _) in enumerate(named):
            low, high = board[system].low, board[system].high
            assert (high - low) / 2 == pytest.approx(runs["bs"][name][place].ci, rel=0.08)
            if place == 0:
                continue
            duel = bt.compare(evidence, "AIRC", system)
            assert duel.question == "corpus"
            for test, kind in (("randomisation", "ar"), ("paired-bs", "bs")):
                expected = runs[kind][name][place].p_value
                error = 4 * np.sqrt(max(expected * (1 - expected), 0.002) / 2000)
                assert duel.test(test).p == pytest.approx(expected, abs=error + 1e-3)


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
    assert duel.verdict.startswith("owl and yak do not differ significantly on the wer of the whole test set: ")


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


def test_all_pairs_by_the_whole_test_set(translations: Any) -> None:
    evidence = _of(translations[2], "bleu")
    pairs = bt.compare_all(evidence, "corpus", correction="none")
    first, second = pairs.systems.index("AIRC"), pairs.systems.index("NLLB_Greedy")
    duel = bt.compare(evidence, "AIRC", "NLLB_Greedy")
    assert pairs.values[first, second] == pytest.approx(duel.effect("corpus_difference").value)
    assert pairs.p[first, second] == duel.test("randomisation").p
    assert "randomisation test" in pairs.to_text()


def test_the_corpus_question_needs_parts() -> None:
    with pytest.raises(bt.PlanError, match="do not say what each item adds"):
        bt.compare({"owl": [1.0, 2.0, 4.0], "yak": [2.0, 1.0, 3.0]}, question="corpus")


def test_the_mean_of_sentence_scores_is_said_to_be_something_else(translations: Any) -> None:
    boards = bt.rank(_of(translations[2], "bleu"), resamples=50)
    assert [board.mechanism for board in boards] == ["corpus", "mean", "bradley-terry"]
    assert [finding.code for finding in boards["mean"].findings] == ["corpus-not-mean"]
    assert boards["mean"].findings[0].message == (
        "The bleu of a whole test set is computed from all items at once; mean averages over items, where the score is "
        "sentence BLEU with effective order."
    )
    assert not [finding for finding in boards["corpus"].findings if finding.code == "corpus-not-mean"]


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
