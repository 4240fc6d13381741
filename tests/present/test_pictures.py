"""Pictures from finished numbers: whatever the names, from two systems to two hundred."""

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations, pairwise, product
from typing import Any
from xml.etree import ElementTree

import pytest

from betterthan import BetterthanError
from betterthan.present import pictures
from betterthan.present.pictures.labels import spread
from betterthan.present.pictures.picture import COLUMN, Picture, whole_numbers
from tests.present.rendered import check, holds_its_numbers, size

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "&amp; \"double\" 'single' `back`",
    "owl 🦉🏽",
    "עברית שמאלה",
    "\u202eturned",
    "x" * 300,
    "constructor",
    "__proto__",
    "a.b[0]['c']",
    "back\\slash",
    "two\nlines",
    "nul\x00 bell\x07 escape\x1b",
    "lone \ud800 half",
    "{{datum.x}} ${1}",
    "datum['a'] === null",
    "https://example.org/?a=1&b=2",
    "null",
    "0",
    " ",
]


def _leaderboard(names: list[str]) -> Picture:
    size = len(names)
    low: list[float | None] = [0.1 * place - 0.5 for place in range(size)]
    high: list[float | None] = [0.1 * place + 0.5 for place in range(size)]
    low[0] = high[-1] = None
    score = [0.1 * place for place in range(size)]
    return pictures.leaderboard.draw(
        system=names,
        score=score,
        low=low,
        high=high,
        cluster=[1 + place // 3 for place in range(size)],
        name="worth",
        level=0.95,
    )


def _ranks(names: list[str]) -> Picture:
    places = list(range(1, len(names) + 1))
    return pictures.ranks.draw(
        system=names,
        low=[max(1, place - 2) for place in places],
        lower=[max(1, place - 1) for place in places],
        middle=places,
        upper=places,
        high=places,
        cluster=[None if place == 2 else 1 for place in places],
        label="90 % range",
    )


def _matrix(names: list[str]) -> Picture:
    pairs = [(one, two) for one, two in product(names, names) if one != two]
    value: list[float | None] = [0.1 + 0.8 * place / len(pairs) for place in range(len(pairs))]
    value[0] = None
    return pictures.matrix.draw(
        systems=names,
        row=[one for one, _ in pairs],
        column=[two for _, two in pairs],
        value=value,
        significant=[place % 2 == 0 for place in range(len(pairs))],
        chance=True,
        name="chance",
    )


def _joint(names: list[str]) -> Picture:
    return pictures.joint.draw(
        a=names[0],
        b=names[1],
        a_low=[0.0, 1.0],
        a_high=[0.0, 1.0],
        b_low=[0.0, 0.5],
        b_high=[0.0, 0.5],
        items=[2, 1],
        edges=[-0.1, 0.5, 1.1],
        of_a=[2, 1],
        of_b=[2, 1],
        means=(0.3, 0.2),
        medians=(0.0, 0.0),
        won=1,
        lost=0,
    )


def _differences(names: list[str]) -> Picture:
    return pictures.differences.draw(
        a=names[0], b=names[1], low=[-1.0, 0.0], high=[0.0, 1.0], items=[3, 4], ties=2, mean=0.1, median=0.0
    )


def _meetings(names: list[str]) -> Picture:
    pairs = [(one, two) for one, two in product(names[:40], names[:40]) if one != two]
    return pictures.meetings.draw(
        systems=names,
        panel=["first"] * len(pairs) + ["last"] * len(pairs),
        row=[one for one, _ in pairs] * 2,
        column=[two for _, two in pairs] * 2,
        number=[place % 7 for place in range(2 * len(pairs))],
    )


def _growth(names: list[str]) -> Picture:
    return pictures.growth.draw(
        model=[names[0]] * 3,
        amount=[10, 30, 100],
        clusters=[1.0, 1.5, float(len(names))],
        low=[1, 1, 1],
        high=[1, 2, len(names)],
        unit=names[0],
        band="range",
    )


def _bump(names: list[str]) -> Picture:
    size = len(names)
    return pictures.bump.draw(
        models=["one", names[0]],
        systems=names,
        model=["one"] * size + [names[0]] * size,
        system=[*names, *names[::-1]],
        rank=[*range(1, size + 1)] * 2,
        place=[*range(1, size + 1)] * 2,
    )


def _agreement(names: list[str]) -> Picture:
    pairs = list(product(names[:25], names[:25]))
    kendall = [None if place == 1 else 1 - 2 * place / len(pairs) for place in range(len(pairs))]
    return pictures.agreement.draw(
        models=names[:25], row=[one for one, _ in pairs], column=[two for _, two in pairs], kendall=kendall
    )


def _critical_difference(names: list[str]) -> Picture:
    last = len(names) - 1
    return pictures.critical_difference.draw(
        system=names,
        rank=[1.0 + 0.9 * place for place in range(len(names))],
        groups=[(0, 1), (last - 1, last)] if last > 1 else [(0, 1)],
    )


def _history(names: list[str]) -> Picture:
    return pictures.history.draw(
        systems=names,
        judgments=[0] * len(names) + [50] * len(names),
        system=names * 2,
        rating=[1000.0] * len(names) + [1000.0 - place // 2 for place in range(len(names))],
    )


def _judges(names: list[str]) -> Picture:
    follows: list[float | None] = [0.5 + 0.4 * place / len(names) for place in range(len(names))]
    follows[-1] = None
    return pictures.judges.draw(
        judge=names,
        judgments=[1.0 + 10 * place for place in range(len(names))],
        follows=follows,
        expected=[0.6] * len(names),
        findings=["against-rest" if place % 2 else "" for place in range(len(names))],
    )


def _graph(names: list[str]) -> Picture:
    pairs = list(combinations(names[:30], 2))
    return pictures.graph.draw(
        systems=names,
        a=[one for one, _ in pairs],
        b=[two for _, two in pairs],
        comparisons=[1.0 + place % 9 for place in range(len(pairs))],
        of_system=[5.0 + place for place in range(len(names))],
    )


DRAWN: dict[str, Callable[[list[str]], Picture]] = {
    "leaderboard": _leaderboard,
    "ranks": _ranks,
    "matrix": _matrix,
    "joint": _joint,
    "differences": _differences,
    "meetings": _meetings,
    "growth": _growth,
    "bump": _bump,
    "agreement": _agreement,
    "critical-difference": _critical_difference,
    "history": _history,
    "judges": _judges,
    "graph": _graph,
}
every_kind = pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)


@every_kind
def test_any_name_can_be_drawn(draw: Callable[[list[str]], Picture]) -> None:
    check(draw(HOSTILE), "svg", "html")


@every_kind
def test_many_systems(draw: Callable[[list[str]], Picture]) -> None:
    picture = draw([f"system {place}" for place in range(200)])
    check(picture, "svg")
    assert holds_its_numbers(picture)


@every_kind
def test_two_systems(draw: Callable[[list[str]], Picture]) -> None:
    picture = draw(["owl", "yak"])
    assert holds_its_numbers(picture)
    assert min(size(picture)) > 40


@every_kind
def test_pictures_are_as_wide_as_a_column(draw: Callable[[list[str]], Picture]) -> None:
    width, _ = size(draw([f"{'system' * 5} {place}" for place in range(13)]))
    assert width <= 1.2 * COLUMN


@pytest.mark.parametrize("draw", [_leaderboard, _matrix, _joint, _meetings, _graph])
def test_size_and_title_can_be_changed(draw: Callable[[list[str]], Picture]) -> None:
    picture = draw(["owl", "yak", "elk"])
    before = size(picture)
    after = size(picture.restyled(width=900, height=700))
    assert after[0] > before[0] + 200
    assert after[1] > before[1] + 100
    assert picture.restyled(title="Night birds").spec["title"] == "Night birds"
    assert holds_its_numbers(picture.restyled(width=900))


def test_names_of_systems_are_never_names_of_fields() -> None:
    for draw in DRAWN.values():
        for rows in draw(["a.b", "c[0]", "d"]).spec["datasets"].values():
            assert not {"a.b", "c[0]", "d"} & set(rows[0])


def test_what_no_renderer_survives_is_replaced() -> None:
    """A control character makes the renderer abort the whole process: it must never see one."""
    texts = _texts(_leaderboard(HOSTILE).spec)
    assert "nul� bell� escape�" in texts
    assert "lone � half" in texts
    assert "two\nlines" in texts


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value] if isinstance(value, str) else []


