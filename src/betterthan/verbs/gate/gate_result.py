"""The result of `gate`: pass, fail or inconclusive, with the intervals that decide it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import escaping
from betterthan.inference import Estimate
from betterthan.options import GateOptions
from betterthan.present import Column, Table, digits, wrapped
from betterthan.results import Result
from betterthan.verbs.gate.flipped_items import FlippedItem
from betterthan.verbs.gate.gate_checks import Decision, GateCheck
from betterthan.verbs.gate.gate_junit import junit
from betterthan.verbs.gate.gate_sentences import amount, further, interval_text, limit_text, verdict

#: Exit codes of the decisions; 2 and 3 are those of wrong input and of our own errors.
EXIT_CODES: dict[Decision, int] = {"pass": 0, "fail": 1, "inconclusive": 4}


@dataclass(frozen=True)
class Rerun:
    """How much another run of an old version differs from it."""

    metric: str
    old: str
    again: str
    difference: Estimate
    level: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Gate(Result):
    """The result of `gate`: whether `new` is not worse than `old`.

    >>> import betterthan as bt
    >>> found = bt.gate({"new": [3, 5, 4, 6, 4, 5], "old": [3, 4, 4, 6, 5, 5]}, "new", "old", not_worse_than=2)
    >>> found.decision, found.exit_code
    ('pass', 0)
    """

    verb: ClassVar[str] = "gate"
    schema: ClassVar[str] = "gate/1"
    holds = (
        "decision",
        "exit_code",
        "new",
        "old",
        "kind",
        "level",
        "decided_at",
        "verdict",
        "checks",
        "reruns",
        "flips",
    )

    settings: GateOptions
    new: str
    old: tuple[str, ...]
    kind: str
    decision: Decision
    decided_at: float
    checks: tuple[GateCheck, ...]
    reruns: tuple[Rerun, ...] = ()
    flips: tuple[FlippedItem, ...] = ()

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return {"evidence": self.kind, "unit": self.checks[0].unit}

    @property
    def level(self) -> float:
        """The confidence of a single look; `decided_at` is that of this one."""
        return self.settings.level

    @property
    def exit_code(self) -> int:
        """The exit code of the command line: 0 pass, 1 fail, 4 inconclusive."""
        return EXIT_CODES[self.decision]

    @property
    def verdict(self) -> str:
        """The decision in one or two sentences."""
        return verdict(self)

    def columns(self) -> dict[str, list[Any]]:
        """Return the checks as columns."""
        return {
            "metric": [check.metric for check in self.checks],
            "slice": [check.part for check in self.checks],
            "old": [check.old for check in self.checks],
            "guard": [check.guard for check in self.checks],
            "new_value": [check.new_value for check in self.checks],
            "old_value": [check.old_value for check in self.checks],
            "difference": [check.difference.value for check in self.checks],
            "low": [check.difference.low for check in self.checks],
            "high": [check.difference.high for check in self.checks],
            "limit": [check.limit for check in self.checks],
            "relative": [check.relative for check in self.checks],
            "n": [check.n for check in self.checks],
            "decision": [check.decision for check in self.checks],
        }

    def tables(self) -> list[Table]:
        """Return the checks, and the items that flipped."""
        tables = [self.check_table()]
        if self.flips:
            tables.append(self.flip_table())
        return tables

    def check_table(self) -> Table:
        """Return every check with both means, the interval that decides it, and the limit."""
        several = len(self.old) > 1
        columns = [Column("check", "left", flexible=True)]
        columns += [Column("against", "left")] if several else []
        columns += [
            Column("new"),
            Column("old"),
            Column("difference"),
            Column(f"{100 * (2 * self.decided_at - 1):.4g} % interval", "left"),
            Column("must be", "left"),
            Column("decision", "left"),
        ]
        rows = [
            [
                check.title,
                *([check.old] if several else []),
                *_means(check),
                amount(check, check.difference.value),
                interval_text(check),
                limit_text(check),
                check.decision or "",
            ]
            for check in self.checks
        ]
        return Table(columns, rows)

    def flip_table(self) -> Table:
        """Return the items that became worse, and those that became better."""
        several = len({flip.metric for flip in self.flips}) > 1
        columns = [Column("item", "left", flexible=True), *([Column("metric", "left")] if several else [])]
        columns += [Column("new"), Column("old"), Column("", "left")]
        rows = [
            [flip.item, *([flip.metric] if several else []), f"{flip.new:.4g}", f"{flip.old:.4g}", flip.change]
            for flip in self.flips
        ]
        return Table(columns, rows, title="Items that flipped")

    def body(self, width: int | None) -> list[str]:
        """Return the checks, what these items can show, reruns and flipped items."""
        parts = [self.check_table().to_text(width), ""]
        parts += [wrapped(line, width) for line in further(self)]
        if self.flips:
            table = self.flip_table()
            parts += ["", table.title, "", table.to_text(width)]
        return parts

    def brief(self, width: int | None) -> str:
        """Return the verdict."""
        return wrapped(self.verdict, width)

    def markdown_tables(self) -> str:
        """Return the verdict, the tables and what the items can show: a comment on a pull request."""
        lines = "".join(f"- {escaping.markdown_line(line)}\n" for line in further(self))
        return f"**{escaping.markdown_line(self.verdict)}**\n\n{super().markdown_tables()}\n{lines}"

    def to_junit(self) -> str:
        """Return JUnit XML with a test case for every check; an inconclusive check is a failure of that type."""
        return junit(self)


def _means(check: GateCheck) -> tuple[str, str]:
    """Return both means, with the digits that the interval leaves."""
    if check.old_value is None or check.new_value is None:
        return "", ""
    scale = abs(check.old_value) if check.relative else 1.0
    ends = [None if end is None else end * scale for end in (check.difference.low, check.difference.high)]
    places = digits.decimals([(ends[0], ends[1])])
    return digits.rounded(check.new_value, places), digits.rounded(check.old_value, places)
