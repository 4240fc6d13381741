"""`betterthan fit`: every option reaches the model, every format says the same, and every refusal is one message."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import betterthan as bt
from betterthan.base import spelling
from tests.arenas import arena, rows

Run = Callable[..., Any]

KEYS = [
    "betterthan",
    "schema",
    "signature",
    "settings",
    "scale",
    "coefficients",
    "deviance",
    "df",
    "null_deviance",
    "null_df",
    "gof_p",
    "pearson",
    "log_likelihood",
    "aic",
    "bic",
    "judgments",
    "unit",
    "clusters",
    "refused",
    "converged",
    "iterations",
    "reference",
    "worth",
    "worths",
    "tests",
    "random",
    "patterns",
    "classes",
    "read_as",
    "findings",
]
OF_COEFFICIENTS = [
    "term",
    "kind",
    "estimate",
    "se",
    "z",
    "df",
    "p",
    "low",
    "high",
    "odds",
    "reference",
    "aliased",
    "infinite",
]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    columns = {name: values for name, values in arena().items() if name != "weight"}
    rng = np.random.default_rng(6)
    columns["length_diff"] = rng.integers(-3, 4, size=400).tolist()
    columns["site"] = rng.choice(["north", "south"], size=400).tolist()
    return _written(tmp_path / "votes.csv", columns)


@pytest.fixture
def systems(tmp_path: Path) -> Path:
    return _written(tmp_path / "systems.csv", {"system": ["elk", "emu", "fox", "owl", "yak"], "size": [3, 1, 2, 9, 4]})


def _written(path: Path, columns: dict[str, Any]) -> Path:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows(columns))]
    path.write_text("\n".join(lines) + "\n")
    return path


def _document(run: Run, *arguments: object) -> dict[str, Any]:
    """Return what a call prints as JSON."""
    answer = run("fit", *arguments, "--format", "json")
    assert (answer.code, answer.err) == (0, "")
    document: dict[str, Any] = json.loads(answer.out)
    return document


def test_json_has_the_documented_shape(run: Run, votes: Path) -> None:
    document = _document(run, votes)
    assert list(document) == KEYS
    assert all(list(each) == OF_COEFFICIENTS for each in document["coefficients"])
    model = bt.fit(votes)
    assert [each["term"] for each in document["coefficients"]] == ["elk", "emu", "fox", "owl", "yak", "undecided"]
    assert [each["estimate"] for each in document["coefficients"]] == pytest.approx([each.estimate for each in model])
    assert document["coefficients"][4] == {
        "term": "yak",
        "kind": "strength",
        "estimate": 0.0,
        "se": 0.0,
        "z": None,
        "df": None,
        "p": None,
        "low": 0.0,
        "high": 0.0,
        "odds": 1.0,
        "reference": True,
        "aliased": False,
        "infinite": False,
    }
    assert (document["deviance"], document["df"]) == (pytest.approx(model.deviance), model.df)
    assert document["log_likelihood"] == pytest.approx(model.log_likelihood)
    assert document["worth"] == pytest.approx(model.worth)
    assert (document["reference"], document["judgments"], document["refused"]) == ("yak", 400.0, 0)


def test_every_format_and_file_says_the_same(run: Run, votes: Path, tmp_path: Path) -> None:
    arguments = (votes, "--subject", "~ site", "--reference", "elk", "--unit", "row")
    document = _document(run, *arguments)
    expected = [(each["term"], each["estimate"]) for each in document["coefficients"]]
    printed = list(csv.DictReader(io.StringIO(run("fit", *arguments, "--format", "csv").out)))
    assert [(row["term"], float(row["estimate"])) for row in printed] == expected
    for ending in ("json", "csv", "md", "tex", "html", "txt", "parquet"):
        answer = run("fit", *arguments, "-q", "-o", tmp_path / f"model.{ending}")
        assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert json.loads((tmp_path / "model.json").read_text()) == document
    table = pq.read_table(tmp_path / "model.parquet").to_pydict()
    assert list(zip(table["term"], table["estimate"], strict=True)) == expected
    assert (tmp_path / "model.csv").read_text() == run("fit", *arguments, "--format", "csv").out
    latex = (tmp_path / "model.tex").read_text()
    assert latex.startswith("\\begin{tabular}{lrrrrlr}\n\\toprule\nterm & estimate & std. error & z & p & 95 \\%")
    assert latex == run("fit", *arguments, "--format", "latex").out
    markdown = (tmp_path / "model.md").read_text()
    assert markdown.startswith("| term | estimate | std. error | z | p | 95 % interval | odds |")
    assert markdown == run("fit", *arguments, "--format", "markdown").out
    assert "<table" in (tmp_path / "model.html").read_text()
    assert (tmp_path / "model.txt").read_text() == run("fit", *arguments, "-q").out


def test_text_ends_with_the_signature(run: Run, votes: Path) -> None:
    answer = run("fit", votes, "--position", "--ties", "drop", "--unit", "item")
    last = answer.out.splitlines()[-1]
    assert last.startswith(
        "betterthan 0.2.0|verb:fit|ties:drop|position:yes|unit:item|model:bradley-terry|scale:log|level:0.95|data:"
    )
    assert "Residual deviance" in answer.out


CHOICES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "ties fixed": (["--ties", "fixed"], {"ties": "fixed"}),
    "ties drop": (["--ties", "drop"], {"ties": "drop"}),
    "ties half": (["--ties", "half"], {"ties": "half"}),
    "ties rao-kupper": (["--ties", "rao-kupper"], {"ties": "rao-kupper"}),
    "position": (["--position"], {"position": True}),
    "position by": (["--position-by", "~ site"], {"position": "~ site"}),
    "reference": (["--reference", "fox"], {"reference": "fox"}),
    "subject": (["--subject", "~ judge"], {"subject": "~ judge"}),
    "contrast": (["--contrast", "~ length_diff"], {"contrast": "~ length_diff"}),
    "undecided": (["--undecided", "~ site"], {"undecided": "~ site"}),
    "undecided object": (["--undecided", "object"], {"undecided": "object"}),
    "by": (["--by", "site, position"], {"by": ("site", "position")}),
    "unit": (["--unit", "row"], {"unit": "row"}),
    "units": (["--unit", "judge"], {"unit": "judge"}),
    "random": (["--random", "judge"], {"random": "judge"}),
    "level": (["--level", "0.9"], {"level": 0.9}),
    "anova": (
        ["--anova", "--position", "--contrast", "~ length_diff"],
        {"anova": True, "position": True, "contrast": "~ length_diff"},
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_options_reach_the_model(run: Run, votes: Path, case: str) -> None:
    arguments, choices = CHOICES[case]
    document, plain = _document(run, votes, *arguments), _document(run, votes)
    with spelling.spell_for("command line"):
        assert document == json.loads(bt.fit(votes, **choices).to_json())
    for each in (document, plain):
        del each["signature"]
    assert document != plain


def test_tables_of_systems_reach_the_model(run: Run, votes: Path, systems: Path) -> None:
    whole = _document(run, votes, "--object", systems)
    assert [each["term"] for each in whole["coefficients"]] == ["size", "undecided"]
    assert whole["reference"] is None
    residual = _document(run, votes, "--object", systems, "--residual")
    assert [each["term"] for each in residual["coefficients"] if each["aliased"]] == ["owl"]
    crossed = _document(run, votes, "--object", systems, "--terms", "~ size + size:site")
    assert [each["term"] for each in crossed["coefficients"]] == ["size", "size:site[T.south]", "undecided"]
    assert crossed == json.loads(bt.fit(votes, object=systems, terms="~ size + size:site").to_json())


def test_scale_halves_strengths(run: Run, votes: Path) -> None:
    log, half = (_document(run, votes, "--position", "--scale", scale) for scale in ("log", "lambda"))
    assert (log["scale"], half["scale"]) == ("log", "lambda")
    for each, other in zip(log["coefficients"], half["coefficients"], strict=True):
        factor = 0.5 if each["kind"] == "strength" else 1.0
        assert other["estimate"] == pytest.approx(factor * each["estimate"])
    assert half["worth"] == log["worth"]


def test_anova_is_shown(run: Run, votes: Path) -> None:
    arguments = (votes, "--anova", "--subject", "~ site", "--position", "--unit", "row")
    tests = _document(run, *arguments)["tests"]
    assert [(test["term"], test["name"], test["df"]) for test in tests] == [
        ("subject: site", "likelihood ratio", 4),
        ("position", "likelihood ratio", 1),
        ("undecided", "likelihood ratio", 1),
    ]
    assert all(0 <= test["p"] <= 1 for test in tests)
    lines = [line.split() for line in run("fit", *arguments).out.splitlines()]
    assert ["subject:", "site", f"{tests[0]['statistic']:.4f}", "4"] in [line[:4] for line in lines]


def test_random_judges_are_shown(run: Run, votes: Path) -> None:
    random = _document(run, votes, "--random", "judge")["random"]
    assert set(random) == {"column", "sd", "low", "high", "log_likelihood", "statistic", "p", "deviations", "errors"}
    assert random["low"] <= random["sd"] <= random["high"]
    assert len(random["deviations"]) == 7


def test_rankings_are_pairs_or_whole(run: Run, tmp_path: Path) -> None:
    path = _written(
        tmp_path / "ranks.csv", {"judge": ["u", "v"] * 6, "A": [1, 1, 2] * 4, "B": [2, 3, 1] * 4, "C": [3, 2, 3] * 4}
    )
    pairs = _document(run, path, "--as", "rankings")
    assert "unit:ranking" in pairs["signature"]
    whole = _document(run, path, "--as", "rankings", "--model", "plackett-luce", "--subject", "~ judge")
    assert "model:plackett-luce" in whole["signature"]
    assert "A:judge[T.v]" in {each["term"] for each in whole["coefficients"]}


def test_columns_of_the_evidence_can_be_named(run: Run, tmp_path: Path) -> None:
    path = _written(
        tmp_path / "odd.csv",
        {"erster": list("AABB"), "zweiter": list("BBAA"), "wer": ["l", "r", "r", "l"], "mal": [9, 4, 3, 5]},
    )
    document = _document(
        run,
        path,
        "--left",
        "erster",
        "--right",
        "zweiter",
        "--outcome",
        "wer",
        "--counts",
        "mal",
        "--outcome-map",
        "l=left,r=right",
    )
    assert document["judgments"] == 21
    assert document["coefficients"][0]["estimate"] == pytest.approx(np.log(12 / 9))


def test_rows_that_are_left_out_are_counted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "holes.csv"
    path.write_text("left,right,winner,age\nA,B,a,30\nB,A,a,31\nA,B,NA,32\nA,B,tie,33\nA,B,b,\n")
    answer = run("fit", path, "--subject", "~ age")
    assert answer.code == 2
    assert "row 5: the covariate age is missing" in answer.err
    document = _document(run, path, "--on-error", "skip", "--by", "age")
    assert (document["judgments"], document["refused"]) == (3.0, 2)
    assert document["findings"][0]["code"] == "refused-rows"


def test_where_chooses_the_rows(run: Run, votes: Path) -> None:
    document = _document(run, votes, "--where", "site=north")
    assert (
        document["coefficients"]
        == json.loads(bt.fit(bt.read_judgments(votes, where={"site": "north"})).to_json())["coefficients"]
    )


REFUSED: dict[str, tuple[list[str], str]] = {
    "formula": (["--subject", "~ judge +"], "the formula '~ judge +' cannot be read"),
    "column": (["--subject", "~ juge"], "no column 'juge'"),
    "nearest": (["--contrast", "~ lenght_diff"], "Did you mean 'length_diff'?"),
    "reference": (["--reference", "owll"], "Did you mean 'owl'?"),
    "terms": (["--terms", "~ size"], "Pass the table of systems as --object."),
    "residual": (
        ["--residual"],
        "--residual adds the systems' own effects to those of a whole table. Pass --object without --terms.",
    ),
    "undecided": (
        ["--ties", "drop", "--undecided", "~ judge"],
        "--ties drop has no tie parameter, which --undecided is about.",
    ),
    "two ways": (["--random", "judge", "--unit", "judge"], "Choose --random or --unit."),
    "cluster": (["--unit", "nothing"], "no column 'nothing'"),
    "level": (["--level", "2"], "level must be"),
    "object": (["--object", "nowhere.csv"], "nowhere.csv: no such file"),
    "rankings": (["--model", "plackett-luce"], "plackett-luce takes rankings"),
    "output": (["-o", "model.docx"], "cannot tell the format from its ending"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_input_is_one_message(run: Run, votes: Path, case: str) -> None:
    arguments, message = REFUSED[case]
    answer = run("fit", votes, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("betterthan: ")
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    "arguments", [["--ties", "both"], ["--scale", "elo"], ["--model", "thurstone"], ["--sbject", "~ x"]]
)
def test_unknown_words_are_usage_errors(run: Run, votes: Path, arguments: list[str]) -> None:
    answer = run("fit", votes, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert arguments[0] in answer.err
    assert "Traceback" not in answer.err


def test_evidence_that_cannot_be_fitted_is_refused(run: Run, tmp_path: Path, votes: Path) -> None:
    scores = _written(tmp_path / "scores.csv", {"item": [1, 2, 3], "A": [0.1, 0.2, 0.3], "B": [0.3, 0.2, 0.1]})
    itself = _written(tmp_path / "itself.csv", {"left": ["A"], "right": ["A"], "winner": ["a"]})
    lacking = _written(tmp_path / "lacking.csv", {"system": ["owl", "yak"], "size": [1, 2]})
    for arguments, message in (
        ([scores, "--as", "scores"], "these are scores. Convert them first"),
        ([itself], "'A' is compared with itself"),
        ([tmp_path / "none.csv"], "no such file"),
        ([votes, "--object", lacking], "says nothing about 'elk', 'emu', 'fox'"),
    ):
        answer = run("fit", *arguments)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert message in answer.err


def test_a_formula_of_the_intercept_alone_is_no_error(run: Run, votes: Path) -> None:
    assert run("fit", votes, "--subject", "~ 1").code == 0


def test_a_system_that_never_loses_is_no_error(run: Run, tmp_path: Path) -> None:
    path = _written(tmp_path / "sweep.csv", {"left": list("AABBB"), "right": list("BCCCC"), "winner": list("aaaba")})
    answer = run("fit", path)
    assert answer.code == 0
    assert "! separation: 'A'" in answer.out


def test_fit_and_rank_name_the_same_data(run: Run) -> None:
    fitted, ranked = (run(verb, "examples/votes.csv").out.rstrip().rsplit("data:", 1)[1] for verb in ("fit", "rank"))
    assert fitted == ranked
