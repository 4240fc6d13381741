"""The size of the house: what CONTRIBUTING promises about files, shown."""

from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "betterthan"


def test_no_module_is_longer_than_400_lines() -> None:
    long = {path.name: lines for path in SOURCE.rglob("*.py") if (lines := len(path.read_text().splitlines())) > 400}
    assert not long


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in SOURCE.rglob("*.py") if not path.read_text(encoding="utf-8").startswith('"""')]
    assert not silent


def test_only_evidence_and_data_sets_ask_which_kind_of_evidence_came_in() -> None:
    """Verbs ask a data set for what it has; they do not take evidence apart by its class."""
    allowed = {"evidence", "reduce", "datasets"}
    asking = [
        path.relative_to(SOURCE)
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in allowed
        and any(f"isinstance({what}, {kind}" in path.read_text(encoding="utf-8")
                for what in ("evidence", "found", "source") for kind in ("Scores", "Rankings", "Judgments", "(Scores"))
    ]  # fmt: skip
    assert not asking
