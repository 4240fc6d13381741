"""The base class of studies, and their registry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Protocol, runtime_checkable

from betterthan.base import PlanError, Registry, quoted_value
from betterthan.datasets import DataSet, DataSets, ScoredSet
from betterthan.findings import Finding
from betterthan.inference import Estimate
from betterthan.options import StudyOptions
from betterthan.present import Column, Picture, Table
from betterthan.verbs.study.agreement import Agreement, Expected
from betterthan.verbs.study.resumable_run import FinishedParts

#: A tidy table, column by column.
Columns = Mapping[str, Sequence[Any]]

#: Why a figure cannot be decided, in addition to what a study knows about it.
_WIDE = "The interval reaches beyond the margin."
_NONE = "Nothing varied, or there is one sample only, so there is no interval."


@dataclass(frozen=True)
class Claim:
    """One statement of the paper next to our figure.

    `paper` is what it prints or says, `expected` the figures that agree with it, `agreement` whether ours does, and
    `cause` why it may not.
    """

    what: str
    paper: str
    ours: Estimate
    expected: Expected
    agreement: Agreement
    cause: str = ""

    @classmethod
    def of(cls, what: str, paper: str, ours: Estimate, expected: Expected, cause: str = "") -> "Claim":
        """Compare our figure with a statement; the cause is for figures that do not agree."""
        agreement = expected.agreement_of(ours)
        if agreement == "agrees":
            cause = ""
        elif agreement == "cannot tell" and ours.value is not None:
            cause = f"{cause} {_WIDE if ours.low is not None else _NONE}".strip()
        return cls(what, paper, ours, expected, agreement, cause)

    @classmethod
    def exact(cls, what: str, paper: str, ours: float, expected: Expected, cause: str = "") -> "Claim":
        """Compare a figure that has no sampling error."""
        return cls.of(what, paper, Estimate(float(ours), None, None), replace(expected, exact=True), cause)

    @property
    def difference(self) -> Estimate | None:
        """Ours minus the printed figure with its interval, None where none is printed."""
        printed, ours = self.expected.printed, self.ours
        if printed is None or ours.value is None:
            return None
        low, high = (None if end is None else end - printed for end in (ours.low, ours.high))
        return Estimate(ours.value - printed, low, high)


@dataclass(frozen=True)
class Found:
    """The findings of a study: a tidy table, statements of the paper, and a short table.

    `drawn` is what the picture shows where that is not the tidy table.
    """

    columns: Columns
    claims: tuple[Claim, ...]
    summary: Table
    findings: tuple[Finding, ...] = ()
    drawn: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Work:
    """The input of a study: the options, the evidence if any, and the store of finished parts.

    `loaded` is what a study of outputs made of what it was given.
    """

    options: StudyOptions
    data: DataSets | None
    parts: FinishedParts
    loaded: Any = None

    def only(self) -> DataSet:
        """Return the only data set of a study that is never run without evidence."""
        assert self.data is not None
        return self.data.only("this study")

    def scored(self, name: str, takes: str) -> list[ScoredSet]:
        """Return all tables for a study of scores; other evidence is refused."""
        assert self.data is not None
        tables = list(self.data.scored)
        if not tables:
            raise PlanError(f"{name} is a study of {takes}, but this evidence is {self.data.kind}")
        return tables

    def table(self, name: str, takes: str) -> ScoredSet:
        """Return the only table for a study of scores."""
        tables = self.scored(name, takes)
        self.only()
        return tables[0]


@dataclass(frozen=True)
class Means:
    """The means over data sets of a study that is about one: `figures` (value, low, high) of rows with equal `keys`.

    Without figures only statements have means, and the picture is of the first data set.
    """

    keys: tuple[str, ...] = ()
    figures: tuple[tuple[str, str, str], ...] = ()


class Study(Protocol):
    """The protocol of studies: settings are frozen in the constructor; running changes nothing.

    `place` is the section or table of the paper, `quick` holds the settings of its small form, and `takes` the evidence
    it can be run on (empty: none). Without evidence it simulates its own, unless it `needs` some; one that names a
    `bundled` file runs on that. `means` are those over data sets; a study without them takes several as it is.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    paper: ClassVar[str]
    place: ClassVar[str]
    takes: ClassVar[str]
    needs: ClassVar[bool]
    bundled: ClassVar[str]
    means: ClassVar[Means | None]
    quick: ClassVar[Mapping[str, Any]]

    def run(self, work: Work) -> Found:
        """Run the work."""

    def picture(self, columns: Any, title: str) -> Picture:
        """Draw the tidy table, or what a run left to draw."""


