"""The first and the last fifth of the judgments are drawn apart."""

import betterthan as bt


def test_meetings_of_both_ends_are_those_of_a_fifth_each() -> None:
    rows = [
        {"left": "owl" if place < 10 else "elk", "right": "yak" if place < 40 else "ant", "outcome": "left" if place % 2 else "right", "time": place}
        for place in range(50)
    ]  # fmt: skip
    picture = bt.plot("meetings", bt.read_judgments(rows), ends=True)
    found: dict[str, set[tuple[str, str, float]]] = {}
    for panel, row, column, number in zip(
        *(picture.columns[name] for name in ("panel", "row", "column", "number")), strict=True
    ):
        found.setdefault(panel, set()).add((row, column, number))
    assert found == {
        "first 20 %": {("owl", "yak", 10.0), ("yak", "owl", 10.0)},
        "last 20 %": {("elk", "ant", 10.0), ("ant", "elk", 10.0)},
    }
