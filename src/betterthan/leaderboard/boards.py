"""Several leaderboards at once: one per metric or data set, with an overview of ranks."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from betterthan.leaderboard.board import Leaderboard, document
from betterthan.present.table import Column, Table


@dataclass(frozen=True, repr=False)
class Leaderboards:
    """Boards in the order of the evidence; find one by its title."""

    boards: tuple[Leaderboard, ...]

    def __iter__(self) -> Iterator[Leaderboard]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, title: str) -> Leaderboard:
        found = next((board for board in self.boards if board.title == title), None)
        if found is None:
            raise KeyError(f"no leaderboard {title!r}; there are: {', '.join(board.title for board in self.boards)}")
        return found

    def overview(self) -> Table:
        """Return every system's rank on every board, best mean rank first."""
        ranks: dict[str, dict[str, int]] = {}
        for board in self.boards:
            for row in board:
                ranks.setdefault(row.system, {})[board.title] = row.rank
        mean = {system: sum(places.values()) / len(places) for system, places in ranks.items()}
        titles = [board.title for board in self.boards]
        columns = [
            Column("system", "left", flexible=True),
            *(Column(title) for title in titles),
            Column("mean rank"),
        ]
        ordered = sorted(ranks, key=lambda system: (mean[system], system))
        rows = [
            [system, *(str(ranks[system].get(title, "")) for title in titles), f"{mean[system]:.1f}"]
            for system in ordered
        ]
        return Table(columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return all boards as the JSON that `--format json` prints."""
        return document(list(self.boards))

    def to_json(self) -> str:
        """Return JSON text; numbers are plain, absent is null."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def columns(self) -> dict[str, list[Any]]:
        """Return the rows of all boards as columns, with the board's title first."""
        parts = [board.columns() for board in self.boards]
        titles = [board.title for board in self.boards for _ in board]
        return {
            "leaderboard": titles,
            **{name: [value for part in parts for value in part[name]] for name in parts[0]},
        }

    def to_markdown(self) -> str:
        """Return Markdown: a heading and a table per board."""
        return "\n".join(f"## {board.title}\n\n{board.to_markdown()}" for board in self.boards)

    def to_latex(self) -> str:
        """Return a LaTeX tabular per board, each under a comment with its title."""
        return "\n".join(f"% {board.title}\n{board.to_latex()}" for board in self.boards)

    def _repr_html_(self) -> str:
        return "".join(board.table().to_html() for board in self.boards)

    def to_text(self, width: int | None = None) -> str:
        """Return the overview, or the boards themselves where they are few."""
        boards = [board.to_text(width) for board in self.boards] if len(self.boards) <= 3 else []
        return "\n\n".join([*boards, self._overview_text(width)])

    def _overview_text(self, width: int | None) -> str:
        """Show as many boards per block as fit."""
        table = self.overview()
        title = f"Ranks on {len(self.boards)} leaderboards"
        if width is None:
            return f"{title}\n\n{table.to_text()}"
        name = max(len(row[0]) for row in table.rows)
        blocks, start = [], 1
        last = len(table.columns) - 1
        while start < last:
            used, end = min(name, 24) + 4, start
            while end < last and (end == start or used + len(table.columns[end].title) + 2 <= width - 11):
                used += len(table.columns[end].title) + 2
                end += 1
            keep = [0, *range(start, end), *([last] if end == last else [])]
            part = Table(
                [table.columns[place] for place in keep],
                [[row[place] for place in keep] for row in table.rows],
            )
            blocks.append(part.to_text(width))
            start = end
        return "\n\n".join([title, *blocks])

    __str__ = __repr__ = to_text
