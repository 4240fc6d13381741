"""Metrics of texts, against the libraries and closed forms that define them."""

import json
from typing import Any

import jiwer
import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from betterthan.base.errors import PlanError
from betterthan.metrics.base import build_metric, known_metrics

TEXT = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "größe", "我爱你", "."]), max_size=9).map(
    " ".join
)
PAIRS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=8)


def _score(metric: str, output: str, *references: str) -> float:
    return float(build_metric(metric).measure([output], [list(references)]).scores[0])


def _whole(metric: str, pairs: list[tuple[str, list[str]]]) -> float:
    made = build_metric(metric)
    parts = made.measure([output for output, _ in pairs], [references for _, references in pairs]).parts
    assert parts is not None
    return float(made.whole(parts, np.ones((len(pairs), 1)))[0])


def _streams(pairs: list[tuple[str, list[str]]]) -> list[list[Any]]:
    """Return references as sacrebleu takes them: one list per reference, None where an item has fewer."""
    most = max(len(references) for _, references in pairs)
    return [
        [references[place] if place < len(references) else None for _, references in pairs] for place in range(most)
    ]


@given(PAIRS)
@pytest.mark.parametrize(
    ("metric", "oracle"),
    [
        ("bleu", sacrebleu.BLEU()),
        ("bleu(tokenize=char,case=lower)", sacrebleu.BLEU(tokenize="char", lowercase=True)),
        ("chrf", sacrebleu.CHRF()),
        ("chrf++", sacrebleu.CHRF(word_order=2)),
        ("ter", sacrebleu.TER()),
    ],
)
def test_corpus_scores_are_those_of_sacrebleu(metric: str, oracle: Any, pairs: list[tuple[str, list[str]]]) -> None:
    # sacrebleu looks at the first stream for items without a reference
    expected = oracle.corpus_score([output for output, _ in pairs], _streams(pairs)).score
    assert _whole(metric, pairs) == pytest.approx(expected, abs=1e-9)


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3))
@pytest.mark.parametrize(
    ("metric", "oracle"),
    [
        ("bleu", sacrebleu.BLEU(effective_order=True)),
        ("chrf", sacrebleu.CHRF()),
        ("chrf(words=2)", sacrebleu.CHRF(word_order=2)),
        ("ter", sacrebleu.TER()),
    ],
)
def test_sentence_scores_are_those_of_sacrebleu(metric: str, oracle: Any, output: str, references: list[str]) -> None:
    assert _score(metric, output, *references) == pytest.approx(
        oracle.sentence_score(output, references).score, abs=1e-9
    )


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=8))
def test_error_rates_are_those_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    for output, reference in pairs:
        assert _score("wer", output, reference) == pytest.approx(jiwer.wer(reference, output), abs=1e-12)
        assert _score("cer", output, reference) == pytest.approx(jiwer.cer(reference, output), abs=1e-12)
    if any(reference for _, reference in pairs):
        expected = jiwer.wer([reference for _, reference in pairs], [output for output, _ in pairs])
        assert _whole("wer", [(output, [reference]) for output, reference in pairs]) == pytest.approx(expected)


def test_signatures_are_those_of_sacrebleu() -> None:
    oracle = sacrebleu.BLEU(tokenize="zh")
    oracle.corpus_score(["我"], [["我"]])
    assert build_metric("bleu(tokenize=zh)").signature("1") == str(oracle.get_signature())
    assert "nrefs:var" in build_metric("chrf").signature("var")


def test_the_cat_against_itself_is_perfect() -> None:
    """Without effective order, two words have no BLEU."""
    assert _score("bleu", "the cat", "the cat") == pytest.approx(100)


@pytest.mark.parametrize("text", ["我爱你", "Привет, мир", "Größe zählt", "हिन्दी की किताब", "สวัสดี ครับ"])
@pytest.mark.parametrize("metric", ["rouge-1", "rouge-2", "rouge-l"])
def test_identical_texts_of_any_script_score_1(metric: str, text: str) -> None:
    assert _score(metric, text, text) == 1.0


def test_rouge_by_hand() -> None:
    assert _score("rouge-1", "the cat sat", "the cat ran off") == pytest.approx(2 * 2 / 7)
    assert _score("rouge-2", "the cat sat", "the cat ran off") == pytest.approx(2 * 1 / 5)
    assert _score("rouge-l", "the cat on mat", "the on cat mat") == pytest.approx(2 * 3 / 8)
    assert _score("rouge-1", "की", "के") == 0.0  # vowel signs are part of the word
    assert _score("rouge-1", "a b", "x y", "a b") == 1.0  # the best reference


def test_token_f1_and_exact_match_by_hand() -> None:
    assert _score("token-f1", "The Eiffel Tower!", "eiffel tower") == 1.0
    assert _score("token-f1", "the old tower", "tower of Paris") == pytest.approx(2 * 1 / (2 + 3))
    assert _score("token-f1", "the", "a") == 1.0  # both are empty once articles are gone
    assert _score("token-f1", "", "tower") == 0.0
    assert _score("exact-match", "Tower ", "Tower") == 1.0
    assert _score("exact-match", "the tower", "Tower") == 0.0
    assert _score("exact-match(text=squad)", "the tower", "Tower.") == 1.0
    assert _score("edit-distance", "kitten", "sitting", "mitten") == 1
    assert _score("edit-distance(of=words)", "a b c", "a c") == 1


def test_of_several_references_the_one_with_the_lowest_rate_counts() -> None:
    """One edit in one word is a higher rate than two in four; and an empty reference makes every word an error."""
    assert _score("wer", "a b c d", "x", "a b y z") == 0.5
    assert _score("wer", "x y", "z z z z z z", "x") == 1.0
    assert _score("wer", "a", "b", "a b") == 0.5
    assert _score("wer", "x y", "a b", "x a b c d e") == pytest.approx(5 / 6)
    assert _score("wer", "a b", "") == 2.0
    assert _whole("wer", [("a", ["b", "a b"]), ("c d", ["c e"])]) == pytest.approx(2 / 4)


def test_pass_at_k_by_closed_form() -> None:
    """Of 5 samples 2 are right: of the 10 pairs 3 are all wrong, 1 is all right."""
    samples = json.dumps([True, False, 1, 0, "fail"])
    assert _score("pass@2", samples) == pytest.approx(1 - 3 / 10)
    assert _score("pass^2", samples) == pytest.approx(1 / 10)
    assert _score("pass@1", samples) == pytest.approx(2 / 5) == _score("pass^1", samples)
    assert _score("pass@4", samples) == 1.0


def test_unknown_metrics_are_refused_with_the_nearest() -> None:
    with pytest.raises(PlanError) as refusal:
        build_metric("blue")
    assert str(refusal.value) == f"unknown metric 'blue'; known: {', '.join(known_metrics())}. Did you mean 'bleu'?"
    with pytest.raises(PlanError) as refusal:
        build_metric("mae")
    assert str(refusal.value) == "unknown metric 'mae'. Did you mean 'absolute-error'?"
    with pytest.raises(PlanError, match="bleu: tokenize must be '13a' or 'intl'"):
        build_metric("bleu(tokenize=flores200)")


def test_every_metric_says_what_it_is() -> None:
    for name in known_metrics():
        metric = build_metric(name)
        assert metric.name == name
        assert metric.has_whole == bool(metric.item_score), name
        assert str(type(metric).__doc__).strip(), name
