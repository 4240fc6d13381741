"""Any text and any rows: pages stay inert, and what is not understood is refused in a sentence, never by a traceback."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from betterthan.base.errors import BetterthanError
from betterthan.campaign import safe_html
from betterthan.campaign.material.material_files import read_material
from tests.campaign.attacks import ATTACKS
from tests.campaign.test_rendering import Seen

QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

#: Pieces of Markdown and HTML in any order, so that one may open what another closes.
PIECES = st.sampled_from(
    [
        *ATTACKS,
        "<",
        ">",
        '"',
        "'",
        "`",
        "```",
        "\n",
        "\n\n",
        "    ",
        "[",
        "](",
        ")",
        "![",
        "*",
        "**",
        "_",
        "~~",
        "|",
        "|-|\n",
        "#",
        "> ",
        "- ",
        "1. ",
        "\\",
        "&",
        ";",
        "<!--",
        "-->",
        "\t",
        "\u202e",
        "python",
        "javascript:",
        "x",
    ]
)


@QUICK
@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=12).map("".join), st.booleans())
def test_no_text_brings_anything_into_a_page(text: str, markdown: bool) -> None:
    Seen(safe_html.to_html(text, markdown=markdown))


@QUICK
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_plain_text_is_shown_whole(text: str) -> None:
    shown = Seen(safe_html.to_html(text)).text
    assert "".join(shown.split()) == "".join(text.split())


KEYS = st.sampled_from(
    [
        "item",
        "id",
        "source",
        "prompt",
        "system",
        "model",
        "output",
        "text",
        "reference",
        "turns",
        "document",
        "position",
        "owl",
        "yak",
        "",
        "ü",
    ]
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["1", "2", "owl", " "]),
    st.lists(
        st.one_of(
            st.text(max_size=3), st.dictionaries(st.sampled_from(["role", "content", "text"]), st.text(max_size=3))
        )
    ),
    st.dictionaries(st.text(max_size=3), st.integers()),
)
ROWS = st.lists(st.dictionaries(KEYS, VALUES, max_size=6), max_size=4)


@QUICK
@given(ROWS, st.one_of(st.none(), ROWS), st.one_of(st.none(), ROWS))
def test_rows_are_read_or_refused_in_a_sentence(items: list[dict[str, Any]], outputs: Any, gold: Any) -> None:
    try:
        material, doubts = read_material(items, outputs, gold=gold)
    except BetterthanError:
        return
    assert len(material.systems) >= 2
    assert all(len(texts) == len(material.items) for texts in (*material.outputs.values(), *material.shown.values()))
    assert all(doubt.number >= len(doubt.examples) > 0 for doubt in doubts)


LONG = st.lists(
    st.fixed_dictionaries(
        {
            "item": st.sampled_from("123"),
            "system": st.sampled_from(["owl", "yak", "elk"]),
            "output": st.one_of(st.none(), st.text(max_size=8)),
        }
    ),
    max_size=9,
    unique_by=lambda row: (row["item"], row["system"]),
)


@QUICK
@given(LONG)
def test_every_output_is_accounted_for(rows: list[dict[str, Any]]) -> None:
    items = [{"item": name, "source": "s"} for name in "123"]
    try:
        material, _ = read_material(items, rows)
    except BetterthanError:
        with_output = {row["item"] for row in rows if row["output"] is not None}
        unkept = any(
            set(row["output"] or "") & ({"\x00"} | {chr(code) for code in range(0xD800, 0xE000)}) for row in rows
        )
        assert len({row["system"] for row in rows}) < 2 or len(with_output) < 3 or unkept
        return
    given_outputs = {(row["system"], row["item"]): row["output"] for row in rows}
    kept = {
        (system, item.name): text
        for system, texts in material.outputs.items()
        for item, text in zip(material.items, texts, strict=True)
    }
    assert {key: text for key, text in kept.items() if text is not None} == {
        key: text for key, text in given_outputs.items() if text is not None
    }


@pytest.mark.parametrize(
    "given_items", [None, 3, object(), {"item": ["1"], "source": ["s"], "owl": ["a"], "yak": ["b"]}, ["no", "rows"]]
)
def test_what_is_no_table_is_refused(given_items: Any) -> None:
    if isinstance(given_items, dict):  # columns are a table
        assert read_material(given_items)[0].systems == ("owl", "yak")
        return
    with pytest.raises(BetterthanError):
        read_material(given_items)
