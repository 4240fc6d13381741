"""Shared foundations: errors, array types, spelling, registries, memos, progress and parallel work."""

from betterthan.base.lazy_exports import lazy_exports as lazy_exports
from betterthan.base.lazy_exports import lazy_files as lazy_files
from betterthan.base.lazy_exports import scipy as scipy

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all else
if TYPE_CHECKING:
    from betterthan.base import arrays as arrays
    from betterthan.base import escaping as escaping
    from betterthan.base import parallel as parallel
    from betterthan.base import registry as registry
    from betterthan.base import spelling as spelling
    from betterthan.base.arrays import ArrayEquality as ArrayEquality
    from betterthan.base.arrays import BoolArray as BoolArray
    from betterthan.base.arrays import FloatArray as FloatArray
    from betterthan.base.arrays import IntArray as IntArray
    from betterthan.base.digests import digest_of as digest_of
    from betterthan.base.error_messages import error_sentence as error_sentence
    from betterthan.base.errors import BetterthanError as BetterthanError
    from betterthan.base.errors import EvidenceError as EvidenceError
    from betterthan.base.errors import MissingExtraError as MissingExtraError
    from betterthan.base.errors import ModelError as ModelError
    from betterthan.base.errors import PlanError as PlanError
    from betterthan.base.errors import UnclearError as UnclearError
    from betterthan.base.errors import meant as meant
    from betterthan.base.errors import names_a_file as names_a_file
    from betterthan.base.errors import nearest as nearest
    from betterthan.base.errors import need_path as need_path
    from betterthan.base.errors import need_text as need_text
    from betterthan.base.errors import optional_library as optional_library
    from betterthan.base.errors import quoted_value as quoted_value
    from betterthan.base.memo import Memo as Memo
    from betterthan.base.plugins import PROVIDED as PROVIDED
    from betterthan.base.plugins import ProvidedFormats as ProvidedFormats
    from betterthan.base.plugins import load_plugins as load_plugins
    from betterthan.base.progress import Progress as Progress
    from betterthan.base.progress import part_of as part_of
    from betterthan.base.progress import silent as silent
    from betterthan.base.registry import Registry as Registry
    from betterthan.base.signature import Signature as Signature

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "arrays": "* ArrayEquality BoolArray FloatArray IntArray",
        "digests": "digest_of",
        "error_messages": "error_sentence",
        "errors": (
            "BetterthanError EvidenceError MissingExtraError ModelError PlanError "
            "UnclearError meant names_a_file nearest need_path need_text optional_library "
            "quoted_value"
        ),
        "escaping": "*",
        "memo": "Memo",
        "parallel": "*",
        "plugins": "PROVIDED ProvidedFormats load_plugins",
        "progress": "Progress part_of silent",
        "registry": "* Registry",
        "signature": "Signature",
        "spelling": "*",
    },
)
