"""Export judgments, the log or the whole campaign; the file's suffix decides the format."""

from contextlib import closing
from pathlib import Path

from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.exports.archive import audit_lines, write_archive
from betterthan.campaign.exports.export_tables import write_exact, write_spreadsheet, write_table
from betterthan.campaign.exports.judgment_export import rows_of
from betterthan.campaign.service.campaign import Campaign
from betterthan.present import atomic_files

#: How files of judgments end.
_ENDINGS = (".jsonl", ".csv", ".tsv", ".parquet")


def write_export(campaign: Campaign, place: Path, *, spreadsheet: bool = False, identities: bool = False) -> int:
    """Write judgments (.jsonl exact, .csv, .tsv, .parquet), an archive (.zip) or the log (.log.jsonl).

    Return the number of judgments, or of lines of the log.
    """
    if identities and place.suffix != ".zip":
        raise CampaignError("only an archive (.zip) can hold the names of judges")
    if spreadsheet and place.suffix != ".csv":
        raise CampaignError("a file for spreadsheets ends in .csv")
    if place.name.endswith(".log.jsonl"):
        return _write_log(campaign, place)
    if place.suffix == ".zip":
        with closing(campaign.store.reopened()) as store:
            return write_archive(store, place, identities=identities)
    if not place.name.endswith(_ENDINGS):
        raise CampaignError("unknown ending", where=str(place), allowed=", ".join((*_ENDINGS, ".zip", ".log.jsonl")))
    with campaign.writer.lock:
        kept = campaign.writer.state.kept
    answers = [vars(row) for row in rows_of(kept, campaign.material)]
    if not answers:
        raise CampaignError("nothing was judged yet", remedy="Wait for the first answers.")
    if place.suffix == ".jsonl":
        return write_exact(place, answers)
    return write_spreadsheet(place, answers) if spreadsheet else write_table(place, answers)


def _write_log(campaign: Campaign, place: Path) -> int:
    with closing(campaign.store.reopened()) as store:
        lines = list(audit_lines(store))

    def write(at: Path) -> None:
        at.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    atomic_files.write_whole(place, write)
    return len(lines)
