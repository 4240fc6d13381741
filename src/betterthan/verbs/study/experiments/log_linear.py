"""Log-linear models: every fit of Dras (2015), or the same fits of other judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import PlanError, scipy, spelling
from betterthan.datasets import DataSet, JudgedSet
from betterthan.inference import Estimate
from betterthan.present import Column, Picture, Table, chance, pictures
from betterthan.verbs.fit import Coefficient, LogLinear, fit, lr_test
from betterthan.verbs.study.agreement import Expected, above, below, near, rounded
from betterthan.verbs.study.experiments.base import (
    HUMAN_PREFERENCES,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    register_study,
)

#: Table 1: for every judge and pair, how often the first was preferred, neither was, and the second was.
_PAIRS = ("AB", "AC", "AD", "BC", "BD", "CD")
_TABLE_1 = {
    "J1": ((38, 0, 2), (36, 1, 3), (37, 1, 2), (39, 1, 0), (0, 2, 38), (3, 0, 37)),
    "J2": ((37, 2, 1), (36, 3, 1), (38, 1, 1), (37, 2, 1), (2, 2, 36), (1, 0, 39)),
    "J3": ((33, 4, 3), (33, 3, 4), (3, 3, 34), (4, 4, 32), (2, 4, 34), (1, 0, 39)),
    "J4": ((37, 2, 1), (39, 0, 1), (35, 3, 2), (34, 2, 4), (2, 2, 36), (3, 1, 36)),
}
#: The columns of Table 1 as they are named, and as R's prefmod takes them by their position: AD and BC exchanged.
_READINGS = {"printed": _PAIRS, "exchanged": ("AB", "AC", "BC", "AD", "BD", "CD")}
#: Single pairs: preferred, undecided, not preferred. Figure 1 is not in the text of the paper: ModPref follows from its
#: λ, and the first three only show what it says about them.
_SINGLE = {
    "EqualPref": (30, 30, 30),
    "NoPref": (10, 80, 10),
    "StrongPref": (45, 10, 45),
    "ModPref": (61, 4, 35),
    "Collins (as tabled)": (84, 77, 39),
    "Collins (as fitted)": (83, 77, 39),
}
_FITS: Mapping[str, Mapping[str, Any]] = {
    "ties": {},
    "without ties": {"ties": "fixed"},
    "by judge": {"subject": "~ judge", "by": "judge"},
    "ties, table by judge": {"by": "judge"},
}
#: More judges than this are no covariate that anybody could read.
_MOST_JUDGES = 20
_COLUMNS = (
    "data",
    "fit",
    "term",
    "estimate",
    "se",
    "z",
    "p",
    "low",
    "high",
    "odds",
    "deviance",
    "df",
    "log_likelihood",
)
_EXCHANGED = (
    "The printed deviances follow to the digit from Table 1 with the columns AD and BC exchanged. The R function that "
    "was used takes columns by their position, in the order AB, AC, BC, AD, BD, CD. Here they are taken by their names."
)
_SHORT = "The printed table of Collins et al. counts 84 preferences; the printed estimates follow from 83."
_FIGURE_1 = (
    "The counts of Figure 1 are not in the text of the paper. 61 to 35 are the only counts below 192 whose λ rounds to "
    ".2778; those of EqualPref, NoPref and StrongPref are examples of what the paper says of them."
)


@dataclass(frozen=True)
class _Task:
    """One fit: what it is called, counted rows, and the options of `fit`."""

    data: str
    fit: str
    rows: Mapping[str, Sequence[Any]]
    options: Mapping[str, Any]


@register_study
@dataclass(frozen=True, kw_only=True)
class LogLinearFits:
    """Coefficients (λ) and deviances of every log-linear model of the paper.

    Without evidence, those of its single pairs and of its Table 1, by the `readings` of that: `printed` takes columns
    by their names, `exchanged` as R's prefmod took them. With judgments of one's own, the same models are fitted to
    these: with and without an effect of ties, and by judge where there are two to twenty of them.
    """

    readings: str = "printed|exchanged"

    name: ClassVar[str] = "log-linear"
    about: ClassVar[str] = (
        "Log-linear Bradley–Terry models with ties and judges: the paper's fits, with both readings of its table."
    )
    paper: ClassVar[str] = HUMAN_PREFERENCES
    place: ClassVar[str] = "Section 5, Figure 1, Table 1"
    takes: ClassVar[str] = "judgments, or rankings taken as pairs"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    means: ClassVar[Means | None] = Means()
    quick: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        if not self._read or any(each not in _READINGS for each in self._read):
            raise ValueError(f"readings must be {' and '.join(_READINGS)} with | between them, got {self.readings!r}")

    @property
    def _read(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.readings.split("|") if part.strip())

    def run(self, work: Work) -> Found:
        """Fit all models."""
        if work.data is not None:
            return _own(work.data.only("this study"), work.options.level)
        tasks = [_Task(name, "one pair", _one_pair(counts), {}) for name, counts in _SINGLE.items()]
        for reading in self._read:
            tasks += [_Task(_table(reading), name, _rows(reading), options) for name, options in _FITS.items()]
        found = work.parts.each(_fitted, [(task, work.options.level) for task in tasks])
        columns = {name: [row[place] for rows in found for row in rows] for place, name in enumerate(_COLUMNS)}
        claims = [*_of_single(columns), *(claim for reading in self._read for claim in _of_table(columns, reading))]
        return Found(columns, tuple(claims), _summary(columns))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw the coefficients of every fit."""
        panel = [f"{data}: {fit}" for data, fit in zip(columns["data"], columns["fit"], strict=True)]
        return pictures.coefficients.draw(
            panel=panel,
            term=columns["term"],
            value=columns["estimate"],
            low=columns["low"],
            high=columns["high"],
            name="λ",
            title=title,
        )


