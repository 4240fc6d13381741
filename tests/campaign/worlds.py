"""Small campaigns for tests."""

from pathlib import Path
from typing import Any

import numpy as np

from betterthan.campaign import tasks
from betterthan.campaign.material.material import Gold, Material, MaterialItem
from betterthan.campaign.service.campaign import Campaign
from betterthan.options.campaign import CampaignOptions

SYSTEMS = ("heron", "ibis", "jackdaw", "kestrel", "lapwing")


def material(items: int = 12, systems: int = 4, *, same: int = 0, documents: int = 0) -> Material:
    """Return items with an output of every system; the first two agree on the first `same` items."""
    names = SYSTEMS[:systems]
    outputs = {
        name: [f"output {7 * item + (0 if item < same and place < 2 else place)}" for item in range(items)]
        for place, name in enumerate(names)
    }
    shown = {name: [f"<p>{text}</p>" for text in texts] for name, texts in outputs.items()}
    every = tuple(
        MaterialItem(
            f"i{item}",
            f"source {item}",
            document=f"d{item % documents}" if documents else "",
            position=item,
            html={"source": f"<p>source {item}</p>"},
        )
        for item in range(items)
    )
    checks = tuple(
        Gold(MaterialItem(f"check {number}", "which?"), ("good", "bad"), ("<p>good</p>", "<p>bad</p>"), (1, 2))
        for number in range(3)
    )
    return Material(every, names, outputs, shown, checks, checks[:2])


def campaign(
    place: str | Path, about: Material | None = None, *, seed: int = 0, clock: Any = None, **options: Any
) -> Campaign:
    more = {} if clock is None else {"clock": clock}
    return Campaign.create(
        str(place), about or material(), CampaignOptions.of(**options), rng=np.random.default_rng(seed), **more
    )


def ranked(task: tasks.Task, *ranks: int) -> tasks.Answer:
    return tasks.Answer({"overall": tuple(ranks or range(1, len(task.cards) + 1))}, seconds=1.5)
