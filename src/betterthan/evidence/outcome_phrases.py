"""Outcomes written as phrases: 'Response A is much better', 'prefer B', 'both are equally good'."""

import re
from typing import Final

_NOUN = (
    r"(?:model|system|item|response|answer|output|assistant|option|candidate|text|translation|summary|completion"
    r"|version|sample|choice|player|team|one|side)"
)
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


def side_of(phrase: str) -> str | None:
    """Return the side that a phrase says is better: left, tie or right; None where it says nothing that is known.

    >>> side_of("response a is much better"), side_of("right worse"), side_of("both are the same")
    ('left', 'left', 'tie')
    >>> side_of("second is nicer") is None
    True
    """
    if phrase in _ALONE:
        return None
    if _EQUAL.fullmatch(phrase):
        return "tie"
    found = _OF_SIDE.fullmatch(phrase) or _PREFERS.fullmatch(phrase)
    if found is None:
        return None
    worse = found.groupdict().get("worse") is not None
    return "left" if (found["side"] in _LEFT.split("|")) is not worse else "right"
