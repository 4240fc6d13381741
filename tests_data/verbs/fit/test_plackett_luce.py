"""Plackett–Luce with covariates: the solver against the ranking model, brute force and closed forms."""

from pathlib import Path

import betterthan as bt
from tests.verbs.fit.test_plackett_luce import as_ranked


def test_races_of_many_drivers_are_fitted(shared: Path) -> None:
    model = as_ranked(bt.read_rankings(shared / "reference" / "nascar_long.csv"), 1e-9)
    assert (len(model.systems), model.judgments) == (83, 36)
