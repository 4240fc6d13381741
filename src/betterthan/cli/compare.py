"""`betterthan compare`: two systems in depth."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, only_for, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence, read_pair
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.options import CompareOptions, ComparePairsOptions
from betterthan.results import Result


@click.command("compare", cls=VerbCommand)
@evidence_options
@options_of(CompareOptions, ComparePairsOptions)
@click.option("--all", "every", is_flag=True, help="All pairs of the file's systems, by --model.")
@output_options
def command(**options: Any) -> None:
    """Compare two systems: FILE A B, or two runs of an evaluation, matched by item.

    Effects with intervals, all paired tests, and the test to trust for this evidence. A positive difference means
    that A is better. Several tasks or metrics are compared one by one, and overall.

    \b
    betterthan compare scores.csv A B
    betterthan compare scores.csv A B --group document
    betterthan compare new.csv old.csv
    betterthan compare runs/new runs/old
    betterthan compare 'new_seed*.csv' 'old_seed*.csv'
    betterthan compare votes.csv gpt-x llama-y
    betterthan compare scores.csv --all --model mean
    betterthan compare scores.csv --all --model mean,median,bradley-terry,elo,trueskill
    """
    output = Output.taken_from(options)
    if options.pop("every"):
        output.deliver(_all_pairs(options))
        return
    from betterthan import Duel, TaskDuels, compare, compare_tasks

    said = given(CompareOptions, options)
    only_for(ComparePairsOptions, options, "--all, not two systems")
    evidence, names = read_pair(options)
    duel: Duel | TaskDuels
    if evidence.kind == "scores" and evidence.several_tasks:
        duel = compare_tasks(evidence, *names, **said)
    else:
        duel = compare(evidence, *names, **said)
    output.deliver(duel)


def _all_pairs(options: dict[str, Any]) -> Result:
    from betterthan import compare_all, compare_models
    from betterthan.verbs.each import run_on_each

    said = given(ComparePairsOptions, options)
    only_for(CompareOptions, options, "two systems, not --all")
    several = len(ComparePairsOptions(model=said.get("model")).models) > 1
    evidence = read_evidence(options)
    return run_on_each(compare_models if several else compare_all, evidence, **said)
