"""Options of `score`: the metrics, and the columns of outputs and references."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.base import PlanError, Progress, registry, silent, spelling
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import WHERE


@dataclass(frozen=True)
class ScoreOptions(Options):
    """Outputs, references and metrics."""

    verb: ClassVar[str] = "score"
    reads: ClassVar[bool] = False
    arguments: ClassVar[Arguments] = {
        "evidence": (
            "path, data frame, list or dict",
            "Outputs: a table with the columns item, system and output, a table with a column per system, or one file "
            "of lines per system.",
        )
    }

    metric: Sequence[str] = option(
        (),
        "Metrics separated by commas, options in brackets: 'chrf,wer,bleu(tokenize=zh)'; module:function or a program.",
        metavar="METRICS",
    )
    reference: Any = option(
        None,
        "Files or columns of references; several give several references per item.",
        typed="str, path, list or dict",
        metavar="FILES",
        unsaid="a column called reference, ref, gold, truth …",
        signed=False,
    )
    _: KW_ONLY
    item: str | None = option(None, "Column of the item.", metavar="COLUMN", signed=False)
    system: str | None = option(None, "Long tables: column of the system.", metavar="COLUMN", signed=False)
    outputs: str | None = option(None, "Long tables: column of the output.", metavar="COLUMN", signed=False)
    systems: Sequence[str] | None = option(
        None, "Wide tables: one column of outputs per system.", metavar="COLUMNS", signed=False
    )
    dataset: str | None = option(
        None, "Column of the data set; each is scored separately.", metavar="COLUMN", signed=False
    )
    group: str | None = option(
        None, "Column of the group (document, prompt); items of a group are dependent.", metavar="COLUMN", signed=False
    )
    repeat: str | None = option(
        None,
        "Column that distinguishes several outputs of a system on an item (sample, seed).",
        metavar="COLUMN",
        signed=False,
    )
    empty: Literal["missing", "score"] | None = option(
        None,
        "Whether empty outputs count as missing or are scored as empty texts.",
        unsaid="missing in tables, score in lines of text",
    )
    lower_is_better: Sequence[str] = option(
        (), "Your own metrics for which less is better.", metavar="METRICS", quiet=True
    )
    where: Mapping[str, Any] | Sequence[str] | None = option(None, WHERE, metavar="CONDITION", repeated=True)
    encoding: str = option("utf-8", "Encoding of text files.", metavar="NAME", signed=False)
    on_error: Literal["refuse", "skip", "skip-most"] = option(
        "refuse",
        "Stop at the first bad row, or skip bad rows and count them: up to half of all rows, or most of them.",
        quiet=True,
    )
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )

    def __post_init__(self) -> None:
        if isinstance(self.metric, str):  # commas within brackets separate options, not metrics
            object.__setattr__(self, "metric", registry.split(self.metric))
        super().__post_init__()
        if not self.metric:
            raise PlanError("name at least one metric", remedy=f"For example {spelling.option('metric', 'chrf,wer')}.")
        if len(set(self.metric)) < len(self.metric):
            raise PlanError(f"a metric is named twice: {','.join(self.metric)}", remedy="Name it once.")
        unknown = [name for name in self.lower_is_better if name not in self.metric]
        if unknown:
            raise PlanError(
                f"{spelling.option('lower_is_better')} names {unknown[0]!r}, which is not among the metrics",
                allowed=", ".join(self.metric),
            )
