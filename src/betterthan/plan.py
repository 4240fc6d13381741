"""The plan: every choice behind a result, frozen, saved, loaded, and printed in the signature."""

import os
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any, Self

from betterthan.errors import PlanError
from betterthan.named import split
from betterthan.signature import Signature

SCALES = ("worth", "log", "elo", "winrate")
INTERVALS = ("bootstrap", "analytic", "information", "runs", "none")
CORRECTIONS = ("holm", "benjamini-hochberg", "bonferroni", "none")
UNITS = ("row", "item", "judge", "ranking", "item+judge")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to compute and how.

    What is None is chosen when the evidence is known: `model` is bradley-terry, for scores mean, median and
    bradley-terry side by side; `ties` and `scale` are the model's own; `resample` is the ranking where there is one,
    else the item, else single judgments; `resamples` is 1,000 at a `level` of 0.95 (100 at 0.96 with `ci="runs"`).

    >>> Plan(model=["mean", "elo(k=32)"]).models
    ('mean', 'elo(k=32)')
    """

    model: str | None = None
    ties: str | None = None
    scale: str | None = None
    ci: str = "bootstrap"
    resample: str | None = None
    resamples: int | None = None
    level: float | None = None
    seed: int = 0
    anchor: str | None = None
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        several: Any = self.model  # given as a list, they become one text with commas
        if isinstance(several, (list, tuple)) and several and all(isinstance(name, str) for name in several):
            object.__setattr__(self, "model", ",".join(name.strip() for name in several))
        for name in ("model", "ties", "scale", "ci", "resample", "anchor"):
            value = getattr(self, name)
            if not isinstance(value, str) and not (value is None and name != "ci"):
                raise PlanError(f"{name} must be a text, got {value!r}.")
        for name, allowed in (("scale", SCALES), ("ci", INTERVALS), ("resample", UNITS)):
            if getattr(self, name) is not None:
                _one_of(name, getattr(self, name), allowed)
        if self.model is not None and (not self.models or len(set(self.models)) < len(self.models)):
            raise PlanError(f"model must name at least one model, and none twice, got {self.model!r}.")
        if self.resamples is not None and not (isinstance(self.resamples, int) and 20 <= self.resamples <= 1_000_000):
            raise PlanError(f"resamples must be a whole number from 20 to 1,000,000, got {self.resamples!r}.")
        if self.level is not None:
            check_level(self.level)
        check_seed(self.seed)
        check_amount("tolerance", self.tolerance)

    @property
    def models(self) -> tuple[str, ...]:
        """The models one by one, each with its options."""
        return split(self.model or "")

    @classmethod
    def of(cls, **choices: Any) -> Self:
        """Build a plan from choices, refusing names it does not have."""
        names = [field.name for field in fields(cls)]
        for name in choices:
            if name not in names:
                raise PlanError(f"unknown choice {name!r}; known: {', '.join(names)}.")
        return cls(**choices)

    @classmethod
    def load(cls, place: str | os.PathLike[str]) -> Self:
        """Load a plan from a TOML file, or from the text of a signature."""
        text = os.fspath(place)
        if text.startswith("betterthan "):
            return cls.from_signature(text)
        try:
            return cls.of(**tomllib.loads(Path(place).read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise PlanError(f"{text}: the plan cannot be read: {error}.") from None
        except (tomllib.TOMLDecodeError, TypeError) as error:
            raise PlanError(f"{text}: is not a plan: {error}. Lines look like: resamples = 1000") from None

    def to_toml(self) -> str:
        """Return the plan as TOML; choices left open are left out."""
        chosen = {name: value for name, value in asdict(self).items() if value is not None}
        return "".join(f"{name} = {_toml(value)}\n" for name, value in chosen.items())

    def facts(self) -> dict[str, str]:
        """Return the choices as the signature's facts."""
        chosen = {"model": self.model, "ties": self.ties, "scale": self.scale, "ci": self.ci}
        facts = {name: value for name, value in chosen.items() if value is not None}
        if self.ci == "runs":
            facts["runs"] = str(self.resamples or "auto")
        elif self.ci != "none":
            facts["resample"] = f"{self.resample or 'auto'}×{self.resamples or 'auto'}"
        if self.ci != "none" and self.level is not None:
            facts["level"] = repr(self.level)
        if self.ci != "none" or self.seed:
            facts["seed"] = str(self.seed)
        if self.anchor is not None:
            facts["anchor"] = self.anchor
        if self.tolerance:
            facts["tolerance"] = repr(self.tolerance)
        return facts

    @classmethod
    def from_signature(cls, line: str) -> Self:
        """Return the plan that a signature prints."""
        facts = dict(Signature.parse(line).facts)
        choices: dict[str, Any] = {
            name: facts[name] for name in ("model", "ties", "scale", "ci", "anchor") if name in facts
        }
        try:
            if "resample" in facts:
                unit, _, number = facts["resample"].partition("×")
                choices["resample"] = None if unit == "auto" else unit
                choices["resamples"] = None if number == "auto" else int(number)
            if facts.get("runs", "auto") != "auto":
                choices["resamples"] = int(facts["runs"])
            converters = {"level": float, "seed": int, "tolerance": float}
            choices |= {name: convert(facts[name]) for name, convert in converters.items() if name in facts}
        except ValueError as error:
            raise PlanError(f"the signature cannot be read: {error}. Paste the whole line.") from None
        return cls.of(**choices)


def check_level(level: float) -> None:
    """Refuse what is no level of intervals and tests."""
    if not 0.5 <= level < 1.0:
        raise PlanError(f"level must be at least 0.5 and below 1, got {level!r}; 95 % is 0.95.")


def check_numbers(name: str, values: Any) -> None:
    """Refuse what is no list."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise PlanError(f"{name} must be a list of whole numbers, got {values!r}.")


def check_seed(seed: Any) -> None:
    """Refuse what is no seed."""
    if not isinstance(seed, int) or seed < 0:
        raise PlanError(f"seed must be a whole number of at least 0, got {seed!r}.")


def check_amount(name: str, value: float) -> None:
    """Refuse what is no finite number of at least 0."""
    if not (isfinite(value) and value >= 0):
        raise PlanError(f"{name} must be a finite number of at least 0, got {value!r}.")


def check_whole(name: str, value: Any, least: int, most: int = 1_000_000_000) -> None:
    """Refuse what is no whole number in a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PlanError(f"{name} must be a whole number from {least:,} to {most:,}, got {value!r}.")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise PlanError(f"{name} must be one of {', '.join(allowed)}, got {value!r}.")


def _toml(value: str | float) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)
