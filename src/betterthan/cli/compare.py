"""`betterthan compare`: two systems in depth."""

from typing import Any

import click

from betterthan.cli.inputs import pair_options, read_evidence, read_pair
from betterthan.cli.outputs import deliver, form_of, output_options
from betterthan.plan import CORRECTIONS

#: Options that mean something for two systems only, and for all pairs only.
_OF_TWO, _OF_ALL = ("group", "margin", "ties", "fail_if_worse"), ("model", "test", "correction")


def _refuse_idle(*, every: bool) -> None:
    """Refuse options that would have no effect, so that nobody believes they had one."""
    context = click.get_current_context()
    for name in _OF_TWO if every else _OF_ALL:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            what = "two systems, not --all" if every else "--all, not two systems"
            raise click.UsageError(f"--{name.replace('_', '-')} is for {what}. Leave it out.")


@click.command("compare")
@pair_options
@click.option("--margin", type=float, help="Differences up to this are practically none.  [default: 0.1 SD]")
@click.option("--ties", type=click.Choice(["drop", "split"]), default="drop", help="Ties of the sign test.")
@click.option("--tolerance", type=float, default=0.0, help="Differences up to this are ties.  [default: 0]")
@click.option("--level", type=float, default=0.95, help="Level of intervals.  [default: 0.95]")
@click.option("--seed", type=int, default=0, help="Seed of resamples and random flips.  [default: 0]")
@click.option("--all", "every", is_flag=True, help="All pairs of the file's systems, by --model.")
@click.option("--model", default="bradley-terry", help="Model of --all: mean, median, bradley-terry, elo, trueskill …")
@click.option(
    "--test", type=click.Choice(["auto", "model"]), default="auto", help="Of --all: the model's own, or by covariance."
)
@click.option("--correction", type=click.Choice(CORRECTIONS), default="holm", help="Of --all, for many tests.")
@click.option("--fail-if-worse", is_flag=True, help="Leave with 1 if A is shown to be worse (by more than --margin).")
@output_options
def command(**options: Any) -> None:
    """Compare two systems: FILE A B, or two runs of an evaluation, matched by instance.

    Effects with intervals, all paired tests, and which of them to trust for this evidence. A positive difference means
    that A is better.

    \b
    betterthan compare scores.csv A B
    betterthan compare scores.csv A B --group document
    betterthan compare new.csv old.csv --fail-if-worse
    betterthan compare votes.csv gpt-x llama-y
    betterthan compare scores.csv --all --model mean
    """
    from betterthan.duel.all_pairs import compare_all
    from betterthan.duel.compare import compare

    form, output, _, plain, fail = (
        options.pop(name) for name in ("form", "output", "quiet", "no_color", "fail_if_worse")
    )
    choices = {name: options.pop(name) for name in ("margin", "ties", "tolerance", "level", "seed")}
    form = form_of(form, output)
    every, model, test, correction = (options.pop(name) for name in ("every", "model", "test", "correction"))
    _refuse_idle(every=every)
    if every:
        options.pop("group")
        kept = {name: choices[name] for name in ("tolerance", "level", "seed")}
        pairs = compare_all(read_evidence(options), model, test=test, correction=correction, **kept)
        deliver(pairs, form, output, color=not plain)
        return
    evidence, names = read_pair(options)
    duel = compare(evidence, *names, **choices)
    deliver(duel, form, output, color=not plain)
    if fail and duel.is_worse(choices["margin"] or 0.0):
        raise click.exceptions.Exit(1)
