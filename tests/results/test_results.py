"""What every verb returns shares: equality, copies, formats, frames, and a JSON document that meets its schema."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import betterthan as bt
from betterthan.results.json_schema import schema_of
from betterthan.results.result import FORMATS, Result
from tests.arenas import arena

SCORES = {"owl": [3.0, 5, 4, 6, 2, 7, 3, 4], "yak": [2.0, 1, 4, 3, 2, 5, 2, 2], "elk": [0.5, 1, 2, 1, 3, 2, 0, 1]}
VOTES = arena(judgments=300)
CLEAR = [("owl", "yak", "a")] * 60 + [("owl", "yak", "b")] * 20 + [("yak", "elk", "a")] * 40
TASKS = {
    "task": ["x"] * 12 + ["y"] * 12,
    "item": [str(number // 2) for number in range(12)] * 2,
    "system": ["owl", "yak"] * 12,
    "score": [3.0, 2, 5, 1, 4, 4, 6, 3, 2, 2, 7, 5] * 2,
}
RANKINGS = {"owl": [1, 1, 2, 1, 3, 1], "yak": [2, 2, 1, 3, 1, 2], "elk": [3, 3, 3, 2, 2, 3]}


def _votes() -> bt.Judgments:
    return bt.read_judgments(VOTES, item="prompt_id", judge="judge")


MADE: dict[str, Any] = {
    "rank": lambda: bt.rank(_votes(), resamples=40),
    "rank scores": lambda: bt.rank(SCORES, resamples=40),
    "rank without intervals": lambda: bt.rank(_votes(), model="davidson,elo", ci="none"),
    "one board": lambda: bt.rank(_votes(), resamples=40).board,
    "agree": lambda: bt.agree([[1, 1, 2], [2, 2, 2], [3, 3, 2], [1, None, 1], [2, 3, 3]]),
    "items": lambda: bt.items(
        bt.read_scores({name: [float(value > 2) for value in values] for name, values in SCORES.items()})
    ),
    "compare": lambda: bt.compare(SCORES, "owl", "yak"),
    "compare judgments": lambda: bt.compare(_votes(), "owl", "yak"),
    "compare_tasks": lambda: bt.compare_tasks(TASKS, "owl", "yak"),
    "compare_tasks random": lambda: bt.compare_tasks(bt.read(TASKS, random=["task"]), "owl", "yak"),
    "compare_all": lambda: bt.compare_all(SCORES, "mean"),
    "compare_all judgments": lambda: bt.compare_all(_votes()),
    "power": lambda: bt.power(SCORES, "owl", "elk", simulations=100),
    "power from numbers": lambda: bt.power(sd=1, difference=0.5),
    "diagnose": lambda: bt.diagnose(_votes()),
    "diagnose scores": lambda: bt.diagnose(SCORES),
    "fit": lambda: bt.fit(_votes(), subject="~ judge", anova=True),
    "fit random": lambda: bt.fit(_votes(), random="judge"),
    "fit rankings": lambda: bt.fit(bt.read_rankings(RANKINGS), model="plackett-luce"),
    "select": lambda: bt.select(_votes(), "bradley-terry,davidson", repeats=1, sizes=[50, 100]),
    "next": lambda: bt.next_matches(_votes(), 3, margin=0.05),
    "next without evidence": lambda: bt.next_matches(systems=["owl", "yak", "elk"], n=2, way=3),
    "report": lambda: bt.report(_votes(), resamples=40, title="Spring"),
    "report scores": lambda: bt.report(SCORES, resamples=40),
    "replay": lambda: bt.replay(CLEAR, "unresolved", runs=2, budget=200, resamples=20),
    "study": lambda: bt.study("mechanisms(runs=2,items=20)", quick=True),
    "study of scores": lambda: bt.study("pairing", SCORES, quick=True),
}


@pytest.fixture(scope="module", params=MADE)
def made(request: pytest.FixtureRequest) -> tuple[Result, Result]:
    """Return the same result twice, made anew."""
    return MADE[request.param](), MADE[request.param]()


def test_results_are_equal_where_their_documents_are(made: tuple[Result, Result]) -> None:
    one, two = made
    assert one == two
    assert hash(one) == hash(two)
    assert one != "something else"
    assert (one == bt.compare(SCORES, "yak", "elk")) is False


def test_results_survive_pickle_and_copy(made: tuple[Result, Result]) -> None:
    one, _ = made
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert again == one
        assert again.to_text(80) == one.to_text(80)


def test_documents_meet_their_schema(made: tuple[Result, Result]) -> None:
    one, _ = made
    schema = schema_of(type(one))
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(one.to_json(), parse_constant=pytest.fail)
    jsonschema.validate(document, schema)
    assert document["schema"] == one.schema
    assert document["signature"] == str(one.signature)
    said = one.settings.facts()
    assert said
    assert said.keys() <= document["settings"].keys()
    assert not {"progress", "groups", "path", "plan"} & document["settings"].keys()
    if "unit" in said:
        assert document["settings"]["unit"] == one.signature.facts["unit"]
    del document["findings"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_signatures_name_verb_and_data(made: tuple[Result, Result]) -> None:
    facts = made[0].signature.facts
    assert facts["verb"] == made[0].verb
    assert facts["data"]


def test_every_format_can_be_printed_and_saved(made: tuple[Result, Result], tmp_path: Path) -> None:
    one, _ = made
    for form in FORMATS:
        assert one.render(form, 80)
    one.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8")) == one.to_dict()
    one.save(tmp_path / "result.parquet")
    one.save(tmp_path / "text", "table")
    assert (tmp_path / "text").read_text(encoding="utf-8") == one.to_text() + "\n"
    with pytest.raises(bt.BetterthanError, match="cannot tell the format from its ending"):
        one.save(tmp_path / "result.doc")


def test_frames_have_the_columns(made: tuple[Result, Result]) -> None:
    one, _ = made
    columns = one.columns()
    for frame in (one.to_pandas(), one.to_polars()):
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(next(iter(columns.values())))
    assert one.to_arrow().column_names == list(columns)
    assert one.to_csv().split("\n")[0] == ",".join(columns)


def test_different_data_have_different_signatures() -> None:
    """Signatures of compare and power held no digest: two data sets printed the same line."""
    other = {**SCORES, "yak": [2.0, 1, 4, 3, 2, 5, 2, 3]}
    for verb in (bt.compare, bt.power):
        one, two = verb(SCORES, "owl", "yak"), verb(other, "owl", "yak")
        assert str(one.signature) != str(two.signature)
        assert str(one.signature) == str(verb(SCORES, "owl", "yak").signature)
    assert str(bt.compare(SCORES, "owl", "yak", groups=list("aabbccdd")).signature) != str(
        bt.compare(SCORES, "owl", "yak", groups=list("aaabbbcc")).signature
    )
