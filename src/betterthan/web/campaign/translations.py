"""Translations of the interface: one file per language in `words/`, with the same keys."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from betterthan.options import CampaignOptions

_FOLDER = Path(__file__).parent / "words"


class Words(Mapping[str, str]):
    """The texts of one language; `say` fills in placeholders.

    >>> words("en").say("count_of", done=12, limit=40)
    '12 of 40'
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def say(self, key: str, **values: object) -> str:
        """Return a text with its gaps filled in."""
        return self._texts[key].format(**values)

    def to_page(self) -> dict[str, str]:
        """Return the texts that the script of a page shows."""
        return {key.removeprefix("js_"): text for key, text in self._texts.items() if key.startswith("js_")}


@cache
def words(language: str) -> Words:
    """Return the texts of a language."""
    return Words(language, tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")))


def choose(known: Sequence[str], accepted: str, default: str) -> str:
    """Return the first language that there is: of those a judge knows, of those a browser accepts, or the campaign's.

    >>> choose([], "pt-BR, ja;q=0.3, de-AT;q=0.8", "en")
    'de'
    """
    weighed = []
    for part in accepted[:500].split(","):
        tag, _, weight = part.partition(";q=")
        try:
            weighed.append((float(weight or 1), tag.strip()))
        except ValueError:
            continue
    ranked = [tag for weight, tag in sorted(weighed, key=lambda each: -each[0]) if weight > 0]
    for tag in (*known, *ranked):
        primary = tag.lower().replace("_", "-").partition("-")[0]
        if primary in CampaignOptions.LANGUAGES:
            return primary
    return default
