"""A workbench session without a network: the open files, and results of the verbs."""

import json
import threading
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from betterthan import (
    AllPairs,
    Diagnosis,
    Duel,
    Leaderboards,
    PairsByModel,
    Picture,
    Report,
    TaskDuels,
    compare,
    compare_all,
    compare_models,
    compare_tasks,
    diagnose,
    plot,
    rank,
    read,
    report,
)
from betterthan.base import BetterthanError, registry
from betterthan.datasets import DataSets, data_sets
from betterthan.evidence import Account
from betterthan.options import OF_INTERVALS, REPEATED, PlotOptions, declared_options
from betterthan.readers import AnyEvidence
from betterthan.verbs.plot import plot_kinds
from betterthan.web.workbench.form_values import Said, several_models
from betterthan.web.workbench.open_files import Files
from betterthan.web.workbench.request_queue import RequestTurn, Turns
from betterthan.web.workbench.result_cache import Kept

#: Evidence and results that are kept: a person goes to and fro between a few.
_EVIDENCE, _RESULTS = 4, 64


@dataclass(frozen=True)
class Opened:
    """Evidence as read, and its data sets, whose statistics are computed once."""

    evidence: AnyEvidence
    sets: DataSets
    account: Account  # the row account: files with wrong ones are not opened

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, those of the first data set first."""
        return tuple(dict.fromkeys(name for each in self.sets for name in each.pairs(units=False).systems))

    @property
    def by_task(self) -> bool:
        """Whether two systems are compared task by task."""
        return len(self.sets.scored) > 1


class WorkbenchSession:
    """Open files and their results; any number of tabs may send requests at once."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.turns = Turns()
        self._opened: Kept[Opened] = Kept(_EVIDENCE)
        self._results: Kept[Any] = Kept(_RESULTS)
        self._reading = threading.Lock()

    def opened(self, said: Said) -> Opened:
        """Return the evidence that a page means, read once as long as the files stay as they are."""
        if not said.files:
            raise BetterthanError("no file is chosen", remedy="Drop a file on the page, or choose one.")
        with self._reading:  # tabs that ask for the same large file read it once
            return self._opened(self._evidence_key(said), lambda: self._open(said))

    def _open(self, said: Said) -> Opened:
        evidence = read([self.files[key].path for key in said.files], **said.of_verb("read"))
        return Opened(evidence, data_sets(evidence, pools_tasks=True, takes_labels=True), evidence.account)

    def _evidence_key(self, said: Said) -> Hashable:
        files = [(key, self.files[key].stamp) for key in said.files]
        return json.dumps([files, said.of_verb("read")], sort_keys=True)

    def _kept(self, said: Said, verb: str, choices: Mapping[str, Any], work: Any) -> Any:
        key = self._evidence_key(said), verb, json.dumps(choices, sort_keys=True)
        return self._results(key, work)

    def boards(self, said: Said, turn: RequestTurn, *, quick: bool = False) -> Leaderboards:
        """Rank; `quick` leaves intervals out, whatever the options are."""
        choices = said.of_verb("rank")
        if quick:
            choices = {name: value for name, value in choices.items() if name not in OF_INTERVALS} | {"ci": "none"}
        sets = self.opened(said).sets
        found: Leaderboards = self._kept(said, "rank", choices, lambda: rank(sets, progress=turn, **choices))
        turn()
        return found

    def has_quick(self, said: Said) -> bool:
        """Whether boards without intervals have the same scores; not if scores are means over repeated runs."""
        return said.of_verb("rank").get("ci") not in {"none", *REPEATED}

    def pairs(self, said: Said, turn: RequestTurn) -> AllPairs | PairsByModel:
        """Compare all pairs, by the model of the leaderboard where one was chosen there, or by several models."""
        choices = self.pair_choices(said, turn)
        sets = self.opened(said).sets

        def work() -> AllPairs | PairsByModel:
            return (compare_models if several_models(choices) else compare_all)(sets, **choices)

        found: AllPairs | PairsByModel = self._kept(said, "compare-all", choices, work)
        turn()
        return found

    def pair_choices(self, said: Said, turn: RequestTurn) -> dict[str, Any]:
        """Return the options of all pairs: their own, else the leaderboard's, whose model and ties they share."""
        choices, own = said.of_verb("pairs"), said.options.get("pairs", {})
        asked = said.options.get("rank", {})
        if "control" in asked:
            choices = {"control": asked["control"], **choices}
        if "model" not in own and ("model" in asked or "ties" in asked):
            settings = self.boards(said, turn, quick=True).boards[0].settings
            ties = {} if settings.ties is None else {"ties": settings.ties}
            choices = {"model": settings.model, **ties, **choices}
        return choices

    def duel(self, said: Said, turn: RequestTurn) -> Duel | TaskDuels:
        """Compare two systems in depth."""
        choices, opened = said.of_verb("duel"), self.opened(said)
        both = {"a": said.a, "b": said.b, **choices}

        def work() -> Duel | TaskDuels:
            return (compare_tasks if opened.by_task else compare)(opened.sets, said.a, said.b, **choices)

        found: Duel | TaskDuels = self._kept(said, "compare", both, work)
        turn()
        return found

    def diagnosis(self, said: Said, turn: RequestTurn) -> Diagnosis:
        """Look for problems of the evidence."""
        choices = said.of_verb("diagnose")
        sets = self.opened(said).sets
        found: Diagnosis = self._kept(said, "diagnose", choices, lambda: diagnose(sets, progress=turn, **choices))
        turn()
        return found

    def picture(self, said: Said, turn: RequestTurn) -> Picture:
        """Draw a picture."""
        choices = self.picture_choices(said)
        kind = plot_kinds.kind_of(said.kind)
        names = (said.a, said.b) if kind.of_two else ()
        evidence = self.opened(said).sets if kind.of_evidence else None
        key = {"kind": said.kind, "names": names, **choices}
        found: Picture = self._kept(
            said, "plot", key, lambda: plot(said.kind, evidence, *names, progress=turn, **choices)
        )
        turn()
        return found

    def picture_choices(self, said: Said) -> dict[str, Any]:
        """Return the options of a picture: its own, else the leaderboard's, as far as its kind takes them."""
        kind, rank_said, own = plot_kinds.kind_of(said.kind), said.options.get("rank", {}), said.options.get("plot", {})
        shared = {name: value for name, value in rank_said.items() if name in declared_options(PlotOptions)}
        if "model" in shared:  # the first one for pictures of a board; others have models of their own
            shared = (
                {**shared, "model": registry.split(shared["model"])[0]} if kind.passed_on else _without(shared, "model")
            )
        return {name: value for name, value in {**shared, **own}.items() if name in kind.options}

    def report(self, said: Said, turn: RequestTurn) -> Report:
        """Make the report."""
        choices = said.of_verb("report")
        sets = self.opened(said).sets
        found: Report = self._kept(said, "report", choices, lambda: report(sets, progress=turn, **choices))
        turn()
        return found

    def close(self) -> None:
        """Stop all work and remove every upload."""
        self.turns.close()
        self._results.clear()
        self._opened.clear()
        self.files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in values.items() if each != name}
