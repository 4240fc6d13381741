"""Options of `score`: what is measured, and where outputs and references stand."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.errors import PlanError
from betterthan.named import split
from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import WHERE
from betterthan.progress import Progress, silent
from betterthan.spelling import option as spelled


@dataclass(frozen=True)
class ScoreOptions(Options):
    """Outputs, references and metrics."""

    verb: ClassVar[str] = "score"

    metric: Sequence[str] = option(
        (), "Several with commas, options in brackets: 'chrf,wer,bleu(tokenize=zh)'; module:function or a program.",
        metavar="METRICS",
    )  # fmt: skip
    reference: Any = option(
        None, "Files or columns of references; several are several references per item.", metavar="FILES",
        unsaid="a column called reference, ref, gold, truth …", signed=False,
    )  # fmt: skip
    _: KW_ONLY
    item: str | None = option(None, "The item.", metavar="COLUMN", signed=False)
    system: str | None = option(None, "Long tables: the system.", metavar="COLUMN", signed=False)
    outputs: str | None = option(None, "Long tables: the output.", metavar="COLUMN", signed=False)
    systems: Sequence[str] | None = option(
        None, "Wide tables: the systems' columns of outputs.", metavar="COLUMNS", signed=False
    )
    dataset: str | None = option(None, "The data set; each is scored alone.", metavar="COLUMN", signed=False)
    group: str | None = option(
        None, "Which items are dependent (document, prompt); passed on.", metavar="COLUMN", signed=False
    )
    repeat: str | None = option(
        None, "What tells several outputs of a system on an item apart (sample, seed).", metavar="COLUMN", signed=False
    )
    empty: Literal["missing", "score"] | None = option(
        None, "Empty outputs are missing, or scored as empty texts.", unsaid="missing in tables, score in lines of text"
    )
    lower_is_better: Sequence[str] = option(
        (), "Metrics of your own for which less is better.", metavar="METRICS", quiet=True
    )
    where: Mapping[str, Any] | Sequence[str] | None = option(None, WHERE, metavar="CONDITION", repeated=True)
    encoding: str = option("utf-8", "Encoding of text files.", metavar="NAME", signed=False)
    on_error: Literal["refuse", "skip"] = option(
        "refuse", "Stop at a bad row, or leave it out and count it.", quiet=True
    )
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)

    def __post_init__(self) -> None:
        if isinstance(self.metric, str):  # commas within brackets separate options, not metrics
            object.__setattr__(self, "metric", split(self.metric))
        super().__post_init__()
        if not self.metric:
            raise PlanError("name at least one metric", remedy=f"For example {spelled('metric', 'chrf,wer')}.")
        if len(set(self.metric)) < len(self.metric):
            raise PlanError(f"a metric is named twice: {','.join(self.metric)}", remedy="Name it once.")
        unknown = [name for name in self.lower_is_better if name not in self.metric]
        if unknown:
            raise PlanError(
                f"{spelled('lower_is_better')} names {unknown[0]!r}, which is not among the metrics",
                allowed=", ".join(self.metric),
            )
