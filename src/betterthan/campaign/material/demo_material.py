"""Demonstration material: official notices and five rewrites of each in plain English.

The notices and their careful rewritings were written for this package. The other systems spoil them by rules that
anyone can follow, so that judges can distinguish the systems, and the order of their quality is known.
"""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files

from betterthan.campaign.material.material import Material
from betterthan.campaign.material.material_files import read_material
from betterthan.campaign.material.material_rows import json_object

#: Log-strengths of the systems for simulated judges, the best first.
STRENGTHS: Mapping[str, float] = {"maple": 1.6, "hazel": 0.7, "linden": 0.0, "rowan": -0.9, "alder": -1.9}


def _first_sentence(plain: str) -> str:
    """Stop after the first sentence: plain, but details are missing."""
    return re.split(r"(?<=[.!?])\s", plain)[0]


def _without_words(plain: str) -> str:
    """Leave out every fourth word: one can guess what was meant."""
    return " ".join(word for place, word in enumerate(plain.split(), start=1) if place % 4)


def _stuttering(source: str) -> str:
    """Say every other word twice, and stop halfway: officialese that is hard to read and incomplete."""
    words = source.split()
    half = words[: (len(words) + 1) // 2]
    return " ".join(word if place % 2 else f"{word} {word}" for place, word in enumerate(half))


#: How each system writes, from the notice and its careful rewriting.
_WRITERS: Mapping[str, Callable[[str, str], str]] = {
    "maple": lambda source, plain: plain,
    "hazel": lambda source, plain: _first_sentence(plain),
    "linden": lambda source, plain: source,
    "rowan": lambda source, plain: _without_words(plain),
    "alder": lambda source, plain: _stuttering(source),
}

_TRAINING = (
    {
        "source": "The consumption of beverages in the vicinity of the computers is to be refrained from.",
        "outputs": ["Please do not drink near the computers.", "Please do drink near the computers."],
        "ranks": [1, 2],
    },
    {
        "source": "Visitors are requested to make use of the rear entrance, as the front entrance is being repainted.",
        "outputs": [
            "We are painting the front door. Please use the back door.",
            "Please use the back door, because we are painting the front door.",
        ],
        "ranks": [1, 1],
    },
)
_GOLD = (
    {
        "source": "It is imperative that the window be closed upon the commencement of precipitation.",
        "outputs": ["Close the window when it starts to rain.", "Window the is is is when the of of."],
        "ranks": [1, 2],
    },
    {
        "source": "Tickets acquired in advance retain their validity in the case of a postponement of the concert.",
        "outputs": ["The concert is free for children.", "If the concert is moved, your ticket stays valid."],
        "ranks": [2, 1],
    },
)


def demo_material() -> Material:
    """Return the bundled material: 24 items, five systems, two checks and two comparisons for practice.

    >>> material = demo_material()
    >>> len(material.items), material.systems
    (24, ('maple', 'hazel', 'linden', 'rowan', 'alder'))
    """
    text = (files("betterthan.campaign.material") / "demo_items.jsonl").read_text(encoding="utf-8")
    notices = [json_object(line, "demo_items.jsonl") for line in text.splitlines()]
    rows = [
        {
            "item": notice["item"],
            "source": notice["source"],
            **{name: write(notice["source"], notice["plain"]) for name, write in _WRITERS.items()},
        }
        for notice in notices
    ]
    return read_material(rows, gold=list(_GOLD), training=list(_TRAINING))[0]
