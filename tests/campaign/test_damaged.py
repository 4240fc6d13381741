"""A campaign's file with wrong bytes is refused in one sentence, or nothing that matters was hit."""

import random
from pathlib import Path

import betterthan as bt
from betterthan.campaign.exports.formats.pairs import FORMAT
from betterthan.campaign.planning.simulated_judges import judge_all
from tests.campaign.worlds import campaign, material


def test_wrong_bytes_are_refused_or_harmless(tmp_path: Path) -> None:
    place = tmp_path / "c.campaign"
    with campaign(place, material(10, 3)) as running:
        judge_all(running, 2, most=30)
    good, rng, refused = place.read_bytes(), random.Random(0), 0
    for number in range(150):
        damaged = bytearray(good)
        for _ in range(rng.choice([1, 5, 200])):
            damaged[rng.randrange(len(good))] = rng.randrange(256)
        if number % 10 == 0:
            damaged = damaged[: rng.randrange(len(good))]
        broken = tmp_path / f"{number}.campaign"
        broken.write_bytes(bytes(damaged))
        sentence = _refusal(broken)
        assert "\n" not in sentence
        refused += bool(sentence)
    assert 20 < refused < 150


def _refusal(place: Path) -> str:
    try:
        bt.read(place, format=FORMAT.name)
    except bt.BetterthanError as error:
        return str(error)
    return ""
