"""RewardBench: a subset is a data set, a file is a model."""

import json
from pathlib import Path

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_lines


def test_the_form_of_the_hub_names_its_model(tmp_path: Path) -> None:
    for model, results in (("org/owl", [1, 0.5]), ("org/yak", [0, None])):
        path = tmp_path / "eval-set-scores" / f"{model}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        lists = {
            "id": [7, 8],
            "subset": ["math", "math"],
            "results": results,
            "scores_chosen": [1, 1],
            "scores_rejected": [0, 0],
        }
        path.write_text(json.dumps({**lists, "model": model, "model_type": "Classifier"}))
    (tmp_path / "eval-set-scores" / "org" / "means.json").write_text(
        json.dumps({"model": "org/owl", "model_type": "x", "math": 0.75})
    )
    assert means(tmp_path / "eval-set-scores") == {"math": {"org/owl": 0.75, "org/yak": 0.0}}
    assert found(tmp_path / "eval-set-scores")["unscored"].startswith("1 result is missing: there is no result;")


def test_folders_of_organisations_are_part_of_the_name(tmp_path: Path) -> None:
    results = Path(format_called("reward-bench").example(tmp_path))
    (results / "org").mkdir()
    (results / "owl_outputs.jsonl").rename(results / "org" / "owl_outputs.jsonl")
    assert bt.read(results).systems == ("org/owl", "yak")


def test_rewards_in_place_of_results_and_broken_lists_are_refused(tmp_path: Path) -> None:
    results = Path(format_called("reward-bench").example(tmp_path))
    path = results / "owl_outputs.jsonl"
    path.write_text(path.read_text().replace('"results": 1', '"results": 3'))
    assert refused(results) == f"{path}: the result 3 is none of RewardBench's; allowed: 1, 0, and 0.5 for a tie."
    path.write_text(json.dumps({"id": [1], "results": [1, 0], "scores_chosen": [1], "scores_rejected": [0]}))
    assert refused(results) == f"{path}: its lists are not equally long. Check whether the file is complete."


def test_boards_are_the_accuracies_of_subsets(tmp_path: Path) -> None:
    rows = {
        "owl": [("easy", 1), ("easy", 0.5), ("hard", 0), ("hard", 1)],
        "yak": [("easy", 0), ("easy", 0), ("hard", 1), ("hard", 1)],
    }
    for model, results in rows.items():
        lines = [
            {
                "prompt": "?",
                "results": result,
                "scores_chosen": 1.0,
                "scores_rejected": 2.0,
                "id": place,
                "subset": subset,
            }
            for place, (subset, result) in enumerate(results)
        ]
        write_lines(tmp_path / "rewards" / f"{model}_outputs.jsonl", lines)
    assert means(tmp_path / "rewards") == {"easy": {"owl": 0.75, "yak": 0.0}, "hard": {"owl": 0.5, "yak": 1.0}}
    assert bt.read(tmp_path / "rewards").tables[1].items == ("2", "3")
