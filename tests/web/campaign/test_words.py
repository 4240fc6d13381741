"""The catalogue, and what is sent beside pages."""

import gzip
import re
import string
from pathlib import Path

import pytest

import betterthan.web.campaign
from betterthan.options.campaign import CampaignOptions
from betterthan.web.campaign.judge_pages import SKIP_REASONS
from betterthan.web.campaign.translations import choose, words

FOLDER = Path(betterthan.web.campaign.__file__).parent


def gaps(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", CampaignOptions.LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    english, other = words("en"), words(language)
    assert set(other) == set(english)
    assert [key for key in english if gaps(english[key]) != gaps(other[key])] == []
    assert [key for key in other if not other[key].strip() or other[key] != other[key].strip()] == []
    assert other["direction"] in {"ltr", "rtl"}


@pytest.mark.parametrize("language", [language for language in CampaignOptions.LANGUAGES if language != "en"])
def test_no_language_was_left_in_english(language: str) -> None:
    same = [key for key in words("en") if words(language)[key] == words("en")[key]]
    assert len(same) < 12, same


def test_there_is_one_catalogue_per_language() -> None:
    assert {path.stem for path in (FOLDER / "words").glob("*.toml")} == set(CampaignOptions.LANGUAGES)


def test_every_text_is_used_and_every_used_text_is_there() -> None:
    sources = [path.read_text("utf-8") for path in [*FOLDER.rglob("*.html"), *FOLDER.glob("*.py")]]
    script = (FOLDER / "static" / "judge.js").read_text("utf-8")
    named = {key for source in sources for key in re.findall(r"\bt\.(?!say\b|language\b|to_page\b)(\w+)", source)}
    named |= {key for source in sources for key in re.findall(r'(?:words\[|\bsay\(|say\(\s*)"(\w+)"', source)}
    named |= set(re.findall(r'"(lacks_one|lacks_several|strength_\d|too_long|send_again)"', "".join(sources)))
    named |= {f"js_{key}" for key in re.findall(r'words\.(\w+)|"(?=lacks_)(\w+)"', script) for key in key if key}
    named |= {f"skip_{reason}" for reason in SKIP_REASONS} | {"source", "reference", "context"}
    named |= {key for key in words("en") if key.startswith(("stage_", "state_"))}
    assert named == set(words("en"))


def test_the_script_is_small() -> None:
    assert len(gzip.compress((FOLDER / "static" / "judge.js").read_bytes(), 9)) <= 6144


def test_pages_load_nothing_from_elsewhere() -> None:
    for path in [*FOLDER.rglob("*.html"), *FOLDER.rglob("*.css"), *FOLDER.rglob("*.js")]:
        text = path.read_text("utf-8")
        assert re.search(r"https?://|@import|url\(", text) is None, path
        assert "innerHTML" not in text
        assert re.search(r"<[^>]+\sstyle=|<style|\son\w+=\"", text) is None, path


@pytest.mark.parametrize(
    ("known", "accepted", "expected"),
    [
        ((), "", "es"),
        (("pt", "de-CH"), "fr", "de"),
        ((), "fr;q=0.1,ja;q=0.9", "ja"),
        ((), "de;q=0", "es"),
        ((), "x" * 10_000, "es"),
        ((), ";q=,,;", "es"),
        (("JA_jp",), "", "ja"),
    ],
)
def test_which_language_is_chosen(known: tuple[str, ...], accepted: str, expected: str) -> None:
    assert choose(known, accepted, "es") == expected
