"""Results as Markdown: what was measured, which targets were met, and with what it was measured."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from harness import Measured
from process import HERE


@dataclass(frozen=True)
class Target:
    """What was aimed at, what came out, and whether that is enough."""

    aim: str
    measured: str
    met: bool

    @classmethod
    def at_least(cls, aim: str, ratio: float, least: float) -> "Target":
        """Aim at being at least this many times as fast."""
        return cls(aim, f"{short(ratio)} ×", ratio >= least)

    @classmethod
    def below(cls, aim: str, value: float, most: float, unit: str) -> "Target":
        """Aim at staying below a limit."""
        return cls(aim, f"{value:.3g} {unit}", value < most)


def short(value: float) -> str:
    """Return three digits that count."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, numbers to the right."""
    numeric = [all(row[place][:1].isdigit() or row[place] in {"–", ""} for row in rows) for place in range(len(head))]
    rule = ["--:" if right else "---" for right in numeric]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *rows)) + "\n"


def contest_table(
    what: Mapping[str, str],
    measured: Mapping[str, Measured],
    ours: str,
    extra: Mapping[str, Mapping[str, str]],
    head: tuple[str, str, str] = ("contestant", "what it does", "× ours"),
) -> str:
    """Return one row per contestant, with its time as a multiple of ours; `extra` adds columns by contestant."""
    base = measured[ours].seconds
    rows = [
        [
            name,
            what[name],
            short(result.seconds),
            short(result.seconds / base),
            short(result.cpu),
            short(result.cpu / measured[ours].cpu),
            f"{result.peak:.2f}",
            *(column.get(name, "–") for column in extra.values()),
        ]
        for name, result in measured.items()
    ]
    noise = max(result.others for result in measured.values())
    note = f"While these ran, other processes took at most {noise:.0%} of the machine.\n"
    name, does, times = head
    lines = table([name, does, "seconds", times, "CPU s", f"CPU, {times}", "peak GB", *extra], rows)
    return f"{lines}\n{note}"


def write(name: str, title: str, text: Sequence[str], targets: Sequence[Target], packages: Sequence[str]) -> None:
    """Write `results/<name>.md` and print it."""
    parts = [f"# {title}\n", *text]
    if targets:
        lines = [[target.aim, target.measured, "pass" if target.met else "**fail**"] for target in targets]
        parts += ["## Targets\n", table(["target", "measured", ""], lines)]
    parts.append(_setting(packages))
    page = "\n".join(parts)
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(page, encoding="utf-8")
    print(page)


def _setting(packages: Sequence[str]) -> str:
    versions = ", ".join(f"{package} {version(package)}" for package in ("betterthan", *packages))
    return (
        f"Measured by `benchmarks/run.py` on {os.cpu_count()} cores with Python {platform.python_version()}; "
        f"{versions}. Seconds are this machine's; ratios, all within one run, carry over.\n"
    )
