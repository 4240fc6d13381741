"""The style sheet is checked: every rule finds what was planted, exceptions need a reason, and no text is left out."""

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import click
import pytest

from betterthan import options
from betterthan.cli.main import betterthan as group
from betterthan.findings.registry import all_kinds
from betterthan.options.fields.declare import declared_options
from betterthan.options.fields.options import Options
from tests.scripts import load_script

ROOT = Path(__file__).parent.parent


words = load_script("tools/words.py", "words_check")
SHEET = words.Sheet.read()
PAGE = Path("page.md")


def _of_page(content: str) -> list[str]:
    return [problem for text in words.markdown(PAGE, content) for problem in SHEET.problems(text)]


def _of_module(content: str, path: Path = Path("module.py")) -> list[str]:
    return [problem for text in words.python(path, content) for problem in SHEET.problems(text)]


@pytest.fixture(scope="module")
def texts() -> list[Any]:
    """Return every text of the repository: reading them takes seconds."""
    return list(words.texts())


def test_the_repository_keeps_its_style_sheet(
    texts: list[Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "texts", lambda: iter(texts))
    assert words.main() == 0, capsys.readouterr().err


def test_thirty_words_are_allowed_and_one_more_is_not() -> None:
    assert _of_page("Word " * 29 + "word.") == []
    (problem,) = _of_page("First line.\n\n" + "Short one. " + "Word " * 30 + "word.")
    assert problem.startswith("page.md:3: 31 words, more than 30: Word Word")


@pytest.mark.parametrize(
    "text",
    [
        "Word " * 20 + "ends. " + "Word " * 20 + "ends.",
        "Word " * 20 + "ends (Peyrard et al. 2021). " + "Word " * 20 + "ends.",
        "- " + "word " * 20 + "\n- " + "word " * 20,
        "| " + "word " * 20 + "| " + "word " * 20 + "|",
        "# " + "word " * 20 + "\n" + "word " * 20,
        "Word " * 20 + "`one two three four five six seven eight nine ten eleven` ends.",
        "Word " * 20 + "[one](https://example.org/a/b) ends.",
        "```\n" + "word " * 50 + "\n```",
        "one " * 20 + "· " + "two " * 20,
    ],
)
def test_where_sentences_end(text: str) -> None:
    assert _of_page(text) == []


@pytest.mark.parametrize(
    "text", ["Word " * 20 + "first; " + "word " * 20, "Word " * 20 + "first: " + "word " * 20, "Word et al. " * 12]
)
def test_where_sentences_do_not_end(text: str) -> None:
    assert len(_of_page(text)) == 1


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Two systems are told\napart.", "told apart"),
        ("It tells the two systems apart.", "tells … apart"),
        ("Whoever asks.", "whoever"),
        ("| a | by turns |", "by turns"),
        ("- Every *instance* counts.", "instance"),
        ("# Doubts", "doubts"),
        ("The [stake](x.md) grows.", "stake"),
        ("Items hang together.", "hang together"),
    ],
)
def test_a_phrase_is_found_with_its_replacement(text: str, phrase: str) -> None:
    (problem,) = _of_page(text)
    assert re.match(rf"page\.md:1: {phrase!r}; write: \w+", problem), problem


@pytest.mark.parametrize(
    "text",
    [
        "The code `easy-instances`, and `instance` alone.",
        "easy-instances is a code.",
        "The mistake of a stakeholder.",
        "```\ntold apart\n```",
        "<!-- told apart -->",
        "[systems](told-apart.md) differ.",
        "He told us. Apart from that, nothing.",
    ],
)
def test_code_and_parts_of_words_are_no_phrases(text: str) -> None:
    assert _of_page(text) == []


def test_an_abbreviation_is_in_the_glossary() -> None:
    assert _of_page("BLEU, LLMs, JSON and ROC AUC, and GPT-4 as a name.") == []
    assert _of_page("By QZX.") == ["page.md:1: QZX is not in the glossary's abbreviations"]


def test_a_method_named_after_somebody_is_in_the_glossary() -> None:
    assert _of_page("By McNemar's test, Fleiss' kappa and Kendall's tau.") == []
    assert _of_page("By Zorn's test.") == ["page.md:1: Zorn's test is not among the glossary's statistical terms"]
    assert len(_of_module("text = f'{name} by Zorn’s alpha'")) == 1


def test_an_exception_has_a_reason_and_reaches_one_paragraph() -> None:
    assert _of_page("<!-- words: quoted from the paper -->\nTold apart.\n") == []
    (problem,) = _of_page("<!-- words: quoted -->\nTold apart.\n")
    assert problem == "page.md:2: the exception has no reason; say why in three words or more"
    assert len(_of_page("<!-- words: quoted from the paper -->\nTold apart.\n\nTold apart.\n")) == 1
    assert len(_of_page("<!-- words: quoted from the paper -->\n| told apart |\n\n| told apart |\n")) == 1


@pytest.mark.parametrize(
    "code",
    [
        "raise PlanError('no two systems were told apart', remedy='Check it.')",
        "raise PlanError(f'{name}: they were '\n    f'told apart by {test}')",
        "HELP = option(None, 'Which systems are told apart.')",
        "KIND = Kind('x', 'Title', 'info', '{number:of instance} {number:is/are} missing.')",
        "text = f'{number} instances'",
        "text = counted(3, 'instance')",
        "columns = [Column('doubts', 'left')]",
    ],
)
def test_a_text_of_the_package_is_checked(code: str) -> None:
    (problem,) = _of_module(code)
    assert problem.startswith("module.py:1: ")
    assert _of_module("# words: as the file says\n" + code) == []


