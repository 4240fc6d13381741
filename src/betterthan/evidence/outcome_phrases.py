"""Outcomes written as phrases: 'Response A is much better', 'prefer B', 'both are equally good'."""

import re
from collections.abc import Mapping
from typing import Final

_NOUN = (
    r"(?:model|system|item|response|answer|output|assistant|option|candidate|text|translation|summary|completion"
    r"|version|sample|choice|player|team|one|side)"
)
#: What a column of systems is called in addition to its side: `model_a`, `home_team`.
_KIND = r"(?:model|system|item|response|answer|output|assistant|player|team)"
_LEFT, _RIGHT = "a|1|x|i|left|first|home", "b|2|y|ii|right|second|away"
#: A side alone may be a number or a name: those that are words for outcomes are listed elsewhere.
_ALONE: Final = frozenset(f"{_LEFT}|{_RIGHT}".split("|"))
_SIDE = rf"(?:the )?(?:{_NOUN} )?(?P<side>{_LEFT}|{_RIGHT})(?: {_NOUN})?(?: side)?"
_DEGREE = (
    r"(?:very|much|far|slightly|somewhat|clearly|strongly|weakly|significantly|marginally|moderately|considerably"
    r"|substantially|strictly|a lot|a bit|a little|way|definitely|probably) "
)
_BETTER = r"(?:better|preferred|favou?red|stronger|superior|wins?|won|winner|best|the winner|the better)"
_WORSE = r"(?:worse|weaker|inferior|loses?|lost|the loser|loser)"
_IS = r"(?:is |was |are )?"
#: Phrases about one side: its name alone, that it is better, or that it is worse.
_OF_SIDE: Final = re.compile(rf"{_SIDE}(?: {_IS}(?:{_DEGREE})*(?:{_BETTER}|(?P<worse>{_WORSE}))(?: {_NOUN})?)?")
_PREFERS: Final = re.compile(rf"(?:i |we )?(?:{_DEGREE})*(?:prefer(?:s|red)?|choose|chose|pick(?:ed)?) {_SIDE}")
_ABOUT = r"(?:(?:about|roughly|almost|nearly|exactly|basically) )?(?:the )?"
_ALIKE = r"(?:same(?: quality)?|equal|equally (?:good|bad)|tied?|similar|identical|alike|a tie|draw)"
_EQUAL: Final = re.compile(
    rf"(?:(?:both|they|it|the two)(?: {_NOUN}s?)? )?(?:is |are |were )?{_ABOUT}{_ALIKE}"
    r"|both(?: (?:are|were))?(?: equally)? (?:good|bad)|neither(?: (?:is|was))?(?: better| good)?"
    r"|no (?:clear )?(?:preference|difference|winner)|undecided"
)


def side_of(text: str) -> str | None:
    """Return the side that a phrase says is better: left, tie or right; None where it says nothing that is known.

    >>> side_of("Response A is much better"), side_of("right_worse"), side_of("Both are the same")
    ('left', 'left', 'tie')
    >>> side_of("second is nicer") is None
    True
    """
    phrase = folded(text)
    if phrase in _ALONE:
        return None
    if _EQUAL.fullmatch(phrase):
        return "tie"
    found = _OF_SIDE.fullmatch(phrase) or _PREFERS.fullmatch(phrase)
    if found is None:
        return None
    worse = found.groupdict().get("worse") is not None
    return "left" if (found["side"] in _LEFT.split("|")) is not worse else "right"


def words_of_columns(left: str, right: str) -> Mapping[str, str]:
    """Return the words by which outcomes name a side as its column is called, such as candidate and baseline.

    >>> words_of_columns("candidate_model", "baseline")
    {'candidate model': 'left', 'baseline': 'right', 'candidate': 'left'}
    >>> words_of_columns("HomeTeam", "AwayTeam")["a"]
    'right'
    """
    names = [folded(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)) for name in (left, right)]
    short = [re.sub(rf"^{_KIND} | {_KIND}$", "", name) for name in names]
    words = dict(zip((*names, *short), ("left", "right") * 2, strict=True)) if names[0] != names[1] else {}
    words |= {"h": "left", "a": "right"} if short == ["home", "away"] else {}
    # What numbers mean is decided by all of them.
    return {word: side for word, side in words.items() if not word.isdigit()}


def folded(text: str) -> str:
    """Fold a text: 'A_is better!' is 'a is better'."""
    return " ".join(re.sub(r"[\s_.!:-]+", " ", text.casefold()).split())