def test_open_ends_are_arrows() -> None:
    marks = [layer["mark"].get("shape") for layer in _leaderboard(["owl", "yak", "elk"]).spec["layer"]]
    assert [shape for shape in marks if shape] == ["triangle-left", "triangle-right"]
    closed = pictures.leaderboard.draw(
        system=["owl", "yak"],
        score=[2.0, 1.0],
        low=[1.5, 0.5],
        high=[2.5, 1.5],
        cluster=[1, 2],
        name="worth",
        level=0.9,
    )
    assert not any("shape" in layer["mark"] for layer in closed.spec["layer"])


def test_a_board_without_intervals_has_points_only() -> None:
    board = pictures.leaderboard.draw(
        system=["owl", "yak"],
        score=[1.0, 1.0],
        low=[None, None],
        high=[None, None],
        cluster=[None, None],
        name="rating",
        level=None,
    )
    assert [layer["mark"]["type"] for layer in board.spec["layer"]] == ["point"]
    check(board, "svg")


@pytest.mark.parametrize(("value", "written"), [(10.05, "10*"), (-0.051, "0*"), (0.0, "0*"), (-120.0, "−120*")])
def test_differences_in_a_matrix_keep_their_digits(value: float, written: str) -> None:
    picture = pictures.matrix.draw(
        systems=["a", "b"],
        row=["a", "b"],
        column=["b", "a"],
        value=[value, 120.0],
        significant=[True, False],
        chance=False,
        name="difference",
    )
    assert next(iter(picture.spec["datasets"].values()))[0]["text"] == written


