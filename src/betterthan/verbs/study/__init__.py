"""Studies: experiments of papers, repeated on simulated or real evidence."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.study.demo_run import run_demo as run_demo
    from betterthan.verbs.study.experiments.base import OfOutputs as OfOutputs
    from betterthan.verbs.study.experiments.base import build_study as build_study
    from betterthan.verbs.study.experiments.base import known_studies as known_studies
    from betterthan.verbs.study.experiments.base import study_class as study_class
    from betterthan.verbs.study.run_study import study as study

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "demo_run": "run_demo",
        "experiments.base": "OfOutputs build_study known_studies study_class",
        "run_study": "study",
    },
)
