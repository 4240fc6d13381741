"""every_eval_ever: samples with a score, metrics described beside them."""

import json
from pathlib import Path

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused


def _example(folder: Path) -> Path:
    return Path(format_called("every-eval-ever").example(folder))


def _described(place: Path, **config: object) -> None:
    for path in place.rglob("1.json"):
        document = json.loads(path.read_text())
        document["evaluation_results"][0]["metric_config"].update(config)
        path.write_text(json.dumps(document))


def test_the_aggregate_says_metric_and_direction(tmp_path: Path) -> None:
    place = _example(tmp_path)
    [table] = bt.read(place).tables
    assert (table.title, table.negated) == ("sums wer", True)
    assert table.as_given.tolist() == [[0.25, 0.75], [0.5, 0.5]]
    _described(place, metric_id="quality", lower_is_better=False)
    [table] = bt.read(place).tables
    assert (table.title, table.negated) == ("sums quality", False)
    for path in place.rglob("1.json"):
        path.unlink()
    assert means(place) == {"sums score": {"org/owl": 0.375, "org/yak": 0.625}}


def test_results_of_one_sample_belong_to_their_metrics(tmp_path: Path) -> None:
    place = _example(tmp_path)
    for path in place.rglob("1.json"):
        document = json.loads(path.read_text())
        document["evaluation_results"] = [
            {
                "evaluation_name": "sums",
                "evaluation_result_id": name,
                "metric_config": {"metric_id": name, "lower_is_better": False},
            }
            for name in ("f1", "recall")
        ]
        path.write_text(json.dumps(document))
    for path in place.rglob("1_samples.jsonl"):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        told = [{**line, "evaluation_result_id": name} for line in lines for name in ("f1", "recall")]
        path.write_text("\n".join(map(json.dumps, told)))
    assert set(means(place)) == {"sums f1", "sums recall"}


def test_an_unknown_level_is_missing(tmp_path: Path) -> None:
    place = _example(tmp_path)
    _described(place, metric_id="level", lower_is_better=False)
    path = next(place.rglob("owl/1_samples.jsonl"))
    path.write_text(path.read_text().replace('"score": 0.25', '"score": -1'))
    assert means(place)["sums level"]["org/owl"] == -0.25
    _described(place, has_unknown_level=True)
    assert means(place)["sums level"]["org/owl"] == 0.5
    assert found(place)["unscored"].startswith("1 result is missing: the score is unknown;")


def test_other_data_under_the_same_id_are_reported(tmp_path: Path) -> None:
    place = _example(tmp_path)
    for path in place.rglob("1_samples.jsonl"):
        path.write_text(
            path.read_text().replace('"sample_id": "0"', f'"sample_id": "0", "sample_hash": "{path.parent.name}"')
        )
    assert found(place)["data-differ"].startswith("1 item of sums differs between systems")


def test_two_evaluations_of_a_model_are_two_systems(tmp_path: Path) -> None:
    place = _example(tmp_path)
    path = next(place.rglob("owl/1_samples.jsonl"))
    for name in ("1.json", "1_samples.jsonl"):
        text = path.with_name(name).read_text().replace("sums/owl", "sums/owl/later")
        path.with_name(name.replace("1", "2")).write_text(text)
    assert bt.read(place).systems == ("org/owl (sums/owl)", "org/owl (sums/owl/later)", "org/yak")


def test_lines_that_lack_something_are_refused(tmp_path: Path) -> None:
    place = _example(tmp_path)
    path = next(place.rglob("owl/1_samples.jsonl"))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1].replace('"evaluation":', '"evaluations":')]))
    assert refused(place) == f"{path}: a sample has no 'evaluation'. Check it against the schema."
