"""Plausible tables with a known order of systems: whatever is read at once, or by a pasted hint, has to have this order."""

import csv
import io
import json
import random
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from fuzz.checks import Answer

Row = dict[str, str]

_NAMES = (
    ("gpt-4o", "llama-3-70b", "mistral-7b", "qwen2-7b"),
    ("aurora", "birch", "cedar", "dune"),
    ("System A", "System B", "System C", "System D"),
    ("baseline", "ours", "ours+rerank", "ours, large"),
    ("run_01", "run_02", "run_03", "run_04"),
)
_SIDES = (("model_a", "model_b"), ("left", "right"), ("system1", "system2"), ("home_team", "away_team"), ("X", "Y"))
_ITEMS = ("item", "prompt_id", "question", "segment_id", "doc", "id", "problem", "")
_SYSTEMS = ("system", "model", "Model Name", "engine", "method", "run_name")
_MORE, _LESS = ("accuracy", "score", "BLEU", "f1", "quality", "reward"), ("wer", "TER", "perplexity", "MAE", "val_loss")
#: Words for the left side, a tie and the right side.
_WORDS = (
    ("left", "tie", "right"),
    ("A", "tie", "B"),
    ("model_a", "tie", "model_b"),
    ("A is better", "about the same", "B is better"),
    ("Response 1", "both good", "Response 2"),
    ("first wins", "draw", "second wins"),
    ("1-0", "1/2-1/2", "0-1"),
    ("prefer the first", "no idea", "prefer the second"),
)
#: Columns that mean nothing, with their values.
_OTHERS: dict[str, Callable[[random.Random], str]] = {
    "timestamp": lambda rng: f"2024-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
    "language": lambda rng: rng.choice(("en", "de")),
    "comment": lambda rng: rng.choice(("", "fine", "not sure, really")),
    "n_tokens": lambda rng: str(rng.randint(10, 900)),
    "annotator": lambda rng: rng.choice(("ann", "bob", "cem")),
    "year": lambda rng: str(rng.randint(1990, 2024)),
    "batch": lambda rng: str(rng.randint(1, 3)),
}


@dataclass(frozen=True)
class Plausible:
    """A file, and its systems from the best to the worst."""

    path: Path
    order: tuple[str, ...]


def plausible(folder: Path, rng: random.Random) -> Plausible:
    """Write a table as people have it: judgments, matches, rankings or scores in one of many layouts."""
    order = tuple(rng.sample(rng.choice(_NAMES), rng.choice((2, 3, 3, 4))))
    rows = rng.choice((_votes, _named_winners, _matches, _long_scores, _long_scores, _wide_scores, _rankings))(
        order, rng
    )
    others = rng.sample(sorted(_OTHERS), rng.choice((0, 0, 1, 2, 3)))
    rows = [{**row, **{name: _OTHERS[name](rng) for name in others if name not in row}} for row in rows]
    rng.shuffle(rows)
    columns = list(rows[0])
    if rng.random() < 0.4:
        rng.shuffle(columns)
    return Plausible(_file(folder, columns, rows, rng), order)


def wrong(made: Plausible, answer: Answer, ask: Callable[[list[str]], Answer]) -> list[str]:
    """Return what is wrong with the answer to `rank` of a plausible table, and with those to the hints it gives."""
    if answer.code == 0:
        return _misread(made, answer.out)
    hints = [shlex.split(line) for line in answer.err.splitlines() if line.startswith("  betterthan rank ")]
    found = []
    for hint in hints:
        again = ask(hint[1:])
        if again.code != 0:
            found.append(f"a hint fails: {shlex.join(hint)} ({again.err.strip()[:200]})")
        elif len(hints) == 1:
            found += [f"{each}, by the hint {shlex.join(hint)}" for each in _misread(made, again.out)]
    return found


def _misread(made: Plausible, out: str) -> list[str]:
    boards = [[row["system"] for row in board["rows"]] for board in json.loads(out)["leaderboards"]]
    return [f"read as {' > '.join(board)}, not {' > '.join(made.order)}" for board in boards if board != [*made.order]][
        :1
    ]


