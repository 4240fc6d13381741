"""A log of everything transferred from an engine, to verify that rows stay there."""

from dataclasses import dataclass, field
from threading import Lock


@dataclass(eq=False)
class Moved:
    """Answers of an engine, each with its topic and its numbers of rows and values.

    >>> moved = Moved()
    >>> moved.add("sums by bucket and system", 4096, 3)
    >>> print(moved.told("the pyspark frame"))
    The pyspark frame gave 1 answer, 4,096 rows and 12,288 values in all. Nothing else left its engine.
     rows  values  answer
    4,096  12,288  sums by bucket and system
    """

    _answers: list[tuple[str, int, int]] = field(default_factory=list)
    _adding: Lock = field(default_factory=Lock, repr=False)

    def add(self, what: str, rows: int, columns: int) -> None:
        """Note an answer."""
        with self._adding:
            self._answers.append((what, rows, rows * columns))

    @property
    def rows(self) -> int:
        """How many rows left, of all answers."""
        return sum(rows for _, rows, _ in self._answers)

    def told(self, name: str) -> str:
        """Return a sentence and a table of all answers so far."""
        name = name[:1].upper() + name[1:]
        if not self._answers:
            return f"{name} was not asked yet. Rank first, then ask again."
        number, values = len(self._answers), sum(values for _, _, values in self._answers)
        answers = f"{number} answer{'s' if number > 1 else ''}"
        told = [
            ("rows", "values", "answer"),
            *((f"{rows:,}", f"{cells:,}", what) for what, rows, cells in self._answers),
        ]
        wide = [max(len(line[place]) for line in told) for place in (0, 1)]
        return "\n".join(
            [
                f"{name} gave {answers}, {self.rows:,} rows and {values:,} values in all. Nothing else left "
                "its engine.",
                *(f"{rows:>{wide[0]}}  {cells:>{wide[1]}}  {what}" for rows, cells, what in told),
            ]
        )
