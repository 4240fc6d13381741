"""Boards, comparisons and tests of metrics of a whole test set, against sacrebleu and closed forms."""

import json
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
    runs = {kind: PairedTest(named, metrics, [reference], test_type=kind, n_samples=6000)()[1] for kind in ("ar", "bs")}
    for metric, name in (("bleu", "BLEU"), ("chrf", "chrF2")):
        evidence = _of(scored, metric)
        board = bt.rank(evidence, model="corpus", resamples=6000).board
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


def test_all_pairs_by_the_whole_test_set(translations: Any) -> None:
    evidence = _of(translations[2], "bleu")
    pairs = bt.compare_all(evidence, "corpus", by="pair", correction="none")
    first, second = pairs.systems.index("AIRC"), pairs.systems.index("NLLB_Greedy")
    duel = bt.compare(evidence, "AIRC", "NLLB_Greedy")
    assert pairs.values[first, second] == pytest.approx(duel.effect("corpus_difference").value)
    assert pairs.p[first, second] == duel.test("randomisation").p
    assert "randomisation test" in pairs.to_text()


def test_the_mean_of_sentence_scores_is_said_to_be_something_else(translations: Any) -> None:
    boards = bt.rank(_of(translations[2], "bleu"), resamples=50)
    assert [board.mechanism for board in boards] == ["corpus", "mean", "bradley-terry"]
    assert [finding.code for finding in boards["mean"].findings] == ["corpus-not-mean"]
    assert boards["mean"].findings[0].message == (
        "The bleu of a whole test set is computed from all items at once; mean averages over items, where the score is "
        "sentence BLEU with effective order."
    )
    assert not [finding for finding in boards["corpus"].findings if finding.code == "corpus-not-mean"]
