"""Convert any exception to a one-sentence message, for the command line and for web pages."""

from betterthan.base.errors import BetterthanError
from betterthan.base.escaping import brief
from betterthan.base.spelling import option


def error_sentence(error: Exception) -> tuple[str, bool]:
    """Return an error as one sentence, and whether it is one of ours.

    >>> error_sentence(MemoryError())
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
