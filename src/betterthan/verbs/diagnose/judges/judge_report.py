"""The report on judges: one row per judge, and their agreement."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.findings import Finding
from betterthan.inference import rater_agreement
from betterthan.present import Column, Table
from betterthan.verbs.diagnose.judges.judge_kinds import JudgeKinds

_SHOWN = 20


@dataclass(frozen=True)
class Judge:
    """One judge; undefined values are None.

    `ties` is the share of judgments tied, `left` the share of decided ones that the left side won (None where a
    conversion chose the sides). `kappa` compares the judge with the others on the `shared` comparisons that others
    judged too. `follows` is the share of decided judgments that agree with the order of all judgments together.
    `expected` is what Bradley–Terry expects of these pairs, and `z` the difference in standard errors: far below 0 for
    random answers. `pace` is the median time between judgments, in seconds where times are dates. `doubts` are the
    codes of findings about the judge.
    """

    name: str
    judgments: float
    ties: float
    left: float | None
    kappa: float | None
    shared: int
    follows: float | None
    expected: float | None
    z: float | None
    pace: float | None
    doubts: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**asdict(self), "doubts": list(self.doubts)}


@dataclass(frozen=True)
class CohenKappa:
    """Cohen's kappa of two judges over wins, ties and losses: unweighted, and with weights by their distance."""

    unweighted: float | None
    linear: float | None
    quadratic: float | None

    @classmethod
    def of(cls, table: FloatArray, *, symmetric: bool) -> "CohenKappa":
        """Take the table of two judges."""
        return cls(
            known(rater_agreement.kappas(table, symmetric=symmetric)),
            known(rater_agreement.kappas(table, "linear", symmetric=symmetric)),
            known(rater_agreement.kappas(table, "quadratic", symmetric=symmetric)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class JudgeReport:
    """All judges, the least credible agreement first, and their overall agreement.

    `agreement` is None where no comparison has two judges, `cohen` where there are not exactly two judges. `repeated`
    counts the comparisons that one judge judged more than once, and `consistent` is the share of them decided the same
    way each time. `consistency` is the kappa of judges with themselves. `kinds` has the agreement within and between
    kinds of judges.
    """

    judges: tuple[Judge, ...]
    judgments: float
    comparisons: int
    by_item: bool
    agreement: rater_agreement.Agreement | None
    cohen: CohenKappa | None
    repeated: int
    consistent: float | None
    consistency: float | None
    findings: tuple[Finding, ...]
    kinds: JudgeKinds | None = None  # None where no kinds were given

    def table(self, most: int | None = None) -> Table:
        """Return the judges as a finished table, the first of them if a number is given."""
        columns = [
            Column("judge", "left", flexible=True),
            Column("judgments"),
            Column("ties", optional=3),
            Column("left", optional=2),
            Column("kappa", optional=1),
            Column("follows"),
            Column("expected"),
            Column("z"),
            Column("findings", "left", flexible=True),
        ]
        rows = [
            [
                judge.name,
                f"{judge.judgments:,.0f}",
                f"{judge.ties:.2f}",
                _shown(judge.left),
                _shown(judge.kappa),
                _shown(judge.follows),
                _shown(judge.expected),
                _shown(judge.z, 1),
                ", ".join(code.removeprefix("judge-") for code in judge.doubts),
            ]
            for judge in self.judges[:most]
        ]
        return Table(columns, rows)

    def to_text(self, width: int | None = None) -> str:
        """Return the text for the terminal: the judges, at most twenty of them."""
        more = len(self.judges) - _SHOWN
        rest = [f"  … and {more:,} more judges"] if more > 0 else []
        kinds = (
            [] if self.kinds is None else [line for table in self.kinds.tables() for line in ("", table.to_text(width))]
        )
        return "\n".join([self.table(_SHOWN).to_text(width), *rest, *kinds])

    def all_tables(self) -> list[Table]:
        """Return the table of judges, and those of their kinds."""
        return [self.table(), *([] if self.kinds is None else self.kinds.tables())]


def known(value: Any) -> Any:
    """Return a number as Python's own, None for NaN."""
    return value.item() if np.isfinite(value) else None


def _shown(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"
