"""WMT's rankings in XML: the same board as the CSV, and nothing that reaches outside the file."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import refused


def test_one_slot_may_name_several_systems(tmp_path: Path) -> None:
    path = Path(format_called("wmt-xml").example(tmp_path))
    path.write_text(path.read_text().replace("set.fr-en.yak", "set.fr-en.yak,set.fr-en.gnu"))
    assert bt.read(path).systems == ("elk", "gnu", "owl", "yak")


DOCTYPES = [
    '<!DOCTYPE WMT15-results [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
    '<!DOCTYPE WMT15-results [<!ENTITY secret SYSTEM "file:///etc/hostname">]>',
    '<!DOCTYPE WMT15-results SYSTEM "http://example.org/wmt.dtd">',
]


@pytest.mark.parametrize("doctype", DOCTYPES)
def test_document_types_and_entities_are_refused(doctype: str, tmp_path: Path) -> None:
    path = Path(format_called("wmt-xml").example(tmp_path))
    text = path.read_text()
    path.write_text(text.replace("<WMT15-results>", f"{doctype}<WMT15-results>", 1))
    assert refused(path) == (
        f"{path}: has a document type ('WMT15-results'), which can name other files and entities. "
        "Remove the line that begins with <!DOCTYPE."
    )


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = Path(format_called("wmt-xml").example(tmp_path))
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    assert "results.xml: is no whole XML file: " in refused(path)
    path.write_text(text.replace('rank="1"', 'rank="first"'))
    assert "the rank 'first' is not a finite number" in refused(path)
    path.write_text("<WMT15-results></WMT15-results>")
    assert "holds no ranking of at least two translations." in refused(path)
    path.write_text(text.replace("<ranking-result", "&secret;<ranking-result", 1))
    assert "is no whole XML file: undefined entity" in refused(path)


#: Segment, judge, and systems with their ranks; −1 is not ranked.
RANKED = [
    ("7", "ann", [("owl", 1), ("yak", 2), ("elk", 2)]),
    ("8", "bob", [("yak", 1), ("owl", 3), ("elk", -1)]),
    ("7", "cat", [("elk", 1), ("owl", 1), ("yak", 5)]),
]


@pytest.mark.parametrize("tasks", [True, False])
def test_rankings_are_those_of_the_csv(tasks: bool, tmp_path: Path) -> None:
    hits = []
    for number, (segment, judge, slots) in enumerate(RANKED):
        shown = "".join(f'<translation system="set.fr-en.{name}" rank="{rank}"/>' for name, rank in slots)
        task = f'<ranking-task id="{segment}"><ranking-result user="{judge}">{shown}</ranking-result></ranking-task>'
        item = f'<ranking-item id="{segment}" user="{judge}">{shown}</ranking-item>'
        hits.append(
            f'<HIT source-language="fra" target-language="eng" hit-id="{number}">{task if tasks else item}</HIT>'
        )
    (tmp_path / "rankings.xml").write_text(f"<WMT30-results>{''.join(hits)}</WMT30-results>")
    header = [
        "srclang",
        "trglang",
        "segmentId",
        "judgeId",
        *(f"system{place}{end}" for place in (1, 2, 3) for end in ("Id", "rank")),
    ]
    lines = [
        ["fra", "eng", segment, judge, *(cell for name, rank in slots for cell in (f"set.fr-en.{name}", str(rank)))]
        for segment, judge, slots in RANKED
    ]
    (tmp_path / "rankings.csv").write_text("\n".join(map(",".join, [header, *lines])))
    one, other = bt.read(tmp_path / "rankings.csv"), bt.read(tmp_path / "rankings.xml")
    assert other.reading.format == "wmt-xml"
    for rankings in (one, other):
        found = [
            (rankings.systems[system], int(ranking), float(rank))
            for system, ranking, rank in zip(rankings.system, rankings.ranking, rankings.rank, strict=True)
        ]
        expected = [
            ("owl", 0, 1),
            ("yak", 0, 2),
            ("elk", 0, 2),
            ("yak", 1, 1),
            ("owl", 1, 3),
            ("elk", 2, 1),
            ("owl", 2, 1),
            ("yak", 2, 5),
        ]
        assert sorted(found) == sorted(expected)
        tally = rankings.to_judgments().tally("item", "judge")
        assert {str(label) for label in tally.units["judge"]} == {"ann", "bob", "cat"}
        assert len({str(label) for label in tally.units["item"]}) == 2
        board = bt.rank(rankings, model="win-rate", ci="none").board
        assert {row.system: (row.wins, row.ties) for row in board} == {"owl": (3, 1), "yak": (1, 1), "elk": (1, 2)}
