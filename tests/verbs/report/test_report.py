"""The report as a document: what it says, what it cites, how large it is."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.report.methods_text import methods
from betterthan.verbs.report.report_verdict import verdict
from tests.arenas import arena
from tests.browser.test_report import HOSTILE, hostile
from tests.verbs.study.rankings import ballots


def _votes(share: float, judgments: int = 400) -> list[tuple[str, str, str]]:
    won = round(share * judgments)
    return [("owl", "yak", "a")] * won + [("owl", "yak", "b")] * (judgments - won)


def test_the_verdict_is_as_sure_as_the_ranks_are() -> None:
    sure = bt.report(_votes(0.7), resamples=200).parts[0]
    assert verdict(sure).headline == (
        "By bradley-terry, owl ranks first: 95 % rank range 1–1 for judgments like these, ahead of every other system in all 200 bootstrap samples."
    )
    assert sure.main.rows[0].rank_high == 1
    likely = bt.report(_votes(0.54), resamples=1000).parts[0]
    assert verdict(likely).headline == f"By bradley-terry, {likely.main.verdict}"
    assert verdict(likely).headline.startswith("By bradley-terry, owl ranks first, but not significantly: ")
    assert any("collect about" in step for step in verdict(likely).next_steps)
    open_ = bt.report(_votes(0.505), resamples=200).parts[0]
    assert "95 % rank range 1–2 for judgments like these; yak may be best as well." in verdict(open_).headline
    equal = bt.report(_votes(0.5), resamples=200).parts[0]
    assert verdict(equal).headline == "By bradley-terry, owl and yak share the first rank."


def test_a_report_is_a_result_that_its_signature_repeats(tmp_path: Path) -> None:
    page = bt.report(arena(judgments=300), resamples=40, level=0.9, title="Spring")
    assert bt.report(arena(judgments=300), title="Spring", plan=str(page.signature)) == page
    page.save(tmp_path / "page.htm")
    page.save(tmp_path / "page.json")
    assert (tmp_path / "page.htm").read_text(encoding="utf-8") == page.html == page.to_html()
    document = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    assert document["verdicts"][0]["headline"] == verdict(page.parts[0]).headline
    assert document["data_sets"][0]["boards"]["leaderboards"][0]["rows"][0]["system"] in page.to_text()
    assert document["settings"]["level"] == 0.9


def test_disagreement_and_warnings_are_in_the_verdict() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=100)
    wild = base + rng.normal(0, 0.3, 100)
    wild[:6] += 60
    part = bt.report({"steady": base + 0.5, "wild": wild, "low": base - 3}, resamples=200).parts[0]
    text = " ".join(verdict(part).sentences)
    assert "Models disagree about the best system" in text
    assert re.search(r"The diagnosis has \d+ warnings? about the data\.", text)
    assert (part.main.model.name, part.diagnosis.advice.mechanism) == ("mean", "bradley-terry")


def test_one_model_is_the_default_everywhere() -> None:
    votes = arena(judgments=600)
    part = bt.report(votes, resamples=100).parts[0]
    assert part.diagnosis.advice.mechanism == "bradley-terry"
    assert [board.model.name for board in part.boards] == ["bradley-terry"]
    assert part.main.to_dict() == bt.rank(votes, resamples=100).board.to_dict()
    assert bt.compare_all(votes).model == bt.rank(votes, ci="none").board.mechanism == "bradley-terry"
    chosen = bt.report(arena(judgments=600), resamples=100, model="elo").parts[0]
    assert [board.model.name for board in chosen.boards] == ["elo"]


def test_every_work_cited_is_listed_and_every_one_listed_is_cited() -> None:
    for evidence in (
        arena(judgments=300),
        {name: np.random.default_rng(place).normal(size=40) for place, name in enumerate("abc")},
    ):
        paragraph, entries = methods(bt.report(evidence, resamples=100).parts[0])
        cited = set(re.findall(r"\[([a-z]+\d{4})\]", paragraph))
        listed = {re.match(r"@\w+\{(\w+),", entry).group(1) for entry in entries}  # type: ignore[union-attr]
        assert cited == listed
        assert "efron1979" in cited
        assert all(entry.count("{") == entry.count("}") for entry in entries)


def test_the_page_repeats_the_numbers_of_the_board() -> None:
    page = bt.report(arena(judgments=300), resamples=100)
    board = page.parts[0].main
    for row in board:
        assert f'data-value="{row.score}"' in page.html
    assert str(board.signature) in page.html


def test_embedded_data_holds_no_markup() -> None:
    page = bt.report(hostile(judgments=1500), resamples=100).html
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.S)
    assert embedded is not None
    assert "<" not in embedded.group(1)
    assert set(json.loads(embedded.group(1))["parts"][0]["systems"]) == set(HOSTILE)
    assert page.count("<script") == 2


def test_data_sets_that_cannot_be_ranked_are_named() -> None:
    columns: dict[str, list[Any]] = {"instance": [], "system": [], "metric": [], "score": []}
    for metric, systems in (("bleu", ("owl", "yak")), ("lone", ("owl",))):
        for item in range(10):
            for system in systems:
                for name, value in (
                    ("instance", item),
                    ("system", system),
                    ("metric", metric),
                    ("score", item * len(system) % 7),
                ):
                    columns[name].append(value)
    with pytest.raises(bt.BetterthanError, match="lone"):
        bt.report(columns, resamples=100)


def test_without_a_path_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bt.report(_votes(0.6), resamples=100)
    assert list(tmp_path.iterdir()) == []


def _methods(evidence: Any, **choices: Any) -> str:
    return methods(bt.report(evidence, model="bradley-terry", **choices).parts[0])[0]


def test_methods_say_that_pairs_and_rank_ranges_are_one_decision() -> None:
    said = _methods(arena(judgments=300), resamples=50)
    assert "Pairs of systems are compared by bradley-terry with the same bootstrap samples, corrected for all" in said
    assert "romano2005" in said
    assert "sign test" not in said


def test_a_sign_test_is_called_exact_where_it_is() -> None:
    """Without bootstrap samples, pairs are tested one by one."""
    rng = np.random.default_rng(0)
    rows = [("owl", "yak", outcome, f"p{n % 15}") for n, outcome in enumerate(rng.choice(["left", "right", "tie"], 90))]
    left, right, outcome, item = (list(column) for column in zip(*rows, strict=True))
    judgments = {"left": left, "right": right, "outcome": outcome}
    assert "by the exact sign test, ties left out" in _methods(judgments, ci="none")
    of_items = _methods({**judgments, "item": item}, ci="none")
    assert "exact" not in of_items
    assert "by the sign test, ties left out, by item" in of_items
    light = _methods({**judgments, "weight": [0.3] * 45 + [0.7] * 45}, ci="none")
    assert "exact" not in light
    values = rng.normal(size=(60, 2))
    assert "by the exact sign test" in _methods({"owl": values[:, 0], "yak": values[:, 1]}, ci="none")
    long = {
        "system": ["owl", "yak"] * 60,
        "instance": np.repeat(np.arange(60), 2).tolist(),
        "score": values.ravel().tolist(),
        "document": np.repeat(np.arange(20), 6).tolist(),
    }
    by_group = _methods(bt.read_scores(long, group="document"), ci="none")
    assert "exact" not in by_group
    assert "sign test, ties left out, by group of items" in by_group


def test_a_report_of_rankings_is_small(tmp_path: Path) -> None:
    path = tmp_path / "rankings.html"
    bt.report(ballots(100)[0], path, resamples=40)
    assert 50_000 < path.stat().st_size < 1_000_000


def test_a_missing_part_is_named_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(bt.BetterthanError, match=r"a report needs jinja2, which is not installed\. Run: pip install"):
        bt.report(Path("there-is-no-such-file.csv"))