def _table(reading: str) -> str:
    return f"Table 1 ({reading})"


def _one_pair(counts: tuple[int, int, int]) -> dict[str, list[Any]]:
    won, tied, lost = counts
    return {"left": ["+"], "right": ["-"], "n_a": [won], "n_tie": [tied], "n_b": [lost]}


def _rows(reading: str) -> dict[str, list[Any]]:
    """Return Table 1 as counted rows, its columns called as a reading has them."""
    rows = [
        (judge, *pair, *counts)
        for judge, every in _TABLE_1.items()
        for pair, counts in zip(_READINGS[reading], every, strict=True)
    ]
    names = ("judge", "left", "right", "n_a", "n_tie", "n_b")
    return dict(zip(names, (list(values) for values in zip(*rows, strict=True)), strict=True))


def _fitted(task: tuple[_Task, float]) -> list[list[Any]]:
    """Return the rows of one fit; judgments are taken as independent, as in the paper."""
    each, level = task
    reference = "-" if each.fit == "one pair" else "D"
    model = fit(each.rows, unit="row", scale="lambda", level=level, reference=reference, **each.options)
    return _lines(each.data, each.fit, model)


def _lines(data: str, name: str, model: LogLinear) -> list[list[Any]]:
    every = [one for one in model if not one.reference]
    return [
        [
            data,
            name,
            one.term,
            one.estimate,
            one.se,
            one.z,
            one.p,
            one.low,
            one.high,
            one.odds,
            model.deviance,
            model.df,
            model.log_likelihood,
        ]
        for one in every
    ]


class _Rows:
    """The rows of one fit in the tidy table, by their terms."""

    def __init__(self, columns: Columns, data: str, name: str) -> None:
        places = [
            place
            for place, (one, two) in enumerate(zip(columns["data"], columns["fit"], strict=True))
            if (one, two) == (data, name)
        ]
        self.terms = {columns["term"][place]: {name: columns[name][place] for name in _COLUMNS} for place in places}
        self.deviance, self.df = (columns[name][places[0]] for name in ("deviance", "df"))

    def estimate(self, term: str) -> Estimate:
        """Return a coefficient with its interval."""
        row = self.terms[term]
        return Estimate(row["estimate"], row["low"], row["high"])

    def p(self, term: str) -> float:
        """Return the p-value of a coefficient, 1 where there is none."""
        found = self.terms[term]["p"]
        return 1.0 if found is None else float(found)


