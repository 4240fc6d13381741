"""No sentence contradicts a number: verdicts, tiles and overviews are read beside the JSON of the same result."""

import json
import re
from itertools import combinations, groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import betterthan as bt
from betterthan.verbs.report.headline import leading_system
from tests.one_answer.random_evidence import DESIGNS, TABLES, Table, several_from

Record = dict[str, Any]
#: A system that was never compared with the leader has any rank, and is no rival of it.
_FIRST = re.compile(
    r"(?:By [^,]+, )?(?:\S+: )?(?P<name>\w+) ranks first"
    r"(?P<sure>: (?P<level>[\d.]+) % rank range 1–1(?: for [\w ,]+?)?, ahead of every other system in "
    r"(?P<share>all|[\d.]+ % of) [\d,]+ (?:bootstrap samples|draws))?"
    r"(?P<best> \(compared with each other system, p = [\d.e-]+\)\. Over all pairs at once: [\d.]+ % rank range "
    r"(?P<from>\d+)–(?P<to>\d+)(?: for [\w ,]+?)?)?"
    r"(?P<unknown>, but not significantly: (?P<undetermined>[\d,]+) of (?P<samples>[\d,]+) bootstrap samples do not "
    r"determine every system, so rank ranges are open)?"
    r"(?P<open>, but not significantly: [\d.]+ % rank range (?P<low>\d+)–(?P<high>\d+)(?: for [\w ,]+?)?"
    r"(?:; (?P<rivals>[\w, ]+) may be best as well)?)?\."
)
_SHARED = re.compile(r"(?:By [^,]+, )?(?:\S+: )?(?P<names>\w[\w, ]*) share the first rank\.")


def listed(names: str | None) -> set[str]:
    """Return the names of a list in a sentence."""
    return set() if names is None else set(re.split(r", | and ", names))


def check_verdict(verdict: str, rows: list[Record], apart: set[str], lead: Record | None) -> None:
    """Compare a verdict with the rows of its board as JSON has them."""
    leaders = [row for row in rows if row["rank"] == 1]
    assert (lead is None) == (len(leaders) != 1)
    unplaced = {row["system"] for row in rows if row["rank"] is None}
    said = re.search(r"([\w, ]+) cannot be placed\.$", verdict)
    assert listed(said.group(1).strip() if said else None) == unplaced, verdict
    if len(leaders) > 1:
        shared = _SHARED.match(verdict)
        assert shared is not None, verdict
        assert listed(shared["names"]) == {row["system"] for row in leaders}
        return
    found, (first,) = _FIRST.match(verdict), leaders
    assert found is not None, verdict
    assert lead is not None
    assert found["name"] == first["system"] == rows[0]["system"] == lead["system"]
    assert (found["sure"] is not None) == (first["rank_high"] == 1), verdict
    assert (found["open"] is None and found["unknown"] is None) == lead["shown"], verdict
    if found["sure"]:
        assert (found["share"] == "all") == (first["p_best"] == 1)
        assert lead["shown"]
    elif found["best"]:
        assert (int(found["from"]), int(found["to"])) == (first["rank_low"], first["rank_high"])
    elif found["unknown"]:
        undetermined, samples = (int(found[name].replace(",", "")) for name in ("undetermined", "samples"))
        assert 2 * undetermined > samples
    else:
        assert (int(found["low"]), int(found["high"])) == (first["rank_low"], first["rank_high"])
        rivals = {row["system"] for row in rows[1:] if row["rank_low"] == 1 and row["rank"] is not None} - apart
        assert listed(found["rivals"]) == rivals, verdict


def check_separation(sentence: str, rows: list[Record]) -> None:
    """Compare the sentence on clusters with the clusters of rows."""
    found = re.match(r"(\d+) clusters?: (?:every rank|the rank ranges of ([\d–, ]+) overlap)", sentence)
    assert found is not None, sentence
    numbers = [row["cluster"] for row in rows if row["cluster"] is not None]
    groups = [
        [place for place, _ in group] for _, group in groupby(enumerate(numbers, start=1), key=lambda each: each[1])
    ]
    assert int(found[1]) == len(groups) == len(set(numbers))
    joined = [f"{group[0]}–{group[-1]}" for group in groups if len(group) > 1]
    assert (found[2].split(", ") if found[2] else []) == joined
    assert sentence.startswith(f"{found[1]} cluster{'' if found[1] == '1' else 's'}: ")


def check_intervals(rows: list[Record], model: str) -> None:
    """Every score lies within its interval, which has a width unless nothing varies.

    The ends of a median's interval are values that occur, so they may be the same one.
    """
    for row in rows:
        ends = (row["low"], row["high"])
        assert None in ends or row["low"] < row["high"] or model == "median" or row["wins"] == row["losses"] == 0, row
        assert row["score"] is None or row["low"] is None or row["low"] <= row["score"], row
        assert row["score"] is None or row["high"] is None or row["score"] <= row["high"], row


