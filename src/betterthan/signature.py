"""The one line that repeats a result: facts first, text derived, reversible."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from betterthan.errors import PlanError

# These four characters carry the structure; everything else stays readable.
_ESCAPES = {"%": "%25", "|": "%7C", ":": "%3A", "\n": "%0A"}


@dataclass(frozen=True)
class Signature:
    """Ordered facts about how a number was made.

    >>> line = str(Signature("0.1.0", {"model": "bradley-terry", "seed": "0"}))
    >>> line
    'betterthan 0.1.0|model:bradley-terry|seed:0'
    >>> Signature.parse(line).facts["seed"]
    '0'
    """

    version: str
    facts: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", MappingProxyType(dict(self.facts)))

    def __str__(self) -> str:
        facts = (f"{_escape(key)}:{_escape(value)}" for key, value in self.facts.items())
        return "|".join([f"betterthan {self.version}", *facts])

    @classmethod
    def parse(cls, line: str) -> "Signature":
        """Read a signature line back into its facts."""
        head, *parts = line.strip().split("|")
        program, _, version = head.partition(" ")
        if program != "betterthan" or not version or not parts or not all(":" in part for part in parts):
            raise PlanError(
                f"not a betterthan signature: {line[:80]!r}; a signature looks like "
                "'betterthan 0.2.0|verb:rank|model:bradley-terry|seed:0'. Paste the whole line."
            )
        pairs = (part.split(":", 1) for part in parts)
        return cls(version, {_unescape(key): _unescape(value) for key, value in pairs})


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)


def _unescape(text: str) -> str:
    for character, code in reversed(_ESCAPES.items()):
        text = text.replace(code, character)
    return text
