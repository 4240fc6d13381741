"""Every kind of finding is declared, explained and found by being there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.findings import Finding
from betterthan.findings.registry import all_kinds

KINDS = all_kinds()
SENTENCE = re.compile(r"[A-Z{'0-9].*[.?]", re.S)


def test_every_kind_says_what_it_found_why_it_matters_and_what_to_do() -> None:
    for kind in KINDS.values():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.code)
        assert kind.title[0].isupper(), kind.code
        assert not kind.title.endswith("."), kind.code
        for text in (kind.message, kind.hint or "None.", kind.why, kind.remedy or kind.hint):
            assert SENTENCE.fullmatch(text), (kind.code, text)
        # This also fills the templates without numbers of a case.
        assert str(bt.explain(kind.code)).count("\n") >= 3, kind.code


def test_every_part_of_a_finding_is_one_sentence() -> None:
    for kind in KINDS.values():
        for text in (kind.message, kind.hint, kind.why, kind.remedy):
            # A dot ends a sentence where a new one starts behind it.
            assert not re.search(r"(?<!et al)[.!?]\s+[A-Z{]", text), (kind.code, text)


def test_a_finding_in_full_has_four_parts() -> None:
    assert KINDS["few-units"].found(units=12, unit="item").in_full() == [
        "! few-units: The result rests on few units.",
        "  Found: The result rests on only 12 items, so confidence intervals and tests are approximate.",
        f"  Why it matters: {KINDS['few-units'].why}",
        "  What to do: Collect more items.",
    ]


def test_numbers_fill_the_texts_and_stay_at_hand() -> None:
    found = KINDS["few-units"].found(units=12, unit="item")
    assert str(found) == (
        "! few-units: The result rests on only 12 items, so confidence intervals and tests are approximate. "
        "Collect more items."
    )
    assert (found.value, found.numbers) == (12.0, {"units": 12, "unit": "item"})
    assert found.to_dict() == {
        "code": "few-units",
        "level": "warning",
        "message": "The result rests on only 12 items, so confidence intervals and tests are approximate.",
        "hint": "Collect more items.",
        "value": 12.0,
        "numbers": {"units": 12, "unit": "item"},
        "title": "The result rests on few units",
        "why": KINDS["few-units"].why,
    }
    assert {found, KINDS["few-units"].found(units=12, unit="item")} == {found}
    assert KINDS["few-units"].found(units=12, unit="item", level="info").level == "info"


def test_a_finding_without_numbers_is_hashable() -> None:
    assert len({Finding("a", "info", "B."), Finding("a", "info", "B.")}) == 1


def test_declaring_findings_imports_nothing_heavy() -> None:
    code = (
        "import sys; from betterthan.findings.registry import all_kinds; all_kinds();"
        "print([m for m in ('numpy', 'scipy', 'duckdb', 'click') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_another_package_brings_findings_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "owl_findings.py").write_text(
        "from betterthan.findings import Kind\n"
        "NIGHT = Kind('night', 'Judged at night', 'info', 'Judged at {hour}.', '', 'Owls do.', 'Sleep.')\n"
    )
    about = tmp_path / "owl-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: owl\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[betterthan.findings]\nowl = owl_findings\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert str(bt.explain("night")) == "night (info)\nJudged at night.\nWhy it matters: Owls do.\nWhat to do: Sleep."


def test_an_unknown_code_is_refused_with_the_nearest() -> None:
    with pytest.raises(bt.PlanError) as refused:
        bt.explain("few-unit")
    assert str(refused.value) == "there is no finding with the code 'few-unit'. Did you mean 'few-units'?"


def test_every_kind_is_found_by_some_check() -> None:
    root = Path(bt.__file__).parent
    sources = "\n".join(path.read_text("utf-8") for path in root.rglob("*.py") if path.parent.name != "findings")
    names = {code: code.upper().replace("-", "_") for code in KINDS}
    assert [code for code, name in names.items() if not re.search(rf"\b{name}\b", sources)] == []
