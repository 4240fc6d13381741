"""`score`: what it reads, what it refuses, and that its result can be ranked from memory and from files."""

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt

OUTPUTS = {
    "item": ["i1", "i1", "i2", "i2", "i3", "i3"],
    "system": ["owl", "yak"] * 3,
    "output": ["the cat sat", "a cat sat", "dogs run", "dogs ran", "so it is", "it is so"],
}
REFERENCES = {"item": ["i1", "i2", "i3"], "reference": ["the cat sat", "dogs ran", "so it is"]}


def _by_cell(scored: bt.Scored, metric: str) -> dict[tuple[str, str], Any]:
    rows = scored.columns()
    cells = zip(rows["item"], rows["system"], rows["metric"], rows["score"], strict=True)
    return {(item, system): score for item, system, name, score in cells if name == metric}


def test_a_long_table_with_references_of_their_own() -> None:
    scored = bt.score(OUTPUTS, "wer,exact-match", REFERENCES)
    assert _by_cell(scored, "exact-match") == {
        ("i1", "owl"): 1,
        ("i1", "yak"): 0,
        ("i2", "owl"): 0,
        ("i2", "yak"): 1,
        ("i3", "owl"): 1,
        ("i3", "yak"): 0,
    }
    assert scored["owl", "wer"] == pytest.approx(1 / 8)
    assert scored["yak", "wer"] == pytest.approx(3 / 8)
    assert "Less is better: wer." in scored.to_text()
    assert str(scored.reading) == "Read as outputs: item: item; system: system; output: output; references: reference."


def test_every_layout_gives_the_same_scores(tmp_path: Path) -> None:
    """Long with a column of references, wide, lines of text, and a file per system."""
    expected = _by_cell(bt.score(OUTPUTS, "chrf", REFERENCES), "chrf")
    owl, yak = OUTPUTS["output"][::2], OUTPUTS["output"][1::2]
    column = {**OUTPUTS, "truth": [text for text in REFERENCES["reference"] for _ in range(2)]}
    assert _by_cell(bt.score(column, "chrf"), "chrf") == expected
    assert _by_cell(bt.score(column, "chrf", "truth"), "chrf") == expected
    wide = {"item": REFERENCES["item"], "owl": owl, "yak": yak, "gold": REFERENCES["reference"], "prompt": ["?"] * 3}
    assert _by_cell(bt.score(wide, "chrf", systems=["owl", "yak"]), "chrf") == expected
    for name, lines in (("owl", owl), ("yak", yak), ("ref", REFERENCES["reference"])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    numbered = {(f"{int(item[1])}", system): score for (item, system), score in expected.items()}
    places = [str(tmp_path / f"{name}.txt") for name in ("owl", "yak")]
    assert _by_cell(bt.score(places, "chrf", str(tmp_path / "ref.txt")), "chrf") == numbered
    for name, texts in (("owl", owl), ("yak", yak)):
        rows = [{"item": item, "prediction": text} for item, text in zip(REFERENCES["item"], texts, strict=True)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "refs.csv").write_text(
        "item,reference\n" + "".join(f"i{n + 1},{text}\n" for n, text in enumerate(REFERENCES["reference"])), "utf-8"
    )
    places = [str(tmp_path / f"{name}.jsonl") for name in ("owl", "yak")]
    assert _by_cell(bt.score(places, "chrf", str(tmp_path / "refs.csv")), "chrf") == expected


def test_several_references(tmp_path: Path) -> None:
    """As a list in the cell, as several columns, as several files and as several rows."""
    texts = [["a b c", "x y"], ["d e", "z z"]]
    outputs = {"item": ["1", "2"], "owl": ["x y", "d e"], "yak": ["a b", "z"]}
    first, second = ([pair[place] for pair in texts] for place in (0, 1))
    expected = bt.score({**outputs, "ref": texts}, "bleu,wer", "ref", systems=["owl", "yak"])
    assert expected["owl", "wer"] == 0
    assert "nrefs=2" in str(expected.signature)
    columns = {**outputs, "one": first, "two": second}
    for name, lines in (("one", first), ("two", second)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), "utf-8")
    rows = {"item": ["1", "1", "2", "2"], "reference": [*texts[0], *texts[1]]}
    for given, reference in (
        (columns, ["one", "two"]),
        (columns, "one,two"),
        (outputs, rows),
        (outputs, [str(tmp_path / "one.txt"), str(tmp_path / "two.txt")]),
    ):
        found = bt.score(given, "bleu,wer", reference, systems=["owl", "yak"])
        assert found.totals == expected.totals


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_saved_result_is_ranked_and_compared_as_the_result_itself(ending: str, tmp_path: Path) -> None:
    scored = bt.score(OUTPUTS, "bleu,wer,exact-match", REFERENCES)
    place = tmp_path / f"scores.{ending}"
    scored.save(place)
    assert bt.rank(str(place), resamples=50) == bt.rank(scored, resamples=50)
    boards = bt.rank(str(place), ci="none")
    assert [row.system for row in boards["wer", "corpus"]] == ["owl", "yak"]
    assert boards["wer", "corpus"]["owl"].score == pytest.approx(1 / 8)
    assert boards["bleu", "corpus"]["yak"].score == pytest.approx(scored["yak", "bleu"])


