"""Material from files: every layout gives the same, and what cannot be understood is refused in one sentence."""

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from betterthan.base.errors import BetterthanError
from betterthan.campaign.material.material import Material
from betterthan.campaign.material.material_files import read_material

ITEMS = [{"item": "1", "source": "Der Hund\nbellt."}, {"item": "2", "source": 'Die "Katze", sie <schläft>.'}]
TEXTS = {
    "owl": ["The dog barks.", "The cat is\n\nasleep."],
    "yak": ["Dog barks, it does.", 'A "cat", she sleeps'],
    "elk": ["=dog", "  猫  "],
}
LONG = [
    {"item": str(place + 1), "system": name, "output": texts[place]}
    for name, texts in TEXTS.items()
    for place in (0, 1)
]
WIDE = [{"item": str(place + 1), **{name: texts[place] for name, texts in TEXTS.items()}} for place in (0, 1)]
ONE = [{**item, **wide} for item, wide in zip(ITEMS, WIDE, strict=True)]


def lines(place: Path, rows: list[Any]) -> str:
    place.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(place)


def write(place: Path, rows: list[dict[str, Any]]) -> str:
    """Write rows in the format that the ending says, by other software."""
    frame = pd.DataFrame(rows)
    match place.suffix:
        case ".jsonl":
            return lines(place, rows)
        case ".csv":
            frame.to_csv(place, index=False)
        case ".tsv":
            frame.to_csv(place, index=False, sep="\t")
        case ".parquet":
            frame.to_parquet(place)
        case ".json":
            frame.to_json(place, orient="records")
    return str(place)


def refusal(*given: Any, **options: Any) -> str:
    with pytest.raises(BetterthanError) as refused:
        read_material(*given, **options)
    return str(refused.value)


EXPECTED = read_material(ITEMS, LONG)[0]


# --- layouts ----------------------------------------------------------------------------------------------------------


def test_the_texts_are_kept_as_they_are_and_shown_safely() -> None:
    assert EXPECTED.systems == ("owl", "yak", "elk")
    assert EXPECTED.outputs == {name: tuple(texts) for name, texts in TEXTS.items()}
    assert [item.name for item in EXPECTED.items] == ["1", "2"]
    assert EXPECTED.items[0].html["source"] == '<p dir="auto">Der Hund<br>bellt.</p>'
    assert EXPECTED.items[1].html["source"] == '<p dir="auto">Die "Katze", sie &lt;schläft&gt;.</p>'
    assert EXPECTED.shown["owl"][1] == '<p dir="auto">The cat is</p><p dir="auto">asleep.</p>'


@pytest.mark.parametrize(
    "layout", ["long", "wide", "one wide", "one long", "per system", "several long", "several wide"]
)
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv", ".parquet", ".json"])
def test_every_layout_and_format_gives_the_same(tmp_path: Path, ending: str, layout: str) -> None:
    items = write(tmp_path / f"items{ending}", ITEMS)
    outputs: Any = None
    match layout:
        case "long":
            outputs = write(tmp_path / f"outputs{ending}", LONG)
        case "wide":
            outputs = write(tmp_path / f"outputs{ending}", WIDE)
        case "one wide":
            items = write(tmp_path / f"both{ending}", ONE)
        case "one long":
            sources = {item["item"]: item["source"] for item in ITEMS}
            items = write(tmp_path / f"both{ending}", [{**row, "source": sources[row["item"]]} for row in LONG])
        case "per system":
            outputs = [
                write(
                    tmp_path / f"{name}{ending}",
                    [{"item": row["item"], "output": row["output"]} for row in LONG if row["system"] == name],
                )
                for name in TEXTS
            ]
        case "several long":
            outputs = [write(tmp_path / f"{part}{ending}", LONG[part::2]) for part in (0, 1)]
        case "several wide":
            outputs = [
                write(tmp_path / f"{number}{ending}", [{name: row[name] for name in ("item", *names)} for row in WIDE])
                for number, names in enumerate([("owl", "yak"), ("elk",)])
            ]
    material, doubts = read_material(items, outputs)
    assert material == EXPECTED
    assert doubts == ()


