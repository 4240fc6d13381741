"""Models that aggregate evidence, one per file: each fits a statistic.

The folders hold what families of models share: `likelihood/`, `covariates/`, `ordered/` and `direct/`.
"""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.models.base import RESOLUTION as RESOLUTION
    from betterthan.models.base import Fit as Fit
    from betterthan.models.base import Model as Model
    from betterthan.models.base import build_model as build_model
    from betterthan.models.base import decided as decided
    from betterthan.models.base import draw_normal as draw_normal
    from betterthan.models.base import known_models as known_models
    from betterthan.models.bradley_terry import BradleyTerry as BradleyTerry
    from betterthan.models.corpus import Corpus as Corpus
    from betterthan.models.covariates.control_terms import columns_used as columns_used
    from betterthan.models.covariates.control_terms import controlled_judgments as controlled_judgments
    from betterthan.models.covariates.controlled_model import ControlledBradleyTerry as ControlledBradleyTerry
    from betterthan.models.covariates.controlled_model import ControlTask as ControlTask
    from betterthan.models.covariates.controlled_model import controlled as controlled
    from betterthan.models.covariates.design_matrix import PredictorDesign as PredictorDesign
    from betterthan.models.covariates.formulas import INTERCEPT as INTERCEPT
    from betterthan.models.covariates.formulas import Terms as Terms
    from betterthan.models.covariates.formulas import evaluate as evaluate
    from betterthan.models.covariates.formulas import joined as joined
    from betterthan.models.covariates.formulas import nothing as nothing
    from betterthan.models.covariates.formulas import ones as ones
    from betterthan.models.covariates.formulas import variables as variables
    from betterthan.models.covariates.formulas import without_each as without_each
    from betterthan.models.covariates.solver import MOST_CELLS as MOST_CELLS
    from betterthan.models.covariates.solver import SUSPICIOUS as SUSPICIOUS
    from betterthan.models.covariates.solver import UNKNOWN as UNKNOWN
    from betterthan.models.covariates.solver import FitProblem as FitProblem
    from betterthan.models.covariates.solver import FitSolution as FitSolution
    from betterthan.models.covariates.solver import Maximum as Maximum
    from betterthan.models.covariates.solver import Point as Point
    from betterthan.models.covariates.solver import columns_of as columns_of
    from betterthan.models.covariates.solver import growing as growing
    from betterthan.models.covariates.solver import identifiable as identifiable
    from betterthan.models.covariates.solver import inverted as inverted
    from betterthan.models.covariates.solver import maximise as maximise
    from betterthan.models.covariates.solver import newton as newton
    from betterthan.models.covariates.standard_errors import Errors as Errors
    from betterthan.models.covariates.standard_errors import JudgedRows as JudgedRows
    from betterthan.models.covariates.standard_errors import clustered as clustered
    from betterthan.models.covariates.standard_errors import split_ties as split_ties
    from betterthan.models.direct.counts import isolated_groups as isolated_groups
    from betterthan.models.direct.counts import one_sided_systems as one_sided_systems
    from betterthan.models.direct.scores import missing_scores as missing_scores
    from betterthan.models.elo import Elo as Elo
    from betterthan.models.likelihood import links as links
    from betterthan.models.mean import Mean as Mean
    from betterthan.models.median import Median as Median
    from betterthan.models.ordered import compiled as compiled
    from betterthan.models.ordered import skill as skill
    from betterthan.models.ordered.order import InOrder as InOrder
    from betterthan.models.refitting import Refitting as Refitting
    from betterthan.models.trueskill import TrueSkill as TrueSkill

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "base": "Fit Model RESOLUTION build_model decided draw_normal known_models",
        "bradley_terry": "BradleyTerry",
        "corpus": "Corpus",
        "covariates.control_terms": "columns_used controlled_judgments",
        "covariates.controlled_model": "ControlTask ControlledBradleyTerry controlled",
        "covariates.design_matrix": "PredictorDesign",
        "covariates.formulas": "INTERCEPT Terms evaluate joined nothing ones variables without_each",
        "covariates.solver": (
            "FitProblem FitSolution MOST_CELLS Maximum Point SUSPICIOUS UNKNOWN columns_of "
            "growing identifiable inverted maximise newton"
        ),
        "covariates.standard_errors": "Errors JudgedRows clustered split_ties",
        "direct.counts": "isolated_groups one_sided_systems",
        "direct.scores": "missing_scores",
        "elo": "Elo",
        "likelihood.links": "*",
        "mean": "Mean",
        "median": "Median",
        "ordered.compiled": "*",
        "ordered.order": "InOrder",
        "ordered.skill": "*",
        "refitting": "Refitting",
        "trueskill": "TrueSkill",
    },
)
