"""A data set of rankings, which are converted to judgments where pairs are needed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from betterthan.base import EvidenceError, Memo
from betterthan.datasets.judged_data import JudgedSet
from betterthan.datasets.statistics.orders import Orders
from betterthan.evidence import Account, Order, Rankings


@dataclass(frozen=True, kw_only=True)
class RankedSet(JudgedSet):
    """Rankings of one data set, and the judgments of all their pairs."""

    kind: ClassVar[str] = "rankings"
    pairwise: ClassVar[bool] = False

    rankings: Rankings

    def described(self, names: Iterable[str], *, unranked: str = "missing") -> Self:
        """Return the same rankings with further columns of the table they were read from, for formulas.

        With `unranked` as `last`, systems that a ranking lacks are below all that it has, in an unknown order.
        """
        rankings = self.rankings.described(names)
        if unranked == "last":
            rankings = rankings.with_unranked_last()
        elif not rankings.covariates:
            return self
        return replace(self, rankings=rankings, judgments=rankings.to_judgments(), made=Memo())

    @property
    def columns(self) -> Iterable[str]:
        """No columns: those of the rows are not judgments."""
        return ()

    def account(self, order: Order | None = None, *, units: bool = True) -> Account:
        """Return the row account, for any order."""
        del order, units
        return self.rankings.account

    def order_of(self, wanted: str) -> Order | None:
        """Return the order of the file; rankings have no time."""
        if wanted == "time":
            raise EvidenceError("rankings have no time column to order by. Use order=file, the order of the rankings.")
        return super().order_of(wanted)

    def statistic(self, kind: type[Any], wanted: str = "average", *, units: bool = True) -> Any:
        """Return a statistic of a kind, also of whole rankings, None where rankings have none."""
        if kind is not Orders:
            return super().statistic(kind, wanted, units=units)
        self.order_of(wanted)
        by = (self.by if units else ()) or ("ranking",)
        return self.made(("orders", by), lambda: Orders.of(self.rankings, by))

    def resampled_whole(self, kind: type[Any]) -> bool:
        """Whether this statistic keeps rankings whole."""
        return kind is Orders

    def conversion(self, statistic: Any, *, instead: bool = False) -> str:
        """Describe the conversion of rankings to a statistic."""
        del instead
        to_pairs = "" if isinstance(statistic, Orders) else "rankings->pairs"
        return "; ".join(filter(None, [self.rankings.conversion, to_pairs]))
