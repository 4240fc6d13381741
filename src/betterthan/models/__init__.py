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
    from betterthan.models.base import draw_normal as draw_normal
    from betterthan.models.base import known_models as known_models
    from betterthan.models.bradley_terry import BradleyTerry as BradleyTerry
    from betterthan.models.corpus import Corpus as Corpus
    from betterthan.models.covariates import controlled_model as controlled_model
    from betterthan.models.covariates import design_matrix as design_matrix
    from betterthan.models.covariates import formulas as formulas
    from betterthan.models.covariates import solver as solver
    from betterthan.models.covariates import standard_errors as standard_errors
    from betterthan.models.direct import rectified_scores as rectified_scores
    from betterthan.models.direct.counts import isolated_groups as isolated_groups
    from betterthan.models.direct.counts import one_sided_systems as one_sided_systems
    from betterthan.models.direct.gold_regression import GoldRegression as GoldRegression
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
        "base": "Fit Model RESOLUTION build_model draw_normal known_models",
        "bradley_terry": "BradleyTerry",
        "corpus": "Corpus",
        "covariates.controlled_model": "*",
        "covariates.design_matrix": "*",
        "covariates.formulas": "*",
        "covariates.solver": "*",
        "covariates.standard_errors": "*",
        "direct.counts": "isolated_groups one_sided_systems",
        "direct.gold_regression": "GoldRegression",
        "direct.rectified_scores": "*",
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
