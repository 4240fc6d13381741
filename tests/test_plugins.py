"""A model and a policy of another package, found by its entry points."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.base.plugins import GROUPS
from betterthan.cli.main import main
from betterthan.metrics import base as metrics
from betterthan.models import base as models
from betterthan.verbs.collect.policies import base as policies
from betterthan.verbs.diagnose.diagnose_evidence import checks
from betterthan.verbs.rank import board_columns as leaderboard_columns

VOTES = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 2 + [("yak", "elk", "a")] * 5 + [("elk", "owl", "a")] * 2

CODE = '''
from dataclasses import dataclass
from typing import ClassVar

from betterthan.extend import FromCounts


@dataclass(frozen=True, kw_only=True)
class NetWins(FromCounts):
    """Wins less losses, times a factor."""

    factor: float = 1.0

    name: ClassVar[str] = "net-wins"
    score: ClassVar[str] = "net wins"

    def strengths(self, counts, outcomes):
        won, _, lost = outcomes
        return self.factor * counts.add_up(won - lost, lost - won)


@dataclass(frozen=True, kw_only=True)
class FirstPair:
    """Always the first pair that is allowed."""

    name: ClassVar[str] = "first-pair"
    turns: ClassVar[bool] = False

    def chances(self, known, pending, allowed):
        return allowed & (allowed.cumsum() == 1)
'''

CODE += """

from betterthan.extend import FRAME, PAGE, TEXT, BoardColumn, Kind

margin = BoardColumn(
    name="margin", title="margin", shown=frozenset({TEXT, PAGE, FRAME}), value=lambda board, row: row.wins - row.losses
)

ODD_NAMES = Kind(
    code="odd-names", title="Odd names", level="info", message="{number:of name} with an odd length.",
    why="Just so.", remedy="Rename them.",
)


def odd(case):
    number = sum(len(name) % 2 for name in case.counts.systems)
    return [ODD_NAMES.found(number=number)] if number else []
"""

CODE += """

from betterthan.extend import ByItem


@dataclass(frozen=True)
class Shortness(ByItem):
    '''How short an output is.'''

    name: ClassVar[str] = "shortness"
    lower_is_better = True

    def score(self, output, references):
        return len(output)
"""

ENTRY_POINTS = """
[betterthan.metrics]
shortness = more_betterthan:Shortness

[betterthan.columns]
margin = more_betterthan:margin

[betterthan.checks]
odd = more_betterthan:odd

[betterthan.findings]
odd = more_betterthan

[betterthan.models]
net-wins = more_betterthan:NetWins
other-name = more_betterthan:NetWins
broken = more_betterthan.missing:Model
bradley-terry = more_betterthan:NetWins

[betterthan.policies]
first-pair = more_betterthan:FirstPair
"""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package for one test: a module, and what a wheel leaves beside it."""
    (tmp_path / "more_betterthan.py").write_text(CODE)
    facts = tmp_path / "more_betterthan-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: more-betterthan\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    for found in (leaderboard_columns.board_columns, checks):
        found.cache_clear()
    yield
    sys.modules.pop("more_betterthan", None)
    monkeypatch.undo()
    for registry in (models._MODELS, policies._POLICIES, metrics._METRICS):
        for name, found in list(registry._classes.items()):
            if found.__module__ == "more_betterthan":
                del registry._classes[name]
    for found in (leaderboard_columns.board_columns, checks):
        found.cache_clear()


def test_a_model_of_another_package_ranks() -> None:
    (board,) = json.loads(bt.rank(VOTES, model="net-wins(factor=2)", resamples=50).to_json())["leaderboards"]
    assert [(row["system"], row["score"]) for row in board["rows"]] == [("owl", 4.0), ("yak", 2.0), ("elk", -6.0)]
    assert board["options"] == {"factor": 2.0}
    assert "model:net-wins(factor=2)" in board["signature"]


def test_a_metric_of_another_package_scores() -> None:
    outputs = {"owl": ["abc", "a"], "yak": ["abcd", "ab"], "ref": ["x", "x"]}
    scored = bt.score(outputs, "shortness", "ref", systems=["owl", "yak"])
    assert (scored["owl", "shortness"], scored.metrics[0].lower_is_better) == (2.0, True)
    assert "shortness" in metrics.known_metrics()


def test_a_policy_of_another_package_chooses() -> None:
    chosen = bt.next_matches(VOTES, 2, policy="first-pair")
    assert [sorted(match.systems) for match in chosen.matches] == [["elk", "owl"], ["elk", "owl"]]


def test_what_another_package_adds_is_listed() -> None:
    assert {"net-wins", "bradley-terry"} <= set(models.known_models())
    assert {"first-pair", "uniform"} <= set(policies.known_policies())
    with pytest.raises(bt.PlanError, match=r"unknown model 'net-win'; known: .*net-wins.* Did you mean 'net-wins'\?"):
        models.build_model("net-win")


def test_another_package_does_not_replace_a_model_of_ours() -> None:
    assert type(models.build_model("bradley-terry")).__module__ == "betterthan.models.bradley_terry"


def test_a_package_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(bt.PlanError) as error:
        models.build_model("broken")
    assert str(error.value) == (
        "more_betterthan.missing:Model (entry point 'broken' of betterthan.models) cannot be loaded: "
        "No module named 'more_betterthan.missing'; 'more_betterthan' is not a package. Update or remove the package."
    )


def test_an_entry_point_bears_the_name_of_its_class() -> None:
    with pytest.raises(bt.PlanError) as error:
        models.build_model("other-name")
    assert str(error.value) == (
        "more_betterthan:NetWins (entry point 'other-name' of betterthan.models) is called 'net-wins'. "
        "Both names must be the same."
    )


def test_the_command_line_takes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("model_a,model_b,winner\n" + "\n".join(",".join(vote) for vote in VOTES) + "\n")
    with pytest.raises(SystemExit) as left:
        main(["rank", str(file), "--model", "net-wins", "--ci", "none"])
    assert not left.value.code
    assert "net-wins" in capsys.readouterr().out


def test_a_column_of_another_package_is_on_every_board() -> None:
    boards = bt.rank(VOTES, ci="none")
    margins = {row["system"]: row["margin"] for row in boards.to_dict()["leaderboards"][0]["rows"]}
    assert margins == {row.system: row.wins - row.losses for row in boards.board}
    assert boards.to_pandas()["margin"].tolist() == list(margins.values())
    assert "margin" in boards.to_text().split("\n")[4]
    assert ">margin</button>" in bt.report(VOTES, resamples=30).html


def test_a_check_of_another_package_finds_its_finding() -> None:
    found = bt.diagnose(VOTES).finding("odd-names")
    assert found is not None
    assert found.message == "3 names with an odd length."
    assert "Just so." in str(bt.explain("odd-names"))


def test_every_group_of_entry_points_is_declared_once() -> None:
    source = Path(bt.__file__).parent
    used = r'(?:Registry\([^)]*, |load_plugins\(|GROUP = )"(betterthan\.\w+)"'
    found = {group for path in source.rglob("*.py") for group in re.findall(used, path.read_text("utf-8"))}
    assert found == set(GROUPS)
