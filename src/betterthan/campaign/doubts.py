"""What an organiser should know before judges see the material: what is missing, alike, long, or names a system."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from betterthan.campaign.material import Doubt, Material
from betterthan.findings import counted

#: So many examples are named.
_EXAMPLES = 5
#: Longer outputs (in characters) take minutes to read.
_LONG = 10_000
#: How texts speak of their author, in the languages of the interface.
_SELF = (
    r"\bas", r"\bi am", r"\bi['’]m", r"\bmy name is", r"\bthis is", r"\bals", r"\bich bin", r"\bmein name ist",
    r"\ben tant que", r"\bje suis", r"\bje m['’]appelle", r"\bcomo", r"\bsoy", r"\bme llamo", "私は",
)  # fmt: skip


def doubts_of(material: Material) -> tuple[Doubt, ...]:
    """Return everything in the material that may be a mistake, the gravest first."""
    found = (_missing, _empty, _identical, _named, _single, _without_source, _repeated, _long)
    return tuple(doubt for each in found if (doubt := each(material)) is not None)


def _missing(material: Material) -> Doubt | None:
    places = [(system, place) for system, place, text in _outputs(material) if text is None]
    total = len(material.systems) * len(material.items)
    are = "is" if len(places) == 1 else "are"
    text = f"{len(places):,} of {counted(total, 'output')} {are} missing. Those systems are not shown on those items."
    return _doubt("missing", text, [_place(material, *each) for each in places])


def _empty(material: Material) -> Doubt | None:
    places = [(system, place) for system, place, text in _outputs(material) if text is not None and not text.strip()]
    return _doubt(
        "empty", f"{_are(len(places), 'output')} empty. Judges see an empty card.",
        [_place(material, *each) for each in places],
    )  # fmt: skip


def _identical(material: Material) -> Doubt | None:
    """Find outputs that look the same on the page, whatever their texts are."""
    examples = []
    for place, item in enumerate(material.items):
        alike: dict[str, list[str]] = {}
        for system in material.systems:
            if (shown := material.shown[system][place]) is not None:
                alike.setdefault(shown, []).append(system)
        examples += [f"{item.name}: {', '.join(systems)}" for systems in alike.values() if len(systems) > 1]
    number = len(examples)
    text = f"{'Once' if number == 1 else f'{number:,} times'}, several systems have the same output on an item. It is "
    return _doubt("identical", f"{text}shown as one card and counted as a tie.", examples)


def _named(material: Material) -> Doubt | None:
    named_in = naming(material.systems)
    examples = [
        f"{_place(material, system, place)}: {found!r}"
        for system, place, text in _outputs(material)
        if text is not None and (found := named_in(text)) is not None
    ]
    text = f"{counted(len(examples), 'output')} {'names' if len(examples) == 1 else 'name'} a system, so judges may "
    return _doubt("named", f"{text}recognise which system wrote what.", examples)


def naming(systems: Sequence[str]) -> Callable[[str], str | None]:
    """Return what finds a system's name in a text, or words in which a text names itself after one; None: neither.

    >>> named_in = naming(["gpt-4", "claude-3-opus"])
    >>> named_in("I asked GPT 4."), named_in("Hello, I am Claude!"), named_in("gpt-40 is unknown to Claude Monet")
    ('GPT 4', 'I am Claude', None)
    """
    names = [name.strip() for name in systems]
    whole = [_spelled(name) for name in names if len(name) > 1]
    families = {found[0] for name in names if (found := re.match(r"[^\W\d_]{3,}", name))}
    families |= {name for name in names if len(name) == 1}
    parts = [f"(?<![0-9a-z])(?:{'|'.join(whole)})(?![0-9a-z])"] if whole else []
    if families:
        named = "|".join(re.escape(each) for each in sorted(families, key=len, reverse=True))
        parts.append(f"(?:{'|'.join(_SELF)})[\\s,:]*(?:{named})(?![0-9a-z])")
    pattern = re.compile("|".join(parts), re.IGNORECASE)
    # Nearly all texts hold none of these beginnings, and looking for those is much quicker.
    beginnings = {each.casefold() for each in (*families, *(_parts(name)[0] for name in names))}

    def named_in(text: str) -> str | None:
        folded = text.casefold()
        if not any(beginning in folded for beginning in beginnings):
            return None
        found = pattern.search(text)
        return None if found is None else found[0]

    return named_in


def _parts(name: str) -> list[str]:
    return [part for part in re.split(r"[\s._-]+", name) if part] or [name]


def _spelled(name: str) -> str:
    """Let spaces, hyphens and the like between the parts of a name be written otherwise, or not at all."""
    return r"[\s._-]*".join(re.escape(part) for part in _parts(name))


def _single(material: Material) -> Doubt | None:
    names = [
        item.name
        for place, item in enumerate(material.items)
        if sum(material.outputs[system][place] is not None for system in material.systems) == 1
    ]
    text = f"{counted(len(names), 'item')} {'has' if len(names) == 1 else 'have'} one output only and cannot be judged."
    return _doubt("odd", text, names)


def _without_source(material: Material) -> Doubt | None:
    names = [item.name for item in material.items if not item.source.strip() and not item.turns]
    text = f"{counted(len(names), 'item')} {'has' if len(names) == 1 else 'have'} no source: judges see outputs only."
    return _doubt("odd", text, names)


def _repeated(material: Material) -> Doubt | None:
    """Find systems that wrote the same text again and again: an error message, or a column that is no system."""
    examples = []
    for system in material.systems:
        texts = Counter(text for text in material.outputs[system] if text is not None and text.strip())
        for text, number in texts.most_common(1):
            if number > 1 and number >= max(2, 0.1 * len(material.items)):
                examples.append(f"{system}, {number:,} times: {text[:40]!r}")
    text = f"{counted(len(examples), 'system')} {'has' if len(examples) == 1 else 'have'} one output on many items."
    return _doubt("odd", text, examples)


def _long(material: Material) -> Doubt | None:
    places = [(system, place) for system, place, text in _outputs(material) if text is not None and len(text) > _LONG]
    text = f"{_are(len(places), 'output')} longer than {_LONG:,} characters."
    return _doubt("odd", text, [_place(material, *each) for each in places])


def _outputs(material: Material) -> Iterator[tuple[str, int, str | None]]:
    for system in material.systems:
        for place, text in enumerate(material.outputs[system]):
            yield system, place, text


def _place(material: Material, system: str, place: int) -> str:
    return f"{system} on {material.items[place].name}"


def _are(number: int, what: str) -> str:
    return f"{counted(number, what)} {'is' if number == 1 else 'are'}"


def _doubt(kind: str, text: str, examples: Sequence[str]) -> Doubt | None:
    return Doubt(kind, text, len(examples), tuple(examples[:_EXAMPLES])) if examples else None
