"""AlpacaEval, Arena-Hard and MT-Bench: preferences, games with sides exchanged, grades."""

import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.outcomes import LEFT, RIGHT, TIE
from tests.readers.tools.boards import found, refused, shares


def test_alpaca_eval_gives_its_own_win_rates(samples: Path) -> None:
    for place in (samples / "alpaca_eval").glob("*/*/annotations.json"):
        preferences = [each["preference"] for each in json.loads(place.read_text()) if each["preference"] is not None]
        # The leaderboard's rule: the mean of preferences, 0 counting as 1.5, minus 1.
        own = np.mean([1.5 if each == 0 else each for each in preferences]) - 1
        system, reference = place.parts[-3], next(iter(json.loads(place.read_text())))["generator_1"]
        if place.parts[-3] != "claude":
            assert shares(place, reference)[system] == pytest.approx(own, abs=1e-9)


def test_alpaca_eval_names_other_references_and_refuses_other_numbers(samples: Path, tmp_path: Path) -> None:
    evidence = bt.read(samples / "alpaca_eval")
    codes = [finding.code for finding in evidence.reading.findings]  # type: ignore[union-attr]
    assert {"several-references", "unscored", "files-ignored"} <= set(codes)
    assert "dataset" not in evidence.roles
    broken = json.loads((samples / "alpaca_eval" / "claude" / "alpaca_eval_gpt4" / "annotations.json").read_text())
    broken[3]["preference"] = 3
    (tmp_path / "annotations.json").write_text(json.dumps(broken))
    message = refused(tmp_path / "annotations.json")
    assert "the preference 3 is none of AlpacaEval's" in message


def test_arena_hard_exchanges_sides_and_counts_strong_wins_once(samples: Path, tmp_path: Path) -> None:
    place = next((samples / "arena-hard-auto").glob("**/Nexusflow__Athene-V2-Chat.jsonl"))
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    model = lines[0]["model"]
    points = {"A>>B": 0, "A>B": 0, "A=B": 0.5, "B>A": 1, "B>>A": 1}
    own = []
    for line in lines:
        for number, game in enumerate(line["games"]):
            if game["score"] is not None:
                own.append(points[game["score"]] if number == 0 else 1 - points[game["score"]])
    assert shares(place, "gpt-4-0314")[model] == pytest.approx(np.mean(own))
    assert bt.read(place).tally().number == len(own)
    assert found(place)["unscored"].startswith("4 results are missing: the game was not judged;")
    lines[0]["games"][0]["score"] = "A>>>B"
    (tmp_path / "odd.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    assert "the score 'A>>>B' is none of Arena-Hard's" in refused(tmp_path / "odd.jsonl")


def test_mt_bench_pairs_keep_both_games_with_the_first_shown_on_the_left(samples: Path) -> None:
    place = samples / "mt_bench" / "gpt-4_pair.jsonl"
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    evidence = bt.read(place)
    games = [(line["model_1"], line["g1_winner"]) for line in lines] + [
        (line["model_2"], line["g2_winner"]) for line in lines
    ]
    judged = [game for game in games if game[1] != "error"]
    tally = evidence.tally("judge")
    assert tally.number == len(judged)
    assert tally.units["judge"].labels == ("gpt-4",)
    first = {"model_1": lines[0]["model_1"], "model_2": lines[0]["model_2"]}
    left = sum(first.get(winner) == shown for shown, winner in judged)
    assert tally.times[tally.outcome == LEFT].sum() == left
    assert tally.times[tally.outcome == TIE].sum() == sum(winner == "tie" for _, winner in judged)
    assert tally.times[tally.outcome == RIGHT].sum() == len(judged) - left - sum(
        winner == "tie" for _, winner in judged
    )


def test_mt_bench_grades_are_the_last_ones_without_failures(samples: Path) -> None:
    place = samples / "mt_bench" / "gpt-4_single.jsonl"
    lines = sorted((json.loads(line) for line in place.read_text().splitlines()), key=lambda line: line["tstamp"])
    last = {(line["model"], line["question_id"], line["turn"]): line["score"] for line in lines}
    expected = defaultdict[str, list[float]](list)
    for (model, _, _), score in last.items():
        if score != -1:
            expected[model].append(score)
    table = bt.read(place).tables[0]
    means = np.nanmean(table.values, axis=0)
    assert dict(zip(table.systems, means.tolist(), strict=True)) == pytest.approx(
        {m: np.mean(s) for m, s in expected.items()}
    )
    assert not np.any(table.values == -1)
    assert table.grouped_by == "group"
    assert found(place)["replaced-rows"] == "8 rows were replaced by a later one for the same question, model and turn."
    assert math.isfinite(means[0])
