"""Options are declared once: checks, command line, signature, plan file and Python's own signature follow."""

import inspect
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, get_type_hints

import click
import pytest
from click.testing import CliRunner

import betterthan as bt
from betterthan.cli.shared.click_options import given, options_of
from betterthan.options.compare import CompareOptions, ComparePairsOptions
from betterthan.options.diagnose import DiagnoseOptions
from betterthan.options.fields.declare import declared_options, option
from betterthan.options.fields.options import Options
from betterthan.options.fit import FitOptions
from betterthan.options.next import NextOptions
from betterthan.options.plot import PlotOptions
from betterthan.options.power import PowerOptions
from betterthan.options.rank import Plan, RankOptions
from betterthan.options.read import ReadOptions
from betterthan.options.replay import ReplayOptions
from betterthan.options.report import ReportOptions
from betterthan.options.select import SelectOptions
from betterthan.options.study import StudyOptions, StudySettings

EVERY = (
    CompareOptions,
    ComparePairsOptions,
    DiagnoseOptions,
    FitOptions,
    NextOptions,
    PlotOptions,
    PowerOptions,
    Plan,
    ReadOptions,
    ReplayOptions,
    ReportOptions,
    SelectOptions,
    StudySettings,
)
VERBS: dict[Any, type[Options]] = {
    bt.rank: RankOptions,
    bt.compare: CompareOptions,
    bt.compare_all: ComparePairsOptions,
    bt.power: PowerOptions,
    bt.diagnose: DiagnoseOptions,
    bt.advise: DiagnoseOptions,
    bt.fit: FitOptions,
    bt.select: SelectOptions,
    bt.next_matches: NextOptions,
    bt.replay: ReplayOptions,
    bt.report: ReportOptions,
    bt.plot: PlotOptions,
    bt.study: StudyOptions,
    bt.read: ReadOptions,
    bt.read_judgments: ReadOptions,
    bt.read_rankings: ReadOptions,
    bt.read_scores: ReadOptions,
}
PLAN = bt.Plan(
    model="bradley-terry",
    ties="drop",
    scale="elo",
    ci="bootstrap",
    unit="judge",
    resamples=250,
    level=0.9,
    seed=7,
    anchor='a|b:"c"\n\t=1',
    tolerance=0.5,
)


def test_a_plan_survives_toml_and_the_signature(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.to_toml(), encoding="utf-8")
    assert bt.Plan.load(tmp_path / "plan.toml") == PLAN
    found = bt.Plan.load(str(bt.Signature("0.2.0", {"verb": "rank", **PLAN.facts()})))
    assert (found.version, found.anywhere()) == ("0.2.0", PLAN)


@pytest.mark.parametrize("options", EVERY)
def test_defaults_survive_their_signature(options: type[Options]) -> None:
    """What a signature leaves out is the default, and what it names is read back as it was."""
    default = options()
    line = str(bt.Signature("0.2.0", {"verb": options.verb, **default.facts(), "data": "abc"}))
    assert options.from_signature(line).facts() == default.facts()


def test_signatures_are_reversible_whatever_the_facts() -> None:
    facts = {"model": "x|y", "anchor": "a:b%7C", "data": "…"}
    assert dict(bt.Signature.parse(str(bt.Signature("0.1.0", facts))).facts) == facts
    for wrong in ("model:bradley-terry", "betterthan 0.2.0|verb:rank|anchor:%EE", "betterthan 0.2.0|seed:0|seed:1"):
        with pytest.raises(bt.PlanError, match="not a betterthan signature"):
            bt.Signature.parse(wrong)


def test_signatures_without_a_verb_are_refused() -> None:
    with pytest.raises(bt.PlanError, match=r"^this signature does not name its verb, as those of version 0\.1\."):
        bt.Plan.load("betterthan 0.1.0|evidence:judgments|model:bradley-terry|resample:item×1000|data:6be646caf143")


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("betterthan 0.2.0|verb:compare|evidence:scores|a:owl|b:yak|data:x", "'compare'"),
        ("betterthan 0.2.0|verb:fit|ties:davidson|level:0.95|data:x", "'fit'"),
    ],
)
def test_signatures_of_other_verbs_are_refused(line: str, verb: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.Plan.load(line)
    assert str(refusal.value) == f"this is a signature of {verb}, not of 'rank'. Paste one that rank printed."


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"scale": "glicko"}, "scale must be one of worth, log, elo, winrate, expected, got 'glicko'."),
        ({"ci": "exact"}, "ci must be one of bootstrap, analytic, information, runs, redraws, none, got 'exact'."),
        (
            {"unit": "prompt"},
            "unit must be one of row, item, judge, ranking, group, item+judge, item+run, got 'prompt'.",
        ),
        ({"resamples": 0}, "resamples must be a whole number from 20 to 1,000,000, got 0."),
        ({"resamples": True}, "resamples must be a whole number from 20 to 1,000,000, got True."),
        ({"level": 95}, "level must be a number of at least 0.5 and below 1, got 95; 95 % is 0.95."),
        ({"level": "0.9"}, "level must be a number of at least 0.5 and below 1, got '0.9'; 95 % is 0.95."),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1."),
        ({"tolerance": float("nan")}, "tolerance must be a finite number of at least 0, got nan."),
        ({"model": 3}, "model must be a text, got 3."),
        ({"model": "mean,mean"}, "model must name at least one model, and none twice, got 'mean,mean'."),
        (
            {"modell": "x"},
            "unknown option 'modell'; known: model, ties, scale, ci, unit, resamples, level, clusters, horizon, buckets, anchor, reweight, control, tolerance, per_pair, seed, overall, average, weights, data, kind, direction, version. Did you mean 'model'?",
        ),
    ],
)
def test_wrong_options_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.Plan.of(**choices)
    assert str(refusal.value) == message


