"""Findings about the material: missing, identical or long outputs, and outputs that name their system."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from betterthan.campaign.material.material import Material, MaterialFinding
from betterthan.findings import counted, kinds

#: That many examples are named.
_EXAMPLES = 5
#: Phrases in which texts mention their author, in the languages of the interface.
_SELF = (
    r"\bas",
    r"\bi am",
    r"\bi['’]m",
    r"\bmy name is",
    r"\bthis is",
    r"\bals",
    r"\bich bin",
    r"\bmein name ist",
    r"\ben tant que",
    r"\bje suis",
    r"\bje m['’]appelle",
    r"\bcomo",
    r"\bsoy",
    r"\bme llamo",
    "私は",
)


def find_material_problems(material: Material) -> tuple[MaterialFinding, ...]:
    """Return everything in the material that may be a mistake, the gravest first."""
    found = (_missing, _empty, _identical, _named, _single, _without_source, _repeated, _long)
    return tuple(problem for each in found if (problem := each(material)) is not None)


def _missing(material: Material) -> MaterialFinding | None:
    places = [(system, place) for system, place, text in _outputs(material) if text is None]
    total = len(material.systems) * len(material.items)
    are = "is" if len(places) == 1 else "are"
    text = f"{len(places):,} of {counted(total, 'output')} {are} missing. Those systems are not shown on those items."
    return _finding("missing", text, [_place(material, *each) for each in places])


def _empty(material: Material) -> MaterialFinding | None:
    places = [(system, place) for system, place, text in _outputs(material) if text is not None and not text.strip()]
    return _finding(
        "empty",
        f"{_are(len(places), 'output')} empty. Judges see an empty card.",
        [_place(material, *each) for each in places],
    )


def _identical(material: Material) -> MaterialFinding | None:
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
    return _finding("identical", f"{text}shown as one card and counted as a tie.", examples)


def _named(material: Material) -> MaterialFinding | None:
    named_in = naming(material.systems)
    examples = [
        f"{_place(material, system, place)}: {found!r}"
        for system, place, text in _outputs(material)
        if text is not None and (found := named_in(text)) is not None
    ]
    text = f"{counted(len(examples), 'output')} {'names' if len(examples) == 1 else 'name'} a system, so judges may "
    return _finding("named", f"{text}recognise which system wrote what.", examples)


def naming(systems: Sequence[str]) -> Callable[[str], str | None]:
    """Return a pattern for a system's name in a text, or for phrases in which a text names its author; None: neither.

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


def _single(material: Material) -> MaterialFinding | None:
    names = [
        item.name
        for place, item in enumerate(material.items)
        if sum(material.outputs[system][place] is not None for system in material.systems) == 1
    ]
    text = f"{counted(len(names), 'item')} {'has' if len(names) == 1 else 'have'} one output only and cannot be judged."
    return _finding("odd", text, names)


def _without_source(material: Material) -> MaterialFinding | None:
    names = [item.name for item in material.items if not item.source.strip() and not item.turns]
    text = f"{counted(len(names), 'item')} {'has' if len(names) == 1 else 'have'} no source: judges see outputs only."
    return _finding("odd", text, names)


def _repeated(material: Material) -> MaterialFinding | None:
    """Find systems that wrote the same text again and again: an error message, or a column that is no system."""
    limits, examples = kinds.outputs.REPEATED_OUTPUTS.thresholds, []
    least = max(limits["times"], limits["share_of_items"] * len(material.items))
    for system in material.systems:
        texts = Counter(text for text in material.outputs[system] if text is not None and text.strip())
        for text, number in texts.most_common(1):
            if number >= least:
                examples.append(f"{system}, {number:,} times: {text[:40]!r}")
    return _finding("odd", kinds.outputs.REPEATED_OUTPUTS.found(systems=len(examples)).message, examples)


def _long(material: Material) -> MaterialFinding | None:
    kind = kinds.outputs.LONG_OUTPUTS
    most = kind.thresholds["characters"]
    places = [(system, place) for system, place, text in _outputs(material) if text is not None and len(text) > most]
    return _finding("odd", kind.found(outputs=len(places)).message, [_place(material, *each) for each in places])


def _outputs(material: Material) -> Iterator[tuple[str, int, str | None]]:
    for system in material.systems:
        for place, text in enumerate(material.outputs[system]):
            yield system, place, text


def _place(material: Material, system: str, place: int) -> str:
    return f"{system} on {material.items[place].name}"


def _are(number: int, what: str) -> str:
    return f"{counted(number, what)} {'is' if number == 1 else 'are'}"


def _finding(kind: str, text: str, examples: Sequence[str]) -> MaterialFinding | None:
    return MaterialFinding(kind, text, len(examples), tuple(examples[:_EXAMPLES])) if examples else None
