"""`betterthan fit`: a log-linear model with ties, judges and covariates."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options

_TIES = ("davidson", "fixed", "drop", "half", "rao-kupper")


@click.command("fit")
@evidence_options
@click.option("--ties", type=click.Choice(_TIES), default="davidson", help="How ties are treated.  [default: davidson]")
@click.option("--subject", metavar="FORMULA", help="Of who judged: '~ judge', '~ C(age) * sex'.")
@click.option("--object", "object_", metavar="FILE", help="Table of what is known about systems, by name.")
@click.option("--terms", metavar="FORMULA", help="Of the columns of --object and of who judged.")
@click.option("--residual", is_flag=True, help="Systems also have effects of their own, beside --object.")
@click.option("--contrast", metavar="FORMULA", help="Of what differs between the sides: '~ length_diff'.")
@click.option("--position", is_flag=True, help="The left side's advantage.")
@click.option("--position-by", metavar="FORMULA", help="The left side's advantage, by who judged: '~ judge'.")
@click.option(
    "--undecided", metavar="FORMULA", help="The effect of ties by who judged, or 'object' for one per system."
)
@click.option("--by", metavar="COLUMNS", help="Cross the table by these too, for the deviance.")
@click.option("--reference", metavar="NAME", help="The system whose strength is 0.  [default: the last by name]")
@click.option("--cluster", metavar="COLUMN", help="Errors that allow for dependence: judge, item, ranking, a column.")
@click.option("--random", metavar="COLUMN", help="Strengths vary at random between judges (or another column).")
@click.option(
    "--model", type=click.Choice(["bradley-terry", "plackett-luce"]), default="bradley-terry",
    help="Rankings: as pairs, or whole.  [default: bradley-terry]",
)  # fmt: skip
@click.option("--anova", is_flag=True, help="Test every part of the model by leaving it out.")
@click.option(
    "--scale", type=click.Choice(["log", "lambda"]), default="log",
    help="Strengths as log-worths, or as half of them.  [default: log]",
)  # fmt: skip
@click.option("--level", type=float, default=0.95, help="Level of intervals.  [default: 0.95]")
@output_options
def command(**options: Any) -> None:
    """Fit a log-linear Bradley–Terry model: coefficients, worths, deviance, tests.

    \b
    betterthan fit votes.csv
    betterthan fit votes.csv --subject '~ judge' --anova
    betterthan fit votes.csv --contrast '~ length_diff' --position --cluster judge
    betterthan fit counts.csv --object systems.csv --scale lambda
    """
    from betterthan.loglinear.fit import fit

    form, output, _, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    form = form_of(form, output)
    names = (
        "ties", "subject", "terms", "residual", "contrast", "undecided", "reference", "cluster", "random", "model",
        "anova", "level",
    )  # fmt: skip
    choices = {name: options.pop(name) for name in names}
    side, by_whom, crossed = options.pop("position"), options.pop("position_by"), options.pop("by")
    choices["position"] = by_whom or side
    choices["by"] = tuple(name.strip() for name in (crossed or "").split(",") if name.strip())
    choices["object"] = options.pop("object_")
    scale = options.pop("scale")
    model = fit(read_evidence(options), **choices).scaled(scale)
    deliver(model, form, output, color=not plain)