def test_samples_are_gathered_or_averaged() -> None:
    rows = {
        "item": ["1"] * 4 + ["2"] * 4,
        "system": ["owl", "owl", "yak", "yak"] * 2,
        "seed": [0, 1] * 4,
        "output": ["pass", "fail", "fail", "fail", "pass", "pass", "pass", "fail"],
    }
    scored = bt.score(rows, "pass@1,pass@2,pass^2", outputs="output")
    assert (scored["owl", "pass@2"], scored["owl", "pass^2"], scored["yak", "pass@1"]) == (1.0, 0.5, 0.25)
    listed = {"item": ["1", "2"], "owl": [[True, False], [True, True]], "yak": [[0, 0], [1, 0]]}
    assert bt.score(listed, "pass@2", systems=["owl", "yak"])["yak", "pass@2"] == 0.5
    seeded = bt.score({**rows, "reference": ["pass"] * 8}, "exact-match")
    assert seeded["owl", "exact-match"] == 0.75
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.score({name: values for name, values in rows.items() if name != "seed"}, "pass@2")
    assert str(refusal.value).startswith("the given arrays, row 2: the item '1' has two outputs of one system")


def test_data_sets_and_groups_are_kept_apart() -> None:
    rows = {
        "dataset": ["x", "x", "y", "y"],
        "item": ["1"] * 4,
        "system": ["owl", "yak"] * 2,
        "doc": list("aabb"),
        "output": ["a b", "a", "c", "c d"],
        "reference": ["a b", "a b", "c d", "c d"],
    }
    scored = bt.score(rows, "wer", group="doc")
    assert {(each.dataset, each.system): each.score for each in scored.totals} == {
        ("x", "owl"): 0,
        ("x", "yak"): 0.5,
        ("y", "owl"): 0.5,
        ("y", "yak"): 0,
    }
    assert bt.rank(scored, ci="none").titles == ("x wer", "y wer")


def test_missing_outputs_are_counted_and_can_be_scored() -> None:
    holes = {**OUTPUTS, "output": ["the cat sat", "", "dogs run", None, "so it is", "it is so"]}
    scored = bt.score(holes, "exact-match", REFERENCES)
    assert [finding.code for finding in scored.findings] == ["missing-outputs"]
    assert str(scored.findings[0]) == (
        "! missing-outputs: 2 outputs of 6 are missing or empty, of 'yak', and have no score. If an empty output is a "
        "wrong one, pass empty='score'."
    )
    assert _by_cell(scored, "exact-match")["i1", "yak"] is None
    assert bt.score(holes, "exact-match", REFERENCES, empty="score")["yak", "exact-match"] == 0.0


def test_lines_may_be_empty_and_hold_odd_separators(tmp_path: Path) -> None:
    (tmp_path / "owl.txt").write_bytes("a\u2028b\n\nc\td\r\n".encode())
    (tmp_path / "ref.txt").write_bytes("a\u2028b\nx\nc\td".encode())
    scored = bt.score(str(tmp_path / "owl.txt"), "exact-match", str(tmp_path / "ref.txt"))
    assert [each.scored for each in scored.totals] == [3]
    assert scored["owl", "exact-match"] == pytest.approx(2 / 3)


def shout(output: str, references: list[str]) -> float | None:
    """A metric of one's own: the share of capitals, none of an empty output."""
    return None if output == "so it is" else sum(map(str.isupper, output)) / len(output)


def broken(output: str, references: list[str]) -> float:
    """A metric of one's own that fails."""
    raise RuntimeError("no")


