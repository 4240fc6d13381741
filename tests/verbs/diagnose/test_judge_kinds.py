"""Kinds of judges: agreement within and between them, by hand and against Krippendorff's alpha of each alone."""

import json
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

import betterthan as bt

PAIRS = [("elk", "owl"), ("elk", "yak"), ("owl", "yak")]


def _votes() -> list[tuple[str, str, str, str, str]]:
    """Experts mostly agree, crowd workers less; the two rarely agree with each other."""
    rng = np.random.default_rng(5)
    rows = []
    for item in range(30):
        for one, two in PAIRS:
            truth = rng.choice(["a", "b", "tie"])
            for judge, right in (
                ("expert-1", 0.9),
                ("expert-2", 0.9),
                ("crowd-1", 0.6),
                ("crowd-2", 0.6),
                ("zoe", 0.5),
            ):
                said = truth if rng.random() < right else rng.choice(["a", "b", "tie"])
                rows.append((one, two, said, f"i{item}", judge))
    return rows


def _table(rows: list[tuple[str, str, str, str, str]]) -> dict[str, list[str]]:
    return dict(zip(("left", "right", "winner", "item", "judge"), map(list, zip(*rows, strict=True)), strict=True))


def test_agreement_within_kinds_is_that_of_their_judges_alone() -> None:
    rows = _votes()
    found = bt.diagnose(_table(rows), judge_kinds=["expert*", "crowd*"]).judges
    assert found is not None
    assert found.kinds is not None
    assert [(kind.name, kind.judges, kind.judgments) for kind in found.kinds.kinds] == [
        ("expert*", 2, 180),
        ("crowd*", 2, 180),
        ("others", 1, 90),
    ]
    for kind, start in zip(found.kinds.kinds, ("expert", "crowd"), strict=False):
        mine = [row for row in rows if row[4].startswith(start)]
        alone = bt.diagnose(_table(mine)).judges
        assert alone is not None
        assert alone.agreement is not None
        assert kind.agreement is not None
        assert (kind.agreement.items, kind.agreement.share) == (90, pytest.approx(alone.agreement.share))
        assert kind.agreement.alpha == pytest.approx(alone.agreement.alpha, abs=1e-12)
        assert kind.ties == pytest.approx(np.mean([row[2] == "tie" for row in mine]))
    assert found.kinds.kinds[2].agreement is None


def test_agreement_between_kinds_counts_all_pairs_of_verdicts() -> None:
    """Cohen's kappa, written out: equal verdicts beyond what their shares make likely."""
    rows = _votes()
    found = bt.diagnose(_table(rows), judge_kinds=["expert*", "crowd*"]).judges
    said = {(row[3], row[0], row[1], row[4]): row[2] for row in rows}
    judges = {"expert*": ("expert-1", "expert-2"), "crowd*": ("crowd-1", "crowd-2"), "others": ("zoe",)}
    between = {(each.a, each.b): each for each in found.kinds.between}
    assert list(between) == list(combinations(judges, 2))
    for (a, b), each in between.items():
        pairs = [
            (said[item, one, two, p], said[item, one, two, q])
            for item, (one, two) in product({row[3] for row in rows}, PAIRS)
            for p, q in product(judges[a], judges[b])
        ]
        same = np.mean([x == y for x, y in pairs])
        first, second = Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
        chance = sum(first[word] * second[word] for word in first) / len(pairs) ** 2
        assert each.comparisons == 90
        assert each.share == pytest.approx(same)
        assert each.kappa == pytest.approx((same - chance) / (1 - chance))


def test_kinds_are_in_every_format() -> None:
    diagnosis = bt.diagnose(_table(_votes()), judge_kinds=["expert*", "crowd*"])
    text = diagnosis.to_text()
    assert "kind of judge  judges  judgments  ties  judged twice  same  alpha  95 % interval" in text
    assert "expert* – crowd*" in text
    kinds = json.loads(diagnosis.to_json())["judges"]["kinds"]
    assert [each["name"] for each in kinds["kinds"]] == ["expert*", "crowd*", "others"]
    assert set(kinds["between"][0]) == {"a", "b", "comparisons", "share", "kappa"}
    assert "| expert\\* – crowd\\* |" in diagnosis.to_markdown()
    assert str(diagnosis.signature).count("judge_kinds:expert*,crowd*") == 1


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        (_table(_votes()), "judge_kinds has the pattern 'turk*', which the name of no judge meets."),
        (
            [("owl", "yak", "a")] * 5,
            "judge_kinds is for judgments that name their judges. Name their column with judge, or leave it out.",
        ),
    ],
)
def test_kinds_that_there_are_not_are_refused(evidence: object, message: str) -> None:
    with pytest.raises(bt.PlanError) as found:
        bt.diagnose(evidence, judge_kinds=["turk*"])
    assert str(found.value).startswith(message)
