"""Tables: what gives way when there is no room."""

import pytest

from betterthan.base import escaping
from betterthan.present.table import Column, Table, wrapped

TABLE = Table(
    [
        Column("#"),
        Column("system", "left", flexible=True),
        Column("score"),
        Column("tied", optional=2),
        Column("won", optional=1),
    ],
    [["1", "a rather long name of a system", "0.5", "3", "4"], ["2", "yak", "0.4", "10", "2"]],
    frozenset({1}),
)


def test_without_a_width_nothing_is_cut() -> None:
    assert TABLE.to_text() == (
        "  #  system                          score  tied  won\n"
        "  1  a rather long name of a system    0.5     3    4\n"
        "  ───────────────────────────────────────────────────\n"
        "  2  yak                               0.4    10    2"
    )


def test_names_give_way_first_but_keep_some_room() -> None:
    assert TABLE.to_text(48).split("\n")[1] == "  1  a rather long name of a…     0.5     3    4"


def test_then_optional_columns_are_left_out_one_by_one() -> None:
    assert TABLE.to_text(40).split("\n")[:2] == [
        "  #  system                   score  won",
        "  1  a rather long name of…     0.5    4",
    ]
    assert TABLE.to_text(20).split("\n")[1] == "  1  a rathe…    0.5"


def test_wide_characters_count_double() -> None:
    table = Table([Column("name", "left"), Column("n")], [["名前", "1"], ["ab", "2"]])
    assert table.to_text() == "  name  n\n  名前  1\n  ab    2"


def test_sentences_wrap_at_blanks() -> None:
    assert wrapped("one two three four", 10) == "one two\n  three\n  four"
    assert wrapped("one two three four", None) == "one two three four"


def test_a_narrow_table_looks_at_every_cell_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, clean = [], escaping.terminal_line

    def counted(text: str) -> str:
        seen.append(text)
        return clean(text)

    monkeypatch.setattr(escaping, "terminal_line", counted)
    columns = [
        Column("system", "left", flexible=True),
        *(Column(f"column {place}", optional=place) for place in range(9)),
    ]
    rows = [[f"system {row}", *(str(row) for _ in range(9))] for row in range(50)]
    assert Table(columns, rows).to_text(30).split("\n")[1] == "  system 0          0"
    assert len(seen) == 51 * 10
