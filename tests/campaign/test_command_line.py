"""`betterthan campaign` as people use and misuse it: one sentence and exit code 2, and no password anywhere."""

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from betterthan.campaign.planning.campaign_overview import overview_of_campaign
from betterthan.campaign.planning.standing import standing_of
from betterthan.campaign.service.campaign import Campaign
from tests.cli.conftest import Answer

Run = Callable[..., Answer]

ITEMS = [{"item": f"n{number}", "source": f"text {number}"} for number in range(4)]
OUTPUTS = [
    {"item": f"n{number}", "system": system, "output": f"output {number} {len(system)}"}
    for number in range(4)
    for system in ("alpha", "beta", "gammas")
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, rows in (("items", ITEMS), ("outputs", OUTPUTS)):
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


NEW = ("campaign", "new", "--items", "items.jsonl", "--outputs", "outputs.jsonl")


def test_a_campaign_from_beginning_to_end(here: Path, run: Run) -> None:
    made = run(*NEW, "a.campaign")
    assert made == (
        0,
        "4 items · 3 systems · 12 outputs\nMade a.campaign. Next: betterthan campaign serve a.campaign\n",
        "",
    )
    added = run("campaign", "judges", "a.campaign", "add", "Ada", "Grace")
    assert [line.split("\t")[:2] for line in added.out.splitlines()] == [["judge-1", "Ada"], ["judge-2", "Grace"]]
    assert run("campaign", "pause", "a.campaign").out == "a.campaign is paused.\n"
    assert run("campaign", "resume", "a.campaign").out == "a.campaign is running.\n"
    assert run("campaign", "change", "a.campaign", "--budget", 5).out == "Changed: budget = 5\n"
    assert run("campaign", "backup", "a.campaign", "b.campaign").out == "Wrote b.campaign.\n"
    assert run("campaign", "export", "a.campaign", "-o", "a.zip").code == 0
    assert run("campaign", "import", "a.zip", "c.campaign").out == "Made c.campaign.\n"
    for name in ("a.campaign", "b.campaign", "c.campaign"):
        checked = run("campaign", "check", name)
        assert checked.code == 0
        assert checked.out.startswith(f"No problems found in {name}: ")
    assert run("campaign", "judges", "a.campaign", "revoke", "Ada", "--erase").out == "judge-1 revoked\n"
    assert (
        run("campaign", "judges", "a.campaign", "list").out
        == "judge-1\t\tperson\t0\trevoked\njudge-2\tGrace\tperson\t0\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            [*NEW, "nodir/a.campaign"],
            "nodir/a.campaign: cannot be written: the folder does not exist, or you may not write to it",
        ),
        ([*NEW, "made.campaign"], "made.campaign: this file exists already. Choose another name."),
        (
            [*NEW, "a.campaign", "--gold", "0.1"],
            "--gold asks for checks, but there are none. Give comparisons with known answers with --checks.",
        ),
        (
            [*NEW, "a.campaign", "--training", "2"],
            "--training asks for practice tasks, but there are none. Give comparisons with known answers with --practice.",
        ),
        ([*NEW, "a.campaign", "--way", "4"], "--way is 4, but there are only 3 systems"),
        (list(NEW), "give either a path for the campaign or --database."),
        (
            [*NEW, "--database", "a.campaign"],
            "--database takes the address of a PostgreSQL database (postgresql://…). Give the path of a file without it.",
        ),
        (
            ["campaign", "status", "nope.campaign"],
            "nope.campaign: there is no such campaign. Make one with: betterthan campaign new",
        ),
        (["campaign", "status", "items.jsonl"], "items.jsonl: cannot be opened: it is not a campaign, or damaged"),
        (["campaign", "status", "other.db"], "other.db: is not a campaign. Make one with: betterthan campaign new"),
        (
            ["campaign", "status", "newer.campaign"],
            "newer.campaign: this campaign was made by a newer betterthan (schema version 99, this one knows 1). "
            "Upgrade betterthan.",
        ),
        (
            ["rank", "newer.campaign"],
            "newer.campaign: the campaign cannot be read: this campaign was made by a newer betterthan (schema version 99, "
            "this one knows 1). Upgrade betterthan.",
        ),
        (
            ["campaign", "backup", "made.campaign", "made.campaign"],
            "made.campaign: this file exists already. Choose another name.",
        ),
        (
            ["campaign", "judges", "made.campaign", "add", "Ada", "Bob", "Ada"],
            "'Ada' is given twice. Give every judge a name of their own.",
        ),
        (
            ["campaign", "judges", "made.campaign", "add", "Bob", "Grace"],
            "there is a judge called 'Grace' already. Give every judge a name of their own.",
        ),
        (
            ["campaign", "judges", "made.campaign", "add", "judge-7"],
            "'judge-7' looks like a pseudonym that betterthan gives. Choose another name.",
        ),
        (["campaign", "judges", "made.campaign", "add", " "], "a judge needs a name."),
        (
            ["campaign", "judges", "made.campaign", "add", "Bob", "--conflict", "nosuch"],
            "there is no system 'nosuch'; allowed: alpha, beta, gammas.",
        ),
        (
            ["campaign", "judges", "made.campaign", "revoke", "Nobody"],
            "there is no judge 'Nobody'. List them with: betterthan campaign judges CAMPAIGN list",
        ),
        (["campaign", "judges", "made.campaign", "links", "judge-2"], "judge-2 was revoked. Add them as a new judge."),
        (
            ["campaign", "export", "made.campaign", "-o", "x.docx"],
            "x.docx: unknown ending; allowed: .jsonl, .csv, .tsv, .parquet, .zip, .log.jsonl.",
        ),
        (["campaign", "export", "made.campaign", "-o", "x.csv"], "nothing was judged yet. Wait for the first answers."),
        (
            ["campaign", "import", "items.jsonl", "a.campaign"],
            "items.jsonl: is not an archive of a campaign: File is not a zip file",
        ),
        (
            ["campaign", "import", "made.zip", "made.campaign"],
            "made.campaign: this file exists already. Choose another name.",
        ),
        (["campaign", "change", "made.campaign"], "give at least one option to change."),
        (
            ["campaign", "change", "made.campaign", "--budget", "0"],
            "--budget must be a whole number from 1 to 1,000,000,000, got 0.",
        ),
        (
            ["campaign", "change", "made.campaign", "--title", "\udcff"],
            "a text has a character that cannot be saved (NUL, or half of a surrogate pair)",
        ),
        (
            ["campaign", "serve", "made.campaign", "--host", "0.0.0.0"],
            "serving on 0.0.0.0 would send sessions over the network unencrypted. Give a certificate and its key, say that "
            "an HTTPS proxy stands in front, or serve on 127.0.0.1.",
        ),
        (
            ["campaign", "serve", "made.campaign", "--origin", "nonsense"],
            "--origin must be the address that judges use, such as https://eval.example.org, got 'nonsense'.",
        ),
        (
            ["campaign", "serve", "made.campaign", "--origin", "https://x.org/path"],
            "--origin must be the address that judges use, such as https://eval.example.org, got 'https://x.org/path'.",
        ),
        (
            ["campaign", "serve", "made.campaign", "--certificate", "x"],
            "--certificate and --key belong together: give both.",
        ),
    ],
)
def test_misuse_is_one_sentence(arguments: list[str], sentence: str, here: Path, run: Run) -> None:
    assert run(*NEW, "made.campaign").code == 0
    assert run("campaign", "judges", "made.campaign", "add", "Grace", "Hal").code == 0
    assert run("campaign", "judges", "made.campaign", "revoke", "Hal").code == 0
    assert run("campaign", "export", "made.campaign", "-o", "made.zip").code == 0
    assert run("campaign", "backup", "made.campaign", "newer.campaign").code == 0
    for name, change in (("newer.campaign", "PRAGMA user_version = 99"), ("other.db", "CREATE TABLE a (b)")):
        with closing(sqlite3.connect(name)) as connection:
            connection.execute(change)
            connection.commit()
    before = Path("made.campaign").read_bytes()
    found = run(*arguments)
    assert (found.code, found.err) == (2, f"betterthan: {sentence}\n")
    assert Path("made.campaign").read_bytes() == before


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ada:s3cret@127.0.0.1:1/x",
        "postgresql://ada:s3/cret@127.0.0.1:1/x",
        "postgresql://ada:s3@cret@127.0.0.1:1/x",
        "postgresql://ada:s3?cret@127.0.0.1:1/x",
        "postgresql://ada:s3#cret@127.0.0.1:1/x",
        "postgresql://[ada:s3cret@127.0.0.1:1/x",
        "postgresql://ada:s3%cret@127.0.0.1:1/x",
        "postgresql://127.0.0.1:1/x?password=s3cret",
    ],
)
@pytest.mark.parametrize(
    "command", [("campaign", "status"), ("campaign", "check"), (*NEW, "--database"), ("campaign", "pause")]
)
def test_a_password_is_never_printed(address: str, command: tuple[str, ...], here: Path, run: Run) -> None:
    found = run(*command, address)
    assert found.code == 2
    assert "cret" not in found.out + found.err
    assert found.err.count("\n") == 1


