"""Pictures of models' predictions have the numbers of the result."""

import pytest

from betterthan import BetterthanError
from betterthan.present import pictures
from betterthan.present.pictures.picture import COLUMN
from betterthan.verbs.select.select_model import select
from tests.present.rendered import check, holds_its_numbers, size
from tests.verbs.select.worlds import votes

HOSTILE = ["<script>alert(1)</script>", "elo(k=8|16)", "two\nlines", "a.b[0]['c']"]


def test_learning_has_means_and_intervals_of_every_size() -> None:
    found = select(votes(300), "bradley-terry,davidson", sizes=[50, 100], repeats=1)
    for measure in ("accuracy", "log_loss"):
        picture = found.plot.learning(measure, title="Votes")
        check(picture)
        assert holds_its_numbers(picture)
        rows = [row for row in found.rows if row.role == "model"]
        assert picture.columns["model"] == [row.model for row in rows]
        assert picture.columns["amount"] == [50, 50, 100, 100]
        for name, field in (("value", "value"), ("low", "low"), ("high", "high")):
            assert picture.columns[name] == [getattr(row.measures[measure], field) for row in rows]
        bounds = [row["bound"] for rows in picture.spec["datasets"].values() for row in rows if set(row) == {"bound"}]
        assert bounds == [found["upper bound"].measures[measure].value]


def test_calibration_has_the_bins_of_the_largest_size() -> None:
    found = select(votes(300), "bradley-terry,davidson", sizes=[50, 100], repeats=1)
    picture = found.plot.calibration()
    check(picture)
    assert holds_its_numbers(picture)
    for name in ("chance", "observed", "number"):
        assert picture.columns[name] == [getattr(each, name) for model in found.models for each in found[model].bins]
    assert sum(picture.columns["number"]) == 2 * 3 * 300  # models, outcomes, judgments: every one was tested once


def test_what_cannot_be_drawn() -> None:
    found = select(votes(300), "bradley-terry", repeats=1)
    with pytest.raises(BetterthanError) as refused:
        found.plot.learning()
    assert str(refused.value) == (
        "a learning curve needs several training sizes, and there is one. Select again with sizes=[400, 800]."
    )
    with pytest.raises(BetterthanError, match="there is no measure 'speed'; there are: accuracy, perplexity"):
        found.plot.learning("speed")


@pytest.mark.parametrize("models", [HOSTILE, [f"model {number}" for number in range(20)]])
def test_any_names_and_many_of_them(models: list[str]) -> None:
    picture = pictures.calibration.draw(
        models=models,
        model=models,
        chance=[0.5] * len(models),
        observed=[0.4] * len(models),
        number=[9.0] * len(models),
    )
    check(picture, "svg", "html", "json")
    assert size(picture)[0] <= COLUMN + 20