@pytest.mark.parametrize(
    "code",
    [
        "KEY = 'instances'",
        "SQL = 'SELECT instances FROM the table'",
        "PATTERN = r'\\d+ instances'",
        "ANNOTATED: 'tuple[Doubt, str]' = ()",
        "# A comment about the person who reads this.",
        "call()  # type: ignore[told-apart]",
        "# words: told apart in the paper's title",
    ],
)
def test_keys_queries_and_directives_are_no_texts(code: str) -> None:
    assert _of_module(code) == []


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("'''Whoever asks.'''", 1),
        ("def _private():\n    '''Return what became of the rows.'''", 2),
        ("class Memo:\n    '''Values that are worked out once.'''", 2),
        ("one = 1\n# Of two systems those that are told\n# apart.", 2),
        ("one = 1  # what was asked for", 1),
        ("#: Columns beside the others.\none = 1", 1),
        ("one = 1\n\n\ndef stakes(): ...", 4),
        ("class _HangTogether: ...", 1),
    ],
)
def test_docstrings_comments_and_names_are_checked(code: str, line: int) -> None:
    problems = _of_module(code)
    assert problems
    assert all(problem.startswith(f"module.py:{line}: ") for problem in problems)


def test_the_name_of_a_module_is_checked() -> None:
    (problem,) = _of_module("", Path("stake.py"))
    assert problem.startswith("stake.py:1: 'stake'")


def test_comments_on_consecutive_lines_are_one_text() -> None:
    comments = [text.words for text in words._comments(PAGE, "# One\n# two.\none = 1  # three\n# four\n")]
    assert comments == ["One\ntwo.", "three\nfour"]


def test_phrases_of_code_are_allowed_in_texts_for_users() -> None:
    assert _of_page("As many as were asked for.") == []
    assert _of_module("raise PlanError('as many as were asked for')") == []


def test_a_command_is_documented_for_users() -> None:
    path = words.PACKAGE / "cli" / "new.py"
    code = "{}def new():\n    '''Print what was asked for.'''"
    assert _of_module(code.format("@betterthan.command()\n"), path) == []
    assert len(_of_module(code.format(""), path)) == 1


def test_every_name_that_is_still_to_change_is_in_use(texts: list[Any]) -> None:
    of_code = [text for text in texts if text.path.suffix == ".py"]
    assert SHEET.pending_names <= {text.name for text in of_code if text.name}


def test_a_docstring_is_checked_without_its_examples() -> None:
    path = words.PACKAGE / "findings" / "registry.py"
    plain = 'def explain(code):\n    """Say more.\n\n    {}\n    """\n'
    assert _of_module(plain.format(">>> 'told apart'"), path) == []
    problem = _of_module(plain.format("Systems are told apart."), path)[0]
    assert problem.startswith("src/betterthan/findings/registry.py:4: 'told apart'")


@pytest.mark.parametrize(
    ("read", "content"),
    [
        ("template", "<p>Two systems are {% if sure %}told apart{% endif %} by {{ test }}.</p>"),
        ("template", '<div aria-label="Systems that are told apart">{{ name }}</div>'),
        ("script", 'make("p", "Two systems are told apart.", box);'),
        ("script", "line(`${name} and ${other} are told apart`);"),
    ],
)
def test_a_text_of_a_page_is_checked(read: str, content: str) -> None:
    path = words.PACKAGE / "reports" / "page" / f"x.{'html' if read == 'template' else 'js'}"
    problems = [each for text in getattr(words, read)(path, content) for each in SHEET.problems(text)]
    assert len(problems) == 1
    assert "told apart" in problems[0]


def test_a_list_of_words_without_its_table_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "words.md"
    empty.write_text("# Words\n")
    with pytest.raises(SystemExit, match="there is no section 'One term per concept'"):
        words.Sheet.read(empty)


@pytest.fixture(scope="module")
def everything(texts: list[Any]) -> str:
    return " ".join(" ".join(text.words.split()) for text in texts)


def _plain(text: str) -> str:
    return " ".join(words._blanked(words._filled(text)).split())


def test_no_finding_is_left_out(everything: str) -> None:
    for kind in all_kinds().values():
        for text in (kind.title, kind.message, kind.hint, kind.why, kind.remedy):
            assert " " not in text or _plain(text) in everything, (kind.code, text)


def test_no_verb_and_no_option_is_left_out(everything: str) -> None:
    with click.Context(group) as context:
        for verb in group.list_commands(context):
            command = group.get_command(context, verb)
            assert command is not None
            assert _plain((command.help or "").split("\n\n", maxsplit=1)[0]) in everything, verb
    modules = [
        importlib.import_module(f"betterthan.options.{each.name}") for each in pkgutil.iter_modules(options.__path__)
    ]
    classes = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    helps = {
        each.about.help for kind in classes if issubclass(kind, Options) for each in declared_options(kind).values()
    }
    assert len(helps) > 100
    for text in helps:
        assert " " not in text or _plain(text) in everything, text


def test_every_page_is_read(texts: list[Any]) -> None:
    read = {text.path for text in texts}
    pages = {
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "docs").rglob("*.ipynb"),
    }
    assert pages - words.GENERATED - words.RESULTS <= read
    assert all(
        "make docs" in page.read_text("utf-8") or "betterthan explain" in page.read_text("utf-8")
        for page in words.GENERATED
    )
    assert all("betterthan study" in page.read_text("utf-8") for page in words.RESULTS)
