"""Evidence as a context manager, whether it holds anything that must be closed or not."""

from typing import Self


class Closing:
    """Closes at the end of a `with` block what it holds outside memory; most evidence holds nothing."""

    def close(self) -> None:
        """Give back files that are open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
