"""Evidence that is right, and ways to spoil it cell by cell; how many rows it has is counted here, not by the product."""

import random
from dataclasses import dataclass, replace

#: Names and values that have broken something somewhere.
EVIL = (
    "",
    " ",
    "NA",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "1e309",
    "-1e155",
    "1e-300",
    "0,9",
    "1.234,5",
    "timeout",
    "None",
    "null",
    "true",
    "0",
    "-0",
    "00",
    "1_000",
    "١٢",
    "½",
    "9" * 40,
    "x" * 5000,
    "a\nb",
    "a\r\nb",
    'say "so"',
    "a,b;c\td",
    "=1+1",
    "@SUM(A1)",
    "\x1b[31mred\x07",
    "\u202ebidi",
    "zero\u200bwidth",
    "e\u0301",
    "é",
    "\ufeff",
    "\ud7ff",
    "😀",
    "<script>alert(1)</script>",
    "</svg>",
    "![x](http://example.org/x.png)",
    "\\input{x}",
    "[x]",
    "%",
    "# x",
    "| x |",
    "__proto__",
    "constructor",
    "toString",
    "left",
    "right",
    "tie",
    "model_a",
    "winner",
    "item",
    "row",
    "2024-02-30",
    "2024-01-01T00:00:00+02:00",
    "--help",
    "*.csv",
    "../x",
    "$(id)",
    "'; DROP TABLE x; --",
    "{{7*7}}",
    "{0}",
    "%s",
    "\x00",
    "\x85",
    "\u2028",
)


@dataclass(frozen=True)
class Table:
    """Columns and rows of texts. `plain`: every row is one judgment, score or ranking, and no reader may lose any."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def spoiled(self, rng: random.Random) -> "Table":
        """Return the table with one thing changed."""
        columns, rows = list(self.columns), [list(row) for row in self.rows]
        place = rng.randrange(len(columns))
        line = rng.randrange(len(rows))
        match rng.randrange(9):
            case 0 | 1 | 2:
                rows[line][place] = rng.choice(EVIL)
            case 3:
                for row in rows:
                    row[place] = rng.choice(EVIL) if rng.random() < 0.5 else row[place]
            case 4:
                evil, known = rng.choice(EVIL), rows[line][place]
                rows = [[evil if cell == known else cell for cell in row] for row in rows]
            case 5:
                columns[place] = rng.choice((*EVIL, *columns))
            case 6:
                rows = rows[: rng.randrange(len(rows) + 1)] or rows[:1]
            case 7:
                rows += [rows[line]] * rng.choice((1, 2, 50))
            case 8:
                del columns[place]
                rows = [row[:place] + row[place + 1 :] for row in rows]
        if not columns:
            return self
        return replace(self, columns=tuple(columns), rows=tuple(map(tuple, rows)))


def seeds(rng: random.Random) -> Table:
    """Return small evidence of some kind and layout, right in every respect."""
    systems = [f"s{place}" for place in range(rng.choice((2, 3, 5)))]
    judges, items = [f"j{place}" for place in range(3)], [f"i{place}" for place in range(8)]
    pick = rng.choice(("votes", "counts", "winner-loser", "long", "wide", "rankings", "repeated"))
    if pick == "long":
        rows = [(item, system, f"{rng.random():.3f}") for item in items for system in systems]
        return Table("scores", ("item", "system", "score"), tuple(rows))
    if pick == "repeated":
        rows = [
            (item, system, judge, str(rng.randrange(1, 6))) for item in items for system in systems for judge in judges
        ]
        return Table("scores", ("item", "system", "judge", "rating"), tuple(rows))
    if pick == "wide":
        rows = [(item, *(f"{rng.gauss(50, 10):.2f}" for _ in systems)) for item in items]
        return Table("scores", ("item", *systems), tuple(rows))
    if pick == "rankings":
        rows = []
        for item in items:
            order = [*systems]
            rng.shuffle(order)
            rows.append((item, rng.choice(judges), " > ".join(order)))
        return Table("rankings", ("item", "judge", "ranking"), tuple(rows))
    rows = []
    for _ in range(rng.choice((4, 30, 120))):
        left, right = rng.sample(systems, 2)
        outcome = rng.choice(("model_a", "model_b", "tie"))
        if pick == "votes":
            rows.append((left, right, outcome, rng.choice(items), rng.choice(judges)))
        elif pick == "counts":
            rows.append((left, right, outcome, str(rng.randrange(1, 9))))
        else:
            rows.append((left, right))
    columns = {
        "votes": ("model_a", "model_b", "winner", "prompt_id", "judge"),
        "counts": ("model_a", "model_b", "winner", "n"),
        "winner-loser": ("winner", "loser"),
    }[pick]
    return Table("judgments", columns, tuple(rows))