def test_frames_and_compressed_lines_are_read_too(tmp_path: Path) -> None:
    assert read_material(pd.DataFrame(ONE))[0] == EXPECTED
    text = "".join(json.dumps(row) + "\r\n" for row in LONG).encode()
    for name, pack in (("a.jsonl.gz", gzip.compress), ("a.jsonl.bz2", bz2.compress)):
        (tmp_path / name).write_bytes(pack(text))
        assert read_material(ITEMS, str(tmp_path / name))[0] == EXPECTED


@pytest.mark.parametrize(
    ("item", "source", "system", "output"),
    [
        ("id", "prompt", "model", "response"),
        ("Item ID", "question", "system", "answer"),
        ("segment_id", "src", "system_id", "translation"),
        ("question_id", "instruction", "Model", "text"),
        ("id", "input", "model_name", "completion"),
    ],
)
def test_columns_are_found_by_their_usual_names(item: str, source: str, system: str, output: str) -> None:
    items = [{item: row["item"], source: row["source"]} for row in ITEMS]
    outputs = [{item: row["item"], system: row["system"], output: row["output"]} for row in LONG]
    assert read_material(items, outputs)[0] == EXPECTED


def test_a_wide_file_needs_no_names_of_items() -> None:
    assert read_material([{name: value for name, value in row.items() if name != "item"} for row in ONE])[0] == EXPECTED


def test_systems_can_be_chosen_in_every_layout() -> None:
    for given in ((ITEMS, LONG), (ITEMS, WIDE), (ONE,)):
        assert read_material(*given, systems=["owl", "elk"])[0].systems == ("owl", "elk")
    with_numbers = [{**row, "score": 3} for row in WIDE]
    assert read_material(ITEMS, with_numbers, systems=list(TEXTS))[0] == EXPECTED


