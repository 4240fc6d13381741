"""Numbers as people write them: 85 %, 12 points, 1,234.5, 1.234,5, 1 234,5 and 0,85."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: Of times and prices less is better, and a number without its unit would not show it: they are not read as numbers.
_CELL = re.compile(r"(?P<number>[+-]?[0-9][^%a-z]*?)\s*(?P<suffix>%|pp|pts?|points)?", re.IGNORECASE)
_PLAIN = re.compile(r"[+-]?[0-9]+([.][0-9]+)?(e[+-]?[0-9]+)?", re.IGNORECASE)
_SPACES = " \u00a0\u2009\u202f"
#: Signs between groups of three digits, and before decimals.
_CONVENTIONS = {"comma": (",", "."), "point": (".", ","), "space": (_SPACES, ".,"), "apostrophe": ("'’", ".,")}


@dataclass(frozen=True)
class Notation:
    """How the numbers of a column are written; `conventions` are those that are possible, () for plain numbers."""

    suffix: str
    conventions: tuple[str, ...]
    grouped: bool = False  # are digits grouped in a way that shows it?
    certain: bool = True  # or may a comma separate two numbers?

    @property
    def plain(self) -> bool:
        """Whether the numbers can be read as they are."""
        return not self.suffix and not self.conventions

    def with_decimal(self, sign: str | None) -> list[str]:
        """Return the conventions that have this decimal sign, or all where none was given."""
        return [name for name in self.conventions if sign is None or sign in _CONVENTIONS[name][1]]

    def number(self, cell: str, convention: str) -> str:
        """Return a cell in plain notation; a percentage is a share of 1."""
        found = _CELL.fullmatch(cell.strip())
        if found is None:
            return cell
        text = found["number"]
        if self.conventions:
            groups, decimals = _CONVENTIONS[convention]
            text = re.sub(f"[{re.escape(groups)}]", "", text)
            text = re.sub(f"[{re.escape(decimals)}]", ".", text)
        return f"{float(text) / 100:.15g}" if self.suffix == "%" else text


def notation_of(cells: Sequence[str]) -> Notation | None:
    """Return how all these cells are written, None where they are not numbers of one notation."""
    found = [_CELL.fullmatch(cell.strip()) for cell in cells]
    parts = [(each["number"].strip(), (each["suffix"] or "").lower()) for each in found if each]
    if not parts or len(parts) < len(cells) or len({suffix for _, suffix in parts}) > 1:
        return None
    numbers, suffix = [number for number, _ in parts], parts[0][1]
    if all(map(_PLAIN.fullmatch, numbers)):
        return Notation(suffix, ())
    possible = tuple(name for name in _CONVENTIONS if all(_fits(number, name) for number in numbers))
    conventions = _narrowed(numbers, possible)
    if not conventions:
        return None
    grouped = conventions[0] != "point" or any(len(re.findall("[.,]", number)) > 1 for number in numbers)
    return Notation(
        suffix, conventions, grouped, bool(suffix) or grouped or any(re.match("[+-]?0,", each) for each in numbers)
    )


def _fits(number: str, convention: str) -> bool:
    """Whether a number can be written so, with or without groups."""
    groups, decimals = _CONVENTIONS[convention]
    grouped = f"[1-9][0-9]{{0,2}}(?:[{re.escape(groups)}][0-9]{{3}})+"
    return re.fullmatch(f"[+-]?(?:{grouped}|[0-9]+)(?:[{re.escape(decimals)}][0-9]+)?", number) is not None


def _narrowed(numbers: Sequence[str], possible: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out conventions that are only possible because no number shows which one it is."""
    if "space" in possible and any(set(number) & set(_SPACES) for number in numbers):
        return ("space",)
    if "apostrophe" in possible and any(set(number) & {"'", "’"} for number in numbers):
        return ("apostrophe",)
    signs = tuple(name for name in possible if name in {"comma", "point"})
    # Where all numbers below a thousand are whole and all above have a sign, the sign groups digits.
    sizes = [len(number.lstrip("+-")) for number in numbers if number.lstrip("+-").isdigit()]
    if len(signs) > 1 and sizes and max(sizes) <= 3:
        return ("comma",) if any("," in number for number in numbers) else ("point",)
    return signs
