"""Diagnosis: problems of the evidence, one check per file, and advice on the model to report."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.diagnose.checks.influence import turned_pairs as turned_pairs
    from betterthan.verbs.diagnose.diagnose_evidence import diagnose as diagnose
    from betterthan.verbs.diagnose.diagnosis_result import Diagnosis as Diagnosis
    from betterthan.verbs.diagnose.diagnosis_result import Section as Section
    from betterthan.verbs.diagnose.examined_data import ExaminedData as ExaminedData

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "checks.influence": "turned_pairs",
        "diagnose_evidence": "diagnose",
        "diagnosis_result": "Diagnosis Section",
        "examined_data": "ExaminedData",
    },
)
