"""The bundled material: complete, blind, and with the differences that it promises."""

from betterthan.campaign.material.demo_material import STRENGTHS, demo_material
from betterthan.campaign.material.material_findings import find_material_problems


def test_the_material_is_complete() -> None:
    material = demo_material()
    assert len(material.items) == 24
    assert len(material.gold) == len(material.training) == 2
    assert tuple(STRENGTHS) == material.systems
    assert sorted(STRENGTHS.values(), reverse=True) == list(STRENGTHS.values())
    assert all(text for texts in material.outputs.values() for text in texts)


def test_the_only_doubt_is_about_notices_that_one_sentence_says() -> None:
    [doubt] = find_material_problems(demo_material())
    assert (doubt.kind, doubt.number) == ("identical", 2)
    assert doubt.examples == ("allergy: maple, hazel", "school: maple, hazel")


def test_every_system_does_what_it_is_said_to_do() -> None:
    material = demo_material()
    place = [item.name for item in material.items].index("lift")
    written = {system: material.outputs[system][place] for system in material.systems}
    assert written == {
        "maple": "The lift is broken. A repair company is working on it and should be done by Thursday afternoon.",
        "hazel": "The lift is broken.",
        "linden": material.items[place].source,
        "rowan": "The lift is A repair company working on it should be done Thursday afternoon.",
        "alder": "The The lift is is at present present out of of operation as as the result result of a a technical "
        "defect. defect. A specialist specialist",
    }


def test_it_is_the_same_every_time() -> None:
    assert demo_material() == demo_material()
