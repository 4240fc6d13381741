"""The same million judgments from every kind of source."""

from data import made
from harness import REPEATED, Contestant, contest
from report import Target, contest_table, write

OURS = "Parquet"
FILES = {OURS: "parquet", "CSV": "csv", "JSON lines": "jsonl"}
FRAMES = {"pandas": "a frame in memory", "polars": "a frame in memory", "pyarrow": "a table in memory"}


def run() -> None:
    """Time files and frames, and see that all give the same counts."""
    files = [Contestant(name, "ours:digest", "", layout=layout) for name, layout in FILES.items()]
    frames = [Contestant(name, "ours:digest", "", source=name) for name in FRAMES]
    measured = contest([*files, *frames], "1m")
    sizes = {name: f"a file of {made('1m', layout).stat().st_size / 1e6:.0f} MB" for name, layout in FILES.items()}
    digests = {result.answer for result in measured.values()}
    text = [
        '1 million judgments of 100 systems to a board without intervals (`ci="none"`). Reading a file is counted; '
        "frames are in memory when the clock starts, and their own memory is in the peak. "
        f"In processes of its own; {REPEATED}.\n",
        contest_table(sizes | FRAMES, measured, OURS, {}, ("source", "what it is", "× Parquet")),
    ]
    targets = [Target("every source gives the same counts", f"{len(digests)} fingerprint(s)", len(digests) == 1)]
    packages = ("duckdb", "narwhals", "numpy", "pandas", "polars", "pyarrow", "scipy")
    write("engines", "Engines: one million judgments from any source", text, targets, packages)
