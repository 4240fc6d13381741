"""The report on a judge by people's labels."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from betterthan.inference import Estimate
from betterthan.present import Column, Table, digits

#: The verdicts on a judge.
TRUSTED, CORRECTED, USELESS = ("usable without correction", "usable with correction", "not usable")


@dataclass(frozen=True)
class SystemBias:
    """How much higher a judge puts a system than people do, compared with all systems; the intervals hold jointly.

    `p` is that of no such difference, allowing for the number of systems.
    """

    system: str
    bias: Estimate
    p: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"system": self.system, "bias": self.bias.to_dict(), "p": self.p}


@dataclass(frozen=True)
class JudgeAudit:
    """A judge compared with people's labels. Measures that the labels do not have are None.

    `agreement` is the share of labels that the judge gives, too; `kappa` allows for chance. `sensitivity` and
    `specificity` are its shares among labels that are right, and wrong. `correlation` is that of judge and people
    within systems. `side` is how much more often it chooses the left side than people do. Biases by system are what
    turns rankings.
    """

    labels: int
    agreement: Estimate | None
    kappa: float | None
    sensitivity: Estimate | None
    specificity: Estimate | None
    correlation: Estimate | None
    side: Estimate | None
    systems: tuple[SystemBias, ...]
    margin: float
    verdict: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        measures = ("agreement", "sensitivity", "specificity", "correlation", "side")
        found = {name: value.to_dict() for name in measures if (value := getattr(self, name)) is not None}
        systems = [each.to_dict() for each in self.systems]
        return {**asdict(self), **dict.fromkeys(measures), **found, "systems": systems}

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        return f"By {self.labels:,} labels by people the judge is {self.verdict}: {self.reason}."

    def tables(self) -> list[Table]:
        """Return the measures, and the biases by system."""
        named = {
            "agreement": self.agreement,
            "kappa": None if self.kappa is None else Estimate(self.kappa, None, None),
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
            "correlation within systems": self.correlation,
            "left side more often than people": self.side,
        }
        rows = [_row(name, each) for name, each in named.items() if each is not None]
        measures = Table([Column("measure", "left"), Column("value"), Column("95 % interval", "left")], rows)
        columns = [Column("system", "left"), Column("judge − people"), Column("joint 95 % interval", "left")]
        biases = [_row(each.system, each.bias) for each in self.systems]
        return [measures, Table(columns, biases, title="How much higher than other systems the judge puts each")]


def _row(name: str, found: Estimate) -> Sequence[str]:
    places = digits.decimals([(found.low, found.high)])
    known = found.low is not None and found.high is not None
    ends = f"{digits.rounded(found.low, places)} … {digits.rounded(found.high, places)}" if known else "—"
    return [name, digits.rounded(found.value, places) if known else f"{found.value:.2f}", ends]
