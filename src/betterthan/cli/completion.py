"""`betterthan completion`: let the shell complete verbs, options, models and columns."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from betterthan.base import BetterthanError
from betterthan.cli.shared.single_options import SingleGroup
from betterthan.cli.shared.streams import say
from betterthan.present import atomic_files

_SHELLS = ("bash", "zsh", "fish")
#: Where each shell looks for completions automatically, below the home folder.
_PLACES = {
    "bash": ".local/share/bash-completion/completions/betterthan",
    "zsh": ".zfunc/_betterthan",
    "fish": ".config/fish/completions/betterthan.fish",
}


@click.group("completion", cls=SingleGroup)
def command() -> None:
    """Let your shell complete verbs, options, models and columns with the Tab key.

    \b
    betterthan completion install
    betterthan completion show zsh
    """


@command.command("show")
@click.argument("shell", type=click.Choice(_SHELLS))
def show(shell: str) -> None:
    """Print the script that a shell needs."""
    say(_script(shell))


@command.command("install")
@click.option("--shell", type=click.Choice(_SHELLS), help="Which shell.  [default: yours]")
def install(shell: str | None) -> None:
    """Write the script to where your shell looks for it."""
    chosen = shell or Path(os.environ.get("SHELL", "")).name
    if chosen not in _SHELLS:
        raise click.UsageError(f"your shell is not known ({chosen or 'SHELL is not set'}). Name it: --shell bash.")
    place = Path.home() / _PLACES[chosen]
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.write_text(place, _script(chosen) + "\n")
    except OSError as error:
        raise BetterthanError(f"{place}: cannot be written: {error.strerror}.") from None
    say(f"Wrote {place}. It works in new shells.")
    if chosen == "zsh":
        say("If it does not, add this to ~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit && compinit")


def _script(shell: str) -> str:
    from betterthan.cli.main import betterthan

    kind = get_completion_class(shell)
    assert kind is not None, shell
    return kind(betterthan, {}, "betterthan", "_BETTERTHAN_COMPLETE").source().strip()
