"""TrueSkill: beliefs about skills that every match updates."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from betterthan.base import FloatArray, IntArray, registry, scipy
from betterthan.datasets import Games, Orders, Places
from betterthan.findings import Finding, kinds
from betterthan.models.base import Fit, Order, register_model
from betterthan.models.ordered.compiled import prepared, quick
from betterthan.models.ordered.matches import RankedMatches
from betterthan.models.ordered.order import InOrder, Play
from betterthan.models.ordered.skill import ENTRY_STEPS, PAIR_STEPS, draw_margin, play_matches, play_pairs

#: Matches of that many systems are taken from rankings at most.
_MOST_PLAYERS = 50


class SkillSettings(NamedTuple):
    """The parameters of TrueSkill's updates."""

    mu: float
    sigma: float
    beta: float
    tau: float
    margin: float


@register_model
@dataclass(frozen=True, kw_only=True)
class TrueSkill(InOrder):
    """TrueSkill means, by the closed form for two or by message passing among several systems of a ranking.

    Assumes normal performances (standard deviation `beta`) around normal beliefs (`mu`, `sigma`), which drift by `tau`
    between matches. Performances closer than a `margin` tie; `draw_probability` (of two equals) can set it instead.
    Consumes judgments in their order, or with `players="all"` whole rankings, or with a number all sets of that many
    systems of each ranking. The score is the mean belief. Its σ is no interval of the ranking. `preset="wmt"` takes
    μ = 0, σ = .5, margin .25, τ = 0 and β = .025·n·σ² for n judgments, so it must know their number in advance. Its
    chances are those of the difference of two beliefs, N(μ₁−μ₂, σ₁²+σ₂²), cut at ±`radius` (by default the margin).
    It has no likelihood; a finding measures what the order decides.

    Herbrich, Minka & Graepel (2007), TrueSkill: a Bayesian skill rating system, NIPS; Sakaguchi, Post & Van Durme
    (2014), Efficient elicitation of annotations for human evaluation of machine translation, WMT.
    """

    preset: Literal["game", "wmt"] = "game"
    mu: float | None = None
    sigma: float | None = None
    beta: float | None = None
    tau: float | None = None
    draw_probability: float | None = None
    margin: float | None = None
    radius: float | None = None
    players: int | Literal["two", "all"] = "two"
    order: Order = "auto"
    shuffles: int | None = None
    seed: int = 0

    name: ClassVar[str] = "trueskill"
    score: ClassVar[str] = "mean belief"

    def __post_init__(self) -> None:
        self.check_order()
        registry.one_of("preset", self.preset, "game", "wmt")
        if self.players == 2:
            object.__setattr__(self, "players", "two")
        if self.players not in {"two", "all"}:
            self._check_players()
        if self.draw_probability is not None and self.margin is not None:
            raise ValueError("draw_probability and margin say the same: give one of them")
        if self.radius is not None and self.preset != "wmt":
            raise ValueError("radius is for preset=wmt; other chances are cut at the margin")
        for option, least in (("sigma", 1e-6), ("beta", 1e-6), ("tau", 0.0), ("margin", 0.0), ("radius", 0.0)):
            if getattr(self, option) is not None:
                registry.number(option, getattr(self, option), least=least)
        if self.draw_probability is not None:
            registry.number("draw_probability", self.draw_probability, least=0, most=0.999)
        if self.mu is not None:
            registry.number("mu", self.mu, least=-1e9, most=1e9)

    def _check_players(self) -> None:
        whole = isinstance(self.players, int) and not isinstance(self.players, bool)
        if not whole or not 3 <= self.players <= _MOST_PLAYERS:  # type: ignore[operator]
            raise ValueError(
                f"players must be 'two', 'all' or a whole number from 2 to {_MOST_PLAYERS}, got {self.players!r}"
            )

    @property
    def accepts(self) -> tuple[str, ...]:  # type: ignore[override]
        """All evidence in pairs; matches of more systems need rankings."""
        return ("judgments", "rankings", "scores") if self.players == "two" else ("judgments", "rankings")

    @property
    def consumes(self) -> tuple[type, ...]:
        """Games of two, or rankings where there are any."""
        return (Games,) if self.players == "two" else (Orders, Games)

    def player(self, games: Games | Orders, plays: int) -> Play:
        """Lay out the games, or the matches, for the loop."""
        settings = self.settings(_judgments(games))
        numbers = (settings.beta**2, settings.tau**2, settings.margin)

        played: Games | RankedMatches
        if isinstance(games, Orders):
            played = RankedMatches.of(games, self.players if isinstance(self.players, int) else None)
            steps = plays * ENTRY_STEPS * len(played.system)
        else:
            played, steps = games, plays * PAIR_STEPS * len(games.left)
        loop: Any = quick(play_matches if isinstance(played, RankedMatches) else play_pairs, steps)

        def run(places: Places) -> tuple[FloatArray, FloatArray]:
            arrays: tuple[Any, ...] = played.at(places)
            mean, variance = (np.full(games.size, float(start)) for start in (settings.mu, settings.sigma**2))
            *layout, mean, variance = prepared(steps, *arrays, mean, variance)
            loop(*layout, mean, variance, *numbers)
            return np.asarray(mean), np.sqrt(np.asarray(variance))

        return run

    def parameters(self, games: Games | Orders) -> dict[str, float]:
        """Return all settings, as the preset and the evidence made them."""
        settings = self.settings(_judgments(games))
        radius = settings.margin if self.radius is None else self.radius
        return {**settings._asdict(), **({"radius": radius} if self.preset == "wmt" else {})}

    def fit(self, games: Any) -> Fit:
        """Play the games, and say where ratings are no more than wins less losses."""
        fit = super().fit(games)
        found = _net_wins(fit, games) if self.preset == "wmt" and isinstance(games, Games) else ()
        return replace(fit, findings=(*fit.findings, *found))

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Cut the normal difference of two performances at the margin, or by WMT's preset of two beliefs at the radius.

        The preset's β, which grows with the number of judgments, is a step size and no noise of performances.
        """
        spread = fit.spread if fit.spread is not None else np.zeros(len(fit.systems))
        own = 0.0 if self.preset == "wmt" else 2 * fit.parameters["beta"] ** 2
        scale = np.sqrt(own + spread[a] ** 2 + spread[b] ** 2)
        gap, margin = fit.strength[a] - fit.strength[b], fit.parameters.get("radius", fit.parameters["margin"])
        win, loss = scipy.special.ndtr((gap - margin) / scale), scipy.special.ndtr((-gap - margin) / scale)
        return np.stack([win, np.maximum(1.0 - win - loss, 0.0), loss])

    def settings(self, judgments: int) -> SkillSettings:
        """Fill in defaults, for that many judgments in all."""
        if self.preset == "wmt":
            default = SkillSettings(0.0, 0.5, 0.0, 0.0, 0.25)
        else:
            default = SkillSettings(25.0, 25 / 3, 25 / 6, 25 / 300, 0.0)
        chosen = {name: value for name in default._fields if (value := getattr(self, name)) is not None}
        settings = default._replace(**chosen)
        if self.preset == "wmt" and self.beta is None:
            settings = settings._replace(beta=0.025 * judgments * settings.sigma**2)
        if self.margin is None and (self.preset == "game" or self.draw_probability is not None):
            likely = 0.10 if self.draw_probability is None else self.draw_probability
            settings = settings._replace(margin=draw_margin(likely, settings.beta))
        return settings


def _net_wins(fit: Fit, games: Games) -> tuple[Finding, ...]:
    """Report where ratings are wins less losses and systems were judged unequally often."""
    won = games.weight * (1.0 - games.outcome)
    net = np.bincount(games.left, won, games.size) - np.bincount(games.right, won, games.size)
    number = sum(np.bincount(side, games.weight, games.size) for side in (games.left, games.right))
    limits = kinds.ratings.NET_WINS.thresholds
    if (
        games.size < limits["systems"]
        or np.ptp(net) == 0
        or np.ptp(fit.strength) == 0
        or np.max(number) < limits["times"] * np.min(number)
    ):
        return ()
    correlation = float(np.corrcoef(net, fit.strength)[0, 1])
    if correlation < limits["correlation"]:
        return ()
    return (kinds.ratings.NET_WINS.found(correlation=correlation, fewest=np.min(number), most=np.max(number)),)


def _judgments(games: Games | Orders) -> int:
    """Count comparisons of two: a ranking of five is ten."""
    if isinstance(games, Games):
        return len(games.left)
    size = np.bincount(games.ranking)
    return int(np.sum(size * (size - 1) // 2))
