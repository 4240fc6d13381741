"""JUnit XML of a gate, which CI systems show as test results."""

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from betterthan.base import escaping
from betterthan.verbs.gate.gate_sentences import amount, interval_text, limit_text

if TYPE_CHECKING:
    from betterthan.verbs.gate.gate_result import Gate


def junit(gate: "Gate") -> str:
    """Return a test suite with a test case for every check; one that is open is a failure of the type inconclusive."""
    missed = sum(check.decision != "pass" for check in gate.checks)
    suite = ElementTree.Element(
        "testsuite",
        name="betterthan gate",
        tests=str(len(gate.checks) + 1),
        failures=str(missed + (gate.decision != "pass")),
    )
    _case(suite, "decision", gate.decision, gate.verdict)
    for check in gate.checks:
        told = (
            f"difference {amount(check, check.difference.value)}, interval {interval_text(check)}, "
            f"must be {limit_text(check)}"
        )
        against = f" against {check.old}" if len(gate.old) > 1 else ""
        _case(suite, f"{check.title}{against}", check.decision or "pass", told)
    ElementTree.indent(suite)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suite, encoding="unicode")}\n'


def _case(suite: ElementTree.Element, name: str, decision: str, told: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname="betterthan.gate", name=escaping.terminal_line(name))
    if decision == "pass":
        ElementTree.SubElement(case, "system-out").text = escaping.terminal_line(told)
    else:
        ElementTree.SubElement(case, "failure", type=decision, message=escaping.terminal_line(told))
