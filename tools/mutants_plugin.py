"""What `tools/mutants.py` adds to pytest: coverage of every test by itself, and a record of what passed and failed.

It is loaded with `-p mutants_plugin` and told what to do by the environment: `MUTANTS_SOURCE` is the folder from which
the package must come, `MUTANTS_PACKAGE` its name, `MUTANTS_RECORD` the file for outcomes, and `MUTANTS_COVERAGE` the
file for coverage, where that is collected.
"""

import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

_running: list[coverage.Coverage] = []
_outcomes: dict[str, dict[str, Any]] = {}


def _distributes(config: pytest.Config) -> bool:
    """Return whether this process only hands tests out to others."""
    return bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a package from elsewhere, whose defects nobody planted, and begin to measure."""
    source, package = Path(os.environ["MUTANTS_SOURCE"]), os.environ["MUTANTS_PACKAGE"]
    if "MUTANTS_COVERAGE" in os.environ and not _distributes(config):
        measured = coverage.Coverage(
            data_file=os.environ["MUTANTS_COVERAGE"],
            data_suffix=True,
            source=[str(source / package)],
            config_file=False,
        )
        measured.start()
        _running.append(measured)
    imported = Path(str(importlib.import_module(package).__file__))
    if not imported.is_relative_to(source):
        raise pytest.UsageError(f"{package} was imported from {imported}, not from {source}")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure every test, with its fixtures, under its own name."""
    for measured in _running:
        measured.switch_context(item.nodeid)
    try:
        return (yield)
    finally:
        for measured in _running:
            measured.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember how long a test took and whether it passed."""
    known = _outcomes.setdefault(report.nodeid, {"seconds": 0.0, "outcome": "passed"})
    known["seconds"] += report.duration
    if report.outcome != "passed" and known["outcome"] == "passed":
        known["outcome"] = report.outcome


def pytest_unconfigure(config: pytest.Config) -> None:
    """Store what was measured; of several processes, the one that hands tests out has all outcomes."""
    while _running:
        measured = _running.pop()
        measured.stop()
        measured.save()
    if not hasattr(config, "workerinput"):
        Path(os.environ["MUTANTS_RECORD"]).write_text(json.dumps(_outcomes), encoding="utf-8")
