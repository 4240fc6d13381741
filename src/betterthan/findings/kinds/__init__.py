"""Every kind of finding, one file per topic, with its texts and thresholds."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_files

if TYPE_CHECKING:
    from betterthan.findings.kinds import collecting as collecting
    from betterthan.findings.kinds import comparisons as comparisons
    from betterthan.findings.kinds import evidence as evidence
    from betterthan.findings.kinds import fitting as fitting
    from betterthan.findings.kinds import gates as gates
    from betterthan.findings.kinds import gold as gold
    from betterthan.findings.kinds import judges as judges
    from betterthan.findings.kinds import outputs as outputs
    from betterthan.findings.kinds import planning as planning
    from betterthan.findings.kinds import ratings as ratings
    from betterthan.findings.kinds import reading as reading
    from betterthan.findings.kinds import resampling as resampling
    from betterthan.findings.kinds import scores as scores
    from betterthan.findings.kinds import selecting as selecting
    from betterthan.findings.kinds import ties as ties

__getattr__ = lazy_files(__name__)
