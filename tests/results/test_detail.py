"""How much a text says: the answer alone, the usual, or every finding in full."""

import re
from typing import Any

import pytest

import betterthan as bt
from betterthan.base.signature import Signature
from tests.arenas import arena


@pytest.fixture(scope="module")
def board() -> Any:
    return bt.rank(arena(), resamples=50)


def test_brief_is_the_table_alone(board: Any) -> None:
    assert board.to_text(None, "brief") == board.board.table().to_text()


def test_the_verdict_of_two_systems_is_all_that_is_brief() -> None:
    duel = bt.compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    assert duel.to_text(None, "brief") == duel.verdict
    assert duel.to_text().startswith(f"{duel.verdict}\n\n")
    assert duel.to_text().count(duel.verdict) == 1


def test_full_explains_every_finding_and_how_strengths_were_found(board: Any) -> None:
    text = board.to_text(None, "full")
    for finding in board.findings:
        assert f"{finding.code}: {finding.title}.\n  Found: {finding.message}" in text
        assert f"  Why it matters: {finding.why}" in text
    assert "Cluster 1: " in text
    assert re.search(r"bradley-terry converged after \d+ steps, log-likelihood -\d", text)
    assert "Why it matters" not in board.to_text()


def test_a_diagnosis_says_first_what_to_report(board: Any) -> None:
    diagnosis = bt.diagnose(arena())
    warnings = list(dict.fromkeys(each.code for each in diagnosis.findings if each.level == "warning"))
    assert diagnosis.verdict == f"Report bradley-terry. {len(warnings)} warnings: {', '.join(warnings)}."
    assert diagnosis.to_text().startswith(f"{diagnosis.verdict}\n\n400 judgments")
    assert diagnosis.to_text(None, "brief") == diagnosis.verdict
    assert diagnosis.to_text(None, "full").count("Why it matters: ") == len(diagnosis.findings)


def test_signatures_are_ascii_and_read_back() -> None:
    board = bt.rank(
        [("名前", "b|c:d%", "a"), ("b|c:d%", "名前", "a"), ("名前", "b|c:d%", "a")], anchor="名前=1500", resamples=20
    ).board
    line = str(board.signature)
    assert line.isascii()
    assert Signature.parse(line).facts["anchor"] == "名前=1500"
    old = "betterthan 0.2.0|verb:rank|conversion:scores→pairs|model:bradley-terry|anchor:名前%7C=1500|seed:0"
    assert Signature.parse(old).facts["conversion"] == "scores→pairs"
    assert Signature.parse(old).facts["anchor"] == "名前|=1500"
    assert bt.Plan.load(old).anchor == "名前|=1500"


def test_a_plan_made_for_other_data_says_so(board: Any) -> None:
    line = str(board.signature)
    again = bt.rank(arena(), line)
    assert str(again.signature) == line
    assert "data-changed" not in {finding.code for finding in again.findings}
    other = bt.rank([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, line, unit="row")
    found = {finding.code: finding for finding in other.findings}["data-changed"]
    assert found.level == "warning"
    assert found.message == (
        f"The plan or signature was made for other data: its digest is {board.data}, the digest of these data is "
        f"{other.data}."
    )
    assert f"! data-changed: {found.message}" in other.to_text()
