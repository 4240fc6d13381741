"""Files that are written again, and diagrams of an odd number of systems."""

from pathlib import Path

from betterthan.present.atomic_files import write_text
from betterthan.present.pictures.critical_difference import draw


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    place = tmp_path / "board.csv"
    write_text(place, "one")
    for mode in (0o600, 0o640, 0o664):
        place.chmod(mode)
        write_text(place, "two")
        assert (place.read_text(), place.stat().st_mode & 0o777) == ("two", mode)
    assert [each.name for each in tmp_path.iterdir()] == ["board.csv"]


def test_the_middle_system_is_with_the_better_half() -> None:
    picture = draw(system=["owl", "yak", "elk"], rank=[1.0, 2.0, 3.0], groups=[])
    found = [row for rows in picture.spec["datasets"].values() for row in rows if "left" in row]
    assert {row["system"]: row["left"] for row in found} == {"owl": True, "yak": True, "elk": False}
