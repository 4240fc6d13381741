"""The base class of options: validation, and conversion to and from signatures and files."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from betterthan.base import PlanError, Signature, meant, need_path
from betterthan.options.fields.declare import declared_options
from betterthan.options.fields.text_values import read_back, written
from betterthan.options.fields.validation import validated

#: Type and meaning of what a verb is given before its options, by name.
Arguments = Mapping[str, tuple[str, str]]
#: Facts of a signature that describe the evidence and not what was asked.
_OF_EVIDENCE = ("evidence", "conversion", "metric", "unit", "data", "computed")


@dataclass(frozen=True)
class Options:
    """Options of one verb: a subclass declares each as a field made by `option`."""

    verb: ClassVar[str]
    #: Does the verb take anything that `read` reads, so that options of reading may be given with its own?
    reads: ClassVar[bool] = True
    arguments: ClassVar[Arguments] = {
        "evidence": (
            "evidence, path, data frame, array, list or dict",
            "Judgments, rankings or scores that were read, or anything that `bt.read` reads. Examples are files, "
            "folders, a data frame, an array, a list of rows or a dict of columns. Options of `bt.read`, such as "
            "`score` or `where`, may be given with those below.",
        )
    }

    def __post_init__(self) -> None:
        for name, option in declared_options(type(self)).items():
            object.__setattr__(self, name, validated(option, getattr(self, name)))

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Make options from values by name, refusing names that there are not.

        Parameters
        ----------
        **values : object
            Options by name.

        Returns
        -------
        Options
            The validated options.
        """
        names = declared_options(cls)
        for name in values:
            if name not in names:
                raise PlanError(
                    f"unknown option {name!r}; known: {', '.join(names)}. {meant(name, tuple(names))}".rstrip()
                )
        return cls(**values)

    def changed(self, **values: Any) -> Self:
        """Return the same options but for some.

        Parameters
        ----------
        **values : object
            Options that change, by name.

        Returns
        -------
        Options
            The changed options.
        """
        type(self).of(**values)
        return replace(self, **values)

    def facts(self) -> dict[str, str]:
        """Return the options that decide the result as facts of its signature; what is left open is left out."""
        facts = {}
        for name, option in declared_options(type(self)).items():
            value = getattr(self, name)
            plain = option.about.quiet and value == option.default
            if option.about.signed and not plain and value not in (None, (), ""):
                facts[name] = written(value)
        return facts

    @classmethod
    def load(cls, place: str | os.PathLike[str]) -> Self:
        """Load options from a TOML file, or from the text of a signature.

        Parameters
        ----------
        place : str or path
            A TOML file, or the text of a signature.

        Returns
        -------
        Options
            The validated options.
        """
        import tomllib  # noqa: PLC0415 (only where a plan is loaded)

        if not (isinstance(place, str) and place.startswith("betterthan ")):
            need_path(place, "a plan")
        text = os.fspath(place)
        if text.startswith("betterthan "):
            return cls.from_signature(text)
        try:
            return cls.of(**tomllib.loads(Path(place).read_text(encoding="utf-8")))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise PlanError(f"{text}: is not a plan: {error}. Lines look like: resamples = 1000") from None
        except (OSError, ValueError) as error:
            raise PlanError(f"{text}: the plan cannot be read: {error}.") from None

    def to_toml(self) -> str:
        """Return the options as TOML; what is left open is left out."""
        import tomli_w  # noqa: PLC0415 (only where a plan is saved)

        values = {name: getattr(self, name) for name in declared_options(type(self))}
        return tomli_w.dumps({name: value for name, value in values.items() if value is not None})

    @classmethod
    def from_signature(cls, line: str) -> Self:
        """Return the options that a signature of this verb prints."""
        facts = cls.understood(dict(Signature.parse(line).facts))
        if (verb := facts.pop("verb")) != cls.verb:
            raise PlanError(f"this is a signature of {verb!r}, not of {cls.verb!r}. Paste one that {cls.verb} printed.")
        names = declared_options(cls)
        for name in facts:
            if name not in names and name not in _OF_EVIDENCE:
                raise PlanError(
                    f"the signature names {name!r}, which {cls.verb} does not know. Paste one that it printed."
                )
        return cls(**{name: read_back(names[name], text) for name, text in facts.items() if name in names})

    @classmethod
    def understood(cls, facts: dict[str, str]) -> dict[str, str]:
        """Return the facts under the names of options; a signature without its verb is refused."""
        if "verb" not in facts:
            raise PlanError("this signature does not name its verb, as those of version 0.1. Run the command again.")
        return facts
