"""Further columns of rankings and ratings as covariates: every layout, and what is no covariate."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.datasets import data_sets

ORDERS = [
    "owl > yak > elk",
    "yak > owl > elk",
    "owl > elk > yak",
    "elk > yak > owl",
    "yak > elk > owl",
    "owl > yak > elk",
]
SEX, AGE = ["f", "m", "f", "m", "f", "m"], [31, 44, 27, 52, 39, 48]
SYSTEMS = ("owl", "yak", "elk")


def _ranks() -> list[dict[str, int]]:
    return [{name: place for place, name in enumerate(order.split(" > "), 1)} for order in ORDERS]


def _wide() -> dict[str, list[Any]]:
    return {"judge": [f"j{at}" for at in range(6)], **{name: [each[name] for each in _ranks()] for name in SYSTEMS}}


def _long() -> dict[str, list[Any]]:
    rows = [(f"r{at}", name, rank, SEX[at], AGE[at]) for at, each in enumerate(_ranks()) for name, rank in each.items()]
    return dict(zip(("ranking", "system", "rank", "sex", "age"), map(list, zip(*rows, strict=True)), strict=True))


def _wmt() -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {"segmentId": list(range(6)), "sex": SEX, "age": AGE}
    for slot, name in enumerate(SYSTEMS, 1):
        columns[f"system{slot}Id"] = [f"set.fr-en.{name}"] * 6
        columns[f"system{slot}rank"] = [each[name] for each in _ranks()]
    return columns


LAYOUTS = {
    "wide": lambda: bt.read_rankings({**_wide(), "sex": SEX, "age": AGE}, systems=SYSTEMS),
    "long": lambda: bt.read_rankings(_long()),
    "text": lambda: bt.read_rankings({"order": ORDERS, "sex": SEX, "age": AGE}, orders="order"),
    "wmt": lambda: bt.read_rankings(_wmt()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("model", ["bradley-terry", "plackett-luce", "patterns"])
def test_every_layout_and_model_gives_the_same(layout: str, model: Any) -> None:
    """Judgments with the columns written out are what pairs of rankings are."""
    found = bt.fit(LAYOUTS[layout](), model=model, subject="~ sex", unit="row", reference="yak")
    expected = bt.fit(LAYOUTS["wide"](), model=model, subject="~ sex", unit="row", reference="yak")
    assert found.names[:4] == ("elk", "owl", "elk:sex[T.m]", "owl:sex[T.m]")
    assert [each.estimate for each in found.coefficients] == pytest.approx(
        [each.estimate for each in expected.coefficients], abs=1e-9
    )


def test_pairs_are_those_of_judgments_with_the_same_columns() -> None:
    rows = [
        (one, two, "a" if each[one] < each[two] else "b", SEX[at], AGE[at], f"r{at}")
        for at, each in enumerate(_ranks())
        for one, two in (("owl", "yak"), ("owl", "elk"), ("yak", "elk"))
    ]
    names = ("left", "right", "winner", "sex", "age", "judge")
    votes = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    for subject in ("~ sex", "~ age", "~ sex + age"):
        one = bt.fit(LAYOUTS["long"](), subject=subject, unit="row")
        two = bt.fit(votes, subject=subject, unit="row")
        assert one.to_csv() == two.to_csv()


def test_numbers_are_numbers_and_roles_are_names() -> None:
    by_age = bt.fit(LAYOUTS["long"](), model="plackett-luce", subject="~ age", unit="row")
    assert [name for name in by_age.names if ":" in name] == ["elk:age", "owl:age"]
    numbered = {**_wide(), "judge": [1, 1, 1, 2, 2, 2]}
    by_judge = bt.fit(bt.read_rankings(numbered), subject="~ judge", unit="row", model="plackett-luce")
    assert "elk:judge[T.2]" in by_judge.names


def test_a_file_is_read_again_for_its_columns(tmp_path: Path) -> None:
    place = tmp_path / "rankings.csv"
    columns = {**_wide(), "sex": SEX}
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    place.write_text("\n".join(lines), "utf-8")
    with bt.read_rankings(place, systems=SYSTEMS) as rankings:
        found = bt.fit(rankings, model="patterns", subject="~ sex", unit="row")
    assert found.to_csv() == bt.fit(LAYOUTS["wide"](), model="patterns", subject="~ sex", unit="row").to_csv()


def test_parts_of_rankings_keep_their_own_values() -> None:
    """Excluded judges and other data sets take their rows along: values stay with their rankings."""
    every = {**_wide(), "sex": SEX, "age": AGE}
    without = bt.read_rankings(every, systems=SYSTEMS, exclude=["judge=j0", "judge=j3"])
    assert list(without.described(["age"]).covariates["age"]) == ["44", "27", "39", "48"]
    parted = bt.read_rankings({**every, "dataset": list("xyxyxx")}, systems=SYSTEMS)
    [(_, x), (_, y)] = parted.data_sets()
    assert list(x.described(["age"]).covariates["age"]) == ["31", "27", "39", "48"]
    assert list(y.described(["age"]).covariates["age"]) == ["44", "52"]
    assert [each.described(["sex"]).judgments.table.columns for each in data_sets(x)] == [
        ("sex", "left", "right", "outcome", "ranking", "judge")
    ]


def test_ratings_have_columns_of_their_judges() -> None:
    """Wide and long ratings are the same patterns, with the same covariate."""
    values = {"owl": [5, 4, 4, 2, 3, 5, 4, 3], "yak": [3, 3, 4, 3, 4, 2, 3, 4], "elk": [2, 3, 1, 4, 2, 1, 2, 3]}
    sex, names = list("fmfmfmff"), [f"j{at}" for at in range(8)]
    wide = bt.read_scores({"judge": names, **values, "sex": sex}, systems=list(values), item="judge")
    rows = [(name, system, values[system][at], sex[at]) for at, name in enumerate(names) for system in values]
    long = dict(zip(("judge", "system", "score", "sex"), map(list, zip(*rows[::-1], strict=True)), strict=True))
    several = {**long, "item": ["i1"] * len(rows)}
    fits = [
        bt.fit(evidence, model="patterns", subject="~ sex", unit="row")
        for evidence in (
            wide,
            bt.read_scores(long, item="judge"),
            bt.read_scores(several, judge="judge", repeat="judge"),
        )
    ]
    assert "owl:sex[T.m]" in fits[0].names
    for each in fits[1:]:
        assert [one.estimate for one in each.coefficients] == pytest.approx(
            [one.estimate for one in fits[0].coefficients], abs=1e-9
        )


@pytest.mark.parametrize(
    ("evidence", "model", "subject", "message"),
    [
        (
            lambda: bt.read_rankings({**_long(), "shade": ["a", "b", "c"] * 6}),
            "plackett-luce",
            "~ shade",
            "the given arrays: the column 'shade' differs within a ranking, so it describes no ranking. "
            "Use a column that is the same for all systems of a ranking.",
        ),
        (
            LAYOUTS["long"],
            "patterns",
            "~ gender",
            "these rankings have no 'gender'; allowed: ranking, system, rank, sex, age. Name a column of their table, or one "
            "that has a role: judge or item.",
        ),
        (
            lambda: bt.read_rankings({**_wide(), "sex": [*SEX[:5], None]}, systems=SYSTEMS),
            "patterns",
            "~ sex",
            "the given arrays: some rankings have no sex. Fill it in, or leave them out with where.",
        ),
    ],
)
def test_what_is_no_covariate_is_refused(evidence: Any, model: Any, subject: str, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as found:
        bt.fit(evidence(), model=model, subject=subject)
    assert str(found.value) == message


def test_copies_in_other_processes_have_no_table() -> None:
    copied = pickle.loads(pickle.dumps(LAYOUTS["wide"]()))
    assert (copied.source, copied.table) == (None, None)
    assert copied == LAYOUTS["wide"]()


def test_a_unit_may_be_a_further_column() -> None:
    by_sex = {**_wide(), "village": list("aabbcc")}
    for model in ("bradley-terry", "plackett-luce", "patterns"):
        found = bt.fit(bt.read_rankings(by_sex, systems=SYSTEMS), model=model, unit="village")
        assert found.clusters == {"village": 3}