def test_models_are_written_with_their_options() -> None:
    rows = [("owl", "yak", "a"), ("owl", "yak", "tie"), ("yak", "owl", "a")]
    assert bt.rank(rows, model="bradley-terry(ties=drop)", ci="none").board.settings.ties == "drop"
    with pytest.raises(bt.PlanError, match=r"unknown model 'bradly'; known: .*bradley-terry"):
        bt.rank(rows, model="bradly")
    with pytest.raises(bt.PlanError, match="bradley-terry: unknown option 'prior=1'; known: ties"):
        bt.rank(rows, model="bradley-terry(prior=1)")


def test_bad_plan_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(bt.PlanError, match="the plan cannot be read"):
        bt.Plan.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("resamples = many")
    with pytest.raises(bt.PlanError, match="is not a plan"):
        bt.Plan.load(tmp_path / "bad.toml")
    (tmp_path / "wrong.toml").write_text('level = "0.9"')
    with pytest.raises(bt.PlanError, match="level must be a number"):
        bt.Plan.load(tmp_path / "wrong.toml")


def test_a_plan_can_be_started_from_and_changed() -> None:
    votes = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4
    plan = bt.Plan(seed=5, resamples=60, scale="log")
    board = bt.rank(votes, plan, scale="elo").board
    assert (board.settings.seed, board.settings.resamples, board.settings.scale) == (5, 60, "elo")
    assert bt.rank(votes, bt.Plan.from_signature(str(board.signature))).board == board
    assert bt.rank(votes, board.settings.plan()).board == board


@pytest.mark.parametrize("verb", VERBS)
def test_verbs_take_exactly_their_options(verb: Any) -> None:
    known = list(inspect.signature(verb).parameters)
    lead = known[: known.index("evidence") + 1]
    assert set(known[len(lead) :]) == set(declared_options(VERBS[verb]))


def test_public_signatures_carry_types() -> None:
    """An editor can complete every argument: none is hidden behind **choices."""
    for name in bt.__all__:
        thing = getattr(bt, name)
        if inspect.isclass(thing) or not callable(thing):
            continue
        parameters = inspect.signature(thing).parameters.values()
        assert not [each for each in parameters if each.kind is inspect.Parameter.VAR_KEYWORD], name
        assert not [each for each in parameters if each.annotation is inspect.Parameter.empty], name


@dataclass(frozen=True, kw_only=True)
class _More(Plan):
    """`rank` with one more option: one field."""

    verb: ClassVar[str] = "rank"
    patience: int = option(3, "How long to wait.", least=1, most=9)


def test_a_new_option_is_one_field() -> None:
    assert get_type_hints(_More)["patience"] is int
    assert "patience:5" in str(bt.Signature("1", _More(patience=5).facts()))
    assert _More.from_signature(str(bt.Signature("0.2.0", {"verb": "rank", **_More(patience=5).facts()}))).patience == 5
    assert "patience = 5" in _More(patience=5).to_toml()
    with pytest.raises(bt.PlanError, match=r"patience must be a whole number from 1 to 9, got 10\."):
        _More(patience=10)

    @click.command()
    @options_of(_More)
    def command(**options: Any) -> None:
        click.echo(_More(**given(_More, options)).patience)

    assert CliRunner().invoke(command, ["--patience", "7"]).output == "7\n"
    assert CliRunner().invoke(command, []).output == "3\n"
    assert "How long to wait.  [default: 3]" in CliRunner().invoke(command, ["--help"]).output


@pytest.mark.parametrize(
    "options",
    [
        SelectOptions(["elo(k=16|32,order=file)", "davidson"]),
        ReplayOptions(["unresolved(explore=0.2)", "wmt"]),
        NextOptions(systems=["a,b", " c"], exclude=[["a", "b"], "c,d"]),
        FitOptions(position=True, by=["a,b"]),
        FitOptions(position="~ judge"),
        CompareOptions("a|b:c", "d\ne", margin=0.5),
        PowerOptions(win_share=0.55, n=100),
        StudySettings(study="mechanisms(types=1|10,models=mean|elo(k=32))", seed=3, level=0.9),
    ],
)
def test_odd_values_survive_their_signature(options: Options) -> None:
    line = str(bt.Signature("0.2.0", {"verb": options.verb, **options.facts(), "data": "abc"}))
    assert type(options).from_signature(line).facts() == options.facts()


def test_what_a_signature_says_and_nobody_knows_is_refused() -> None:
    with pytest.raises(bt.PlanError, match=r"the signature names 'resample', which rank does not know\."):
        bt.Plan.load("betterthan 0.2.0|verb:rank|model:elo|resample:item|data:x")


def test_a_model_in_the_place_of_the_plan_is_refused_with_the_way_out() -> None:
    votes = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4
    with pytest.raises(
        bt.PlanError, match=r"the second argument is a plan, got 'elo'\. To choose a model, say model='elo'\."
    ):
        bt.rank(votes, "elo")
    board = bt.rank(votes, resamples=30)
    assert bt.rank(votes, str(board.signature)) == board


def test_a_report_starts_from_a_plan_as_rank_does() -> None:
    votes = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4
    line = str(bt.rank(votes, resamples=30, seed=4).signature)
    assert bt.report(votes, plan=line).parts[0].main.settings.seed == 4
    with pytest.raises(bt.PlanError, match=r"plan must be a Plan, a signature or the path of a saved plan, got 5\."):
        bt.report(votes, plan=5)


def test_a_signature_survives_pickling() -> None:
    signature = bt.rank([("owl", "yak", "a")], ci="none").signature
    again = pickle.loads(pickle.dumps(signature))
    assert again == signature
    assert str(again) == str(signature)
