"""The plan: every choice behind a result, frozen, saved, loaded, and printed in the signature."""

import os
import tomllib
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any, Self

from betterthan.errors import PlanError
from betterthan.signature import Signature

SCALES = ("worth", "log", "elo", "winrate")
INTERVALS = ("bootstrap", "analytic", "information", "none")
UNITS = ("row", "item", "judge", "ranking", "item+judge")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to compute and how.

    `resample=None` takes the ranking where there is one, else the item, else single judgments.

    >>> Plan(resamples=200).resamples
    200
    """

    model: str = "bradley-terry"
    ties: str = "half"
    scale: str = "worth"
    ci: str = "bootstrap"
    resample: str | None = None
    resamples: int = 1000
    level: float = 0.95
    seed: int = 0
    anchor: str | None = None
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        for name in ("model", "ties", "scale", "ci", "resample", "anchor"):
            value = getattr(self, name)
            if not isinstance(value, str) and not (value is None and name in {"resample", "anchor"}):
                raise PlanError(f"{name} must be a text, got {value!r}.")
        _one_of("scale", self.scale, SCALES)
        _one_of("ci", self.ci, INTERVALS)
        if self.resample is not None:
            _one_of("resample", self.resample, UNITS)
        if not isinstance(self.resamples, int) or not 20 <= self.resamples <= 1_000_000:
            raise PlanError(f"resamples must be a whole number from 20 to 1,000,000, got {self.resamples!r}.")
        if not 0.5 <= self.level < 1.0:
            raise PlanError(f"level must be at least 0.5 and below 1, got {self.level!r}; 95 % is 0.95.")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise PlanError(f"seed must be a whole number of at least 0, got {self.seed!r}.")
        if not (isfinite(self.tolerance) and self.tolerance >= 0):
            raise PlanError(f"tolerance must be a finite number of at least 0, got {self.tolerance!r}.")

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
        facts = {"model": self.model, "ties": self.ties, "scale": self.scale, "ci": self.ci}
        if self.ci != "none":
            facts |= {
                "resample": f"{self.resample or 'auto'}×{self.resamples}",
                "level": repr(self.level),
                "seed": str(self.seed),
            }
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
                choices |= {"resample": None if unit == "auto" else unit, "resamples": int(number)}
            converters = {"level": float, "seed": int, "tolerance": float}
            choices |= {name: convert(facts[name]) for name, convert in converters.items() if name in facts}
        except ValueError as error:
            raise PlanError(f"the signature cannot be read: {error}. Paste the whole line.") from None
        return cls.of(**choices)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise PlanError(f"{name} must be one of {', '.join(allowed)}, got {value!r}.")


def _toml(value: str | float) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)