def test_a_function_of_ones_own() -> None:
    scored = bt.score(OUTPUTS, f"{__name__}:shout", REFERENCES, lower_is_better=[f"{__name__}:shout"])
    assert scored.metrics[0].lower_is_better
    assert [finding.code for finding in scored.findings] == ["undefined-scores"]
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.score(OUTPUTS, f"{__name__}:broken", REFERENCES)
    assert str(refusal.value) == (
        f"{__name__}:broken of 'owl' on item 'i1': {__name__}:broken failed with RuntimeError: no. Correct it."
    )
    with pytest.raises(bt.PlanError, match=r"the metric nowhere:at_all cannot be loaded: No module named 'nowhere'"):
        bt.score(OUTPUTS, "nowhere:at_all", REFERENCES)


def test_a_program_of_ones_own(tmp_path: Path) -> None:
    program = tmp_path / "length"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\nfor line in sys.stdin:\n"
        "    row = json.loads(line)\n    print(json.dumps({'score': len(row['output']) - len(row['references'][0])}))\n",
        "utf-8",
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    scored = bt.score(OUTPUTS, str(program), REFERENCES)
    assert _by_cell(scored, str(program))["i1", "yak"] == -2
    program.write_text(f"#!{sys.executable}\nprint('{{}}')\n", "utf-8")
    with pytest.raises(bt.PlanError, match="wrote 1 lines for 6 outputs"):
        bt.score(OUTPUTS, str(program), REFERENCES)


