"""Choices about how the page looks: brand, judges left out, a fragment, PDF; and what is refused."""

import base64
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import betterthan as bt
from betterthan.cli.report import command
from betterthan.verbs.report.brand import contrast_of
from tests.arenas import arena

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>window.hacked = 1</script></svg>'


def _brand(folder: Path, text: str) -> Path:
    (folder / "logo.svg").write_text(SVG, "utf-8")
    (folder / "brand.toml").write_text(text, "utf-8")
    return folder / "brand.toml"


def test_a_brand_gives_title_logo_and_colours(tmp_path: Path) -> None:
    brand = _brand(tmp_path, 'title = "Owls & Co"\nlogo = "logo.svg"\naccent = "#7A1FA2"\naccent_dark = "#d9b3ff"')
    page = bt.report(arena(judgments=200), resamples=40, brand=brand).html
    assert "<title>Owls &amp; Co</title>" in page
    assert f'src="data:image/svg+xml;base64,{base64.b64encode(SVG.encode()).decode()}"' in page
    assert "--accent: #7a1fa2;" in page
    assert "--accent: #d9b3ff;" in page
    titled = bt.report(arena(judgments=200), resamples=40, brand=str(brand), title="Spring")
    assert "<title>Spring</title>" in titled.html
    assert "brand" not in str(titled.signature)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'accent = "#ffee00"',
            r"brand\.toml: accent #ffee00 has a contrast of 1\.\d on light pages, less than 4\.5\. Choose a darker colour\.",
        ),
        (
            'accent = "#00295c"',
            r"accent #00295c has a contrast of 1\.\d on dark pages, less than 4\.5\. Name a lighter colour for them: accent_dark\.",
        ),
        (
            'accent_dark = "#222222"',
            r"accent_dark #222222 has a contrast of 1\.\d on dark pages.*Choose a lighter colour\.",
        ),
        ('accent = "red; } body { display: none"', "accent must be a colour such as #00629b"),
        (
            'acent = "#00295c"',
            r"unknown key 'acent'; allowed: title, logo, accent, accent_dark\. Did you mean 'accent'\?",
        ),
        ("title = 7", "title must be a text, got 7"),
        ('logo = "logo.exe"', r"a logo cannot be of this kind; allowed: \.svg"),
        ('logo = "none.png"', "none.png: the logo cannot be read: No such file or directory"),
        ("accent =", "is not TOML"),
    ],
)
def test_brands_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(bt.BetterthanError, match=message):
        bt.report(arena(judgments=200), resamples=40, brand=_brand(tmp_path, text))


def test_contrast_is_that_of_the_standard() -> None:
    """Figures of the WebAIM checker."""
    assert contrast_of("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast_of("#0000ff", "#ffffff") == pytest.approx(8.59, abs=0.005)
    assert contrast_of("#ffffff", "#00629b") == contrast_of("#00629b", "#ffffff")


def test_without_judges_no_judge_is_named() -> None:
    votes = {**arena(judgments=600)}
    votes["judge"] = [f"annotator-{name}" for name in votes["judge"]]
    # One of them says the contrary of what the others say, which is a finding with a name.
    odd = "annotator-j00"
    for place, judge in enumerate(votes["judge"]):
        a, b = votes["model_a"][place], votes["model_b"][place]
        order = ("owl", "yak", "elk", "fox", "emu")
        first = (order.index(a) < order.index(b)) != (judge == odd)
        votes["winner"][place] = "model_a" if first else "model_b"
    shown = bt.report(votes, resamples=40)
    assert any(repr(odd) in finding.message for finding in shown.findings)
    assert odd in shown.html
    hidden = bt.report(votes, resamples=40, no_judges=True)
    assert "annotator-" not in hidden.html
    assert re.search(r"\d+ findings? that names? judges (is|are) not shown", hidden.html)
    assert hidden.signature == shown.signature
    # Every format of the same result hides them, and the numbers are the same.
    for text in (hidden.to_json(), hidden.to_text(), hidden.to_markdown(), hidden.to_csv()):
        assert "annotator-" not in text
    assert "annotator-" in shown.to_json()
    one, other = hidden.to_dict()["data_sets"][0], shown.to_dict()["data_sets"][0]
    assert one["diagnosis"]["judges"] is None
    assert one["pairs"]["pairs"] == other["pairs"]["pairs"]
    rows = [each["boards"]["leaderboards"][0]["rows"] for each in (one, other)]
    assert rows[0] == rows[1]


def test_a_fragment_is_no_page(tmp_path: Path) -> None:
    fragment = bt.report(arena(judgments=200), resamples=40, embed=True).html
    assert fragment.startswith("<div data-betterthan>")
    assert "<html" not in fragment
    assert "<body" not in fragment
    with pytest.raises(
        bt.BetterthanError, match=r"a fragment is for web pages, so it cannot be a PDF\. Leave out embed"
    ):
        bt.report(arena(judgments=200), tmp_path / "page.pdf", resamples=40, embed=True)


@pytest.mark.usefixtures("chromium")
def test_a_pdf_by_its_ending_or_by_name(tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    bt.report(arena(judgments=200), path, resamples=40)
    assert path.read_bytes()[:5] == b"%PDF-"


def test_a_pdf_without_chromium_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    page = bt.report(arena(judgments=200), resamples=40)
    with pytest.raises(bt.BetterthanError, match=r"a PDF is printed by Chromium, which is not installed\. Install"):
        page.save(tmp_path / "page.pdf")
    assert list(tmp_path.iterdir()) == []


def test_formats_and_endings_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    for arguments, message in (
        (["-o", str(tmp_path / "page.txt")], "Choose a name that ends in .html or .pdf"),
        (["-o", str(tmp_path / "page.html"), "--format", "pdf"], "does not end in .pdf"),
    ):
        result = CliRunner().invoke(command, ["examples/votes.csv", *arguments])
        assert result.exit_code == 2
        assert message in result.output
    assert list(tmp_path.iterdir()) == []