def _of_single(columns: Columns) -> list[Claim]:
    single = {name: _Rows(columns, name, "one pair") for name in _SINGLE}
    moderate, equal, strong = single["ModPref"], single["EqualPref"], single["StrongPref"]
    largest = max(abs(equal.estimate(term).known) for term in ("+", "undecided"))
    signs = {name: float(scipy.stats.binomtest(won, won + lost).pvalue) for name, (won, _, lost) in _SINGLE.items()}
    alike = sum((signs[name] < 0.05) == (rows.p("+") < 0.05) for name, rows in single.items())
    claims = [
        Claim.exact("ModPref: λ of + (o1)", "0.2778", moderate.estimate("+").known, rounded(0.2778, 4), _FIGURE_1),
        Claim.exact("ModPref: odds of + against −", "1.74", moderate.terms["+"]["odds"], rounded(1.74, 2)),
        Claim.of(
            "ModPref: a tendency to decide (g1 below 0)",
            "negative and significant",
            moderate.estimate("undecided"),
            below(0),
        ),
        Claim.exact("EqualPref: all estimates are 0: the largest", "0", largest, near(0, 1e-9)),
        Claim.of(
            "NoPref: a tendency not to decide (g1 above 0)",
            "positive",
            single["NoPref"].estimate("undecided"),
            above(0),
        ),
        Claim.of("StrongPref: a tendency to decide (g1 below 0)", "negative", strong.estimate("undecided"), below(0)),
        Claim.exact("StrongPref: + and − are equally likely: λ of +", "0", strong.estimate("+").known, near(0, 1e-9)),
        Claim.exact(
            "Models of one pair fit perfectly: largest deviance",
            "0",
            max(rows.deviance for rows in single.values()),
            near(0, 1e-9),
        ),
        Claim.exact(
            "Single pairs of which the sign test says the same as λ of +",
            f"all {len(single)}",
            alike,
            near(len(single), 0),
        ),
    ]
    for name, cause in (("Collins (as tabled)", _SHORT), ("Collins (as fitted)", "")):
        rows = single[name]
        claims += [
            Claim.exact(
                f"{name}: a tendency not to decide (g1)",
                "0.303",
                rows.estimate("undecided").known,
                rounded(0.303, 3),
                cause,
            ),
            Claim.exact(f"{name}: p of g1", "0.0432", rows.p("undecided"), rounded(0.0432, 4), cause),
            Claim.exact(f"{name}: p of the preference (o1)", "0.0001", rows.p("+"), rounded(0.0001, 4), cause),
        ]
    return claims


def _of_table(columns: Columns, reading: str) -> list[Claim]:
    data = _table(reading)
    ties, without, judges = (_Rows(columns, data, name) for name in ("ties", "without ties", "by judge"))
    cause = _EXCHANGED if reading == "printed" else ""
    strength = {"D": 0.0, **{system: ties.estimate(system).known for system in "ABC"}}
    order = "".join(sorted(strength, key=lambda system: -strength[system]))
    third = [f"{system}:judge[T.J3]" for system in "AB"]
    others = [term for term in judges.terms if ":" in term and term not in third and judges.p(term) < 0.05]
    return [
        Claim.exact(
            f"{data}: deviance with ties, on {ties.df} degrees of freedom",
            "30.646 on 8",
            ties.deviance,
            rounded(30.646, 3),
            cause,
        ),
        Claim.exact(
            f"{data}: deviance without ties, on {without.df} degrees of freedom",
            "221.22 on 9",
            without.deviance,
            rounded(221.22, 2),
            cause,
        ),
        Claim.exact(
            f"{data}: the deviance grows without ties, times",
            "sevenfold",
            without.deviance / ties.deviance,
            near(7, 0.5),
        ),
        Claim.of(f"{data}: little undecidedness (g1 far below 0)", "negative", ties.estimate("undecided"), below(0)),
        Claim.exact(
            f"{data}: A first, then D, B, C: systems at these places",
            "all 4",
            sum(one == two for one, two in zip(order, "ADBC", strict=True)),
            near(4, 0),
        ),
        *(
            Claim.of(
                f"{data}: judge J3 differs about {term[0]} (o{place}:SUBJ3)",
                "large and significant",
                judges.estimate(term),
                below(0),
            )
            for place, term in enumerate(third, start=1)
        ),
        Claim.exact(
            f"{data}: other significant effects of judges: how many",
            "none",
            len(others),
            near(0, 0),
            f"At the 5 % level there are more: {', '.join(others)}." if others else "",
        ),
    ]


