"""The `betterthan` command: finds the verb, and turns every failure into one clear message."""

import atexit
import gc
import os
import sys
import threading
from glob import glob
from importlib import import_module
from typing import Any

import click

from betterthan import __version__
from betterthan.base import escaping, nearest, spelling
from betterthan.cli.shared.signals import Stopping, stoppable
from betterthan.cli.shared.streams import discard, prepare_streams, reader_left, say

#: Verbs by the question that they answer, and what they do; each lives in the file of its name.
QUESTIONS = {
    "Which system is better?": {
        "rank": "Leaderboard from any evidence.",
        "compare": "Two systems in depth: effects, tests, verdict.",
        "gate": "Is a new version not worse than the old one? For CI.",
        "report": "One self-contained HTML page.",
        "open": "A page on this machine to explore files.",
        "plot": "Pictures: SVG, PNG, PDF, HTML.",
    },
    "Can the evidence be trusted?": {
        "diagnose": "Check evidence for problems, and say which model to report.",
        "agree": "How far judges agree: Krippendorff's alpha.",
        "items": "Which items are hard, and which separate systems.",
        "correlate": "Metrics against people, and against each other.",
    },
    "How much more is needed?": {
        "power": "How many items or judgments are needed.",
        "next": "What to judge next, and which pairs are settled.",
        "campaign": "People judge in the browser, until it is settled.",
        "replay": "What a policy of choosing pairs would have saved.",
    },
    "Which model describes it?": {
        "fit": "Log-linear model with ties, judges and covariates.",
        "select": "Which model predicts held-out judgments best.",
        "study": "Experiments of the papers, on your evidence too.",
    },
    "How do I bring my data?": {
        "score": "Scores from outputs and references.",
        "convert": "Between kinds and layouts of evidence.",
    },
    "How does this work?": {
        "demo": "The main job on bundled evidence with known truth.",
        "explain": "What a finding means, and what to do about it.",
        "completion": "Complete verbs, options and columns with Tab.",
    },
}
#: All verbs, and what they do.
VERBS = {verb: what for verbs in QUESTIONS.values() for verb, what in verbs.items()}


#: What click raises where a group is called without a verb; older versions print the help themselves.
_NO_ARGUMENTS: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class _PipeError(Exception):
    """What a verb was stopped by: click would leave without telling which pipe it was."""


class _Verbs(click.Group):
    """Imports a verb when it is called, so that --help answers at once."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _PipeError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"betterthan.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb, or name the nearest; a file that is named without a verb is ranked."""
        if args and args[0] not in VERBS and (args[0] == "-" or not args[0].startswith("-")):
            if not _names_files(args[0]):
                raise click.UsageError(f"there is no {_wanted(args[0])} {args[0]!r}. {_remedy(args[0])}", ctx)
            args = ["rank", *args]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        wide = max(map(len, VERBS))
        for question, verbs in QUESTIONS.items():
            formatter.write_paragraph()
            formatter.write(f"{question}\n")
            with formatter.indentation():
                formatter.write_dl([(verb.ljust(wide), what) for verb, what in verbs.items()])


def _names_files(text: str) -> bool:
    """Whether an argument is standard input, an address, a file or folder that exists, or a pattern with matches."""
    return text == "-" or "://" in text or os.path.exists(text) or bool(glob(text))


def _wanted(text: str) -> str:
    return "file" if _is_path(text) else "verb"


def _remedy(text: str) -> str:
    return "Check the name and the folder." if _is_path(text) else nearest(text, tuple(VERBS))


def _is_path(text: str) -> bool:
    """Whether an argument reads like a file: it has a folder, an ending or a wildcard."""
    return any(sign in text for sign in "/\\.*?[")


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="betterthan", message="%(prog)s %(version)s")
def betterthan() -> None:
    """Turn evaluation evidence into rankings you can defend.

    \b
    betterthan votes.csv          rank the systems of a file
    betterthan open votes.csv     explore it in the browser
    betterthan VERB --help        what a verb takes
    """


def main(arguments: list[str] | None = None) -> None:
    """Run and leave with an exit code: 0 done, 1 a gate failed, 2 bad input, 3 our error, 4 an open gate, 130 or
    143 stopped."""
    # Hundreds of modules are no garbage: looking through them again and again while they load takes a tenth of the
    # time of a small job.
    gc.set_threshold(100_000)
    prepare_streams()
    words = sys.argv[1:] if arguments is None else arguments
    with spelling.spell_for("command line", words), stoppable(for_good=arguments is None) as stopping:
        code = _run(arguments, stopping)
    if arguments is None:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End the process with an exit code, without taking its modules apart: of a small job that is a tenth of the time.

    Threads that still run are waited for, as Python does.
    """
    if threading.active_count() > 1:
        gc.disable()  # what is left goes with the process
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)
    os._exit(code)


def _run(arguments: list[str] | None, stopping: Stopping) -> int:
    try:
        code = betterthan.main(args=arguments, prog_name="betterthan", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except _NO_ARGUMENTS as asked:
        say(asked.ctx.get_help() if asked.ctx is not None else "")
        return 0
    except BaseException as error:
        if stopping.stopped is not None or isinstance(error, (click.Abort, KeyboardInterrupt)):
            return _say("stopped; nothing was written.", 130 if stopping.stopped is None else stopping.stopped.code)
        if isinstance(error, click.NoSuchOption):
            from betterthan.cli.shared.unknown_options import refusal_of  # (most commands end well)

            return _say(escaping.brief(refusal_of(error, VERBS)), 2)
        if isinstance(error, click.ClickException):
            return _say(escaping.brief(error.format_message()), 2)
        if isinstance(error, (_PipeError, SystemExit)) and reader_left():  # click exits after its help
            return 0
        cause = error.__cause__ if isinstance(error, _PipeError) else error
        if not isinstance(cause, Exception):
            raise
        if isinstance(cause, OSError) and cause.filename is None:
            discard(sys.stdout)
        from betterthan.base import error_sentence  # (most commands end well)

        sentence, ours = error_sentence(cause)
        if ours and os.environ.get("BETTERTHAN_DEBUG"):
            raise
        return _say(sentence, 3 if ours else 2)
    return code if isinstance(code, int) else 0  # a verb that left with a code of its own


def _say(message: str, code: int) -> int:
    say(f"betterthan: {message}", err=True)
    return code
