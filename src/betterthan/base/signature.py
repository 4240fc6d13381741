"""The signature: one line of facts that is enough to repeat a result."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from betterthan.base.errors import PlanError, need_text

# These carry the structure; other printable characters of ASCII stay readable.
_STRUCTURE = "%|:"


@dataclass(frozen=True)
class Signature:
    """Ordered facts about how a number was computed.

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

    def __reduce__(self) -> tuple[type["Signature"], tuple[str, dict[str, str]]]:
        return type(self), (self.version, dict(self.facts))  # a read-only view of a mapping cannot be pickled

    def __str__(self) -> str:
        facts = (f"{_escape(key)}:{_escape(value)}" for key, value in self.facts.items())
        return "|".join([f"betterthan {self.version}", *facts])

    @classmethod
    def parse(cls, line: str) -> "Signature":
        """Read a signature line back into its facts.

        Parameters
        ----------
        line : str
            The signature line of a result.

        Returns
        -------
        Signature
            The signature.
        """
        need_text(line, "a signature")
        head, *parts = line.strip().split("|")
        program, _, version = head.partition(" ")
        try:
            pairs = [(_unescape(key), _unescape(value)) for key, value in (part.split(":", 1) for part in parts)]
        except ValueError:  # a part without a colon, or escaped bytes that are no text
            pairs = []
        facts = dict(pairs)
        if program != "betterthan" or not version or not facts or len(facts) < len(pairs):
            raise PlanError(
                f"not a betterthan signature: {line[:80]!r}; a signature looks like "
                "'betterthan 0.2.0|verb:rank|model:bradley-terry|seed:0'. Paste the whole line."
            )
        return cls(version, facts)


def _escape(text: str) -> str:
    """Write a text in ASCII, which survives every terminal, paper and chat.

    >>> _escape("50 % of 名前|a")
    '50 %25 of %E5%90%8D%E5%89%8D%7Ca'
    """
    return "".join(
        character
        if character.isascii() and character.isprintable() and character not in _STRUCTURE
        else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
        for character in text
    )


def _unescape(text: str) -> str:
    """Read it back; signatures of older versions have other characters as they are."""
    from urllib.parse import unquote  # noqa: PLC0415 (only where a signature is pasted)

    return unquote(text, errors="surrogatepass")