def test_commands_on_a_database_do_not_print_its_password(
    here: Path, run: Run, new_database: Callable[[], str]
) -> None:
    address = new_database().replace("judge@", "judge:s3cret@")
    assert run(*NEW, "--database", address).code == 0
    run("campaign", "judges", address, "add", "Ada")
    said = [
        run("campaign", *command)
        for command in (
            ["status", address],
            ["pause", address],
            ["resume", address],
            ["check", address],
            ["close", address],
            ["export", address, "-o", "a.zip"],
            ["backup", address, "b.campaign"],
            ["judges", address, "list"],
            ["import", "a.zip", address],
            ["change", address, "--budget", "5"],
        )
    ]
    assert [each.code for each in said] == [0, 0, 0, 0, 0, 0, 0, 0, 2, 0]
    assert not any("s3cret" in each.out + each.err for each in said)
    target = new_database().replace("judge@", "judge:s3cret@")
    imported = run("campaign", "import", "a.zip", target)
    assert imported.code == 0
    assert "s3cret" not in imported.out


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("campaign.json", "[]"),
        ("campaign.json", "{}"),
        ("events.jsonl", ""),
        ("events.jsonl", "[1]\n"),
        ("events.jsonl", '[1, 0.0, "boo", {}]\n'),
        ("events.jsonl", '[1, 0.0, "created", {"options": {"odd": 1}}]\n'),
        ("events.jsonl", '[1, 0.0, "created", []]\n'),
        ("events.jsonl", "[1, NaN"),
        ("outputs.jsonl", '[99, 0, "a", "b"]\n'),
        ("outputs.jsonl", "[0]\n"),
        ("items.jsonl", "5\n"),
        ("items.jsonl", '[0, "[]"]\n'),
        ("checks.jsonl", '[0, "gold", "{}"]\n'),
        ("notes.jsonl", "[1, 2]\n"),
        ("notes.jsonl", '["name", "1", 5]\n'),
        ("items.jsonl", '[0, "{\\"name\\": \\"\\ud800\\"}"]\n'),
    ],
)
def test_odd_archives_are_refused_and_nothing_is_made(name: str, content: str, here: Path, run: Run) -> None:
    run(*NEW, "a.campaign")
    run("campaign", "export", "a.campaign", "-o", "a.zip")
    with zipfile.ZipFile("a.zip") as good, zipfile.ZipFile("odd.zip", "w") as odd:
        for each in good.namelist():
            odd.writestr(each, content if each == name else good.read(each))
    found = run("campaign", "import", "odd.zip", "odd.campaign")
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "an error of betterthan" not in found.err
    assert not Path("odd.campaign").exists()


@pytest.mark.parametrize("body", ["{", "[]", '{"options": {"odd": 1}}', '{"options": {}}" '])
def test_a_damaged_log_is_one_sentence(body: str, here: Path, run: Run) -> None:
    run(*NEW, "a.campaign")
    with closing(sqlite3.connect("a.campaign")) as connection:
        connection.execute("UPDATE events SET body = ? WHERE number = 1", (body,))
        connection.commit()
    for command in (["status"], ["check"], ["pause"]):
        found = run("campaign", *command, "a.campaign")
        assert found.code == 2
        assert found.err.startswith("betterthan: ")
        assert found.err.count("\n") == 1
        assert "an error of betterthan" not in found.err


def test_the_status_fits_eighty_columns(here: Path, run: Run) -> None:
    assert run("campaign", "demo", "--no-serve", "--judges", 3, "-o", "demo.campaign").code == 0
    with Campaign.open("demo.campaign") as found:
        found.change(title="a title " * 20).result()
        state = found.writer.state
        text = overview_of_campaign(state, state.options, standing_of(found), "x").to_text(80)
    assert max(len(line) for line in text.splitlines() if not line.startswith("betterthan ")) <= 80
    assert "judge-3" in text
