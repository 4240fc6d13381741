"""The report: one self-contained page with the verdict, the evidence and how to repeat it."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.report.build_report import Report as Report
    from betterthan.verbs.report.build_report import report as report
    from betterthan.verbs.report.headline import leading_system as leading_system
    from betterthan.verbs.report.page.finding_cards import cards_of_findings as cards_of_findings
    from betterthan.verbs.report.page.page_boards import board_for_page as board_for_page

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "build_report": "Report report",
        "headline": "leading_system",
        "page.finding_cards": "cards_of_findings",
        "page.page_boards": "board_for_page",
    },
)