def _pairs(order: tuple[str, ...]) -> Iterator[tuple[int, str, str, float]]:
    """Yield the number, both systems and the result of every judgment: the better system wins four of five."""
    number = 0
    for repeat in range(10):
        for better, worse in combinations(order, 2):
            result = (1.0, 1.0, 1.0, 1.0, 0.0)[(repeat + number) % 5]
            turned = repeat % 2 == 1
            yield number, *((worse, better) if turned else (better, worse)), 1 - result if turned else result
            number += 1


def _votes(order: tuple[str, ...], rng: random.Random) -> list[Row]:
    (left, right), words = rng.choice(_SIDES), rng.choice(_WORDS)
    outcome, item = rng.choice(("winner", "preference", "outcome", "verdict", "better")), rng.choice(_ITEMS)
    return [
        {**_about(item, number), left: one, right: two, outcome: words[0 if result else 2]}
        for number, one, two, result in _pairs(order)
    ]


def _named_winners(order: tuple[str, ...], rng: random.Random) -> list[Row]:
    winner, loser = rng.choice((("winner", "loser"), ("winner_name", "loser_name"), ("chosen_model", "rejected_model")))
    return [{winner: one if won else two, loser: two if won else one} for _, one, two, won in _pairs(order)]


def _matches(order: tuple[str, ...], rng: random.Random) -> list[Row]:
    home, away = rng.choice((("home_score", "away_score"), ("home_goals", "away_goals"), ("score_1", "score_2")))
    left, right = ("team_1", "team_2") if home == "score_1" else ("home_team", "away_team")
    low = rng.randint(0, 2)
    return [
        {left: one, right: two, home: str(low + int(won) + 1), away: str(low + int(not won) + 1)}
        for _, one, two, won in _pairs(order)
    ]


def _long_scores(order: tuple[str, ...], rng: random.Random) -> list[Row]:
    less = rng.random() < 0.4
    metric, system, item = rng.choice(_LESS if less else _MORE), rng.choice(_SYSTEMS), rng.choice(_ITEMS[:-1])
    return [
        {item: f"q{number}", system: name, metric: f"{_score(place, number, rng, less=less):.3f}"}
        for number in range(12)
        for place, name in enumerate(order)
    ]


def _wide_scores(order: tuple[str, ...], rng: random.Random) -> list[Row]:
    item = rng.choice(_ITEMS)
    columns = [*enumerate(order)]
    rng.shuffle(columns)
    return [
        {**_about(item, number), **{name: f"{_score(place, number, rng, less=False):.3f}" for place, name in columns}}
        for number in range(12)
    ]


def _rankings(order: tuple[str, ...], rng: random.Random) -> list[Row]:
    ranking, system = rng.choice(("ranking", "ballot_id", "judge")), rng.choice(_SYSTEMS[:3])
    rows = []
    for number in range(12):
        held = [*order] if number % 4 else [order[1], order[0], *order[2:]]
        rows += [{ranking: f"r{number}", system: name, "rank": str(place)} for place, name in enumerate(held, 1)]
    return rows


def _about(item: str, number: int) -> Row:
    return {item: f"q{number}"} if item else {}


def _score(place: int, number: int, rng: random.Random, *, less: bool) -> float:
    """Return a score that is better for systems that come first, with noise that never reverses their means."""
    quality = 0.9 - 0.2 * place + 0.05 * (number % 3) / 3 + 0.02 * rng.random()
    return 1 - quality if less else quality


def _file(folder: Path, columns: list[str], rows: list[Row], rng: random.Random) -> Path:
    end = rng.choice(("csv", "csv", "tsv", "jsonl"))
    path = folder / f"results {rng.randrange(10)}.{end}"
    if end == "jsonl":
        path.write_text("".join(json.dumps({name: row[name] for name in columns}) + "\n" for row in rows), "utf-8")
        return path
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if end == "tsv" else ",", lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row[name] for name in columns] for row in rows)
    path.write_text(text.getvalue(), "utf-8")
    return path
