"""Readers from files and tables to evidence: recognition, column roles, and one format per file."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.readers.builders import score_parts as score_parts
    from betterthan.readers.columns import style_columns as style_columns
    from betterthan.readers.columns.roles import NAMES as NAMES
    from betterthan.readers.columns.roles import Columns as Columns
    from betterthan.readers.conversion import convert as convert
    from betterthan.readers.format import AnyEvidence as AnyEvidence
    from betterthan.readers.hints.explanation import explain_reading as explain_reading
    from betterthan.readers.open_tables import open_table as open_table
    from betterthan.readers.open_tables import places_of as places_of
    from betterthan.readers.open_tables import with_columns as with_columns
    from betterthan.readers.outputs import text_lines as text_lines
    from betterthan.readers.outputs.output_columns import OUTPUTS as OUTPUTS
    from betterthan.readers.outputs.output_files import read_outputs as read_outputs
    from betterthan.readers.read_evidence import as_evidence as as_evidence
    from betterthan.readers.read_evidence import read as read
    from betterthan.readers.read_evidence import read_judgments as read_judgments
    from betterthan.readers.read_evidence import read_scores as read_scores
    from betterthan.readers.runs.run_files import read_runs as read_runs
    from betterthan.readers.runs.versions import read_versions as read_versions
    from betterthan.readers.tool_parts import tool_format as tool_format

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "builders.score_parts": "*",
        "columns.roles": "Columns NAMES",
        "columns.style_columns": "*",
        "conversion": "convert",
        "format": "AnyEvidence",
        "hints.explanation": "explain_reading",
        "open_tables": "open_table places_of with_columns",
        "outputs.output_columns": "OUTPUTS",
        "outputs.output_files": "read_outputs",
        "outputs.text_lines": "*",
        "read_evidence": "as_evidence read read_judgments read_scores",
        "runs.run_files": "read_runs",
        "runs.versions": "read_versions",
        "tool_parts.tool_format": "*",
    },
)