def test_everything_about_an_item_is_read(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Hi <b>"}, {"role": "assistant", "text": "*Hello*"}]
    row = {
        "id": 7,
        "prompt": "*Go*",
        "reference": "r",
        "context": "c",
        "turns": turns,
        "document": "d",
        "position": 3,
        "lang": "de",
        "a": "x",
        "b": "y",
    }
    item = read_material(lines(tmp_path / "a.jsonl", [row]), markdown=True)[0].items[0]
    assert (item.name, item.source, item.reference, item.context) == ("7", "*Go*", "r", "c")
    assert (item.document, item.position, item.language) == ("d", 3, "de")
    assert item.html == {
        "source": '<p dir="auto"><em>Go</em></p>',
        "reference": '<p dir="auto">r</p>',
        "context": '<p dir="auto">c</p>',
    }
    assert [(turn.role, turn.text) for turn in item.turns] == [("user", "Hi <b>"), ("assistant", "*Hello*")]
    assert item.turns[0].html == '<p dir="auto">Hi &lt;b&gt;</p>'
    for ending in (".csv", ".parquet"):
        place = write(tmp_path / f"b{ending}", [{**row, "turns": json.dumps(turns)}])
        assert read_material(place, markdown=True)[0].items[0] == item
    assert read_material(write(tmp_path / "c.json", [row]), markdown=True)[0].items[0] == item


def test_items_of_a_document_are_numbered_as_they_come() -> None:
    rows = [
        {"item": name, "source": name, "document": name[0], "a": "x", "b": name} for name in ("p1", "q1", "p2", "p3")
    ]
    assert [item.position for item in read_material(rows)[0].items] == [1, 1, 2, 3]


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "outputs", "sentence"),
    [
        (
            [*ITEMS, ITEMS[0]],
            LONG,
            "the given rows, row 3: the item '1' stands twice; the first is in the given rows, row 1. Every item needs a name of its own.",
        ),
        (
            ITEMS,
            [*LONG, {"item": "3", "system": "owl", "output": "x"}],
            "the given rows, row 7: there is no item '3'. Known: 1, 2. Items and outputs must use the same names.",
        ),
        (
            ITEMS,
            [*LONG, LONG[0]],
            "the given rows, row 7: the system 'owl' has a second output on the item '1'; the first is in the given rows, row 1. Remove one of them.",
        ),
        (
            ITEMS,
            LONG[:2],
            "the given rows: there are outputs only of 'owl'. A campaign compares two or more: give a column per system, or columns item, system, output.",
        ),
        (
            [*ITEMS, {"item": "3", "source": "x"}],
            LONG,
            "the given rows: no system has an output on the item '3'. Add outputs, or leave the item out.",
        ),
        (
            ITEMS,
            [{**row, "system": " "} for row in LONG],
            "the given rows, row 1: the system has no name. Fill in 'system'.",
        ),
        ([{"item": "", "source": "x"}], LONG, "the given rows, row 1: the item has no name. Fill in 'item'."),
        (
            [{"source": "x"}],
            LONG,
            "the given rows, row 1: no column is known to hold the names of items; its columns are 'source'. Call it 'item'.",
        ),
        (
            ITEMS,
            [{"owl": "x", "yak": "y"}],
            "the given rows, row 1: no column is known to hold the names of items; its columns are 'owl', 'yak'. Call it 'item'.",
        ),
        (
            ITEMS,
            [{**row, "score": 0.5} for row in WIDE],
            "the given rows: the column 'score' holds numbers, so it seems to be no system. Name the columns of systems with systems.",
        ),
        (
            ITEMS,
            [{**row, "reference": "r"} for row in WIDE],
            "the given rows: the column 'reference' may be a system, or the items' reference. Name the columns of systems with systems.",
        ),
        (
            ITEMS,
            [{"item": "1", "system": "a", "said": "x"}],
            "the given rows: 'system' holds systems, but no column outputs; its columns are 'item', 'system', 'said'. "
            "Call it 'output', or name the columns of systems with systems.",
        ),
        (
            ITEMS,
            [{"item": "1", "system": "a", "response": "x", "answer": "y"}],
            "the given rows: 'response' and 'answer' may each hold outputs. Call one of them 'output', or leave the other out.",
        ),
        (
            [{"item": "1", "prompt": "x", "question": "y"}],
            LONG,
            "the given rows: 'prompt' and 'question' may each hold the items' source. Call one of them 'source', or leave the other out.",
        ),
        (
            ITEMS,
            [{**LONG[0], "output": ["x"]}],
            "the given rows, row 1: 'output' must be a text, got a list. Correct it.",
        ),
        (
            ITEMS,
            [{**LONG[0], "output": "a\x00b"}],
            "the given rows, row 1: 'output' holds the character U+0000, which no text may hold. Remove it.",
        ),
        (
            ITEMS,
            [{**LONG[0], "output": "\ud83d"}],
            "the given rows, row 1: 'output' holds the character U+D83D, which no text may hold. Remove it.",
        ),
        (
            [{**ITEMS[0], "turns": [{"role": "user"}]}],
            LONG,
            'the given rows, row 1: \'turns\' must be a list of turns. A turn is {"role": "user", "content": "Hello"}; JSON lines can hold them.',
        ),
        (
            [{**ITEMS[0], "turns": "hello"}],
            LONG,
            'the given rows, row 1: \'turns\' must be a list of turns. A turn is {"role": "user", "content": "Hello"}; JSON lines can hold them.',
        ),
        (
            [{**ITEMS[0], "position": "first"}],
            LONG,
            "the given rows, row 1: the position must be a whole number from 0, got 'first'. Number the items of a document.",
        ),
        (
            [{**row, "document": "d", "position": 1} for row in ITEMS],
            LONG,
            "the given rows, row 2: the items '1' and '2' have the same position 1 in the document 'd'. Number the items of a document.",
        ),
        (
            [{**row, "source": str(place)} for place, row in enumerate(LONG)],
            None,
            "the given rows, row 3: the item '1' differs from the given rows, row 1. All rows of an item must have the same source, reference, context and so on.",
        ),
        ([], LONG, "the given rows: there are no rows. Give at least one."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(items: Any, outputs: Any, sentence: str) -> None:
    assert refusal(items, outputs) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"item": 1}\n\n{"item": 2',
            "line 3: is no JSON: Expecting ',' delimiter at character 11. Write one object per line.",
        ),
        ("[1]", 'line 1: is no JSON object. Write {"item": …, "source": …} in every line.'),
        ('{"item": 1, "item": 2}', "line 1: the key 'item' stands twice. Remove one of them."),
        ('{"item": ' + "[" * 100_000, "line 1: the JSON cannot be read. Write one plain object per line."),
        ('{"item": ' + "9" * 10_000 + "}", "line 1: the JSON cannot be read. Write one plain object per line."),
    ],
)
def test_lines_that_are_no_objects_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    place = tmp_path / "items.jsonl"
    place.write_text(text)
    assert refusal(str(place), LONG) == f"{place}, {sentence}"


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    assert refusal(str(tmp_path / "no.jsonl")) == f"{tmp_path / 'no.jsonl'}: no such file. Check the path."
    (tmp_path / "latin.jsonl").write_bytes(json.dumps(ITEMS[1], ensure_ascii=False).encode("latin-1"))
    assert "is not utf-8 text at byte" in refusal(str(tmp_path / "latin.jsonl"), LONG)
    assert "empty" in refusal(lines(tmp_path / "none.jsonl", []), LONG)
    assert "no such" in refusal(str(tmp_path / "no.csv"), LONG)


