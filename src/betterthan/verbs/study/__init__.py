"""Studies: experiments of papers, repeated on simulated or real evidence."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.study.demo_run import run_demo as run_demo
    from betterthan.verbs.study.experiments.base import is_of_outputs as is_of_outputs
    from betterthan.verbs.study.experiments.base import study_table as study_table
    from betterthan.verbs.study.run_study import study as study

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "demo_run": "run_demo",
        "experiments.base": "is_of_outputs study_table",
        "run_study": "study",
    },
)
