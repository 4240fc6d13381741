"""Lines that cannot be read are counted once each, whatever is asked and however often."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt

GOOD, BAD = 20, 3


def _csv(header: str, row: Callable[[int], str]) -> str:
    lines = [row(number) for number in range(GOOD)]
    short, long = lines[0].rsplit(",", 1)[0], lines[0] + ",more"
    lines[4:4] = [short, long, long + ",and more"]
    return "\n".join([header, *lines]) + "\n"


def _jsonl(row: Callable[[int], dict[str, Any]]) -> str:
    lines = [json.dumps(row(number)) for number in range(GOOD)]
    lines[4:4] = ["{", '{"left": ', "nonsense"]
    return "\n".join(lines) + "\n"


def _winner(number: int) -> str:
    return "aab"[number % 3]


FILES: dict[str, str] = {
    "judgments.csv": _csv("left,right,winner", lambda n: f"owl,yak,{_winner(n)}"),
    "one-unit.csv": _csv("left,right,winner,item", lambda n: f"owl,yak,{_winner(n)},i{n % 5}"),
    "two-units.csv": _csv("left,right,winner,item,judge", lambda n: f"owl,yak,{_winner(n)},i{n},j{n % 4}"),
    "votes.jsonl": _jsonl(lambda n: {"left": "owl", "right": "yak", "winner": _winner(n), "item": f"i{n % 5}"}),
    "scores-wide.csv": _csv("instance,owl,yak", lambda n: f"i{n},{n / 7},{n % 5}"),
    "scores-long.csv": _csv("instance,system,score", lambda n: f"i{n // 2},{'owl' if n % 2 else 'yak'},{n}"),
    "scores.jsonl": _jsonl(lambda n: {"instance": f"i{n}", "owl": n / 7, "yak": n % 5}),
    "ranks-wide.csv": _csv("owl,yak,elk", lambda n: "1,2,3" if n % 3 else "2,3,1"),
    "ranks-long.csv": _csv("ranking,system,rank", lambda n: f"r{n // 2},{'owl' if n % 2 else 'yak'},{1 + n % 2}"),
    "wmt.csv": _csv("judgeId,system1Id,system1rank,system2Id,system2rank", lambda n: f"j{n % 4},owl,1,yak,{1 + n % 2}"),
}


@pytest.mark.parametrize("name", FILES)
def test_kept_and_refused_are_what_the_file_holds(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    evidence = bt.read(path, on_error="skip")
    models: list[Any] = ["bradley-terry", "elo", ["bradley-terry", "elo", "win-rate"]]
    for model in models:
        for board in bt.rank(evidence, model=model, resamples=20):
            assert (board.evidence.rows, board.evidence.refused) == (GOOD + BAD, BAD)
    if isinstance(evidence, bt.Judgments):
        for by in [(), evidence.units[:1], evidence.units]:
            for order in (None, "file"):
                account = evidence.tally(*by, order=order).account
                assert (account.read, account.kept, account.refused) == (GOOD + BAD, GOOD, BAD)


def test_every_file_has_its_own_lines(tmp_path: Path) -> None:
    for name in ("first.csv", "second.csv"):
        (tmp_path / name).write_text(FILES["judgments.csv"])
    for order in (None, "file"):
        account = bt.read(tmp_path / "*.csv", on_error="skip").tally(order=order).account
        assert (account.read, account.refused) == (2 * (GOOD + BAD), 2 * BAD)


def test_lines_that_cannot_be_read_belong_to_no_data_set(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(_csv("left,right,winner,dataset", lambda n: f"owl,yak,{_winner(n)},{'ab'[n % 2]}"))
    votes = bt.read_judgments(path, on_error="skip")
    parts, left_out = votes.data_sets(), votes.left_out
    assert left_out is not None
    assert (left_out.read, left_out.refused) == (GOOD + BAD, BAD)
    assert [(part.tally().account.read, part.tally().account.refused) for _, part in parts] == [(GOOD // 2, 0)] * 2
