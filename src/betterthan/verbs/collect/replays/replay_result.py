"""The result of `replay`: a comparison of policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import BetterthanError
from betterthan.findings import Finding, counted, kinds
from betterthan.inference import Estimate
from betterthan.options import ReplayOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result
from betterthan.verbs.collect.replays.policy_outcomes import Outcome, ReplayGoal, ReplayLook
from betterthan.verbs.collect.replays.replay_plots import ReplayPlots

#: That many looks are all shown.
_FEW = 6


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Replay(Result):
    """The result of `replay`: costs of policies for choosing pairs, relative to the first one.

    `targets` of the `pairs` are settled by the whole evidence. Intervals are over runs.
    """

    verb: ClassVar[str] = "replay"
    schema: ClassVar[str] = "replay/1"
    holds = (
        "systems",
        "pairs",
        "targets",
        "runs",
        "budget",
        "batch",
        "level",
        "margin",
        "unit",
        "seed",
        "ranked",
        "met",
        ("policies", "outcomes"),
    )

    settings: ReplayOptions
    outcomes: tuple[Outcome, ...]
    ranked: tuple[str, ...]  # the systems, best first in the whole evidence
    met: tuple[tuple[str, str], ...]  # all pairs, in the order of how often they were requested
    systems: int
    pairs: int
    targets: int

    @property
    def runs(self) -> int:
        """How often each policy was run."""
        return self.settings.runs

    @property
    def budget(self) -> int:
        """How many judgments a run collects."""
        return self.settings.budget or 0

    @property
    def batch(self) -> int:
        """How many are chosen at a time."""
        return self.settings.batch or 0

    @property
    def level(self) -> float:
        """The level of decisions and intervals."""
        return self.settings.level

    @property
    def margin(self) -> float | None:
        """Shares this near to one half count as equivalent."""
        return self.settings.margin

    @property
    def unit(self) -> str:
        """The unit that counts once for a pair in the whole evidence."""
        return self.settings.unit or "row"

    @property
    def seed(self) -> int:
        """The seed of all runs."""
        return self.settings.seed

    def outcome(self, policy: str) -> Outcome:
        """Return the outcome of one policy.

        Parameters
        ----------
        policy : str
            Name of the policy.

        Returns
        -------
        Outcome
            What the policy collected and at which cost.
        """
        for found in self.outcomes:
            if found.policy == policy:
                return found
        raise BetterthanError(f"there is no policy {policy!r}; there are: {', '.join(self.policies)}.")

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies, the one that all are compared with first."""
        return tuple(found.policy for found in self.outcomes)

    @property
    def plot(self) -> ReplayPlots:
        """Pictures: `plot.settled()`, `plot.clusters()`, `plot.kendall()`, `plot.meetings(policy)`."""
        return ReplayPlots(self)

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per policy and look: what the curves show."""
        rows = [(found.policy, look) for found in self.outcomes for look in found.looks]
        measures = ("clusters", "kendall", "misplaced", "settled")
        columns: dict[str, list[Any]] = {
            "policy": [policy for policy, _ in rows],
            "judgments": [look.judgments for _, look in rows],
        }
        for measure in measures:
            for end, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
                columns[measure + suffix] = [getattr(getattr(look, measure), end) for _, look in rows]
        return columns

    def tables(self) -> list[Table]:
        """Return the cost of each goal, and the intermediate rankings."""
        return [self.goal_table(), self.look_table()]

    def goal_table(self) -> Table:
        """Return the judgments that every goal took, policy by policy."""
        columns = [
            Column("goal", "left"),
            Column("policy", "left", flexible=True),
            Column("judgments"),
            Column("interval", "left", optional=1),
            Column(f"of {self.outcomes[0].policy}'s"),
            Column("interval", "left"),
        ]
        rows: list[list[str]] = []
        rules: list[int] = []
        for kind in ("settled", "reached"):
            for place in range(len(getattr(self.outcomes[0], kind))):
                rules.append(len(rows))
                for number, found in enumerate(self.outcomes):
                    goal: ReplayGoal = getattr(found, kind)[place]
                    rows.append(
                        [
                            goal.name if number == 0 else "",
                            found.policy,
                            _whole(goal.judgments.value, self.budget),
                            _range(goal.judgments, self.budget),
                            _shown(goal.ratio.value, 2) if number else "",
                            _ratios(goal.ratio) if number else "",
                        ]
                    )
        return Table(columns, rows, frozenset(rules[1:]))

    def look_table(self, *, every: bool = False) -> Table:
        """Return the rankings at the looks; of more than six, by default every second one and the last.

        Parameters
        ----------
        every : bool, default False
            Show every look.

        Returns
        -------
        Table
            The table.
        """
        columns = [
            Column("judgments"),
            Column("policy", "left", flexible=True),
            Column("settled"),
            Column("clusters"),
            Column("interval", "left", optional=2),
            Column("misplaced", optional=1),
            Column("tau"),
            Column("interval", "left", optional=2),
        ]
        rows: list[list[str]] = []
        rules: list[int] = []
        number = len(self.outcomes[0].looks)
        for place in range(number):
            if not every and number > _FEW and (number - 1 - place) % 2:
                continue
            rules.append(len(rows))
            for turn, found in enumerate(self.outcomes):
                look: ReplayLook = found.looks[place]
                rows.append(
                    [
                        f"{look.judgments:,}" if turn == 0 else "",
                        found.policy,
                        _share(look.settled.value),
                        _shown(look.clusters.value, 2),
                        look.clusters.ends(2),
                        _shown(look.misplaced.value, 2),
                        _shown(look.kendall.value, 3),
                        look.kendall.ends(3),
                    ]
                )
        return Table(columns, rows, frozenset(rules[1:]))

    def body(self, width: int | None) -> list[str]:
        """Return the replay settings, the goals and the looks."""
        settled = f"{self.targets} of {counted(self.pairs, 'pair')} can be settled"
        head = f"{counted(self.systems, 'system')} · {settled} · {counted(self.runs, 'run')} of each policy"
        wrong = ", ".join(f"{found.policy} {_share(found.wrong.value)}" for found in self.outcomes)
        return [
            wrapped(head, width),
            "",
            self.goal_table().to_text(width),
            "",
            self.look_table().to_text(width),
            "",
            wrapped(f"Runs with a pair separated the wrong way: {wrong}.", width),
        ]


def _verdict(first: str, other: Outcome) -> Finding | None:
    """Return a sentence on what a policy saved beyond chance, or that it saved nothing; None where no goal measures
    it.
    """
    ratios = [goal.ratio for goal in other.settled]
    saved = [ratio for ratio in ratios if ratio.high is not None and ratio.high < 1]
    said = []
    if not ratios:
        pass  # the whole evidence settles no pair
    elif len(saved) == len(ratios):
        least, most = min(ratio.value or 0 for ratio in saved), max(ratio.value or 0 for ratio in saved)
        shares = (
            f"{100 * least:.0f}" if round(100 * least) == round(100 * most) else f"{100 * least:.0f}–{100 * most:.0f}"
        )
        said.append(f"settles pairs with {shares} % of the judgments that {first} needs")
    else:
        said.append(f"does not settle pairs with significantly fewer judgments than {first}")
    reached = [goal.ratio for goal in other.reached]
    fewer = [ratio for ratio in reached if ratio.high is not None and ratio.high < 1]
    if reached:
        said.append(
            f"reaches as many clusters with at most {100 * max(ratio.value or 0 for ratio in fewer):.0f} % of them"
            if len(fewer) == len(reached)
            else "does not reach as many clusters with significantly fewer"
        )
    return kinds.collecting.SAVINGS.found(policy=other.policy, result=", and ".join(said)) if said else None


def _whole(value: float | None, budget: int) -> str:
    return f"> {budget:,}" if value is None else f"{value:,.0f}"


def _range(estimate: Estimate, budget: int) -> str:
    low, high = (_whole(end, budget) for end in (estimate.low, estimate.high))
    return low if estimate.low is None else f"{low} … {high}"


def _ratios(estimate: Estimate) -> str:
    if estimate.low is None:
        return ""
    return f"{estimate.low:.2f} … {'' if estimate.high is None else f'{estimate.high:.2f}'}".rstrip()


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.0f} %"


def _shown(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def findings_of(outcomes: Sequence[Outcome], level: float) -> tuple[Finding, ...]:
    """Return findings on how to interpret the figures."""
    found = [said for other in outcomes[1:] if (said := _verdict(outcomes[0].policy, other)) is not None]
    found += [kinds.collecting.NOTHING_SETTLED.found(wanted=level)] if not outcomes[0].settled else []
    wrong = [one for one in outcomes if (one.wrong.low or 0.0) > 1 - level]
    found += [
        kinds.collecting.WRONG_SEPARATIONS.found(policy=one.policy, share=one.wrong.value or 0.0) for one in wrong
    ]
    return tuple(found)
