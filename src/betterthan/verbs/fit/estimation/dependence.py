"""The units of dependence of a fit: as requested, or those of the data set."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from betterthan.base import PlanError, spelling
from betterthan.datasets import DataSet
from betterthan.models import formulas
from betterthan.options import FitOptions

ROW = "row"


@dataclass(frozen=True)
class Dependence:
    """The columns of the units, none where judgments are independent, and whether they were requested."""

    units: tuple[str, ...]
    asked: bool

    @classmethod
    def of(cls, data: DataSet, options: FitOptions, columns: Iterable[str]) -> "Dependence":
        """Take the units that were requested, or else those of the data set.

        A unit whose values have effects of their own in the model is no unit in addition to them: given these, nothing
        that its judgments share is left.
        """
        asked = options.random or options.unit
        if asked is None:
            modelled = {_role(data, name) for name in _modelled(options)}
            return cls(tuple(unit for unit in data.by if _role(data, unit) not in modelled), False)
        if asked == ROW:
            return cls((), True)
        known = {*columns, *data.roles}
        parts = (asked,) if asked in known or "+" not in asked else tuple(asked.split("+"))
        if len(parts) > 2 or len(set(parts)) < len(parts):
            raise PlanError(
                f"{spelling.option('unit', asked)} names more than two units, or one twice",
                remedy=f"Name one or two: {spelling.option('unit', 'item+judge')}.",
            )
        return cls(parts, True)

    def with_levels(self, levels: Mapping[str, int]) -> "Dependence":
        """Leave out units of which there is only one, or refuse them where they were requested."""
        single = [unit for unit in self.units if levels[unit] < 2]
        if single and self.asked:
            raise PlanError(
                f"there is only one {single[0]}, and clustered errors need at least two",
                remedy="Choose another column.",
            )
        return Dependence(tuple(unit for unit in self.units if unit not in single), self.asked)

    @property
    def name(self) -> str:
        """The units as an option has them."""
        return "+".join(self.units) or ROW


def _modelled(options: FitOptions) -> Sequence[str]:
    """Return the columns whose values have effects of their own."""
    position = options.position if isinstance(options.position, str) else None
    undecided = options.undecided if options.undecided != "object" else None
    return [
        name
        for formula in (options.subject, options.terms, position, undecided)
        for name in formulas.variables(formula)
    ]


def _role(data: DataSet, name: str) -> str:
    """Return the column of a role, or the name of the column itself."""
    return data.roles.get(name, name)