class Fingerprinted(Protocol):
    """The input of a study of outputs, with a digest."""

    @property
    def digest(self) -> str:
        """A digest of it."""


@runtime_checkable
class OfOutputs(Protocol):
    """A study of predictions or texts, which are not evidence yet: it reads them itself."""

    def load(self, source: Any) -> Fingerprinted:
        """Read what was given: files, or a table."""


#: The papers that studies repeat.
BETTER_THAN_AVERAGE = "Peyrard et al. (2021), Better than average: paired evaluation of NLP systems, ACL"
CONFIDENCE_AND_STABILITY = (
    "Levtsov & Ustalov (2025), Confidence and stability of global and pairwise scores in NLP evaluation, ACL SRW"
)
EFFICIENT_ELICITATION = (
    "Sakaguchi, Post & Van Durme (2014), Efficient elicitation of annotations for human evaluation of machine "
    "translation, WMT"
)
HUMAN_PREFERENCES = "Dras (2015), Evaluating human pairwise preference judgments, Computational Linguistics 41"

_STUDIES = Registry("study", "betterthan.verbs.study.experiments", "betterthan.studies")
register_study = _STUDIES.register


def known_studies() -> tuple[str, ...]:
    """Return the names of all studies."""
    return _STUDIES.names()


def study_table() -> Table:
    """Return a table of all studies: what they show, the files they take, and their settings."""
    columns = [
        Column("study", "left"),
        Column("shows", "left", flexible=True),
        Column("files", "left"),
        Column("settings", "left", flexible=True),
    ]
    rows = [
        [name, study.about, study.takes, ", ".join(each.name for each in fields(study))]
        for name in known_studies()
        if (study := _STUDIES.find(name))
    ]
    return Table(columns, rows)


def is_of_outputs(text: str) -> bool:
    """Whether a study reads outputs of systems from its files, instead of judgments, rankings or scores."""
    return isinstance(build_study(text), OfOutputs)


def build_study(text: str, *, quick: bool = False) -> Study:
    """Make a study from `name` or `name(option=value, …)`; what is not said is that of its full or of its quick form.

    >>> build_study("mechanisms(runs=50)").runs
    50
    """
    if not isinstance(text, str):
        raise PlanError(f"a study is named by a text such as {known_studies()[0]!r}, got {quoted_value(text)}.")
    found = _STUDIES.find(text.partition("(")[0].strip())
    try:
        study: Study = _STUDIES.make(text, found.quick if found is not None and quick else None)
    except ValueError as error:
        raise PlanError(f"{error}.") from None
    return study


def written_out(study: Study) -> str:
    """Return a study with all its settings, as `study_of` reads it.

    >>> written_out(build_study("pairing", quick=True))[:8]
    'pairing('
    """
    settings = [f"{each.name}={getattr(study, each.name)}" for each in fields(study)]  # type: ignore[arg-type]
    return f"{study.name}({','.join(settings)})"


def numbers(option: str, text: str, *, least: float, most: float, whole: bool = True) -> tuple[float, ...]:
    """Read alternatives, `10|30|100`, refusing what is no number in the range.

    >>> numbers("systems", "2|5", least=2, most=100)
    (2, 5)
    """
    try:
        found = tuple(int(part) if whole else float(part) for part in str(text).split("|"))
    except ValueError:
        found = ()
    if not found or not all(least <= each <= most for each in found) or len(set(found)) < len(found):
        kind = "whole numbers" if whole else "numbers"
        raise ValueError(f"{option} must be {kind} from {least:g} to {most:g} with | between them, got {text!r}")
    return found


def models_named(text: str, least: int = 1) -> tuple[str, ...]:
    """Read models, `mean|median`, refusing unknown ones, the same twice, or too few."""
    from betterthan.models import build_model  # noqa: PLC0415 (a list of studies needs no models)

    names = tuple(part.strip() for part in text.split("|") if part.strip())
    for name in names:
        build_model(name)
    if len(names) < least or len(set(names)) < len(names):
        raise ValueError(f"models must name at least {least} with | between them, and none twice, got {text!r}")
    return names


def pair_models_named(text: str, least: int = 1) -> tuple[str, ...]:
    """Read models that learn from single judgments, refusing those that need whole scores or rankings."""
    from betterthan.datasets import Games, PairCounts  # noqa: PLC0415
    from betterthan.models import build_model  # noqa: PLC0415

    names = models_named(text, least)
    for name in names:
        if not {PairCounts, Games} & set(build_model(name).consumes):
            raise ValueError(f"models must learn from judgments of two systems, and {name} does not")
    return names
