"""SECURITY.md promises what is tested: every test that it names exists, and every surface has one."""

import ast
import re
from pathlib import Path

from betterthan.options.fields.declare import declared_options
from betterthan.options.fit import FitOptions
from betterthan.options.rank import RankOptions
from betterthan.web.workbench.form_values import GROUPS
from tests.options.test_wrong_values import every_class

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_test_that_it_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 25
    for file, test in named:
        source = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert not test or test in {each.name for each in source.body if isinstance(each, ast.FunctionDef)}, (
            file,
            test,
        )
    for file in re.findall(r"`((?:src|engine)/[\w/]+\.py)`", PAGE):
        assert any((ROOT / folder / file).is_file() for folder in ("", "src/betterthan")), file


def test_every_surface_has_a_test() -> None:
    table = PAGE.partition("## Surfaces")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][1:]
    surfaces = " ".join(row[0] for row in rows)
    for wanted in ("files", "names", "formulas", "plans", "plug-ins", "web", "database"):
        assert wanted in surfaces
    for surface, protected, shown in rows:
        assert protected.strip(), surface
        assert "`tests/" in shown, surface


def test_formulas_come_from_fit_alone() -> None:
    """A plan, a signature of rank and a page of the workbench have no option that holds one."""
    formulas = {each.name for each in declared_options(FitOptions).values() if each.about.metavar == "FORMULA"}
    assert {"subject", "contrast", "terms", "undecided"} <= formulas
    assert not formulas & set(declared_options(RankOptions))
    others = [each for each in every_class() if each is not FitOptions]
    assert not [
        (each.__name__, name)
        for each in others
        for name, option in declared_options(each).items()
        if option.about.metavar == "FORMULA"
    ]
    assert FitOptions not in GROUPS.values()
