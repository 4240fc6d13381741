"""Tables in a folder, and what is next to them: notes, scripts, settings and pictures."""

from collections.abc import Sequence

from betterthan.engine import PlacedFile
from betterthan.readers.columns.name_tables import name_set

#: Endings of files that hold no table.
_NO_TABLES = name_set(
    ".md .rst .pdf .docx .tex .bib .html .htm .css .js .py .r .rmd .jl .sh .ipynb .yaml .yml .toml .cfg .ini .lock "
    ".log .png .jpg .jpeg .svg .gif .webp"
)
#: Beginnings of the names of files about a folder, whatever their ending.
_ABOUT = ("readme", "license", "licence", "changelog", "citation", "makefile", "dockerfile", "requirements", "config")


def tables_and_others(files: Sequence[PlacedFile]) -> tuple[list[PlacedFile], list[PlacedFile]]:
    """Return the files that may hold tables, and the others."""
    others = [file for file in files if _holds_no_table(file)]
    return [file for file in files if file not in others], others


def _holds_no_table(file: PlacedFile) -> bool:
    return file.path.suffix.lower() in _NO_TABLES or file.path.name.lower().startswith(_ABOUT)