def check_board(board: bt.Leaderboard) -> None:
    """Check all sentences about a board."""
    found = json.loads(board.to_json())
    rows = found["rows"]
    apart = {name for name in board.fit.systems if not board.can_place(name)}
    check_verdict(found["verdict"], rows, apart, found["first"])
    assert board.to_text().startswith(found["verdict"])
    assert board.separation is not None
    check_separation(board.separation, rows)
    check_intervals(rows, board.model.name)
    check_tile(board, rows, shown=found["first"] is not None and found["first"]["shown"])


def check_tile(board: bt.Leaderboard, rows: list[Record], *, shown: bool) -> None:
    """Compare the tiles of a page with the rows."""
    tile, first = leading_system(board), rows[0]
    alone = sum(row["rank"] == 1 for row in rows) == 1
    assert (tile.certainty == "significant") == shown
    assert (tile.leader == first["system"]) == alone
    low, high = first["rank_low"], first["rank_high"]
    named = f"rank range {low if low == high else f'{low}–{high}'};" in tile.evidence
    assert named != board.is_open
    share = re.search(r"(more than )?(\d+) % of", tile.evidence)
    assert share is not None
    assert (share[2] == "100") == (first["p_best"] == 1)


@given(TABLES, st.sampled_from([0.8, 0.95]))
def test_sentences_of_boards_agree_with_their_numbers(table: Table, level: float) -> None:
    boards = bt.rank(table.read(), resamples=100, level=level)
    for board in boards:
        check_board(board)
    if len(boards) > 1:
        check_models(boards)


def check_models(boards: bt.Leaderboards) -> None:
    """Compare the verdict of several models with their boards."""
    found = json.loads(boards.to_json())
    each = {board["model"]: board["rows"] for board in found["leaderboards"]}
    leaders = {model: [row["system"] for row in rows if row["rank"] == 1] for model, rows in each.items()}
    named = {model: names[0] if len(names) == 1 else "no single system" for model, names in leaders.items()}
    if len(set(named.values())) > 1 or "no single system" in named.values():
        by = "; ".join(f"{name} by {model}" for model, name in named.items())
        assert found["verdict"] == f"Models disagree about which system ranks first: {by}."
        return
    sure = [board["model"] for board in found["leaderboards"] if board["first"]["shown"]]
    said = re.fullmatch(r"(?:Both|All \d) models rank (\w+) first, (.*)significantly \(.*\)\.", found["verdict"])
    assert said is not None, found["verdict"]
    assert said[1] == next(iter(named.values()))
    words = {0: "but none of them ", len(each): ""}.get(len(sure), f"but only {' and '.join(sure)} ")
    assert said[2] == words


@given(TABLES)
def test_sentences_of_a_report_agree_with_its_numbers(table: Table) -> None:
    page = bt.report(table.read(), resamples=60)
    found = json.loads(page.to_json())
    (part,), (said,) = found["data_sets"], found["verdicts"]
    rows = part["boards"]["leaderboards"][0]["rows"]
    main = page.parts[0].main
    lead = part["boards"]["leaderboards"][0]["first"]
    check_verdict(said["headline"], rows, {name for name in main.fit.systems if not main.can_place(name)}, lead)
    check_separation(said["sentences"][0], rows)
    pairs = part["pairs"]["pairs"]
    alpha = 1 - part["pairs"]["level"]
    number = sum(each["p_adjusted"] <= alpha for each in pairs)
    counted = next(sentence for sentence in said["sentences"] if "differ significantly" in sentence)
    assert counted.startswith(f"{number} of {len(pairs)} pair")
    open_pairs = {frozenset((each["a"], each["b"])) for each in pairs if each["p_adjusted"] > alpha}
    for step in said["next_steps"]:
        advised = re.match(r"(?:To separate (\w+) from (\w+),|Do not claim that (\w+) is better than (\w+)\.)", step)
        if advised is not None:
            assert frozenset(name for name in advised.groups() if name) in open_pairs, step
    for sentence in (*said["sentences"], said["headline"]):
        assert sentence in " ".join(page.to_text().split()) or sentence in page.to_text()


@given(DESIGNS.map(several_from))
def test_overviews_agree_with_their_boards(table: Table) -> None:
    boards = bt.rank(table.read(), resamples=60)
    found = json.loads(boards.to_json())
    overview, shown = found["overview"], {}
    for board in found["leaderboards"]:
        shown.setdefault(board["title"], (board["rows"], board["first"]))  # the mean, which comes first
    ahead: dict[str, list[bool]] = {}
    marks = [row[1:-1] for row in boards.overview.table(plain=True).rows] if boards.overview else []
    for place, (name, column) in enumerate((each["name"], each) for each in overview["columns"]):
        lead = shown[name][1]
        rows = {row["system"]: row for row in shown[name][0]}
        leaders = [system for system, row in rows.items() if row["rank"] == 1]
        if len(leaders) == 1:
            ahead.setdefault(leaders[0], []).append(lead["shown"])
        assert column["model"] == "mean"
        for system, cells, texts in zip(overview["systems"], overview["cells"], marks, strict=True):
            cell, text = cells[place], texts[place]
            if system not in rows:
                assert cell is None
                assert text == ""
                continue
            row = rows[system]
            assert (cell["value"], cell["low"], cell["high"]) == (row["score"], row["low"], row["high"])
            rival = row["rank_low"] == 1 and not (lead is not None and lead["shown"] and row["rank"] != 1)
            assert (cell["best"], cell["may_be_best"]) == (row["rank"] == 1, rival)
            assert (text.startswith("▸"), text.endswith("*")) == (
                cell["best"],
                cell["may_be_best"] and not cell["best"],
            )
    said, _, overall = found["verdict"].partition(" Overall (")
    check_leader(said, ahead, len(shown))
    if found["overall"] is not None:
        check_overall(overall, found["overall"], overview)


