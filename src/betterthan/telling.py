"""Any failure as one sentence, on the command line and on pages alike."""

from betterthan.errors import BetterthanError
from betterthan.escaping import brief
from betterthan.spelling import option


def told(error: Exception) -> tuple[str, bool]:
    """Return what went wrong as one sentence, and whether it is an error of ours.

    >>> told(MemoryError())
    ("out of memory. Use Parquet files, fewer resamples, or ci='analytic'.", False)
    """
    if isinstance(error, BetterthanError):
        return str(error), False
    if isinstance(error, OSError):
        return brief(f"{error.filename or 'standard output'}: {error.strerror or error}."), False
    # DuckDB has an exception of its own, which is not loaded here only to be compared with.
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
        remedy = f"Use Parquet files, fewer {option('resamples')}, or {option('ci', 'analytic')}."
        return f"out of memory. {remedy}", False
    what = str(error).strip().splitlines()
    return brief(
        f"an error of betterthan itself, {type(error).__name__}: {what[0] if what else 'no details'}. "
        "Please report it with the command you ran; BETTERTHAN_DEBUG=1 shows the details."
    ), True
