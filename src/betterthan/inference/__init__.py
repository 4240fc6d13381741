"""Statistical inference: tests, effect sizes, intervals and agreement."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.inference.agreement import agreement_coefficients as agreement_coefficients
    from betterthan.inference.agreement import rater_agreement as rater_agreement
    from betterthan.inference.intervals import corrected_means as corrected_means
    from betterthan.inference.intervals import draw_intervals as draw_intervals
    from betterthan.inference.intervals import effect_sizes as effect_sizes
    from betterthan.inference.intervals import effective_size as effective_size
    from betterthan.inference.intervals import mean_intervals as mean_intervals
    from betterthan.inference.intervals import pair_shares as pair_shares
    from betterthan.inference.intervals import questions as questions
    from betterthan.inference.intervals import share_intervals as share_intervals
    from betterthan.inference.intervals import student as student
    from betterthan.inference.intervals import task_mean as task_mean
    from betterthan.inference.intervals.clustered_error import clustered_error as clustered_error
    from betterthan.inference.intervals.crossed_means import ByJudge as ByJudge
    from betterthan.inference.intervals.effect import Effect as Effect
    from betterthan.inference.intervals.effect import effect_of as effect_of
    from betterthan.inference.intervals.estimate import Estimate as Estimate
    from betterthan.inference.intervals.estimate import mean_of as mean_of
    from betterthan.inference.intervals.estimate import share_of as share_of
    from betterthan.inference.intervals.estimate_errors import EstimateErrors as EstimateErrors
    from betterthan.inference.intervals.mean_pairs import mean_pairs as mean_pairs
    from betterthan.inference.intervals.median_intervals import median_intervals as median_intervals
    from betterthan.inference.intervals.run_variance import RunVariance as RunVariance
    from betterthan.inference.intervals.studentised import studentise as studentise
    from betterthan.inference.tests import all_pairs_tests as all_pairs_tests
    from betterthan.inference.tests import equivalence as equivalence
    from betterthan.inference.tests import mcnemar as mcnemar
    from betterthan.inference.tests import omnibus_tests as omnibus_tests
    from betterthan.inference.tests import paired_tests as paired_tests
    from betterthan.inference.tests import randomisation as randomisation
    from betterthan.inference.tests import sequential as sequential
    from betterthan.inference.tests import sign_flips as sign_flips
    from betterthan.inference.tests import tails as tails
    from betterthan.inference.tests.average_ranks import average_ranks as average_ranks
    from betterthan.inference.tests.multiplicity import adjusted as adjusted
    from betterthan.inference.tests.paired_tests import Differences as Differences
    from betterthan.inference.tests.paired_tests import Test as Test

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "agreement.agreement_coefficients": "*",
        "agreement.rater_agreement": "*",
        "intervals.clustered_error": "clustered_error",
        "intervals.corrected_means": "*",
        "intervals.crossed_means": "ByJudge",
        "intervals.draw_intervals": "*",
        "intervals.effect": "Effect effect_of",
        "intervals.effect_sizes": "*",
        "intervals.effective_size": "*",
        "intervals.estimate": "Estimate mean_of share_of",
        "intervals.estimate_errors": "EstimateErrors",
        "intervals.mean_intervals": "*",
        "intervals.mean_pairs": "mean_pairs",
        "intervals.median_intervals": "median_intervals",
        "intervals.pair_shares": "*",
        "intervals.questions": "*",
        "intervals.run_variance": "RunVariance",
        "intervals.share_intervals": "*",
        "intervals.student": "*",
        "intervals.studentised": "studentise",
        "intervals.task_mean": "*",
        "tests.all_pairs_tests": "*",
        "tests.average_ranks": "average_ranks",
        "tests.equivalence": "*",
        "tests.mcnemar": "*",
        "tests.multiplicity": "adjusted",
        "tests.omnibus_tests": "*",
        "tests.paired_tests": "* Differences Test",
        "tests.randomisation": "*",
        "tests.sequential": "*",
        "tests.sign_flips": "*",
        "tests.tails": "*",
    },
)
