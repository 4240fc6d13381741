"""Write the bundled and the example evidence: simulated, with fixed seeds and known truth."""

import json
from pathlib import Path

import numpy as np

from betterthan.engine.duckdb.column_export import write_columns
from betterthan.present import atomic_files
from betterthan.worlds.simulated import DEMO_ARENA, DEMO_SCORES, DEMO_SEED, Arena

ROOT = Path(__file__).parent.parent


def write_demo(folder: Path) -> None:
    """Write arena.csv.gz, scores.csv.gz and truth.json."""
    rng = np.random.default_rng(DEMO_SEED)
    write_columns(folder / "arena.csv.gz", DEMO_ARENA.simulate(rng, judgments=4000, items=300, judges=24))
    write_columns(folder / "scores.csv.gz", DEMO_SCORES.simulate(rng, items=240))
    truth = {
        "arena": dict(zip(DEMO_ARENA.systems, np.round(DEMO_ARENA.truth(), 6).tolist(), strict=False)),
        "scores": dict(zip(DEMO_SCORES.systems, np.round(DEMO_SCORES.truth(), 6).tolist(), strict=False)),
    }
    atomic_files.write_text(folder / "truth.json", json.dumps(truth, indent=1) + "\n")


def write_examples(folder: Path) -> None:
    """Write votes.csv and scores.csv: small enough to read."""
    rng = np.random.default_rng(DEMO_SEED + 1)
    world = Arena(strengths=(1.2, 0.6, 0.5, 0.1, -0.4, -0.9))
    write_columns(folder / "votes.csv", world.simulate(rng, judgments=900, items=60, judges=9))
    write_columns(folder / "scores.csv", DEMO_SCORES.simulate(rng, items=80))


def write_runs(folder: Path) -> None:
    """Write three runs of one test set: right or wrong on 400 questions of four topics."""
    rng = np.random.default_rng(DEMO_SEED + 2)
    questions = 400
    difficulty = rng.normal(0.0, 2.0, questions)
    topics = np.array(["dates", "names", "numbers", "places"], dtype=object)[np.arange(questions) % 4]
    items = np.array([f"q{number:03d}" for number in range(questions)], dtype=object)
    for run, ability in {"old": 1.3, "new": 2.0, "newer": 2.3}.items():
        right = difficulty + rng.logistic(size=questions) < ability
        columns = {"item": items.tolist(), "topic": topics.tolist(), "correct": right.astype(int).tolist()}
        write_columns(folder / f"{run}.csv", columns)


def write_styled(folder: Path) -> None:
    """Write styled.csv: votes of judges who like long answers; birch writes long ones and is no better for it."""
    rng = np.random.default_rng(DEMO_SEED + 3)
    names = np.array(["aurora", "birch", "cedar", "dune"], dtype=object)
    strength, words = np.array([0.6, 0.2, 0.2, -0.6]), np.array([1.5, 3.0, 1.5, 1.0])
    votes, prompts, judges = 1200, 150, 30
    left = rng.integers(4, size=votes)
    right = (left + rng.integers(1, 4, size=votes)) % 4
    longer = np.round(words[left] - words[right] + rng.normal(0.0, 0.8, votes), 2)
    gap = strength[left] - strength[right] + 0.5 * longer
    draw, win = rng.random(votes), 1.0 / (1.0 + np.exp(-gap))
    winner = np.where(draw < 0.9 * win, "model_a", np.where(draw < 0.9 * win + 0.1, "tie", "model_b"))
    columns = {
        "prompt_id": np.array([f"p{number:03d}" for number in rng.integers(prompts, size=votes)], dtype=object),
        "judge": np.array([f"j{number:02d}" for number in rng.integers(judges, size=votes)], dtype=object),
        "model_a": names[left],
        "model_b": names[right],
        "winner": winner.astype(object),
        "length_diff": longer,
    }
    write_columns(folder / "styled.csv", columns)


def write_judged(folder: Path) -> None:
    """Write judged.csv: a human evaluation by twelve judges, of whom one nearly always chooses the left side."""
    rng = np.random.default_rng(DEMO_SEED + 4)
    world = Arena(strengths=(1.1, 0.4, 0.3, -0.4, -1.2), systems=("maple", "hazel", "linden", "rowan", "alder"))
    told = world.simulate(rng, judgments=960, items=120, judges=12)
    names = {"p": "note", "j": "judge"}
    item, judge = (
        np.array([names[value[0]] + value[1:].lstrip("0").rjust(1, "0") for value in told[column]], dtype=object)
        for column in ("prompt_id", "judge")
    )
    winner = np.array(
        [{"model_a": "left", "model_b": "right"}.get(value, value) for value in told["winner"]], dtype=object
    )
    careless = judge == "judge7"
    winner[careless] = np.where(rng.random(int(careless.sum())) < 0.9, "left", "right")
    columns = {"item": item, "judge": judge, "left": told["model_a"], "right": told["model_b"], "winner": winner}
    write_columns(folder / "judged.csv", columns)


def write_graded(folder: Path) -> None:
    """Write graded.csv: a model graded the answers of four systems, people those to 60 of 500 questions.

    birch is the best system. The model is lenient to cedar, whose answers are long.
    """
    rng = np.random.default_rng(DEMO_SEED + 5)
    names, questions, labelled = ["aurora", "birch", "cedar", "dune"], 500, 60
    chance = 1 / (1 + np.exp(-(np.array([0.2, 0.9, 0.3, -0.4]) + rng.normal(0.0, 1.2, (questions, 1)))))
    right = rng.random((questions, 4)) < chance
    graded = np.where(rng.random((questions, 4)) < 0.88, right, ~right)
    graded[:, 2] |= rng.random(questions) < 0.45
    people = np.where(np.isin(np.arange(questions), rng.permutation(questions)[:labelled])[:, None], right, np.nan)
    columns = {
        "item": [f"q{item:03d}" for item in range(questions) for _ in names],
        "system": names * questions,
        "llm_score": graded.astype(int).ravel().tolist(),
        "human_score": [None if np.isnan(each) else int(each) for each in people.ravel()],
    }
    write_columns(folder / "graded.csv", columns)


if __name__ == "__main__":
    write_demo(ROOT / "src" / "betterthan" / "demo")
    write_examples(ROOT / "examples")
    write_runs(ROOT / "examples" / "runs")
    write_styled(ROOT / "examples")
    write_judged(ROOT / "examples")
    write_graded(ROOT / "examples")