def check_overall(sentence: str, found: dict[str, Any], overview: dict[str, Any]) -> None:
    """Compare the sentence on all tasks with the rows of the overall board, and both with the overview."""
    values = dict(zip(overview["systems"], overview["overall"], strict=True))
    assert {row["system"]: row["score"] for row in found["rows"]} == pytest.approx(
        {system: value for system, value in values.items() if value is not None}
    )
    first = [row for row in found["rows"] if row["rank"] == 1]
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] for row in found["rows"])
    if len(first) > 1:
        assert f"{len(first)} systems share the first rank" in sentence
        return
    assert f", {first[0]['system']} ranks first" in sentence
    assert ("ranks first significantly" in sentence) == (found["p_first"] <= 1 - found["level"])
    if "rank range" in sentence:
        assert sentence.endswith(f"rank range {first[0]['rank_low']}–{first[0]['rank_high']}.")


def check_leader(verdict: str, ahead: dict[str, list[bool]], boards: int) -> None:
    """Compare the verdict on several data sets with who is ahead how often, and significantly."""
    most = max(map(len, ahead.values()), default=0)
    names = [name for name, times in ahead.items() if len(times) == most]
    said = verdict.removeprefix("By mean, ")
    if len(names) == 1:
        assert said.startswith(
            f"{names[0]} ranks first on {most} of {boards} leaderboards, significantly on {sum(ahead[names[0]])} of them"
        ), verdict
    elif names:
        assert (
            said
            == f"{' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))} each rank first on {most} of {boards} leaderboards."
        )
    else:
        assert said.lower().startswith("no system ranks first alone")


@given(TABLES)
def test_the_verdict_on_two_systems_agrees_with_its_numbers(table: Table) -> None:
    evidence = table.read()
    board = bt.rank(evidence, ci="none").boards[0]
    for a, b in list(combinations([row.system for row in board if row.comparisons], 2))[:2]:
        try:
            duel = bt.compare(evidence, a, b)
        except bt.BetterthanError:  # never compared with each other
            continue
        found = json.loads(duel.to_json())
        answer = duel.answer
        test = next(each for each in found["tests"] if each["name"] == found["recommended"])
        effect = next((each for each in found["effects"] if each["name"] == answer.effect.name), None)
        better = re.match(rf"{a} is (better|worse) than {b} ", duel.verdict)
        even = 0.5 if duel.question == "wins" else 0.0
        if better is not None:
            assert test["p"] <= 1 - duel.level
            assert effect is not None
            assert (effect["value"] > even) == (better[1] == "better")
            ends = [end for end in (effect["low"], effect["high"]) if end is not None]
            assert not ends or all((end - even) * (effect["value"] - even) >= 0 for end in ends)
        elif "do not differ significantly" in duel.verdict:
            assert test["p"] > 1 - duel.level
        for each in found["effects"]:
            ends = [end for end in (each["low"], each["value"], each["high"]) if end is not None]
            assert ends == sorted(ends), each


def _votes(*records: tuple[str, str, int, int]) -> list[Record]:
    return [
        {"model_a": a, "model_b": b, "winner": winner}
        for a, b, won, lost in records
        for winner in ["model_a"] * won + ["model_b"] * lost
    ]


def test_the_next_step_is_about_a_pair_that_is_open() -> None:
    # The first two differ, but share a cluster with the third, which few judgments place.
    votes = _votes(("owl", "yak", 260, 140), ("owl", "elk", 4, 2), ("yak", "elk", 4, 3))
    page = bt.report(votes, resamples=200)
    board = page.parts[0].main
    assert [row.system for row in board] == ["owl", "yak", "elk"]
    assert len(board.clusters) == 1
    decided = {(each.a, each.b) for each in page.parts[0].pairs.pairs if (each.p_adjusted or 0) <= 0.05}
    assert {frozenset(pair) for pair in decided} == {frozenset(("owl", "yak"))}
    steps = " ".join(page.verdicts[0].next_steps)
    assert "owl from elk" in steps or "owl is better than elk" in steps
    assert "yak" not in steps


def test_a_system_that_cannot_be_placed_is_no_rival() -> None:
    votes = _votes(("owl", "yak", 30, 20), ("owl", "elk", 0, 3), ("yak", "elk", 0, 3))
    board = bt.rank(votes, resamples=200).board
    assert board["elk"].rank is None
    assert board["elk"].rank_low == 1
    assert board.verdict == (
        "owl ranks first, but not significantly: 95 % rank range 1–3 for judgments like these; yak may be best as well. elk cannot be placed."
    )
