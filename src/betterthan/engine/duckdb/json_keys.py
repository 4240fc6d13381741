"""Keys of JSON lines, without parsing the types of their values."""

from typing import Any, NamedTuple

import duckdb

#: Bytes of the longest line that is examined in this way.
LONGEST = 1 << 24


class Keys(NamedTuple):
    """The keys of all lines in the order in which they appear, and the number of lines."""

    names: list[str]
    lines: int


def keys_of_lines(connection: Any, path: str) -> Keys | None:
    """Return the keys of all lines, None where some line is not a plain object.

    The slower path, which also finds the types, then reports the problem and its location. `path` is SQL.
    """
    lines = (
        f"read_csv({path}, auto_detect = false, header = false, delim = '\x01', quote = '', escape = '',"
        f" columns = {{'line': 'VARCHAR'}}, compression = 'none', hive_partitioning = false,"
        f" max_line_size = {LONGEST}, buffer_size = {2 * LONGEST})"
    )
    try:
        found = _alike(connection, lines) or _one_by_one(connection, lines)
    except duckdb.Error:
        return None
    lists = [keys for keys, _ in found]
    # A line without keys is a list, a number or empty; keys that are the same but for their case are one column.
    if not lists or not all(lists) or any(len(set(keys)) < len(keys) for keys in lists):
        return None
    union = list(dict.fromkeys(key for keys in lists for key in keys))
    if not all(union) or len({key.lower() for key in union}) < len(union):
        return None
    return Keys(union, sum(number for _, number in found))


def _alike(connection: Any, lines: str) -> list[tuple[list[str], int]]:
    """Return the keys of the first line and the number of lines if all have the same, else nothing.

    Almost all files are so. To compare hashes takes half the time of grouping lists, and several threads do it.
    """
    ends = connection.execute(
        "SELECT min(hash(keys)), max(hash(keys)), min(len(keys)), max(len(keys)), count(keys), count(*)"
        f" FROM (SELECT json_keys(line) AS keys FROM {lines})"
    ).fetchone()
    if ends[0] is None or ends[0::2] != ends[1::2]:
        return []
    ((first,),) = connection.execute(f"SELECT json_keys(line) FROM {lines} LIMIT 1").fetchall()
    return [(first, ends[-1])]


def _one_by_one(connection: Any, lines: str) -> list[tuple[list[str], int]]:
    """Return every list of keys with the number of its lines, in the order in which they appear."""
    numbered = f"SELECT json_keys(line) AS keys, row_number() OVER () AS number FROM {lines}"
    found: list[tuple[list[str], int]] = connection.execute(
        f"SELECT keys, count(*) FROM ({numbered}) GROUP BY keys ORDER BY min(number)"
    ).fetchall()
    return found
