"""Votes as arenas publish them: a JSON object per line, with two conversations and what is known of them."""

import sys
from pathlib import Path

#: What is asked for stands among keys that are many times as long; texts hold quotes, line ends and other alphabets.
_VOTES = """
    SELECT md5(concat('v', i)) AS id,
        printf('model-%03d', a) AS model_a, printf('model-%03d', (a + 1 + b) % 100) AS model_b,
        CASE WHEN u < 0.25 THEN 'tie' WHEN u < 0.6 + a / 500.0 THEN 'model_a' ELSE 'model_b' END AS winner,
        concat('p', p) AS prompt_id, concat('u', j) AS judge, (i % 7)::INTEGER AS evaluation_order,
        [{'role': 'user', 'content': question}, {'role': 'assistant', 'content': answer}] AS conversation_a,
        [{'role': 'user', 'content': question}, {'role': 'assistant', 'content': upper(answer)}] AS conversation_b,
        {'sum_assistant_a_tokens': p % 900, 'sum_assistant_b_tokens': j % 900, 'turns': 1,
            'header_count_a': {'h1': 0, 'h2': p % 3, 'h3': j % 4},
            'bold_count_a': {'**': p % 5, '__': 0}} AS conv_metadata,
        {'creative_writing_v0.1': {'creative_writing': p % 3 = 0, 'score': 'no'},
            'criteria_v0.1': {'complexity': p % 2 = 0, 'creativity': false, 'real_world': true}} AS category_tag,
        ['en', 'de', 'zh', 'ru'][1 + p % 4] AS language, p % 5 = 0 AS is_code,
        TIMESTAMP '2026-01-01' + to_seconds(i) AS timestamp
    FROM world
"""
_WORLD = """
    SELECT *, concat('What does "', p, '" mean?\n\tSay it in ', j % 90, ' words – für alle: 你好') AS question,
        repeat(concat('It is a "number" (', u, ').\n\n- ', p, '\n- C:\\', j, '\n'), 1 + i % 2) AS answer
    FROM (
        SELECT i, (hash(i) % 100)::INTEGER AS a, (hash(i, 1) % 99)::INTEGER AS b, (hash(i, 2) % 1000000) / 1e6 AS u,
            (hash(i, 3) % {prompts})::INTEGER AS p, (hash(i, 4) % {judges})::INTEGER AS j
        FROM range({rows}) AS numbers(i)
    )
"""


def write_votes(path: Path, rows: int) -> None:
    """Write so many votes, always the same; every prompt has about ten, every judge about fifty."""
    import duckdb

    world = _WORLD.format(rows=rows, prompts=rows // 10, judges=rows // 50)
    duckdb.sql(f"COPY (WITH world AS ({world}) {_VOTES}) TO '{path}' (FORMAT json)")


if __name__ == "__main__":
    write_votes(Path(sys.argv[1]), int(sys.argv[2]))