@pytest.mark.parametrize(
    ("outputs", "options", "message"),
    [
        (OUTPUTS, {"metric": ""}, "name at least one metric. For example metric='chrf,wer'."),
        (
            OUTPUTS,
            {"metric": "wer"},
            "the given outputs: there are no references. Name their files, or a column of the outputs, with reference.",
        ),
        (
            OUTPUTS,
            {"metric": "wer", "reference": "gold"},
            "the outputs: no column 'gold'; its columns are 'item', 'system', 'output'.",
        ),
        (
            OUTPUTS,
            {"metric": "wer", "reference": {"item": ["i1"], "reference": ["x"]}},
            "the given outputs: the item 'i2' has no reference (2 of 3 items). Check that outputs and references name items alike. To leave such items out and count them, use on_error='skip'.",
        ),
        (
            OUTPUTS,
            {"metric": "absolute-error", "reference": REFERENCES},
            "absolute-error of 'owl' on item 'i1': the output 'the cat sat' is not a finite number. This metric compares numbers.",
        ),
        (
            {"item": ["1"], "a": ["x"], "prompt": ["y"]},
            {"metric": "wer", "reference": ["x"]},
            "the given arrays: no column is known to hold outputs; its columns are 'item', 'a', 'prompt'. Name it with outputs, or one column per system with systems.",
        ),
        (
            {**OUTPUTS, "reference": list("abcdef")},
            {"metric": "wer"},
            "the given arrays: the item 'i1' has different references in different rows. All outputs on an item are compared with the same: correct the rows.",
        ),
        (
            {"a": ["x"], "y": ["x"]},
            {"metric": "wer", "reference": "y", "systems": ["a", "a"]},
            "the given arrays: the column 'a' was named twice. Name it once.",
        ),
        (
            {"a": ["x"], "y": ["x"]},
            {"metric": "wer", "reference": "a", "systems": ["a"]},
            "the given arrays: the column 'a' was named twice. Name it once.",
        ),
        (
            {"system": ["a", "b"], "id": [1, 1], "output": ["x", "y"], "truth": ["x", "x"]},
            {"metric": "wer"},
            "the given arrays: no column is known to hold items; its columns are 'system', 'id', 'output', 'truth'. Name it with item.",
        ),
        (
            OUTPUTS,
            {"metric": "wer", "reference": REFERENCES, "lower_is_better": ["wer"]},
            "lower_is_better is for metrics of your own, and wer is known. Leave it out.",
        ),
    ],
)
def test_what_is_not_understood_is_refused(outputs: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.score(outputs, **options)
    assert str(refusal.value) == message


def test_a_column_that_is_no_system_is_never_scored() -> None:
    """A prompt is not an output: a table with one column per system is one on request only."""
    table = {"prompt": ["a"], "owl": ["b"], "yak": ["c"], "reference": ["b"]}
    with pytest.raises(bt.EvidenceError, match="no column is known to hold outputs"):
        bt.score(table, "wer")


def test_bad_parts_are_refused(tmp_path: Path) -> None:
    scored = bt.score(OUTPUTS, "wer", REFERENCES)
    columns = scored.columns()
    columns["parts"][1] = "1 x"
    with pytest.raises(bt.EvidenceError, match="the parts '1 x' are not numbers"):
        bt.rank(columns)
    columns["parts"][1] = "1 2 3"
    with pytest.raises(bt.EvidenceError, match="are 3 numbers, others 2"):
        bt.rank(columns)


def test_plain_scores_have_no_corpus_score() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank({"owl": [1.0, 2.0], "yak": [2.0, 0.5]}, model="corpus")
    assert str(refusal.value) == (
        "these scores do not say what each item adds to the score of the whole test set. Score the outputs with "
        "bt.score(...), or use model='mean'."
    )


def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text(
        "".join(json.dumps(dict(zip(OUTPUTS, row, strict=True))) + "\n" for row in zip(*OUTPUTS.values(), strict=True)),
        "utf-8",
    )
    (tmp_path / "refs.jsonl").write_text(
        "".join(
            json.dumps(dict(zip(REFERENCES, row, strict=True))) + "\n" for row in zip(*REFERENCES.values(), strict=True)
        ),
        "utf-8",
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = "import sys; from betterthan.cli.main import main; main(sys.argv[1:])"
        return subprocess.run(
            [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    done = run(
        "score",
        "out.jsonl",
        "--reference",
        "refs.jsonl",
        "--metric",
        "wer,chrf(words=2,beta=1)",
        "-o",
        "s.parquet",
        "-q",
    )
    assert (done.returncode, done.stderr) == (0, "")
    ranked = run("rank", "s.parquet", "--where", "metric=wer", "--format", "json", "--model", "corpus")
    assert (ranked.returncode, ranked.stderr) == (0, "")
    rows = json.loads(ranked.stdout)["leaderboards"][0]["rows"]
    assert [(row["system"], round(row["score"], 4)) for row in rows] == [("owl", 0.125), ("yak", 0.375)]
    assert "rouge" in run("score", "--metrics").stdout
    wrong = run("score", "out.jsonl", "--metric", "wer")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "there are no references" in wrong.stderr


def test_slow_metrics_on_all_cores_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from betterthan.verbs.score import measure_outputs as measure

    rng = np.random.default_rng(0)
    words = np.array(["the", "cat", "sat", "on", "a", "mat"])
    texts = [" ".join(rng.choice(words, 6)) for _ in range(120)]
    outputs = {
        "item": list(range(60)),
        "owl": texts[:60],
        "yak": texts[60:],
        "ref": [texts[(n * 7) % 120] for n in range(60)],
    }
    whole = bt.score(outputs, "ter", systems=["owl", "yak"])
    monkeypatch.setattr(measure, "_SECONDS", 1.0)
    assert bt.score(outputs, "ter", systems=["owl", "yak"]).columns() == whole.columns()


@pytest.mark.parametrize(
    ("metric", "library", "message"),
    [
        (
            "bleu",
            "sacrebleu",
            "the metric bleu needs sacrebleu, which is not installed. Run: pip install 'betterthan[metrics]'",
        ),
        (
            "wer",
            "rapidfuzz",
            "an edit distance needs rapidfuzz, which is not installed. Run: pip install 'betterthan[metrics]'",
        ),
        (
            "rr",
            "pytrec_eval",
            "the metric rr needs pytrec_eval, which is not installed. Run: pip install 'betterthan[retrieval]'",
        ),
    ],
)
def test_a_missing_library_is_one_sentence(
    metric: str, library: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(bt.MissingExtraError) as refusal:
        bt.score({"owl": ['["a"]'], "yak": ['["b"]'], "ref": ['["a"]']}, metric, "ref", systems=["owl", "yak"])
    assert str(refusal.value) == message


def test_select_takes_the_model_of_whole_test_sets() -> None:
    scored = bt.score("examples/outputs.jsonl", "bleu", "examples/references.jsonl")
    found = bt.select(scored, "corpus,mean", repeats=1, folds=3)
    assert {"corpus", "mean"} <= set(found.models)


def test_references_without_outputs_are_reported() -> None:
    outputs = {"item": ["1", "1"], "system": ["owl", "yak"], "output": ["a", "b"]}
    scored = bt.score(outputs, "exact-match", {"item": ["1", "2", "3"], "reference": ["a", "b", "c"]})
    assert [str(each) for each in scored.findings if each.code == "unused-references"] == [
        "! unused-references: 2 references of 3 belong to items without any output. Check that outputs and references "
        "name their items alike, and that no outputs are missing."
    ]
    assert scored.to_dict()["read_as"]["format"] == "outputs"
