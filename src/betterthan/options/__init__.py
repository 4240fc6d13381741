"""Options of every verb, declared once for validation, command line, signature, plan file and docstrings."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.options import items as items
    from betterthan.options.agree import AgreeOptions as AgreeOptions
    from betterthan.options.campaign import CampaignOptions as CampaignOptions
    from betterthan.options.compare import CompareOptions as CompareOptions
    from betterthan.options.compare import ComparePairsOptions as ComparePairsOptions
    from betterthan.options.compare import Groups as Groups
    from betterthan.options.correlate import CorrelateOptions as CorrelateOptions
    from betterthan.options.diagnose import Chance as Chance
    from betterthan.options.diagnose import DiagnoseOptions as DiagnoseOptions
    from betterthan.options.diagnose import Measure as Measure
    from betterthan.options.fields import text_values as text_values
    from betterthan.options.fields.declare import About as About
    from betterthan.options.fields.declare import Declared as Declared
    from betterthan.options.fields.declare import declared_options as declared_options
    from betterthan.options.fields.options import Options as Options
    from betterthan.options.fields.validation import validated as validated
    from betterthan.options.fields.verb_function import takes as takes
    from betterthan.options.fields.verb_function import takes_name as takes_name
    from betterthan.options.fit import FitOptions as FitOptions
    from betterthan.options.gate import GateOptions as GateOptions
    from betterthan.options.next import NextOptions as NextOptions
    from betterthan.options.open import OpenOptions as OpenOptions
    from betterthan.options.plot import PlotOptions as PlotOptions
    from betterthan.options.power import PowerOptions as PowerOptions
    from betterthan.options.rank import OF_INTERVALS as OF_INTERVALS
    from betterthan.options.rank import Plan as Plan
    from betterthan.options.rank import RankOptions as RankOptions
    from betterthan.options.rank import Settings as Settings
    from betterthan.options.rank import StateOptions as StateOptions
    from betterthan.options.read import DescribedEvidence as DescribedEvidence
    from betterthan.options.read import ReadOptions as ReadOptions
    from betterthan.options.replay import ReplayOptions as ReplayOptions
    from betterthan.options.report import Page as Page
    from betterthan.options.report import ReportOptions as ReportOptions
    from betterthan.options.score import ScoreOptions as ScoreOptions
    from betterthan.options.select import SelectOptions as SelectOptions
    from betterthan.options.shared import ANYTIME as ANYTIME
    from betterthan.options.shared import CORRECTIONS as CORRECTIONS
    from betterthan.options.shared import FAMILY_WISE as FAMILY_WISE
    from betterthan.options.shared import JOINT as JOINT
    from betterthan.options.shared import REPEATED as REPEATED
    from betterthan.options.shared import UNIT_WORDS as UNIT_WORDS
    from betterthan.options.shared import WMT as WMT
    from betterthan.options.simulate import SimulateOptions as SimulateOptions
    from betterthan.options.study import StudyOptions as StudyOptions
    from betterthan.options.study import StudySettings as StudySettings

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "agree": "AgreeOptions",
        "campaign": "CampaignOptions",
        "compare": "CompareOptions ComparePairsOptions Groups",
        "correlate": "CorrelateOptions",
        "diagnose": "Chance DiagnoseOptions Measure",
        "fields.declare": "About Declared declared_options",
        "fields.options": "Options",
        "fields.text_values": "*",
        "fields.validation": "validated",
        "fields.verb_function": "takes takes_name",
        "fit": "FitOptions",
        "gate": "GateOptions",
        "items": "*",
        "next": "NextOptions",
        "open": "OpenOptions",
        "plot": "PlotOptions",
        "power": "PowerOptions",
        "rank": "OF_INTERVALS Plan RankOptions Settings StateOptions",
        "read": "DescribedEvidence ReadOptions",
        "replay": "ReplayOptions",
        "report": "Page ReportOptions",
        "score": "ScoreOptions",
        "select": "SelectOptions",
        "shared": "ANYTIME CORRECTIONS FAMILY_WISE JOINT REPEATED UNIT_WORDS WMT",
        "simulate": "SimulateOptions",
        "study": "StudyOptions StudySettings",
    },
)
