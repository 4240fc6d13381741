"""Whether less of a metric is better: as requested, as files say, or by its usual name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import MemoryTable, Table
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.options import text_values
from betterthan.readers.columns.contradicted_names import contradicted
from betterthan.readers.columns.metric_names import (
    is_ambiguous,
    is_error_like,
    known_direction,
    metric_with_name,
    without_time_unit,
)
from betterthan.readers.columns.roles import normal


def less_is_better(metric: str) -> bool:
    """Return whether lower is better by the usual name of this metric.

    >>> less_is_better("WER"), less_is_better("Val Loss"), less_is_better("accuracy")
    (True, True, False)
    """
    return known_direction(metric) == "less"


def shared_metric(columns: Sequence[str]) -> str:
    """Return the metric that all columns are called after, such as ppl in ppl_owl and ppl_yak; empty without one.

    >>> shared_metric(["ppl_owl", "ppl_yak"]), shared_metric(["owl_wer", "yak_wer"]), shared_metric(["owl", "yak"])
    ('ppl', 'wer', '')
    >>> shared_metric(["accuracy_drop_owl", "accuracy_drop_yak"])
    'accuracy_drop'
    """
    if columns and all(without_time_unit(name) != name for name in columns):
        return "time"
    metrics = {metric_with_name(name) for name in columns}
    if len(metrics) == 1 and "" not in metrics:
        return metrics.pop()
    words = [normal(name).split("_") for name in columns]
    shared = "_".join(word for word in words[0] if all(word in each for each in words)) if len(words) > 1 else ""
    return shared if shared and is_ambiguous(shared) else ""


def refuse_file_of_errors(table: Table) -> None:
    """Refuse a file that is called like an error or a cost, where nothing else names its metric."""
    stem = table.name.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    if not isinstance(table, MemoryTable) and (less_is_better(stem) or is_error_like(stem)):
        raise UnclearError(
            f"the file is called {stem!r}, so less may be better",
            where=table.name,
            remedy=_unclear_remedy("all", ()),
            choices=[
                ({"lower_is_better": "all"}, "less is better, as the file's name says"),
                ({"lower_is_better": "none"}, "more is better, in spite of the file's name"),
            ],
        )


def _refuse_contradiction(
    turned: Sequence[ScoreTable], growing: Sequence[tuple[ScoreTable, ScoreTable]], where: str
) -> None:
    """Refuse a metric that is called like an error and grows with a quality: it may say that there are none."""
    errors = list(dict.fromkeys(error.metric or error.title for error, _ in growing))
    quality = growing[0][1].metric or growing[0][1].title
    less = list(dict.fromkeys(table.metric or table.title for table in turned))
    others = [name for name in less if name not in errors]
    shown = ", ".join(map(repr, errors))
    raise UnclearError(
        f"{shown} may say how much is free of errors: called like errors, but high where {quality!r} is",
        where=where,
        remedy=_unclear_remedy(less, others),
        choices=[
            ({"lower_is_better": less}, f"less of {shown} is better"),
            ({"lower_is_better": others or "none"}, f"more of {shown} is better"),
        ],
    )


def _unclear_remedy(if_less: str | Sequence[str], if_more: Sequence[str]) -> str:
    return (
        f"If less is better, pass {spelling.option('lower_is_better', if_less)}; if more is better, pass "
        f"{spelling.option('lower_is_better', if_more or 'none')}."
    )


def as_asked(asked: bool | str | Sequence[str] | None) -> bool | Sequence[str] | None:
    """Return the requested metrics: all, none, some by name, or no request."""
    if isinstance(asked, str):
        return {"all": True, "none": False}.get(asked, text_values.parts(asked))
    return asked


@dataclass(frozen=True)
class Directions:
    """Which metrics are lower-is-better: as requested, else as files say, else by their usual names."""

    asked: bool | Sequence[str] | None
    files: Mapping[tuple[str, str], bool] = field(default_factory=dict)  # by data set and metric

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", as_asked(self.asked))

    def settle(self, metrics: Iterable[str], where: str, column: str = "") -> None:
        """Refuse metrics of a table whose direction must be given, with both readings.

        `column` holds the scores of metrics that another one names: time_ms says more than the names of operations.
        """
        said = {metric for _, metric in self.files}
        names = [metric for metric in dict.fromkeys(metrics) if metric not in said]
        by_column = bool(column) and (less_is_better(column) or is_ambiguous(column))
        unclear = [name for name in names if is_ambiguous(name) or (by_column and known_direction(name) is None)]
        if self.asked is not None or not unclear:
            return
        less = [metric for metric in names if less_is_better(metric)]
        shown = ", ".join(map(repr, unclear))
        raise UnclearError(
            f"cannot tell whether less or more of {shown} is better",
            where=where,
            remedy=_unclear_remedy([*less, *unclear], less),
            choices=[
                ({"lower_is_better": [*less, *unclear]}, f"less of {shown} is better"),
                ({"lower_is_better": less or "none"}, f"more of {shown} is better"),
            ],
        )

    def lower(self, dataset: str, metric: str, rows: bool | None = None) -> bool:
        """Return whether lower is better for this metric on this data set; its own rows may say so."""
        if isinstance(self.asked, bool):
            return self.asked
        if self.asked is not None:
            return bool({dataset, metric, f"{dataset} {metric}".strip()} & set(self.asked))
        if rows is not None:
            return rows
        said = self.files.get((dataset, metric))
        # Some versions of lm-eval say about TER that more is better.
        if said is not None and normal(metric) != "ter":
            return said
        if is_ambiguous(metric):
            raise EvidenceError(
                f"cannot tell whether less or more of {metric!r} is better",
                remedy=_unclear_remedy(metric, ()),
            )
        return less_is_better(metric)

    def check(self, tables: Sequence[ScoreTable], where: str, *, said: bool = False) -> list[Finding]:
        """Refuse to reverse metrics that are absent, and report those reversed although no row `said` so."""
        known = {name for table in tables for name in (table.title, table.dataset, table.metric)} - {""}
        unknown = [] if isinstance(self.asked, bool) else [name for name in self.asked or () if name not in known]
        if unknown:
            raise EvidenceError(
                f"{spelling.option('lower_is_better')} names {unknown[0]!r}, which is no metric here",
                where=where,
                allowed=", ".join(sorted(known)[:20]),
            )
        turned = [table for table in tables if table.negated] if self.asked is None and not said else []
        if not turned:
            return []
        turned_by_name = [table for table in turned if (table.dataset, table.metric) not in self.files]
        qualities = [table for table in tables if not table.negated]
        if contradicted(turned_by_name, qualities):
            _refuse_contradiction(turned, contradicted(turned_by_name, qualities, 0.0), where)
        names = ", ".join(dict.fromkeys(repr(table.metric or table.title) for table in turned))
        told = any((table.dataset, table.metric) in self.files for table in turned)
        return [
            kinds.reading.LOWER_IS_BETTER.found(
                metrics=names, source="as the files say" if told else "going by the name"
            )
        ]
