"""Data sets saved by Hugging Face's `datasets`: their files and their class labels."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from betterthan.base import EvidenceError
from betterthan.engine.duckdb.sql import literal, quote_name

#: What a schema's metadata calls the features of its columns.
METADATA = "huggingface"
#: The column that says which split of several a row is from.
SPLIT = "split"
_STATE, _SPLITS, _INFO = "state.json", "dataset_dict.json", "dataset_info.json"
_CACHED = re.compile(r"^(?!cache-).+?-(?P<split>\w+?)(-\d{5}-of-\d{5})?\.arrow$")
_ANSWER = "Save the data set again, or write it as Parquet."


class DataFile(NamedTuple):
    """One file of a data set, and the split that it belongs to where there are several."""

    path: Path
    split: str


def data_files(folder: Path, shown: str) -> list[DataFile] | None:
    """Return the files of a saved data set in their order; None where the folder holds something else."""
    if not folder.is_dir():
        return None
    if (folder / _STATE).is_file():
        return _saved(folder, shown, "")
    if (folder / _SPLITS).is_file():
        splits = (_document(folder / _SPLITS, shown) or {}).get("splits")
        if not isinstance(splits, list) or not splits:
            raise EvidenceError(f"{_SPLITS} names no splits", where=shown, remedy=_ANSWER)
        parts = [_saved(_inside(folder, str(split), shown), shown, str(split)) for split in splits]
        return [file for part in parts for file in part or ()]
    if (folder / _INFO).is_file():
        cached = {path: match for path in sorted(folder.iterdir()) if (match := _CACHED.match(path.name))}
        return [DataFile(path, match["split"]) for path, match in cached.items()] or None
    return None


def is_data_set(name: str) -> bool:
    """Whether this is the folder of a saved data set."""
    folder = Path(name)
    return any((folder / each).is_file() for each in (_STATE, _SPLITS)) or bool(data_files(folder, name))


def _saved(folder: Path, shown: str, split: str) -> list[DataFile] | None:
    state = _document(folder / _STATE, shown) or {}
    files = state.get("_data_files")
    if not isinstance(files, list):
        if split:
            raise EvidenceError(f"the split {split!r} has no {_STATE}", where=shown, remedy=_ANSWER)
        return None
    if state.get("_indices_data_files"):  # releases before 2021 kept chosen rows as a list of places
        raise EvidenceError("the data set holds rows by their places in another one", where=shown, remedy=_ANSWER)
    named = [str(each.get("filename")) if isinstance(each, dict) else str(each) for each in files]
    found = [DataFile(_inside(folder, name, shown), split) for name in named]
    if lost := [file.path.name for file in found if not file.path.is_file()]:
        raise EvidenceError(
            f"{_STATE} names {', '.join(lost[:3])}, which is not there", where=shown, remedy="Copy the whole folder."
        )
    return found


def _inside(folder: Path, name: str, shown: str) -> Path:
    """Return a path below a folder, and refuse one that leads elsewhere."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise EvidenceError(f"the path {name!r} leads out of the folder", where=shown, remedy=_ANSWER)
    return path


def _document(path: Path, shown: str) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        raise EvidenceError(f"its {path.name} cannot be read", where=shown, remedy=_ANSWER) from None
    return found if isinstance(found, dict) else None


def class_names(metadata: bytes | str | None) -> dict[str, Sequence[str]]:
    """Return the names of classes by column, from the features of a schema.

    >>> class_names('{"info": {"features": {"winner": {"names": ["a", "b"], "_type": "ClassLabel"}}}}')
    {'winner': ['a', 'b']}
    """
    try:
        features = json.loads(metadata or "{}").get("info", {}).get("features", {})
        return {
            column: [str(name) for name in feature["names"]]
            for column, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel" and feature.get("names")
        }
    except (ValueError, AttributeError, RecursionError):
        return {}  # no features of ours: the columns are read as they are


def with_names(scan: str, columns: Sequence[str], classes: Mapping[str, Sequence[str]]) -> str:
    """Return SQL that scans the same rows with names instead of classes; −1 stands for no class."""
    named = []
    for column in columns:
        if column in classes:
            text = f"CAST({quote_name(column)} AS VARCHAR)"
            cases = " ".join(f"WHEN '{number}' THEN {literal(name)}" for number, name in enumerate(classes[column]))
            named.append(f"CASE {text} WHEN '-1' THEN NULL {cases} ELSE {text} END AS {quote_name(column)}")
    return f"(SELECT * REPLACE ({', '.join(named)}) FROM {scan})" if named else scan
