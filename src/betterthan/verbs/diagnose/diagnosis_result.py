"""The result of `diagnose`: findings, judges and advice for every data set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import BetterthanError, escaping, spelling
from betterthan.datasets import EvidenceSummary
from betterthan.findings import Finding, counted
from betterthan.options import DiagnoseOptions
from betterthan.present import Column, Holds, Table, wrapped
from betterthan.results import Detail, Result, findings_text, text_width
from betterthan.verbs.diagnose.audit.audit_report import JudgeAudit
from betterthan.verbs.diagnose.diagnosis_plots import DiagnosisPlots
from betterthan.verbs.diagnose.judges.judge_report import JudgeReport
from betterthan.verbs.diagnose.model_advice import Advice


@dataclass(frozen=True)
class Section:
    """The findings about one data set."""

    holds: ClassVar[Holds] = (("title", "name"), "evidence", "findings", "judges", "audit", "advice")

    title: str
    evidence: EvidenceSummary
    findings: tuple[Finding, ...]
    judges: JudgeReport | None
    advice: Advice
    audit: JudgeAudit | None = None  # of a judge by people's labels

    @property
    def name(self) -> str | None:
        """Metric and data set, None where nothing distinguishes them."""
        return self.title or None

    @property
    def verdict(self) -> str:
        """Which model to report, and which warnings to heed."""
        codes = list(dict.fromkeys(finding.code for finding in self.findings if finding.level == "warning"))
        if not codes:
            return f"{self.advice.head} No problems were found."
        return f"{self.advice.head} {counted(len(codes), 'warning')}: {', '.join(codes)}."

    def to_text(self, width: int | None = None, detail: Detail = "usual") -> str:
        """Return the findings, warnings first, judges, and the advice."""
        parts = [*([self.title] if self.title else []), wrapped(str(self.evidence), width), ""]
        parts += findings_text(self.findings, width, detail) or ["No problems found."]
        if self.judges is not None:
            parts += ["", self.judges.to_text(width)]
        if self.audit is not None:
            parts += ["", *(f"{table.to_text(width)}\n" for table in self.audit.tables())]
        return "\n".join([*parts, "", self.advice.to_text(width)])


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Diagnosis(Result):
    """Findings and advice, one section per data set and metric.

    >>> import betterthan as bt
    >>> diagnosis = bt.diagnose({"owl": [3, 5, 4, 6], "yak": [3, 5, 4, 6], "elk": [1, 2, 2, 9]})
    >>> diagnosis.finding("identical").level
    'warning'
    """

    verb: ClassVar[str] = "diagnose"
    schema: ClassVar[str] = "diagnosis/1"
    holds = ("verdict", "evidence", "judges", ("advice", "only_advice"), ("data_sets", "sections"))

    settings: DiagnoseOptions
    sections: tuple[Section, ...]

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return {"evidence": self.sections[0].evidence.kind}

    @property
    def advice(self) -> Advice:
        """The advice for a single data set."""
        if len(self.sections) > 1:
            titles = ", ".join(repr(section.title) for section in self.sections[:10])
            raise BetterthanError(
                f"there is advice for each of {titles}",
                remedy=f"Look at sections, or choose one with {spelling.option('where')}.",
            )
        return self.sections[0].advice

    @property
    def plot(self) -> DiagnosisPlots:
        """Pictures: `plot.judges()`."""
        return DiagnosisPlots(self)

    def finding(self, code: str) -> Finding | None:
        """Return the first finding with a code, None where there is none.

        Parameters
        ----------
        code : str
            Code of the finding, such as 'few-units'.

        Returns
        -------
        Finding or None
            The finding.
        """
        return next((finding for finding in self.findings if finding.code == code), None)

    @property
    def evidence(self) -> EvidenceSummary | None:
        """The evidence in numbers, where it is one data set."""
        return self.sections[0].evidence if len(self.sections) == 1 else None

    @property
    def judges(self) -> JudgeReport | None:
        """The judges, where there are any and it is one data set."""
        return self.sections[0].judges if len(self.sections) == 1 else None

    @property
    def only_advice(self) -> Advice | None:
        """The advice, where it is one data set."""
        return self.sections[0].advice if len(self.sections) == 1 else None

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per finding."""
        rows = [(section.title, finding) for section in self.sections for finding in section.findings]
        return {
            "title": [title for title, _ in rows],
            **{
                name: [getattr(finding, name) for _, finding in rows]
                for name in ("code", "level", "value", "message", "hint")
            },
        }

    def table(self) -> Table:
        """Return the findings as a finished table."""
        several = len(self.sections) > 1
        first = [Column("data set", "left", optional=1)] if several else []
        columns = [*first, Column("", "left"), Column("finding", "left"), Column("what", "left", flexible=True)]
        rows = [
            [
                *([section.title] if several else []),
                "!" if finding.level == "warning" else "i",
                finding.code,
                _what(finding),
            ]
            for section in self.sections
            for finding in section.findings
        ]
        return Table(columns, rows)

    def to_markdown(self) -> str:
        """Return the findings as a Markdown table, and the advice."""
        judges = [table.to_markdown() for table in self._judge_tables()]
        advice = [
            f"**{escaping.markdown_text(title)}** {escaping.markdown_text(line)}\n"
            if title
            else f"{escaping.markdown_line(line)}\n"
            for title, line in _advice(self.sections)
        ]
        return "\n".join([self.table().to_markdown(), *judges, *advice]) + "\n"

    def _judge_tables(self) -> list[Table]:
        judges = [table for each in self.sections if each.judges is not None for table in each.judges.all_tables()]
        return judges + [table for each in self.sections if each.audit is not None for table in each.audit.tables()]

    def tables(self) -> list[Table]:
        """Return the findings."""
        return [self.table()]

    def to_html(self) -> str:
        """Return findings, judges and advice as HTML."""
        judges = [table.to_html() for table in self._judge_tables()]
        advice = [
            f"<p>{f'<b>{escaping.html_text(title)}</b> ' if title else ''}{escaping.html_text(line)}</p>"
            for title, line in _advice(self.sections)
        ]
        return "".join([self.table().to_html(), *judges, *advice])

    @property
    def verdict(self) -> str:
        """Which model to report, and which warnings to heed, for every data set."""
        if len(self.sections) == 1:
            return self.sections[0].verdict
        return "\n".join(f"{section.title}: {section.verdict}" for section in self.sections)

    def body(self, width: int | None) -> list[str]:
        """Return findings, judges and advice of every data set."""
        return self._sections(width, "usual")

    def brief(self, width: int | None) -> str:
        """Return the verdict."""
        return "\n".join(wrapped(line, width) for line in self.verdict.split("\n"))

    def to_text(self, width: int | None = None, detail: Detail = "usual") -> str:
        """Return the text for the terminal: the verdict, then the findings about every data set."""
        text_width(width, detail)
        if detail == "brief":
            return escaping.terminal_text(self.brief(width))
        read = [wrapped(line, width) for line in self.reading_lines]
        lines = [self.brief(width), "", *self._sections(width, detail), *read, str(self.signature)]
        return escaping.terminal_text("\n".join(lines))

    def _sections(self, width: int | None, detail: Detail) -> list[str]:
        return "\n\n".join(section.to_text(width, detail) for section in self.sections).split("\n")


def _what(finding: Finding) -> str:
    return f"{finding.message} {finding.hint}".rstrip()


def _advice(sections: Sequence[Section]) -> list[tuple[str, str]]:
    """Return every line of advice after the data set that it is for."""
    return [(section.title, line) for section in sections for line in section.advice.to_text().split("\n")]
