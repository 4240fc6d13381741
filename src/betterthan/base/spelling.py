"""Names of options and verbs in messages: keyword arguments in Python, flags on the command line."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Literal

FrontEnd = Literal["python", "command line"]

#: Flags that differ from the option's name, and Python arguments that differ from the flag.
_ARGUMENTS = {"add": "systems"}
_FLAGS = {"kind": "--as", "outcomes": "--outcome-map", "format": "--from", "form": "--format"}
#: Verbs whose function in Python has another name, and how the command line calls them.
_FUNCTIONS = {"next": "next_matches"}
_COMMANDS = {
    "compare_all": "compare --all",
    "compare_models": "compare --all",
    "compare_tasks": "compare FILE A B",
}

#: Shorter flags that the command line understands as well.
_OTHER_FLAGS = {"outcomes": ("--map",), "policies": ("--policy",)}

_front_end: FrontEnd = "python"
#: What was typed after `betterthan`, where it is the front end.
_arguments: tuple[str, ...] = ()


class spell_for:  # noqa: N801 (reads as a function, and serves in a `with` block as well)
    """Set the spelling of options for a front end in every thread; in a `with` block, only within the block.

    >>> with spell_for("command line"):
    ...     option("on_error", "skip")
    '--on-error skip'
    """

    def __init__(self, front_end: FrontEnd, arguments: Sequence[str] = ()) -> None:
        # A process has one front end, and its worker threads must know it.
        global _front_end, _arguments
        self._before = _front_end, _arguments
        _front_end, _arguments = front_end, tuple(arguments)

    def __enter__(self) -> None:
        """Leave the front end as it was set."""

    def __exit__(self, *_: object) -> None:
        global _front_end, _arguments
        _front_end, _arguments = self._before


def front_end() -> FrontEnd:
    """Return the front end that options are spelled for."""
    return _front_end


def flag(name: str) -> str:
    """Return an option's flag on the command line.

    >>> flag("on_error"), flag("outcomes")
    ('--on-error', '--outcome-map')
    """
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")


def flags(name: str) -> tuple[str, ...]:
    """Return all flags of an option, the one to be used first.

    >>> flags("outcomes")
    ('--outcome-map', '--map')
    """
    return flag(name), *_OTHER_FLAGS.get(name, ())


def option(name: str, value: Any = None) -> str:
    """Return an option, with a value or without, as the reader has to write it.

    >>> option("on_error", "skip"), option("where", {"metric": "NAME"}), option("level")
    ("on_error='skip'", "where={'metric': 'NAME'}", 'level')
    """
    if _front_end == "python":
        argument = _ARGUMENTS.get(name, name)
        return argument if value is None else f"{argument}={list(value) if isinstance(value, tuple) else value!r}"
    if name == "where" and isinstance(value, Mapping):
        value = [f"{key}={each}" for key, each in value.items()]
    if name == "where" and isinstance(value, list):  # the one option that is repeated
        return " ".join(f"{flag(name)} {_word(each)}" for each in value)
    if value is None or (value is True and name != "lower_is_better"):
        return flag(name)
    return f"{flag(name)} {_word(_text(value))}"


def verb(name: str, **options: Any) -> str:
    """Return a call of another verb as the reader has to write it.

    >>> verb("next"), verb("fit", position=True)
    ('bt.next_matches(...)', 'bt.fit(..., position=True)')
    """
    spelled = [option(each, value) for each, value in options.items()]
    if _front_end == "python":
        return f"bt.{_FUNCTIONS.get(name, name)}({', '.join(['...', *spelled])})"
    return " ".join(["betterthan", _COMMANDS.get(name, name), *(["FILE", *spelled] if spelled else [])])


def reading(sources: Sequence[str] | None, given: Mapping[str, Any], changes: Mapping[str, Any]) -> str:
    """Return the whole command or call that reads these files in another way; an option that becomes None is left out.

    >>> reading(["votes.csv"], {"item": "topic"}, {"left": "champion"})
    "bt.read('votes.csv', item='topic', left='champion')"
    >>> with spell_for("command line", ["compare", "my votes.csv", "owl", "yak", "--left", "x"]):
    ...     reading(["my votes.csv"], {"left": "x"}, {"left": "one bot"})
    "betterthan compare 'my votes.csv' owl yak --left 'one bot'"
    """
    options = {name: value for name, value in {**given, **changes}.items() if value is not None}
    if _front_end == "python":
        files = "evidence" if sources is None else repr(sources[0] if len(sources) == 1 else list(sources))
        return f"bt.read({', '.join([files, *(option(*each) for each in options.items())])})"
    words = list(_arguments)
    if sources is None or not {*sources} <= {*words}:  # files that something else than the command line named
        words, changes = ["rank", *(sources or ["FILE"])], options
    words = _without(words, {each for name in changes for each in flags(name)})
    new = [option(name, value) for name, value in changes.items() if value is not None]
    end = words.index("--") if "--" in words else len(words)
    return " ".join(
        [shlex.join(["betterthan", *words[:end]]), *new, *([shlex.join(words[end:])] if words[end:] else [])]
    )


def _without(words: Sequence[str], unwanted: set[str]) -> list[str]:
    """Return the words of a command without some options and their values."""
    left = []
    follows = False
    for word in words:
        name, equals, _ = word.partition("=")
        if not follows and name not in unwanted:
            left.append(word)
        follows = not follows and name in unwanted and not equals
    return left


def command(function: str) -> tuple[str, ...]:
    """Return the words by which the command line calls a function of Python.

    >>> command("rank"), command("compare_all")
    (('rank',), ('compare', '--all'))
    """
    return tuple(_COMMANDS.get(function, function).split())


def conversion(kind: str) -> str:
    """Return how the reader converts evidence to another kind.

    >>> conversion("judgments")
    'evidence.to_judgments()'
    """
    if _front_end == "python":
        return f"evidence.to_{kind}()"
    return f"betterthan convert FILE --to {kind} -o {kind}.csv"


def _text(value: Any) -> str:
    if value is True:
        return "all"
    if isinstance(value, Mapping):
        return ",".join(_part(f"{key}={each}") for key, each in value.items())
    return ",".join(map(_part, value)) if isinstance(value, list | tuple) else str(value)


def _part(value: Any) -> str:
    """Write one entry of a list that is divided at its commas."""
    return str(value).replace(",", "\\,")


def _word(text: str) -> str:
    # A comma or a colon needs no quotes in a shell; shlex quotes for both.
    return text if text.replace(",", "").replace(":", "").isidentifier() else shlex.quote(text)