def _own(data: DataSet, level: float) -> Found:
    """Fit the paper's models to judgments of one's own, with the errors that suit these."""
    if not isinstance(data, JudgedSet):
        raise PlanError(
            f"log-linear is a study of judgments, but this evidence is {data.kind}",
            remedy=f"Convert it first: {spelling.conversion('judgments')}.",
        )
    shared: dict[str, Any] = {"scale": "lambda", "level": level}
    models = {"ties": fit(data, **shared), "without ties": fit(data, ties="fixed", **shared)}
    judges = _judges(data)
    if 2 <= judges <= _MOST_JUDGES:
        models["by judge"] = fit(data, subject="~ judge", **shared)
    rows = [row for name, model in models.items() for row in _lines(data.title or "your judgments", name, model)]
    columns = {name: [row[place] for row in rows] for place, name in enumerate(_COLUMNS)}
    return Found(columns, tuple(_of_own(models, level)), _summary(columns))


def _judges(data: JudgedSet) -> int:
    return int(data.judgments.unit_sizes.get("judge", 0))


def _of_own(models: Mapping[str, LogLinear], level: float) -> list[Claim]:
    """Return the paper's claims about its example, evaluated on these judgments."""
    ties, without = models["ties"], models["without ties"]
    claims = []
    if ties.parameters > without.parameters:
        claims.append(
            _by_test(
                "An effect of ties makes the model better: p",
                "much better (Table 1)",
                lr_test(without, ties).p,
                1 - level,
                "Here ties are about as frequent as decisions for one side.",
            )
        )
        claims.append(
            Claim.of(
                "Little undecidedness (g1 below 0)",
                "negative (Table 1)",
                _of(ties["undecided"]),
                below(0),
                "Judges of this evidence are often undecided.",
            )
        )
    if "by judge" in models:
        claims.append(
            _by_test(
                "Judges differ about systems: p",
                "one of four judges differs (Table 1)",
                lr_test(ties, models["by judge"]).p,
                1 - level,
                "These judges agree, or there are too few judgments to tell.",
            )
        )
    return claims


def _by_test(what: str, paper: str, p: float | None, alpha: float, cause: str) -> Claim:
    """Set a statement that is tested next to its p-value: a test that finds nothing does not show the contrary."""
    if p is not None and p <= alpha:
        return Claim.exact(what, paper, p, Expected(high=alpha))
    return Claim.of(what, paper, Estimate(p, None, None), Expected(high=alpha), cause)


def _of(one: Coefficient) -> Estimate:
    return Estimate(one.estimate, one.low, one.high)


def _summary(columns: Columns) -> Table:
    """Show every fit with its deviance, λ of systems and effect of ties."""
    heads = [
        Column("data", "left", flexible=True),
        Column("fit", "left"),
        Column("deviance"),
        Column("df"),
        Column("term", "left"),
        Column("λ"),
        Column("std. error"),
        Column("p"),
    ]
    rows, seen = [], set()
    for place, (data, name) in enumerate(zip(columns["data"], columns["fit"], strict=True)):
        first = (data, name) not in seen
        seen.add((data, name))
        p, estimate, error = (columns[part][place] for part in ("p", "estimate", "se"))
        rows.append(
            [
                data if first else "",
                name if first else "",
                f"{columns['deviance'][place]:.3f}" if first else "",
                str(columns["df"][place]) if first else "",
                columns["term"][place],
                "" if estimate is None else f"{estimate:.4f}",
                "" if error is None else f"{error:.4f}",
                "" if p is None else chance(p),
            ]
        )
    return Table(heads, rows, title="Fits")
