"""Digests of data: twelve hexadecimal digits that identify what a result was computed from."""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DIGITS = 12


def digest_of(texts: Iterable[str], *columns: NDArray[Any], separator: str = "\0") -> str:
    """Return the digest of texts and columns in this order; callers sort what has no order.

    >>> digest_of(["owl", "yak"])
    'ce8f220bc478'
    """
    found = hashlib.sha256(separator.join(texts).encode(errors="surrogatepass"))
    for column in columns:
        found.update(np.ascontiguousarray(column).tobytes())
    return found.hexdigest()[:_DIGITS]