def test_chances_are_written_without_the_zero() -> None:
    picture = pictures.matrix.draw(
        systems=["a", "b"],
        row=["a", "b"],
        column=["b", "a"],
        value=[0.987, 0.013],
        significant=[True, False],
        chance=True,
        name="chance",
    )
    assert [row["text"] for row in next(iter(picture.spec["datasets"].values()))] == [".99*", ".01"]


def test_a_long_title_is_broken_into_lines() -> None:
    picture = pictures.leaderboard.draw(
        system=["a", "b"],
        score=[2.0, 1.0],
        low=[None] * 2,
        high=[None] * 2,
        cluster=[None] * 2,
        name="mean",
        level=None,
        title="word " * 40,
    )
    assert len(picture.spec["title"]) > 2
    assert size(picture)[0] < 1.4 * COLUMN


def test_only_known_formats_are_written(tmp_path: Any) -> None:
    with pytest.raises(BetterthanError) as refused:
        _growth(["item"]).save(tmp_path / "growth.gif")
    assert str(refused.value) == "a picture can be svg, png, pdf, html, json, not 'gif'. Choose another ending."
    _growth(["item"]).save(str(tmp_path / "growth.SVG"))
    ElementTree.parse(tmp_path / "growth.SVG")


def test_labels_move_as_little_as_they_must() -> None:
    assert spread([], 1.0) == []
    assert spread([5.0, 1.0, 3.0], 1.0) == [5.0, 1.0, 3.0]
    assert spread([1.0, 1.0, 1.0], 2.0) == [-1.0, 1.0, 3.0]
    apart = sorted(spread([0.0, 0.1, 0.2, 3.0, 3.05, 9.0], 1.0))
    assert all(two - one >= 1.0 - 1e-12 for one, two in pairwise(apart))


def test_axes_of_ranks_have_whole_numbers() -> None:
    assert whole_numbers(1, 2) == [1, 2]
    assert whole_numbers(0, 8) == list(range(9))
    assert whole_numbers(1, 200) == [50, 100, 150, 200]


def test_what_is_not_installed_is_said() -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "import betterthan as bt\n"
        "try: bt.plot('matrix', {'owl': [1, 2, 3], 'yak': [2, 2, 1]})\n"
        "except bt.MissingExtraError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "a picture needs altair, which is not installed. Run: pip install 'betterthan[plots]'\n"
