"""Covariates inside other columns are covariates like others."""

import json
import random
from pathlib import Path

import pytest

import betterthan as bt


@pytest.mark.parametrize("formula", ["~ `meta.lang`", "~ C(`meta.lang`)", "~ `meta.turns`"])
def test_a_nested_covariate_is_one(formula: str, tmp_path: Path) -> None:
    draw = random.Random(1)
    rows = [
        {
            "left": left,
            "right": right,
            "winner": draw.choice("ab"),
            "lang": draw.choice(["en", "de"]),
            "turns": draw.randint(1, 5),
        }
        for left, right in [("owl", "yak"), ("yak", "elk"), ("owl", "elk")] * 60
    ]
    nested = [{**row, "meta": {"lang": row["lang"], "turns": row["turns"]}} for row in rows]
    for name, some in {"flat": rows, "nested": nested}.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
    inside = bt.fit(bt.read_judgments(tmp_path / "nested.jsonl"), subject=formula)
    flat = bt.fit(bt.read_judgments(tmp_path / "flat.jsonl"), subject=formula.replace("`", "").replace("meta.", ""))
    assert [each.estimate for each in inside.coefficients] == pytest.approx(
        [each.estimate for each in flat.coefficients]
    )
    assert any("meta." in each.term for each in inside.coefficients)