def test_unknown_systems_are_refused() -> None:
    assert (
        refusal(ITEMS, LONG, systems=["owl", "yack"])
        == "the given rows: there is no system 'yack'. Did you mean 'yak'?"
    )


def test_files_of_one_system_do_not_mix_with_others(tmp_path: Path) -> None:
    own = lines(tmp_path / "fox.jsonl", [{"item": "1", "output": "x"}])
    many = lines(tmp_path / "many.jsonl", LONG)
    assert refusal(ITEMS, [many, own]) == (
        f"{own}: holds outputs of one system that it does not name, but other files hold several systems. Add a column 'system'."
    )


# --- gold -------------------------------------------------------------------------------------------------------------

GOLD = {"source": "ja", "outputs": ["yes", "no", "*no*"], "ranks": [1, 2, 2]}


def test_comparisons_with_known_answers_are_read(tmp_path: Path) -> None:
    place = lines(tmp_path / "gold.jsonl", [GOLD, {**GOLD, "item": "x", "context": "c"}])
    material: Material = read_material(ITEMS, LONG, gold=place, training=[GOLD], markdown=True)[0]
    assert [gold.item.name for gold in (*material.gold, *material.training)] == ["gold-1", "x", "training-1"]
    assert material.gold[0].ranks == (1, 2, 2)
    assert material.gold[0].outputs[2] == "*no*"
    assert material.gold[0].shown[2] == '<p dir="auto"><em>no</em></p>'
    assert material.gold[1].item.context == "c"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"outputs": ["a"], "ranks": [1]}, "a comparison has 2 to 5 outputs, got 1."),
        ({"outputs": list("abcdef"), "ranks": [1] * 6}, "a comparison has 2 to 5 outputs, got 6."),
        ({"outputs": "a"}, "'outputs' must be a list of texts."),
        ({"outputs": ["a", None, "b"]}, "'outputs' must be a list of texts."),
        ({"ranks": [1, 2]}, "3 outputs have 2 ranks."),
        ({"ranks": [1, 2, 4]}, "'ranks' must be a list of whole numbers from 1 (best) to the number of outputs."),
        ({"ranks": [0, 1, 2]}, "'ranks' must be a list of whole numbers from 1 (best) to the number of outputs."),
        ({"ranks": [True, 1, 2]}, "'ranks' must be a list of whole numbers from 1 (best) to the number of outputs."),
        ({"ranks": None}, "'ranks' must be a list of whole numbers from 1 (best) to the number of outputs."),
        ({"outputs": ["a", "b", "a "]}, "two outputs look alike but have different ranks."),
    ],
)
def test_impossible_answers_are_refused(change: dict[str, Any], sentence: str) -> None:
    assert refusal(ITEMS, LONG, gold=[{**GOLD, **change}]).startswith(f"the given rows, row 1: {sentence}")
