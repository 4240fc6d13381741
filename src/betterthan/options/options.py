"""What every verb's options share: they check themselves, and are written to and read from signatures and files."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from betterthan.errors import PlanError, meant, need_path
from betterthan.options.check import checked
from betterthan.options.declare import declared
from betterthan.options.text import read_back, written
from betterthan.signature import Signature

#: Facts of a signature that describe the evidence and not what was asked.
_OF_EVIDENCE = ("evidence", "conversion", "metric", "unit", "data", "computed")
#: What options were called in version 0.1, for those who remember.
_RENAMED = {"resample": "unit", "cluster": "unit"}


@dataclass(frozen=True)
class Options:
    """Options of one verb: a subclass declares each as a field made by `option`."""

    verb: ClassVar[str]

    def __post_init__(self) -> None:
        for name, option in declared(type(self)).items():
            object.__setattr__(self, name, checked(option, getattr(self, name)))

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Make options from values by name, refusing names that there are not."""
        names = declared(cls)
        for name in values:
            if name not in names:
                raise PlanError(_unknown(name, tuple(names)))
        return cls(**values)

    def changed(self, **values: Any) -> Self:
        """Return the same options but for some."""
        type(self).of(**values)
        return replace(self, **values)

    def facts(self) -> dict[str, str]:
        """Return the options that decide the result as facts of its signature; what is left open is left out."""
        facts = {}
        for name, option in declared(type(self)).items():
            value = getattr(self, name)
            plain = option.about.quiet and value == option.default
            if option.about.signed and not plain and value not in (None, (), ""):
                facts[name] = written(value)
        return facts

    @classmethod
    def load(cls, place: str | os.PathLike[str]) -> Self:
        """Load options from a TOML file, or from the text of a signature."""
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

        values = {name: getattr(self, name) for name in declared(type(self))}
        return tomli_w.dumps({name: value for name, value in values.items() if value is not None})

    @classmethod
    def from_signature(cls, line: str) -> Self:
        """Return the options that a signature of this verb prints."""
        facts = cls.understood(dict(Signature.parse(line).facts))
        if (verb := facts.pop("verb")) != cls.verb:
            raise PlanError(f"this is a signature of {verb!r}, not of {cls.verb!r}. Paste one that {cls.verb} printed.")
        names = declared(cls)
        for name in facts:
            if name not in names and name not in _OF_EVIDENCE:
                raise PlanError(
                    f"the signature names {name!r}, which {cls.verb} does not know. Paste one that it printed."
                )
        return cls(**{name: read_back(names[name], text) for name, text in facts.items() if name in names})

    @classmethod
    def understood(cls, facts: dict[str, str]) -> dict[str, str]:
        """Translate the facts of an older version's signature; the verb is among the result."""
        if "verb" not in facts:
            raise PlanError(
                f"this signature was printed by version 0.1, whose {cls.verb} signatures did not hold every option. "
                "Run the command again."
            )
        return facts


def _unknown(name: str, known: tuple[str, ...]) -> str:
    if _RENAMED.get(name) in known:
        return f"the option {name!r} is called {_RENAMED[name]!r} now."
    return f"unknown option {name!r}; known: {', '.join(known)}. {meant(name, known)}".rstrip()
