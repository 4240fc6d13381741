"""The keys of JSON lines, without the types of what is inside them: most of that nobody asks for."""

from typing import Any

import duckdb

#: Bytes of the longest line that is looked at in this way.
_LONGEST = 1 << 24


def keys_of_lines(connection: Any, path: str) -> list[str] | None:
    """Return the keys of all lines in the order in which they appear, None where some line is not a plain object.

    Who finds the types as well then says what is wrong, and where. `path` is SQL.
    """
    lines = (
        f"read_csv({path}, auto_detect = false, header = false, delim = '\x01', quote = '', escape = '',"
        f" columns = {{'line': 'VARCHAR'}}, compression = 'none', hive_partitioning = false,"
        f" max_line_size = {_LONGEST}, buffer_size = {2 * _LONGEST})"
    )
    numbered = f"SELECT json_keys(line) AS keys, row_number() OVER () AS number FROM {lines}"
    try:
        found = connection.execute(
            f"SELECT keys, min(number) AS first FROM ({numbered}) GROUP BY keys ORDER BY first"
        ).fetchall()
    except duckdb.Error:
        return None
    lists = [keys for keys, _ in found]
    # A line without keys is a list, a number or empty; keys that are the same but for their case are one column.
    if not lists or not all(lists) or any(len(set(keys)) < len(keys) for keys in lists):
        return None
    union = list(dict.fromkeys(key for keys in lists for key in keys))
    return union if all(union) and len({key.lower() for key in union}) == len(union) else None
