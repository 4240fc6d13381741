"""The declaration of a kind of finding: its code, texts, level and thresholds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from betterthan.findings.finding import Finding, Level
from betterthan.findings.wording import filled


@dataclass(frozen=True)
class Kind:
    """A kind of finding; `message` and `hint` are templates, `value` names the number behind them.

    Message, hint and `why` are one sentence each. `remedy` is the advice without the numbers of a case; it may be left
    out where the hint has none. `background` is for readers who want to know more.

    >>> TIES = Kind("ties", "Many ties", "info", "{share:percent} of judgments are ties.", value="share")
    >>> print(TIES.found(share=0.19))
    i ties: 19 % of judgments are ties.
    """

    code: str
    title: str
    level: Level
    message: str
    hint: str = ""
    why: str = ""
    remedy: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict, hash=False)
    value: str = ""
    background: str = ""

    def found(self, *, level: Level | None = None, hint: str | None = None, **numbers: Any) -> Finding:
        """Return a finding of this kind; `level` and `hint` where they are not the usual ones."""
        plain = {name: _plain(number) for name, number in numbers.items()}
        every = {**self.thresholds, **plain}
        message, advice = filled(self.message, every), filled(self.hint if hint is None else hint, every)
        value = plain[self.value] if self.value else None
        number = None if value is None else float(value)
        why = filled(self.why, every)
        return Finding(self.code, level or self.level, message, advice, number, plain, self.title, why)

    def noted(self, **numbers: Any) -> Finding:
        """Return a finding that asks for nothing: a note without a hint."""
        return self.found(level="info", hint="", **numbers)

    def __str__(self) -> str:
        limits = ", ".join(f"{name.replace('_', ' ')} {_limit(value)}" for name, value in self.thresholds.items())
        parts = {
            "Why it matters": filled(self.why, self.thresholds),
            "What to do": filled(self.remedy or self.hint, self.thresholds),
            "Thresholds": f"{limits}." if limits else "",
            "Background": filled(self.background, self.thresholds),
        }
        told = [f"{name}: {text}" for name, text in parts.items() if text]
        return "\n".join([f"{self.code} ({self.level})", f"{self.title}.", *told])


def _limit(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def _plain(number: Any) -> Any:
    """Return Python's own number for one of NumPy's."""
    return number.item() if hasattr(number, "item") else number
