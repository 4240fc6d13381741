"""Studies of one data set, on several: each alone, and the means over them."""

import numpy as np
import pytest

import betterthan as bt

STUDY = "stability(runs=20,most=200,step=190)"


def votes(share: int, task: str) -> dict[str, list[str]]:
    rows = [("owl", "yak", "a")] * share + [("owl", "yak", "b")] * (100 - share)
    rows += [("yak", "elk", "a")] * share + [("yak", "elk", "b")] * (100 - share)
    left, right, winner = (list(values) for values in zip(*rows, strict=True))
    return {"left": left, "right": right, "winner": winner, "dataset": [task] * len(rows)}


def both() -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, list[str]]]:
    one, two = votes(60, "cs-en"), votes(75, "fr-en")
    return one, two, {name: [*one[name], *two[name]] for name in one}


def test_every_data_set_is_run_alone_and_the_mean_is_theirs() -> None:
    one, two, every = both()
    found = bt.study(STUDY, bt.read_judgments(every, dataset="dataset"))
    table = found.to_pandas()
    assert list(dict.fromkeys(table["data_set"])) == ["cs-en", "fr-en", "mean"]
    for title, given in (("cs-en", one), ("fr-en", two)):
        alone = bt.study(STUDY, {name: values for name, values in given.items() if name != "dataset"}).to_pandas()
        mine = table[table["data_set"] == title]
        assert mine["changed"].tolist() == alone["changed"].tolist()
    mean = table[table["data_set"] == "mean"].set_index("comparisons")["changed"]
    for at in (10, 40, 200):
        values = table[(table["comparisons"] == at) & (table["data_set"] != "mean")]["changed"]
        assert mean[at] == pytest.approx(values.mean())


def test_statements_are_about_the_mean_with_an_interval_over_data_sets() -> None:
    one, two, every = both()
    found = bt.study(STUDY, bt.read_judgments(every, dataset="dataset"))
    alone = [
        bt.study(STUDY, {name: values for name, values in given.items() if name != "dataset"}).claims[0].ours.known
        for given in (one, two)
    ]
    claim = found.claims[0]
    assert claim.what.endswith("(mean of 2 data sets)")
    assert claim.ours.known == pytest.approx(np.mean(alone))
    half = 12.706205 * np.std(alone, ddof=1) / np.sqrt(2)  # Student's t with one degree of freedom
    assert claim.ours.high == pytest.approx(np.mean(alone) + half, rel=1e-6)
    assert "Of 2 data sets alone:" in claim.cause or claim.agreement == "agrees"
    assert [row[0] for row in found.summary.rows if row[0]] == ["cs-en", "fr-en"]
    assert found.plot().to_svg().startswith("<svg")


def test_a_run_on_several_data_sets_is_kept_for_each(tmp_path: pytest.TempPathFactory) -> None:
    every = bt.read_judgments(both()[2], dataset="dataset")
    found = bt.study(STUDY, every, folder=str(tmp_path))
    assert len(list((tmp_path / "parts").glob("*.jsonl"))) == 2  # type: ignore[operator]
    assert bt.study(STUDY, every, folder=str(tmp_path), progress=pytest.fail) == found


def test_other_studies_run_on_each_too() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"i{n}", metric, system) for metric in "xy" for n in range(30) for system in "abc"]
    columns = dict(zip(("item", "metric", "system"), (list(values) for values in zip(*rows, strict=True)), strict=True))
    scores = [float(rng.normal() + "abc".index(system)) for _, _, system in rows]
    table = bt.read_scores({**columns, "score": scores})
    for study in ("ties(runs=5)", "detection(runs=10)", "pairing(runs=5)", "elicitation(runs=10,most=40,step=20)"):
        found = bt.study(study, table, quick=True)
        assert set(found.columns()["data_set"]) >= {"x", "y"}, study
        assert found.claims[0].what.endswith("(mean of 2 data sets)"), study
        assert found.plot().to_svg().startswith("<svg"), study


def test_statements_that_not_all_data_sets_have_are_left_out() -> None:
    """12·m·ln m is another number of comparisons for three systems than for four."""
    rng = np.random.default_rng(3)
    rows = [
        (f"i{n}", metric, system)
        for metric, names in (("x", "abc"), ("y", "abcd"))
        for n in range(30)
        for system in names
    ]
    columns = dict(zip(("item", "metric", "system"), (list(values) for values in zip(*rows, strict=True)), strict=True))
    table = bt.read_scores({**columns, "score": rng.normal(size=len(rows)).tolist()})
    whats = [claim.what for claim in bt.study("detection(runs=10)", table, quick=True).claims]
    assert not any(what.startswith("A difference of 0.1") for what in whats)
    assert any(what.startswith("Larger differences are ranked rightly more often") for what in whats)
