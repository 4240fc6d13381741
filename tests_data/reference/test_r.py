"""What R gives (BradleyTerry2) where every student is told apart."""

from pathlib import Path

import pytest

import betterthan as bt
from tests.reference.r_estimates import r_estimates


def test_deviance_of_preferences_by_student(shared: Path) -> None:
    judgments = bt.read_judgments(shared / "reference" / "CEMS_bt2_long.csv")
    model = bt.fit(judgments, ties="half", by="subject", reference="Stockholm", unit="row").scaled("log")
    expected = r_estimates()["bt2.CEMS_ties_half"]["fit"]
    assert model.deviance == pytest.approx(expected["deviance"], abs=1e-6)
    assert model.df == expected["df_resid"]
