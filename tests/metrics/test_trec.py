"""TREC runs and relevance judgments: measured by `score`, refused by `rank` with how to."""

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import betterthan as bt

BM25 = "q1 Q0 d1 1 12.5 bm25\nq1 Q0 d2 2 11.5 bm25\nq2 Q0 d3 1 9.5 bm25\nq2 Q0 d1 2 9.1e0 bm25\n"
DENSE = "q1\tQ0\td2\t1\t0.9\tdense\nq1\tQ0\td3\t2\t0.8\tdense\n"
QRELS = "q1 0 d2 2\nq1 0 d1 0\nq2 0 d1 1\nq3 0 d9 0\n"


def _files(tmp_path: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return [str(tmp_path / f"{name}.txt") for name in texts]


def test_runs_are_measured_as_trec_eval_does(tmp_path: Path) -> None:
    *runs, qrels = _files(tmp_path, one=BM25, two=DENSE, qrels=QRELS)
    table = bt.score(runs, "ndcg@10", reference=qrels).to_scores().tables[0]
    assert (table.systems, table.items) == (("bm25", "dense"), ("q1", "q2"))
    relevant = {"q1": {"d2": 2, "d1": 0}, "q2": {"d1": 1}}
    evaluator = pytrec_eval.RelevanceEvaluator(relevant, {"ndcg_cut.10"})
    bm25 = evaluator.evaluate({"q1": {"d1": 12.5, "d2": 11.5}, "q2": {"d3": 9.5, "d1": 9.1}})
    dense = evaluator.evaluate({"q1": {"d2": 0.9, "d3": 0.8}})
    expected = [[bm25["q1"]["ndcg_cut_10"], dense["q1"]["ndcg_cut_10"]], [bm25["q2"]["ndcg_cut_10"], 0.0]]
    np.testing.assert_allclose(table.values, expected)


def test_systems_that_share_a_tag_are_named_after_their_files(tmp_path: Path) -> None:
    *runs, qrels = _files(tmp_path, one=BM25, two=DENSE.replace("dense", "bm25"), qrels=QRELS)
    assert bt.score(runs, "rr", reference=qrels).to_scores().systems == ("one", "two")
    both = _files(tmp_path, both=BM25 + DENSE)
    assert bt.score(both, "rr", reference=qrels).to_scores().systems == ("bm25", "dense")


@pytest.mark.parametrize(
    ("run", "qrels", "said"),
    [
        (BM25 + "q2 Q0 d4 3\n", QRELS, "line 5: 'q2 Q0 d4 3' is not query, Q0, document, rank, score and tag."),
        (BM25 + BM25, QRELS, "line 5: the document 'd1' stands twice for the query 'q1'."),
        (BM25, QRELS + "q2 0 d4 high\n", "line 5: 'q2 0 d4 high' is not query, 0, document and grade."),
        (BM25, QRELS.replace("q2", "q7"), "the item 'q2' has no reference (1 of 2 items)."),
    ],
)
def test_damaged_lines_are_refused(run: str, qrels: str, said: str, tmp_path: Path) -> None:
    places = _files(tmp_path, run=run, qrels=qrels)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.score(places[0], "rr", reference=places[1])
    assert said in str(refusal.value)


@pytest.mark.parametrize("ending", ["txt", "run", "tsv", "trec"])
def test_a_run_is_no_evidence_by_itself(ending: str, tmp_path: Path) -> None:
    place = tmp_path / f"bm25.{ending}"
    place.write_text(BM25.replace(" ", "\t") if ending == "tsv" else BM25)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(place)
    assert str(refusal.value) == (
        f"{place}: this is a TREC run, which ranks documents and holds no scores of systems. Measure it first: "
        "bt.score(...) with reference and metric='ndcg@10'."
    )


def test_references_of_four_numbers_are_texts(tmp_path: Path) -> None:
    texts = {"owl": "5 0 7 3\n1 0 2 3\n", "yak": "5 0 7 3\n9 0 2 3\n", "references": "5 0 7 3\n9 0 2 3\n"}
    *outputs, references = _files(tmp_path, **texts)
    scored = bt.score(outputs, "exact-match", reference=references).to_scores().tables[0]
    assert scored.values.tolist() == [[1.0, 1.0], [0.0, 1.0]]
