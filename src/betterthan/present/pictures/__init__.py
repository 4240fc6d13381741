"""Pictures: each kind has a file with a function `draw`, which draws finished numbers and computes nothing."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_files

if TYPE_CHECKING:
    from betterthan.present.pictures import agreement as agreement
    from betterthan.present.pictures import bump as bump
    from betterthan.present.pictures import calibration as calibration
    from betterthan.present.pictures import chart_of_questions as chart_of_questions
    from betterthan.present.pictures import coefficients as coefficients
    from betterthan.present.pictures import critical_difference as critical_difference
    from betterthan.present.pictures import curves as curves
    from betterthan.present.pictures import differences as differences
    from betterthan.present.pictures import frontier as frontier
    from betterthan.present.pictures import graph as graph
    from betterthan.present.pictures import growth as growth
    from betterthan.present.pictures import history as history
    from betterthan.present.pictures import joint as joint
    from betterthan.present.pictures import judges as judges
    from betterthan.present.pictures import leaderboard as leaderboard
    from betterthan.present.pictures import matrix as matrix
    from betterthan.present.pictures import meetings as meetings
    from betterthan.present.pictures import panels as panels
    from betterthan.present.pictures import ranks as ranks
    from betterthan.present.pictures import shares as shares
    from betterthan.present.pictures import stacked as stacked

__getattr__ = lazy_files(__name__)
