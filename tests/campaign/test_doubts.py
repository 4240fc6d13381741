"""What organisers are told about their material: counted by hand."""

from typing import Any

import pytest

from betterthan.campaign.material.material_files import read_material
from betterthan.campaign.material.material_findings import naming


def doubts(rows: list[dict[str, Any]], **options: Any) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return the doubts by their texts."""
    return {f"{each.kind}: {each.text}": (each.number, each.examples) for each in read_material(rows, **options)[1]}


def row(number: int, **outputs: Any) -> dict[str, Any]:
    return {"item": f"i{number}", "source": f"source {number}", **outputs}


def test_nothing_is_said_about_good_material() -> None:
    assert doubts([row(number, owl=f"a {number}", yak=f"b {number}") for number in range(5)]) == {}


def test_missing_empty_and_single_outputs_are_counted() -> None:
    rows = [row(1, owl="a", yak="b"), row(2, owl="c", yak=None), row(3, owl="  ", yak="d"), row(4, owl="e", yak="")]
    assert doubts(rows) == {
        "missing: 1 of 8 outputs is missing. Those systems are not shown on those items.": (1, ("yak on i2",)),
        "empty: 2 outputs are empty. Judges see an empty card.": (2, ("owl on i3", "yak on i4")),
        "odd: 1 item has one output only and cannot be judged.": (1, ("i2",)),
    }


def test_outputs_that_look_the_same_are_identical() -> None:
    rows = [
        row(1, owl="a\r\nb", yak="a\nb ", elk="c"),
        row(2, owl="x", yak="x", elk="x"),
        row(3, owl="p", yak="P", elk="p."),
    ]
    assert doubts(rows) == {
        "identical: 2 times, several systems have the same output on an item. It is shown as one card and counted as a tie.": (
            2,
            ("i1: owl, yak", "i2: owl, yak, elk"),
        )
    }


def test_two_pairs_of_identical_outputs_on_an_item_are_two() -> None:
    [number] = [
        found for text, (found, _) in doubts([row(1, a1="x", b1="y", c1="x", d1="y")]).items() if "identical" in text
    ]
    assert number == 2


SYSTEMS = ("gpt-4", "claude-3-opus", "owl", "X")


@pytest.mark.parametrize(
    "text",
    [
        "I asked GPT-4.",
        "gpt 4",
        "(GPT4)",
        "gpt_4,",
        "OWL",
        "the owl's",
        "As Claude, I think",
        "I am claude",
        "I’m Claude.",
        "My name is Claude!",
        "Ich bin Claude",
        "Je suis Claude",
        "Soy Claude",
        "私はClaudeです",
        "claude 3 opus",
        "I am X",
        "owl。",
    ],
)
def test_a_text_that_names_a_system_is_found(text: str) -> None:
    assert naming(SYSTEMS)(text)


@pytest.mark.parametrize(
    "text",
    [
        "gpt-40",
        "gpt-4o1",
        "egpt-4",
        "bowl of soup",
        "owls",
        "X marks the spot",
        "Claude Monet painted",
        "Jean-Claude",
        "as clauses go",
        "",
    ],
)
def test_a_text_that_names_none_is_not(text: str) -> None:
    assert not naming(SYSTEMS)(text)


def test_names_are_taken_literally() -> None:
    assert naming(["a.*(b"])("see A.*(b here")
    assert not naming(["a.*(b"])("a long (b")
    assert naming(["---"])("x --- y")


def test_naming_is_reported_with_its_place() -> None:
    rows = [row(1, owl="fine", yak="I am Owl and fine"), row(2, owl="good", yak="bad")]
    assert doubts(rows) == {
        "named: 1 output names a system, so judges may recognise which system wrote what.": (
            1,
            ("yak on i1: 'I am Owl'",),
        )
    }


def test_items_without_source_long_and_repeated_outputs_are_odd() -> None:
    rows = [{**row(number, owl=f"{number}", yak="sorry, no"), "source": ""} for number in range(7)]
    rows[0]["owl"] = "y" * 10_001
    assert doubts(rows) == {
        "odd: 7 items have no source: judges see outputs only.": (7, ("i0", "i1", "i2", "i3", "i4")),
        "odd: 1 system has one output on many items.": (1, ("yak, 7 times: 'sorry, no'",)),
        "odd: 1 output is longer than 10,000 characters.": (1, ("owl on i0",)),
    }


def test_turns_are_a_source() -> None:
    rows = [{**row(1, owl="x", yak="y"), "source": "", "turns": [{"role": "user", "content": "hello"}]}]
    assert doubts(rows) == {}
